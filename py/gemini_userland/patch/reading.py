"""Reads patches: the unified, the context and the normal format, and the headers of Git."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gemini_userland.patch.hunks import ADDED, CONTEXT, REMOVED, FilePatch, Hunk, PatchError, Row, Side
from gemini_userland.text import decode

UNIFIED = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
STARS = re.compile(rb"\*\*\* (\d+)(?:,(\d+))? \*\*\*\*")
DASHES = re.compile(rb"--- (\d+)(?:,(\d+))? ----")
NORMAL = re.compile(rb"(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?\s*$")
EXTENDED = re.compile(
    rb"(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.*)"
)
GIT = re.compile(rb"diff --git (.+)")
TWO_NAMES = re.compile(rb'("(?:\\.|[^"])*"|\S+) ("(?:\\.|[^"])*"|\S+)\s*$')
EPOCH = re.compile(
    rb"\s*1970-01-01 00:00:00(\.0+)?( [-+]0000)?\s*$|\s*Thu,? Jan +1 00:00:00 (UTC |GMT )?1970"
)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class PatchReader:
    """Reads the patches of a text, one file after another.

    Args:
        data: The text of the patches.
        only: The style that is read, if it isn't to be guessed: `unified`, `context` or `normal`.
    """

    def __init__(self, data: bytes, only: str | None = None) -> None:
        self._only = only
        self._lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", data)
        self._at = 0

    def __iter__(self) -> Iterator[FilePatch]:
        while (found := self._next()) is not None:
            yield found

    def _peek(self, ahead: int = 0) -> bytes:
        at = self._at + ahead
        return self._lines[at].rstrip(b"\r\n") if at < len(self._lines) else b""

    def _next(self) -> FilePatch | None:
        start = self._at
        sides: dict[str, Side] = {}
        git: dict[str, str] = {}
        while self._at < len(self._lines):
            style = self._style(sides, git)
            if style is not None and self._only in (None, style):
                header = tuple(self._lines[start : self._at])
                line = self._at + 1
                hunks = {"unified": self._unify, "context": self._context, "normal": self._normal}
                read = tuple(hunks[style]()) if style in hunks else ()
                nothing = Side()
                old, new = sides.get("---", nothing), sides.get("+++", nothing)
                return FilePatch(style, old, new, sides.get("Index:", nothing), read, header, line, git)
            self._at += 1
        self._at = start
        return None

    def _style(self, sides: dict[str, Side], git: dict[str, str]) -> str | None:
        """Take in a line of a header; return the style of the hunks if they begin here."""
        line, following = self._peek(), self._peek(1)
        if GIT.match(line) and git:
            return "git"
        if UNIFIED.match(line):
            return "unified"
        if line.startswith(b"***************") and STARS.match(following):
            return "context"
        if NORMAL.match(line) and following[:2] in (b"< ", b"> "):
            return "normal"
        if (line[:4], following[:4]) in ((b"--- ", b"+++ "), (b"*** ", b"--- ")):
            sides["---"], sides["+++"] = side(line[4:]), side(following[4:])
            self._at += 1
        else:
            self._name(line, sides, git)
        # A change of names or modes has no hunks.
        if len(git) > 1 and self._at + 1 == len(self._lines):
            self._at += 1
            return "git"
        return None

    def _name(self, line: bytes, sides: dict[str, Side], git: dict[str, str]) -> None:
        """Take in a line of Git's header, or an index line."""
        if match := GIT.match(line):
            git["diff"] = decode(line)
            sides["---"], sides["+++"] = (_whole_side(name) for name in _two_names(match[1]))
        elif line.startswith(b"GIT binary patch"):
            name = sides.get("+++", Side()).name
            raise PatchError(f"File {name}: git binary diffs are not supported.")
        elif git and (match := EXTENDED.match(line)):
            key, value = decode(match[1]), decode(match[2])
            git[key] = value
            if key.endswith((" from", " to")):
                mark, prefix = ("---", "a/") if key.endswith("from") else ("+++", "b/")
                name = _unquote(match[2])[0] if value.startswith('"') else value
                prefixed = git["diff"].replace('"', "").startswith("diff --git a/")
                sides[mark] = Side(prefix + name if prefixed else name)
            # An empty file that is created or deleted has no hunks, which would say so.
            if key in ("new file mode", "deleted file mode"):
                mark = "---" if key.startswith("new") else "+++"
                sides[mark] = Side("", is_missing=True)
        elif line.startswith(b"Index:"):
            sides["Index:"] = side(line[6:].strip())

    def _unify(self) -> Iterator[Hunk]:
        while match := UNIFIED.match(self._peek()):
            self._at += 1
            begin, new_begin = int(match[1]), int(match[3])
            old = int(match[2]) if match[2] is not None else 1
            new = int(match[4]) if match[4] is not None else 1
            rows = tuple(self._unified_rows(old, new))
            yield Hunk(begin + (old == 0), new_begin + (new == 0), rows, match[5])

    def _unified_rows(self, old: int, new: int) -> Iterator[Row]:
        while old > 0 or new > 0:
            if self._at >= len(self._lines):
                raise PatchError("unexpected end of file in patch")
            line = self._lines[self._at]
            kind = decode(line[:1])
            # Some mailers drop the blank of an empty context line.
            if kind in "\t\r\n":
                kind, line = CONTEXT, (b" " if kind in "\r\n" else b"") + line
            old -= kind in (CONTEXT, REMOVED)
            new -= kind in (CONTEXT, ADDED)
            if kind not in (CONTEXT, REMOVED, ADDED) or old < 0 or new < 0:
                raise self._malformed()
            self._at += 1
            yield kind, self._whole(line[1:])

    def _whole(self, text: bytes) -> bytes:
        """Return a line of a hunk without its end if the next line says that it has none."""
        if self._peek().startswith(b"\\ "):
            self._at += 1
            return text.removesuffix(b"\n")
        return text if text.endswith(b"\n") else text + b"\n"

    def _malformed(self) -> PatchError:
        return PatchError(f"malformed patch at line {self._at + 1}: {decode(self._lines[self._at])}")

    def _context(self) -> Iterator[Hunk]:
        while self._peek().startswith(b"***************") and (stars := STARS.match(self._peek(1))):
            self._at += 2
            old = list(self._context_rows(REMOVED))
            dashes = DASHES.match(self._peek())
            if dashes is None:
                raise self._malformed() if self._peek() else PatchError("unexpected end of file in patch")
            self._at += 1
            new = list(self._context_rows(ADDED))
            # A half without changes is left out.
            old = old or [row for row in new if row[0] == CONTEXT]
            new = new or [row for row in old if row[0] == CONTEXT]
            first, new_first = int(stars[1]), int(dashes[1])
            yield Hunk(first + (not old), new_first + (not new), tuple(_merge(old, new)))

    def _context_rows(self, changed: str) -> Iterator[Row]:
        kinds = {b"  ": CONTEXT, b"! ": changed, (b"- " if changed == REMOVED else b"+ "): changed}
        while self._lines[self._at : self._at + 1] and (kind := kinds.get(self._lines[self._at][:2])):
            self._at += 1
            yield kind, self._whole(self._lines[self._at - 1][2:])

    def _normal(self) -> Iterator[Hunk]:
        while match := NORMAL.match(self._peek()):
            self._at += 1
            letter = match[3]
            first, new_first = int(match[1]), int(match[4])
            removed = list(self._normal_rows(b"< ", REMOVED))
            if letter == b"c":
                if self._peek() != b"---":
                    raise PatchError(f"'---' expected at line {self._at + 1} of patch")
                self._at += 1
            added = list(self._normal_rows(b"> ", ADDED))
            yield Hunk(first + (letter == b"a"), new_first + (letter == b"d"), (*removed, *added))

    def _normal_rows(self, mark: bytes, kind: str) -> Iterator[Row]:
        while self._peek().startswith(mark):
            self._at += 1
            yield kind, self._whole(self._lines[self._at - 1][2:])


