"""The messages that `rg --json` prints.

Source: the documentation of the grep-printer crate, "JSON".
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass

from gemini_userland.rg.content import Content
from gemini_userland.rg.matcher import Matcher
from gemini_userland.text import encode


@dataclass
class Totals:
    """Counts of the files searched and the matches found.

    Attributes:
        searches: The number of files.
        with_match: The number of files with a match.
        searched: The number of bytes in them.
        printed: The number of bytes that were printed about them.
        lines: The number of lines with a match.
        matches: The number of matches.
    """

    searches: int = 0
    with_match: int = 0
    searched: int = 0
    printed: int = 0
    lines: int = 0
    matches: int = 0

    def add(self, other: Totals) -> None:
        """Add the numbers of a file."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def as_json(self, seconds: float) -> Mapping[str, object]:
        """Return the numbers with the names that the messages have."""
        return {
            "elapsed": elapsed(seconds),
            "searches": self.searches,
            "searches_with_match": self.with_match,
            "bytes_searched": self.searched,
            "bytes_printed": self.printed,
            "matched_lines": self.lines,
            "matches": self.matches,
        }


def elapsed(seconds: float) -> Mapping[str, object]:
    """Return a time as the messages have it."""
    whole = int(seconds)
    return {"secs": whole, "nanos": int((seconds - whole) * 1e9), "human": f"{seconds:.6f}s"}


def message(kind: str, data: Mapping[str, object]) -> str:
    """Return the line of a message."""
    return json.dumps({"type": kind, "data": data}, ensure_ascii=False, separators=(",", ":")) + "\n"


def _data(text: str) -> Mapping[str, str]:
    try:
        return {"text": text.encode().decode()}
    except UnicodeEncodeError:
        return {"bytes": base64.b64encode(encode(text)).decode()}


class Reporter:
    """The messages about one file.

    Args:
        matcher: The search.
        path: The file's name.
        content: Its text.
    """

    def __init__(self, matcher: Matcher, path: str, content: Content) -> None:
        self._matcher = matcher
        self._path = path
        self._content = content
        self._line = self._byte = self._counted = 0
        self.matches = 0
        self.pieces: list[str] = []

    def selected(self, start: int, end: int) -> None:
        """Report a selected block."""
        text = self._content.text
        found = [] if self._matcher.inverted else self._matcher.matches(text, start, end)
        self.matches += len(found)
        submatches: list[Mapping[str, object]] = [
            {
                "match": _data(match[0]),
                "start": len(encode(text[start : match.start()])),
                "end": len(encode(text[start : match.end()])),
            }
            for match in found
        ]
        self._add("match", start, end, submatches)

    def other(self, start: int, end: int) -> None:
        """Report a line of the context."""
        self._add("context", start, end, [])

    def _add(self, kind: str, start: int, end: int, submatches: list[Mapping[str, object]]) -> None:
        text = self._content.text
        self._line += text.count("\n", self._counted, start)
        self._byte += len(encode(text[self._counted : start]))
        self._counted = start
        if not self.pieces:
            self.pieces.append(message("begin", {"path": _data(self._path)}))
        self.pieces.append(
            message(
                kind,
                {
                    "path": _data(self._path),
                    "lines": _data(text[start:end]),
                    "line_number": self._line + 1,
                    "absolute_offset": self._byte,
                    "submatches": submatches,
                },
            )
        )

    def finish(self, totals: Totals, seconds: float) -> None:
        """Report the end of the file."""
        if self.pieces:
            totals.printed = len(encode("".join(self.pieces)))
            data = {
                "path": _data(self._path),
                "binary_offset": self._content.zero,
                "stats": totals.as_json(seconds),
            }
            self.pieces.append(message("end", data))


def summary(totals: Totals, searching: float, whole: float) -> str:
    """Return the last message, whose keys are in the order of their letters."""
    data = {"elapsed_total": elapsed(whole), "stats": totals.as_json(searching)}
    return json.dumps({"data": data, "type": "summary"}, separators=(",", ":"), sort_keys=True) + "\n"
