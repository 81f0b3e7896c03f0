"""Files of the surface as web pages: which ones are served, and with what around them.

Whoever opens `/project/site/index.html` opens its root, `/project/site`, and nothing beside it. The pages stand on an
origin of their own (web/site/), so that they can't reach the surface; the policy below keeps them from reaching others.
"""

import codecs
import html
import mimetypes
import os
import posixpath
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from gemini.errors import FileMissing, FileProblem, PathOutsideTree

INDEX = "index.html"
PAGE_SCRIPT = "gemini-page.js"
HTML = "text/html"

# Beside Python's own table, which versions before 3.13 have less of.
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
    # By their suffix MPEG transport streams; here programs.
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
# Python's own, and not what a machine's files add to it.
KNOWN = mimetypes.MimeTypes()

# https://www.w3.org/TR/CSP3/: all that a page may use is its own.
INSIDE = (
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'",
    "form-action 'self'",
    "base-uri 'self'",
    # No windows, and no way to put another page in the surface's place.
    "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock",
)

# What may stand before a page's first element and leave it a page in standards mode; comments end as in
# https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state.
PROLOGUE = re.compile(
    r"(?:\ufeff|\xef\xbb\xbf)?(?:\s|<!--(?:-?>|.*?--!?>)|<\?[^>]*>|<!doctype[^>]*>)*",
    re.DOTALL | re.IGNORECASE,
)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
DECLARED = re.compile(r"""<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE | re.ASCII)
# How far browsers look for a declaration, in bytes.
PRESCANNED = 1024
UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True)
class Answer:
    """What a browser gets; header names are in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes


class Sites:
    """The files that may be seen as pages.

    Args:
        surface: The origin of the surface, which alone may frame and control the pages.
        home: The directory whose directories are sites.
    """

    def __init__(self, surface: str = "", home: str = "/project") -> None:
        self.surface = surface
        self.home = home
        self.outside = False
        """Whether pages may reach other origins: the person's to say."""
        self._roots: set[str] = set()

    def open(self, path: str) -> str:
        """Allow a file, or a directory's index.html, and what it may need; give its path in a URL, percent-encoded.

        Its root is the directory of `home` that it is in, else its own directory; links out of that don't count.

        Args:
            path: Absolute.

        Raises:
            FileMissing: there is no such file, or no index.html in the directory.
            PathOutsideTree: a link leads out of the site.
            FileProblem: it is in `/`, all of which would be its site.
        """
        file = posixpath.normpath(path)
        if os.path.isdir(file):
            file = _index(file)
        if not os.path.isfile(file):
            raise FileMissing(f"there is no file {path!r} to open", data={"path": path})
        root = os.path.realpath(self._root(file))
        if root == "/":
            raise FileProblem(
                f"{path!r} can't be opened: its site would be all files there are",
                hint=f"Put it into a directory, such as {posixpath.join(self.home, 'site')!r}.",
                data={"path": path},
            )
        if not _below(os.path.realpath(file), root):
            raise PathOutsideTree(
                f"{path!r} is a link that leads out of its site, {root!r}",
                hint="Open the file itself, or copy it into the site.",
                data={"path": path, "root": root},
            )
        self._roots.add(root)
        return quote(file)

    def answer(self, path: str) -> Answer:
        """What a browser gets for the path of a URL, percent-encoded, without its query."""
        file = _decoded(path)
        if file is None or not self._may_be_seen(file):
            return self._missing(path, "No page that is open has it in its site.")
        if os.path.isdir(file):
            if not path.endswith("/"):
                # Relative links in its index.html need the slash.
                return Answer(
                    301, self._headers(HTML, {"location": f"./{quote(posixpath.basename(file))}/"}), b""
                )
            file = posixpath.join(file, INDEX)
        elif path.endswith("/"):
            return self._missing(path, "It is a file, and no directory.")
        if not self._may_be_seen(file):
            return self._missing(path, "It leads out of the site.")
        try:
            with open(file, "rb") as opened:
                content = opened.read()
        except OSError as error:
            return self._missing(path, f"{error.strerror}.")
        return self._found(file, content)

    def _root(self, file: str) -> str:
        directory = posixpath.dirname(file)
        if not _below(directory, self.home) or directory == self.home:
            return directory
        return posixpath.join(self.home, posixpath.relpath(directory, self.home).split("/", 1)[0])

    def _may_be_seen(self, file: str) -> bool:
        real = os.path.realpath(file)
        return any(_below(real, root) for root in self._roots)

    def _found(self, file: str, content: bytes) -> Answer:
        kind = _type_of(file, content)
        if kind == HTML:
            charset = _encoding_of(content)
            content = _with_script(content, self._script(file))
        else:
            charset = "utf-8" if _is_text(kind) and _is_utf_8(content) else None
        return Answer(200, self._headers(f"{kind}; charset={charset}" if charset else kind), content)

    def _missing(self, path: str, reason: str) -> Answer:
        shown = html.escape(_shown(path))
        page = (
            "<!doctype html><meta name=viewport content='width=device-width'><title>Not found</title>"
            "<style>:root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}</style>"
            f"<h1>Not found</h1><p><code>{shown}</code></p><p>{html.escape(reason)}</p>"
        )
        content = _with_script(page.encode(), self._script(_shown(path)))
        return Answer(404, self._headers(f"{HTML}; charset=utf-8"), content)

    def _script(self, file: str) -> str:
        # Relative, so that it is found wherever the sites stand.
        up = "../" * (file.count("/") - 1)
        stays = "" if self.outside else " data-stays"
        return (
            f'<script src="{up}{PAGE_SCRIPT}" data-controllers="{html.escape(self.surface)}"{stays}></script>'
        )

    def _headers(self, kind: str, more: dict[str, str] | None = None) -> dict[str, str]:
        framed = f"frame-ancestors 'self' {self.surface}".rstrip()
        policy = (framed,) if self.outside else (*INSIDE, framed)
        return {
            "content-type": kind,
            "cache-control": "no-store",
            "content-security-policy": "; ".join(policy),
            "referrer-policy": "same-origin",
            "x-content-type-options": "nosniff",
            **(more or {}),
        }


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


def _decoded(path: str) -> str | None:
    """The file that the path of a URL names; None where no file has such a name."""
    parts = [unquote_to_bytes(part) for part in path.split("/")]
    if any(part == b".." or b"/" in part or b"\0" in part for part in parts):
        return None
    try:
        # Not by os.fsdecode: what isn't UTF-8 has no name in the surface.
        return posixpath.normpath("/" + b"/".join(parts).decode().lstrip("/"))
    except UnicodeDecodeError:
        return None


def _shown(path: str) -> str:
    return unquote_to_bytes(path).decode(errors="replace")


def _type_of(file: str, content: bytes) -> str:
    suffix = posixpath.splitext(file)[1].lower()
    known = TYPES.get(suffix) or KNOWN.types_map[True].get(suffix)
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
    """What a page says that it is written in. A header says it again, as the script moves the declaration down."""
    if content[:2] in UTF_16:
        return "utf-16"
    head = COMMENT.sub("", content[:PRESCANNED].decode("latin-1"))
    declared = DECLARED.search(head)
    if declared:
        # Who can read the declaration reads no UTF-16.
        return "utf-8" if declared[1].lower().startswith("utf-16") else declared[1]
    return "utf-8" if _is_utf_8(content) else None


def _with_script(content: bytes, script: str) -> bytes:
    """The page with a script as its first element; every other byte stays."""
    # Latin-1 gives each byte back as it was, whatever the encoding.
    encoding = UTF_16.get(content[:2], "latin-1")
    text = content.decode(encoding, "surrogatepass" if encoding != "latin-1" else "strict")
    found = PROLOGUE.match(text)
    end = found.end() if found else 0
    with_script = text[:end] + script + text[end:]
    return with_script.encode(encoding, "surrogatepass" if encoding != "latin-1" else "strict")
