"""Serve files of the surface as web pages.

A tab that shows `/project/site/index.html` opens its root, `/project/site`, and nothing outside it. Each site has its
own origin. The page and the origin's service worker write its policy (web/site/policy.ts), and the page decides which
roots a request may read.
"""

import codecs
import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, unquote_to_bytes

from gemini.errors import FileMissing, FileProblem, PathOutsideTree, Unsupported

INDEX = "index.html"
PAGE_SCRIPT = "gemini-page.js"
HTML = "text/html"

# In addition to Python's own table, which is smaller before 3.13.
TYPES = {
    ".avif": "image/avif",
    ".cjs": "text/javascript",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".jsonl": "application/jsonl",
    ".map": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".oga": "audio/ogg",
    ".ogg": "audio/ogg",
    ".ogv": "video/ogg",
    ".opus": "audio/ogg",
    ".otf": "font/otf",
    # TypeScript, not MPEG transport streams.
    ".ts": "text/plain",
    ".ttf": "font/ttf",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".yaml": "text/plain",
    ".yml": "text/plain",
}
# Of the types of applications; a browser stores the others.
SHOWN = ("json", "xml", "javascript")

# What may precede a page's first element without a switch to quirks mode; comments end as in
# https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state.
PROLOGUE = re.compile(
    r"(?:\ufeff|\xef\xbb\xbf)?(?:\s|<!--(?:-?>|.*?--!?>)|<\?[^>]*>|<!doctype[^>]*>)*",
    re.DOTALL | re.IGNORECASE,
)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
DECLARED = re.compile(r"""<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE | re.ASCII)
# Bytes in which browsers look for a declaration.
PRESCANNED = 1024
UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True)
class Answer:
    """A response: 200, 301 to the same path with a trailing slash, or 404; `type` is a content type."""

    status: int
    type: str
    content: bytes


@dataclass(frozen=True)
class Location:
    """The location of a page: the root directory of its site, and its percent-encoded path."""

    root: str
    path: str


class Sites:
    """The sites that tabs show.

    Args:
        surface: The origin of the surface; only it may control the pages.
        home: The directory whose subdirectories are sites.
    """

    def __init__(self, surface: str = "", home: str = "/project") -> None:
        self.surface = surface
        self.home = home
        self._roots: dict[str, str] = {}
        """The directory that each tab shows."""
        self.on_served: Callable[[str, Collection[str]], None] = lambda file, roots: None
        """Called with each file that is requested, which may be missing, and the roots of the requesting site."""

    def find(self, path: str) -> Location:
        """Return the location of a file, or of a directory's index.html.

        The root is the subdirectory of `home` that contains the file, else the file's own directory.

        Args:
            path: An absolute path.

        Raises:
            FileMissing: The file is missing, or the directory has no index.html.
            Unsupported: Tabs don't show files of its type.
            PathOutsideTree: A link leads out of the site.
            FileProblem: The file is in `/`, so its site would be all files.
        """
        file = posixpath.normpath(path)
        if os.path.isdir(file):
            file = _index(file)
        if not os.path.isfile(file):
            raise FileMissing(f"there is no file {path!r} to open", data={"path": path})
        _require_shown(file)
        root = os.path.realpath(self._root(file))
        if root == "/":
            raise FileProblem(
                f"{path!r} can't be opened: its site would be all files",
                hint=f"Move it into a directory, such as {posixpath.join(self.home, 'site')!r}.",
                data={"path": path},
            )
        if not _below(os.path.realpath(file), root):
            raise PathOutsideTree(
                f"{path!r} is a link that leads out of its site, {root!r}",
                hint="Open the file itself, or copy it into the site.",
                data={"path": path, "root": root},
            )
        return Location(root, quote(file))

    def open(self, tab: str, root: str) -> None:
        """Serve a directory while the tab shows it, in place of the one that it showed before."""
        self._roots[tab] = root

    def close(self, tab: str) -> None:
        """Stop serving the directory that a tab shows."""
        self._roots.pop(tab, None)

    def root(self, tab: str) -> str | None:
        """Return the directory that a tab shows; None if it shows no site."""
        return self._roots.get(tab)

    def root_containing(self, path: str, tab: str, roots: Iterable[str]) -> str | None:
        """Return the root that contains a path: the tab's, else the innermost of `roots`."""
        file = os.path.realpath(path)
        shown = self._roots.get(tab)
        if shown is not None and _below(file, shown):
            return shown
        return max((root for root in roots if _below(file, root)), key=len, default=None)

    def answer(self, path: str, roots: Collection[str]) -> Answer:
        """Return the response to a request.

        Args:
            path: The percent-encoded path of the URL, without its query.
            roots: The directories of the requesting site; those that no tab shows are ignored.
        """
        shown = [root for root in set(self._roots.values()) if root in roots]
        file = _decode(path)
        if file is None or not _is_served(file, shown):
            return self._missing(path, "The site has no such file.")
        if os.path.isdir(file):
            if not path.endswith("/"):
                return Answer(301, HTML, b"")
            file = posixpath.join(file, INDEX)
        elif path.endswith("/"):
            return self._missing(path, "It is a file, not a directory.")
        if not _is_served(file, shown):
            return self._missing(path, "It leads out of the site.")
        self.on_served(file, roots)
        try:
            with open(file, "rb") as opened:
                content = opened.read()
        except OSError as error:
            return self._missing(path, f"{error.strerror}.")
        return self._find(file, content)

    def controlled(self, kind: str, content: bytes, port: int) -> tuple[str, bytes]:
        """Return the type and the content of an answer of the server at a port, with the page script if it is HTML."""
        if kind.partition(";")[0].strip().lower() != HTML:
            return kind, content
        if "charset" not in kind.lower() and (charset := _encoding_of(content)):
            kind = f"{HTML}; charset={charset}"
        return kind, _with_script(content, self._script_in("/", port=port))

    def _root(self, file: str) -> str:
        directory = posixpath.dirname(file)
        if not _below(directory, self.home) or directory == self.home:
            return directory
        return posixpath.join(self.home, posixpath.relpath(directory, self.home).split("/", 1)[0])

    def _find(self, file: str, content: bytes) -> Answer:
        kind = _type_of(file, content)
        if kind == HTML:
            charset = _encoding_of(content)
            content = _with_script(content, self._script(file))
        else:
            charset = "utf-8" if _is_text(kind) and _is_utf_8(content) else None
        return Answer(200, f"{kind}; charset={charset}" if charset else kind, content)

    def _missing(self, path: str, reason: str) -> Answer:
        shown = _escape(_format(path))
        page = (
            "<!doctype html><meta name=viewport content='width=device-width'><title>Not found</title>"
            "<style>:root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}</style>"
            f"<h1>Not found</h1><p><code>{shown}</code></p><p>{_escape(reason)}</p>"
        )
        content = _with_script(page.encode(), self._script(_format(path)))
        return Answer(404, f"{HTML}; charset=utf-8", content)

    def _script(self, file: str) -> str:
        # Relative, because sites may share an origin below a path.
        return self._script_in("../" * (file.count("/") - 1))

    def _script_in(self, folder: str, *, port: int | None = None) -> str:
        controllers = _escape(self.surface)
        server = "" if port is None else f' data-server="{port}"'
        tags = f'data-controllers="{controllers}" data-copies="no" data-stays{server}'
        return f'<script src="{folder}{PAGE_SCRIPT}" {tags}></script>'


def _is_served(file: str, roots: Collection[str]) -> bool:
    real = os.path.realpath(file)
    return any(_below(real, root) for root in roots)


def _index(directory: str) -> str:
    file = posixpath.join(directory, INDEX)
    if os.path.isfile(file):
        return file
    pages = sorted(name for name in os.listdir(directory) if name.lower().endswith((".html", ".htm")))[:5]
    there = f"Open one of its pages: {', '.join(repr(posixpath.join(directory, name)) for name in pages)}."
    raise FileMissing(
        f"{directory!r} is a directory without {INDEX}",
        hint=there if pages else f"Write {file!r}, or open a file.",
        data={"path": directory},
    )


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root.rstrip('/')}/")


