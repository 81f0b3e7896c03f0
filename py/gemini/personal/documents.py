"""Files of calendars and contacts as a list of components, each with the text that it has in the file.

Nothing is parsed until it is needed. What isn't changed is written as it was: bytes, order, fields of other programs.
"""

import codecs
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from gemini.computer.files.edit import write_bytes
from gemini.errors import PersonalFileProblem
from gemini.personal.content_lines import Line, every, first, lines_of

# A calendar of 200,000 events. Larger ones block Python for seconds.
MOST_BYTES = 64_000_000
_EDGE = re.compile(r"^(BEGIN|END)[ \t]*:[ \t]*([A-Za-z0-9-]+)[ \t]*\r?\n?", re.MULTILINE | re.IGNORECASE)
_UID = re.compile(r"^UID(?:;[^:\r\n]*)?:((?:.*(?:\r?\n[ \t].*)*))", re.MULTILINE | re.IGNORECASE)
_DAY = re.compile(r"^(DTSTART|DTEND|DUE)[;:].*?(\d{8})(?:T|\s*$)", re.MULTILINE | re.IGNORECASE)
_REPEATS = re.compile(r"^(?:RRULE|RDATE|RECURRENCE-ID|DURATION)[;:]", re.MULTILINE | re.IGNORECASE)
_UNTIL = re.compile(r"^RRULE[;:].*UNTIL=(\d{8})", re.MULTILINE)
_ALWAYS = ("", "99999999")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, eq=False)
class Part:
    """A component of a file, such as an event or a card.

    Attributes:
        kind: Its name in capitals, such as `VEVENT`.
        text: From BEGIN to the end of END.
    """

    kind: str
    text: str

    @cached_property
    def lines(self) -> list[Line]:
        """Its lines."""
        return lines_of(self.text)

    @cached_property
    def uid(self) -> str:
        """Its UID, or a name made of its text if it has none."""
        found = _UID.search(self.text)
        if found and found[1].strip():
            return re.sub(r"\r?\n[ \t]", "", found[1]).strip()
        return f"text-{hashlib.sha256(self.text.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"

    @cached_property
    def days(self) -> tuple[str, str]:
        """The first and last day, as `20261130`, outside of which it certainly has no time, without parsing it."""
        days = {match[1].upper(): match[2] for match in _DAY.finditer(self.text)}
        start = days.get("DTSTART", "")
        end = max(days.get("DTEND", start), start)
        if not start or "RECURRENCE-ID" in self.text:
            return _ALWAYS
        if not _REPEATS.search(self.text):
            return start, end
        rules = _UNTIL.findall(self.text)
        # The last time of a rule can be as long as the first.
        is_short = start == end and "DURATION" not in self.text
        return start, rules[0] if len(rules) == 1 and is_short and "RDATE" not in self.text else _ALWAYS[1]

    def first(self, name: str) -> Line | None:
        """Return the first own property of a name."""
        return first(self.lines, name)

    def every(self, name: str) -> list[Line]:
        """Return all own properties of a name."""
        return every(self.lines, name)

    def value(self, name: str) -> str:
        """Return the value of the first property of a name, with escapes; empty if it is missing."""
        found = self.first(name)
        return "" if found is None else found.decoded


@dataclass
class Document:
    """A file. Its text is `head`, the parts with what follows each, and `tail`.

    Attributes:
        head: The lines before the first part: for calendars, BEGIN:VCALENDAR and the calendar's properties.
        parts: The components.
        gaps: What stands after each part, by its position.
        tail: The lines after the last one, such as END:VCALENDAR.
        encoding: As the file has it.
    """

    head: str
    parts: list[Part]
    tail: str
    gaps: list[str] = field(default_factory=list[str])
    encoding: str = "utf-8"
    _groups: dict[str, dict[str, list[Part]]] = field(
        default_factory=dict[str, dict[str, list[Part]]], init=False, repr=False
    )

    @property
    def end(self) -> str:
        """The end of the file's lines."""
        text = self.head or (self.parts[0].text if self.parts else "")
        return "\n" if "\n" in text and "\r\n" not in text else "\r\n"

    @property
    def text(self) -> str:
        """The text of the file."""
        gaps = [*self.gaps, *[""] * (len(self.parts) - len(self.gaps))]
        return (
            self.head
            + "".join(part.text + gap for part, gap in zip(self.parts, gaps, strict=True))
            + self.tail
        )

    def of(self, uid: str) -> list[Part]:
        """Return the parts with a UID."""
        return [part for part in self.parts if part.uid == uid]

    def groups(self, kind: str) -> dict[str, list[Part]]:
        """Return the parts of a kind by their UID."""
        if kind not in self._groups:
            groups = self._groups[kind] = dict[str, list[Part]]()
            for part in self.parts:
                if part.kind == kind:
                    groups.setdefault(part.uid, []).append(part)
        return self._groups[kind]

    def changed(self, old: Sequence[Part], new: Sequence[Part]) -> "Document":
        """Return a document with new parts for old ones: each in the place of one, more at the end."""
        waiting = list(new)
        gone = {id(part) for part in old}
        parts: list[Part] = []
        gaps: list[str] = []
        for part, gap in zip(self.parts, [*self.gaps, *[""] * len(self.parts)], strict=False):
            if id(part) not in gone:
                parts.append(part)
                gaps.append(gap)
            elif waiting:
                parts.append(waiting.pop(0))
                gaps.append(gap)
        if waiting and parts and not (parts[-1].text + gaps[-1]).endswith("\n"):
            gaps[-1] += self.end
        return Document(self.head, [*parts, *waiting], self.tail, gaps, self.encoding)


