"""Content lines, the common form of iCalendar (RFC 5545, 3.1) and vCard (RFC 6350, 3.2; versit's vCard 2.1).

A line stays as it was read, with its folds, until it is replaced: so whatever this module doesn't know survives.
"""

import quopri
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

FOLD_AT = 75
_NAME = re.compile(r"(?:(?P<group>[A-Za-z0-9-]+)\.)?(?P<name>[A-Za-z0-9-]+)")
_PARAMETER = re.compile(r';(?:([A-Za-z0-9-]+)=)?((?:"[^"]*"|[^";:,])*(?:,(?:"[^"]*"|[^";:,])*)*)')
_FOLD = re.compile(r"\r?\n[ \t]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_PRINTABLE = re.compile(r";(?:ENCODING=)?QUOTED-PRINTABLE[;:]", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line with its folds and its end.

    Attributes:
        raw: The text in the file.
    """

    raw: str

    @cached_property
    def _parts(self) -> tuple[str, str, str, str]:
        return _split(self.text)

    @cached_property
    def text(self) -> str:
        """The line without folds and end."""
        unfolded = self.raw.rstrip("\r\n")
        if "\n" in unfolded:
            unfolded = _FOLD.sub("", unfolded)
        if "=" in unfolded and _QUOTED_PRINTABLE.search(unfolded):
            return re.sub(r"=\r?\n", "", unfolded)
        return unfolded

    @property
    def group(self) -> str:
        """The group of a vCard's line, such as `item1`; empty without one."""
        return self._parts[0]

    @property
    def name(self) -> str:
        """The name in capitals; empty if the line has no form of a property."""
        return self._parts[1]

    @property
    def parameters(self) -> str:
        """The text of the parameters, each with its semicolon."""
        return self._parts[2]

    @property
    def value(self) -> str:
        """The value as it stands there, with escapes."""
        return self._parts[3]

    def parameter(self, name: str) -> str:
        """Return a parameter's value, without quotes; empty if it is missing."""
        for key, value in _PARAMETER.findall(self.parameters):
            if key.upper() == name:
                return value.replace('"', "")
        return ""

    def has_word(self, word: str) -> bool:
        """Return whether a parameter has a word: `;TYPE=CELL`, `;TYPE=voice,cell` or `;CELL` of vCard 2.1."""
        words = (value for _, values in _PARAMETER.findall(self.parameters) for value in values.split(","))
        return any(each.strip('"').upper() == word for each in words)

    @property
    def decoded(self) -> str:
        """The value without its transfer encoding and charset, which vCard 2.1 has; escapes stay."""
        charset = self.parameter("CHARSET")
        is_quoted = self.has_word("QUOTED-PRINTABLE")
        if not charset and not is_quoted:
            return self.value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        data = self.value.encode("utf-8", "surrogateescape")
        if is_quoted:
            data = quopri.decodestring(data)
        try:
            return data.decode(charset or "utf-8")
        except (LookupError, UnicodeDecodeError):
            return data.decode("latin-1")


def _split(text: str) -> tuple[str, str, str, str]:
    start = _NAME.match(text)
    if start is None:
        return "", "", "", text
    end = start.end()
    while end < len(text) and text[end] == ";":
        parameter = _PARAMETER.match(text, end)
        if parameter is None:
            break
        end = parameter.end()
    if text[end : end + 1] != ":":
        return "", "", "", text
    return start["group"] or "", start["name"].upper(), text[start.end() : end], text[end + 1 :]


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text; together they are the text."""
    return [Line(raw) for raw in raw_lines(text)]


def raw_lines(text: str) -> Iterator[str]:
    """Return the lines with their folds and ends."""
    raw = ""
    for physical in text.splitlines(keepends=True) if _has_no_odd_breaks(text) else _physical(text):
        # A line that has no form, such as one whose fold was lost, stays separate.
        if raw and (physical[0] in " \t" or _continues(raw)):
            raw += physical
            continue
        if raw:
            yield raw
        raw = physical
    if raw:
        yield raw


def _has_no_odd_breaks(text: str) -> bool:
    # `splitlines` also breaks at these, which are characters of a value here.
    return not any(sign in text for sign in "\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def _physical(text: str) -> Iterator[str]:
    return (match[0] for match in re.finditer(r"[^\n]*\n|[^\n]+", text))


def _continues(raw: str) -> bool:
    return raw.rstrip("\r\n").endswith("=") and _QUOTED_PRINTABLE.search(raw) is not None


def escaped(text: str) -> str:
    """Return a text as a value (RFC 5545, 3.3.11)."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")


def unescaped(value: str) -> str:
    """Return the text of a value."""
    return _ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)


def fields_of(value: str, separator: str = ";") -> list[str]:
    """Return the parts of a structured value, such as an address."""
    parts = re.split(rf"(?<!\\)((?:\\\\)*){separator}", value)
    # The group of the pattern has backslashes that belong to the part before it.
    joined = [
        part + (parts[at + 1] if at + 1 < len(parts) else "") for at, part in enumerate(parts) if at % 2 == 0
    ]
    return [unescaped(part) for part in joined]


def line(name: str, value: str, parameters: str = "", end: str = "\r\n") -> Line:
    """Return a new line, folded after 75 octets between characters.

    Args:
        name: The name, with its group.
        value: The value, with escapes.
        parameters: Their text, each with its semicolon.
        end: The end of lines of the file.
    """
    pieces: list[str] = []
    piece, octets = "", 0
    for sign in f"{name}{parameters}:{value}":
        size = len(sign.encode("utf-8", "surrogateescape"))
        if octets + size > FOLD_AT:
            pieces.append(piece)
            piece, octets = "", 1
        piece, octets = piece + sign, octets + size
    return Line(f"{end} ".join([*pieces, piece]) + end)


def replaced(lines: list[Line], name: str, new: Iterable[Line]) -> list[Line]:
    """Return a component's lines with new ones for all properties of a name, in the place of the first.

    Args:
        lines: From BEGIN to END. Properties of components inside stay.
        name: The name in capitals.
        new: The new lines; none removes the property.
    """
    at = [index for index, each in own(lines) if each.name == name]
    place = at[0] if at else _end_of_properties(lines)
    gone = set(at)
    before = [each for index, each in enumerate(lines[:place]) if index not in gone]
    after = [each for index, each in enumerate(lines[place:], place) if index not in gone]
    return [*before, *new, *after]


def own(lines: list[Line]) -> Iterator[tuple[int, Line]]:
    """Return a component's own properties with their positions, without BEGIN, END and components inside."""
    depth = 0
    for index, each in enumerate(lines):
        if each.name == "BEGIN":
            depth += 1
        elif each.name == "END":
            depth -= 1
        elif depth == 1:
            yield index, each


def first(lines: list[Line], name: str) -> Line | None:
    """Return the first own property of a name."""
    return next((each for _, each in own(lines) if each.name == name), None)


def every(lines: list[Line], name: str) -> list[Line]:
    """Return all own properties of a name."""
    return [each for _, each in own(lines) if each.name == name]


def _end_of_properties(lines: list[Line]) -> int:
    inner = (index for index, each in enumerate(lines) if index and each.name in ("BEGIN", "END"))
    return next(inner, len(lines))
