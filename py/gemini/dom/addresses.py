"""What `browser_navigate` is told to open: a file of the surface, a page of its host, or one elsewhere."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from gemini.dom.documents import Kind
from gemini.errors import FileMissing, InvalidArguments

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
HOST = re.compile(r"(?:localhost|\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#].*)?", re.IGNORECASE)
# Endings of files that no host's name has.
FILE_NAME = re.compile(r"[^/?#]*\.(?:x?html?|svg|css|js|json|txt|pdf|png|jpe?g|gif)", re.IGNORECASE)
LOOPBACK = re.compile(r"(?:localhost|127\.|\[::1\])", re.IGNORECASE)
SPLIT = re.compile(r"([^?#]*)(.*)", re.DOTALL)


@dataclass(frozen=True)
class Address:
    """`where` is a URL; of a file, its absolute path. `rest` is the query and fragment that a file was asked with."""

    kind: Kind
    where: str
    rest: str = ""


def read(text: str, *, origin: str, sites: Iterable[str], resolve: Callable[[str], str]) -> Address:
    """What somebody means who writes `text` into an address bar.

    Args:
        text: A URL, a host's name, or a path.
        origin: The surface's own, as `http://127.0.0.1:8765`.
        sites: Where sites are, as far as it is known: URLs below are those of files.
        resolve: Gives the absolute path of one as the caller wrote it.

    Raises:
        InvalidArguments: it is nothing that can be opened.
        FileMissing: it may be a name of either, and there is no such file.
    """
    text = text.strip()
    if not text or "\0" in text:
        raise InvalidArguments(
            "the url is empty", hint="Give a URL, or a path such as /project/site/index.html."
        )
    site = next((each for each in sites if text.startswith(each)), None)
    if site is not None:
        path, rest = _split(text[len(site) :])
        return Address("file", "/" + unquote(path), rest)
    if SCHEME.match(text):
        return _url(text, origin)
    path, rest = _file(text, resolve)
    if path is not None:
        return Address("file", path, rest)
    if text.startswith(("/", "./", "../")):
        # It is a path, if nothing is there: whoever opens it says what is missing.
        return Address("file", resolve(_split(text)[0]))
    if HOST.fullmatch(text) and not FILE_NAME.fullmatch(text):
        return _url(("http://" if LOOPBACK.match(text) else "https://") + text, origin)
    raise FileMissing(
        f"{text!r} is neither a file that exists nor a URL",
        hint="Give the path of an HTML file, or a whole URL such as https://example.com/.",
        data={"url": text},
    )


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, in characters that show what they are."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{quote(parts.netloc.rpartition('@')[2].lower(), safe=':.-[]')}"


def _url(text: str, origin: str) -> Address:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise InvalidArguments(f"{text!r} is no URL: {error}") from error
    scheme = parts.scheme.lower()
    if scheme == "file":
        return Address("file", unquote(parts.path), _rest(parts.query, parts.fragment))
    if text.lower() == "about:blank":
        return Address("same", "about:blank")
    if scheme not in ("http", "https") or not parts.hostname:
        raise InvalidArguments(
            f"{text!r} can't be opened in a tab",
            hint="http:, https: and paths of files can. For a page of your own, write it to a file and open that.",
        )
    here = urlsplit(origin)
    same = (scheme, parts.netloc.lower()) == (here.scheme, here.netloc)
    return Address("same" if same else "other", text)


def _file(text: str, resolve: Callable[[str], str]) -> tuple[str | None, str]:
    """The file that a path names, by its whole text or without query and fragment; None where there is none."""
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