_cache: dict[str, tuple[bytes, Document]] = {}


def read(path: str, outer: str, noun: str) -> Document | None:
    """Return a file as a document; None if it doesn't exist.

    Args:
        path: The file.
        outer: The component around all others, `VCALENDAR`; empty for files of cards.
        noun: The name of the format, for messages.

    Raises:
        PersonalFileProblem: The file can't be read, is too large or has another format.
    """
    data = _bytes_of(Path(path))
    if data is None:
        return None
    # A program may write the file at any time, so its content decides, not its date.
    if path in _cache and _cache[path][0] == data:
        return _cache[path][1]
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding, "strict" if encoding == "utf-16" else "surrogateescape")
    except UnicodeDecodeError as error:
        raise PersonalFileProblem(f"{path} can't be read: {error}") from error
    before = _cache[path][1].parts if path in _cache else []
    document = parse(text, outer, f"{path} isn't {noun}", before)
    document.encoding = encoding
    _remember(path, data, document)
    return document


def _remember(path: str, data: bytes, document: Document) -> None:
    # One large file of each format at a time.
    for other in [each for each in _cache if Path(each).suffix == Path(path).suffix]:
        del _cache[other]
    _cache[path] = (data, document)


def write(path: str, document: Document) -> None:
    """Write a document. Raises FileProblem if it can't be written; the file is then unchanged."""
    errors = "strict" if document.encoding == "utf-16" else "surrogateescape"
    data = document.text.encode(document.encoding, errors)
    write_bytes(path, data)
    _remember(path, data, document)


def parse(text: str, outer: str, problem: str, before: Sequence[Part] = ()) -> Document:
    """Return a text as a document.

    Args:
        text: The text of a file.
        outer: The component around all others; see `read`.
        problem: The begin of messages.
        before: Components that were read before, to use again.

    Raises:
        PersonalFileProblem: Its components aren't nested.
    """
    known = {part.text: part for part in before}
    stack: list[str] = []
    parts: list[Part] = []
    gaps: list[str] = []
    base = 1 if outer else 0
    began = last = 0
    head = ""
    for edge in _EDGE.finditer(text):
        opens, kind = edge[1].upper() == "BEGIN", edge[2].upper()
        if opens:
            if len(stack) == base:
                gap = text[last : edge.start()]
                if parts:
                    gaps.append(gap)
                else:
                    head = gap
                began = edge.start()
            stack.append(kind)
            if outer and stack[0] != outer:
                raise _unreadable(problem, f"it has {kind} outside of {outer}", text, edge.start())
            continue
        if not stack or stack.pop() != kind:
            raise _unreadable(problem, f"END:{kind} has no BEGIN", text, edge.start())
        if len(stack) == base:
            own = text[began : edge.end()]
            parts.append(known.get(own) or Part(kind, own))
            last = edge.end()
    if stack:
        raise _unreadable(problem, f"{stack[-1]} has no END", text, len(text))
    if not parts:
        return _without_parts(text, outer, problem)
    return Document(head, parts, text[last:], gaps)


def _without_parts(text: str, outer: str, problem: str) -> Document:
    if not outer:
        if text.strip("\ufeff \r\n\t"):
            raise _unreadable(problem, "it has no BEGIN", text, 0)
        return Document(text, [], "")
    end = re.search(rf"^END:{outer}", text, re.MULTILINE | re.IGNORECASE)
    if end is None:
        raise _unreadable(problem, f"it has no {outer}", text, 0)
    return Document(text[: end.start()], [], text[end.start() :])


def _unreadable(problem: str, why: str, text: str, at: int) -> PersonalFileProblem:
    line = text.count("\n", 0, at) + 1
    return PersonalFileProblem(f"{problem}: line {line}: {why}", hint="Correct it, or use another file.")


def _bytes_of(file: Path) -> bytes | None:
    try:
        if not file.exists():
            return None
        if file.stat().st_size > MOST_BYTES:
            raise PersonalFileProblem(
                f"{file} is larger than {MOST_BYTES:,} bytes", hint="Divide it into several files."
            )
        return file.read_bytes()
    except OSError as error:
        raise PersonalFileProblem(f"{file} can't be read: {error}") from error