def _decode(path: str) -> str | None:
    """Return the file that the path of a URL names; None if no file can have this name."""
    parts = [unquote_to_bytes(part) for part in path.split("/")]
    if any(part == b".." or b"/" in part or b"\0" in part for part in parts):
        return None
    try:
        # Not os.fsdecode: names in the surface are UTF-8.
        return posixpath.normpath("/" + b"/".join(parts).decode().lstrip("/"))
    except UnicodeDecodeError:
        return None


def _format(path: str) -> str:
    return unquote_to_bytes(path).decode(errors="replace")


def _require_shown(file: str) -> None:
    """Raise Unsupported for a file that a browser would store instead of showing it."""
    kind = _known_type(file)
    if kind is None or not kind.startswith("application/") or kind.endswith(SHOWN):
        return
    reads = "file_read returns its text" if kind == "application/pdf" else "use it in a terminal or in Python"
    raise Unsupported(
        f"tabs show no files of the type {kind}, such as {file!r}", hint=f"It is a file already: {reads}."
    )


def _known_type(file: str) -> str | None:
    suffix = posixpath.splitext(file)[1].lower()
    return TYPES.get(suffix) or _known_types().get(suffix)


@cache
def _known_types() -> dict[str, str]:
    # Imported on first use: a start doesn't need it.
    import mimetypes

    # Only Python's own table, without the machine's files.
    return mimetypes.MimeTypes().types_map[True]


def _escape(text: str) -> str:
    # Imported on first use: a start doesn't need it.
    from html import escape

    return escape(text)


def _type_of(file: str, content: bytes) -> str:
    known = _known_type(file)
    if known:
        return known
    return "text/plain" if b"\0" not in content and _is_utf_8(content) else "application/octet-stream"


def _is_text(kind: str) -> bool:
    return kind.startswith("text/") or kind.endswith(("json", "xml"))


def _is_utf_8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _encoding_of(content: bytes) -> str | None:
    """Return the declared encoding of a page. A header repeats it, because the script moves the declaration down."""
    if content[:2] in UTF_16:
        return "utf-16"
    head = COMMENT.sub("", content[:PRESCANNED].decode("latin-1"))
    declared = DECLARED.search(head)
    if declared:
        # A declaration that is readable as ASCII can't be in UTF-16.
        return "utf-8" if declared[1].lower().startswith("utf-16") else declared[1]
    return "utf-8" if _is_utf_8(content) else None


def _with_script(content: bytes, script: str) -> bytes:
    """Insert a script as the page's first element, and leave every other byte unchanged."""
    # Latin-1 round-trips every byte, whatever the encoding.
    encoding = UTF_16.get(content[:2], "latin-1")
    text = content.decode(encoding, "surrogatepass" if encoding != "latin-1" else "strict")
    found = PROLOGUE.match(text)
    end = found.end() if found else 0
    with_script = text[:end] + script + text[end:]
    return with_script.encode(encoding, "surrogatepass" if encoding != "latin-1" else "strict")
