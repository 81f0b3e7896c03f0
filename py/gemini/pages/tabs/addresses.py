"""Parse the addresses that `browser_navigate` opens: files, pages of the surface's origin, and pages elsewhere."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gemini.errors import FileMissing, InvalidArguments
from gemini.pages.tabs.documents import Kind

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
HOST = re.compile(r"(?:localhost|\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#].*)?", re.IGNORECASE)
# File suffixes that are no top-level domains.
FILE_NAME = re.compile(r"[^/?#]*\.(?:x?html?|svg|css|js|json|txt|pdf|png|jpe?g|gif)", re.IGNORECASE)
LOOPBACK = re.compile(r"(?:localhost|127\.|0\.0\.0\.0|\[::1?\])", re.IGNORECASE)
LOOPBACK_NAMES = frozenset(["localhost", "127.0.0.1", "::1", "0.0.0.0", "::"])
SPLIT = re.compile(r"([^?#]*)(.*)", re.DOTALL)


@dataclass(frozen=True)
class Address:
    """A parsed address.

    `where` is a URL, a file's absolute path, or a server's `http://localhost:8000`; `rest` is a file's query and
    fragment, or what follows a server's address.
    """

    kind: Kind
    where: str
    rest: str = ""


def parse(
    text: str,
    *,
    origin: str,
    sites: Iterable[str],
    resolve: Callable[[str], str],
    serves: Callable[[int], bool] = lambda port: False,
) -> Address:
    """Parse text as an address bar does.

    Args:
        text: A URL, a host name, or a path.
        origin: The surface's own origin, such as `http://127.0.0.1:8765`.
        sites: The URLs of known sites; a URL below one is a file.
        resolve: Returns the absolute form of a caller's path.
        serves: Returns whether a port of this machine means a server in the page.

    Raises:
        InvalidArguments: The text can't be opened.
        FileMissing: The text is neither a URL nor an existing file.
    """
    text = text.strip()
    if not text or "\0" in text:
        raise InvalidArguments(
            "the url is empty", hint="Pass a URL, or a path such as /project/site/index.html."
        )
    site = next((each for each in sites if text.startswith(each)), None)
    if site is not None:
        path, rest = _split(text[len(site) :])
        return Address("file", "/" + unquote(path), rest)
    if SCHEME.match(text):
        return _url(text, origin, serves)
    path, rest = _file(text, resolve)
    if path is not None:
        return Address("file", path, rest)
    if text.startswith(("/", "./", "../")):
        # A path, even if the file is missing: opening it reports what is missing.
        return Address("file", resolve(_split(text)[0]))
    if HOST.fullmatch(text) and not FILE_NAME.fullmatch(text):
        return _url(("http://" if LOOPBACK.match(text) else "https://") + text, origin, serves)
    raise FileMissing(
        f"{text!r} is neither a file that exists nor a URL",
        hint="Pass the path of an HTML file, or a full URL such as https://example.com/.",
        data={"url": text},
    )


def loopback_port(url: str) -> int | None:
    """Return the port of a valid URL of this machine, or None of one elsewhere."""
    parts = urlsplit(url)
    return (parts.port or 80) if parts.scheme == "http" and parts.hostname in LOOPBACK_NAMES else None


def _url(text: str, origin: str, serves: Callable[[int], bool]) -> Address:
    try:
        parts = urlsplit(text)
        port = parts.port or 80
    except ValueError as error:
        raise InvalidArguments(f"{text!r} is not a valid URL: {error}") from error
    scheme = parts.scheme.lower()
    if scheme == "file":
        return Address("file", unquote(parts.path), _rest(parts.query, parts.fragment))
    if text.lower() == "about:blank":
        return Address("same", "about:blank")
    if scheme not in ("http", "https") or not parts.hostname:
        raise InvalidArguments(
            f"{text!r} can't be opened in a tab",
            hint="Use an http: or https: URL, or a file path. To open your own HTML, write it to a file first.",
        )
    if loopback_port(text) is not None and serves(port):
        where = f"http://localhost:{port}"
        return Address("server", where, (parts.path or "/") + _rest(parts.query, parts.fragment))
    here = urlsplit(origin)
    same = (scheme, parts.netloc.lower()) == (here.scheme, here.netloc)
    return Address("same" if same else "other", text)


def _file(text: str, resolve: Callable[[str], str]) -> tuple[str | None, str]:
    """Return the existing file for a path, with or without its query and fragment; None if there is none."""
    short, rest = _split(text)
    for path, tail in ((text, ""), (short, rest)):
        if path and Path(found := resolve(path)).exists():
            return found, tail
    return None, ""


def _split(text: str) -> tuple[str, str]:
    found = SPLIT.fullmatch(text)
    return (found[1], found[2]) if found else (text, "")


def _rest(query: str, fragment: str) -> str:
    return (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