def _merge(old: list[Row], new: list[Row]) -> Iterator[Row]:
    """Interleave the halves of a context hunk at their common context lines."""
    at = 0
    for kind, text in old:
        if kind == REMOVED:
            yield kind, text
            continue
        while at < len(new) and new[at][0] == ADDED:
            yield new[at]
            at += 1
        at += 1
        yield CONTEXT, text
    yield from (row for row in new[at:] if row[0] == ADDED)


def side(text: bytes) -> Side:
    """Return the file that a header line names, without the line's mark."""
    name, rest = _unquote(text)
    missing = name == "/dev/null"
    return Side("" if missing else name, rest, missing or EPOCH.match(rest) is not None)


def _two_names(text: bytes) -> tuple[bytes, bytes]:
    """Split the names of a line `diff --git`; with blanks in them, both are the same but for `a/` and `b/`."""
    if match := TWO_NAMES.match(text):
        return match[1], match[2]
    middle = len(text.rstrip()) // 2
    return text[:middle], text[middle + 1 :].rstrip()


def _whole_side(text: bytes) -> Side:
    return side(text) if text.startswith(b'"') else Side(decode(text))


def _unquote(text: bytes) -> tuple[str, bytes]:
    """Return a name, which may be quoted as in C, and the text after it."""
    if quoted := re.match(rb'"((?:\\.|[^"\\])*)"', text):
        octal = re.sub(rb"\\([0-7]{3})", lambda match: bytes([int(match[1], 8)]), quoted[1])
        name = re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), decode(octal))
        return name, text[quoted.end() :]
    # A name has blanks only if a tab ends it.
    end = re.search(rb"\t" if b"\t" in text else rb"\s", text)
    at = end.start() if end else len(text)
    return decode(text[:at].rstrip()), text[at:]
