"""`join`: join the lines of two sorted files on a common field (POSIX, and GNU coreutils manual, 8.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import encode, lines, read

SYNTAX = Syntax(
    short="a:e:i1:2:j:o:t:v:z",
    long={
        "ignore-case": "i",
        "check-order": "check-order",
        "nocheck-order": "nocheck-order",
        "header": "header",
        "zero-terminated": "z",
    },
    help="""
Usage: join [OPTION]... FILE1 FILE2
Print a line for each pair of lines of two sorted files that have the same field.

  -1 N, -2 N, -j N   join on field N of FILE1, FILE2 or both (default: 1)
  -a NUMBER          print lines of file NUMBER that have no partner, too
  -v NUMBER          print only lines of file NUMBER that have no partner
  -e TEXT            print TEXT for missing fields
  -i, --ignore-case  ignore case
  -o LIST            print these fields, such as 1.2,2.1,0; auto prints as many as the first lines have
  -t C               use the byte C between fields instead of blanks
      --header       join the first lines without comparing them
      --check-order, --nocheck-order  fail at once, or never, if the files aren't sorted
  -z, --zero-terminated  end lines with a null byte
""",
)
Row = list[bytes]


@dataclass
class _File:
    """A file of rows, with the position of the next one."""

    name: str
    number: int
    key: int
    texts: list[bytes]
    split: Callable[[bytes], Row]
    at: int = 0
    issued: bool = False
    rows: list[Row] = field(default_factory=list[Row])

    def __post_init__(self) -> None:
        self.rows = [self.split(text) for text in self.texts]


@dataclass
class _Join:
    """A call of join."""

    invocation: Invocation
    given: Arguments
    files: list[_File]
    unpaired: bool = False

    def __post_init__(self) -> None:
        given = self.given
        order = given.last_of("check-order", "nocheck-order")
        self.strict = None if order is None else order == "check-order"
        self.retained = {_file_number(value) for value in given.all("a") + given.all("v")}
        self.pairs = "v" not in given
        self.filler = encode(given.last("e", ""))
        tab = given.last("t")
        self.between = b" " if tab is None else _byte(tab) or b" "
        self.end = b"\0" if "z" in given else b"\n"
        layout = [word for value in given.all("o") for word in re.split(r"[,\s]+", value) if word]
        self.auto = layout == ["auto"]
        self.layout = [] if self.auto else [_spec(word) for word in layout]
        self.counts = [len(file.rows[0]) if self.auto and file.rows else 0 for file in self.files]

    def key(self, file: _File, at: int) -> bytes:
        row = file.rows[at]
        found = row[file.key] if file.key < len(row) else b""
        return found.upper() if "i" in self.given else found

    def run(self) -> int:
        """Print the lines; return the exit code."""
        one, other = self.files
        if "header" in self.given and (one.rows or other.rows):
            self._print(one.rows[0] if one.rows else None, other.rows[0] if other.rows else None)
            for file in self.files:
                file.at = min(1, len(file.rows))
        while one.at < len(one.rows) and other.at < len(other.rows):
            left, right = self.key(one, one.at), self.key(other, other.at)
            if left == right:
                self._matches(left)
            else:
                self._alone(one if left < right else other)
                self.unpaired = True
        self._rest()
        if any(file.issued for file in self.files):
            self.invocation.error("input is not in sorted order")
            return 1
        return 0

    def _alone(self, file: _File) -> None:
        if file.number in self.retained:
            row = file.rows[file.at]
            self._print(*((row, None) if file.number == 1 else (None, row)))
        self._advance(file)

    def _advance(self, file: _File) -> None:
        file.at += 1
        first = 1 if "header" in self.given else 0
        if file.at >= len(file.rows) or file.at - 1 < first or file.issued:
            return
        if self.strict is False or not (self.strict or self.unpaired):
            return
        if self.key(file, file.at - 1) > self.key(file, file.at):
            text = file.texts[file.at].decode("utf-8", "surrogateescape")
            message = f"{file.name}:{file.at + 1}: is not sorted: {text}"
            if self.strict:
                raise BadValue(message)
            self.invocation.error(message)
            file.issued = True

    def _matches(self, key: bytes) -> None:
        groups: list[list[Row]] = []
        for file in self.files:
            start = file.at
            while file.at < len(file.rows) and self.key(file, file.at) == key:
                self._advance(file)
            groups.append(file.rows[start : file.at])
        if self.pairs:
            for left in groups[0]:
                for right in groups[1]:
                    self._print(left, right)

    def _rest(self) -> None:
        """Print the lines that follow the end of the other file, and look whether they are sorted."""
        for file, another in zip(self.files, reversed(self.files), strict=True):
            checks = self.strict is not False and not all(each.issued for each in self.files)
            if file.at < len(file.rows) and another.rows and (file.number in self.retained or checks):
                self.unpaired = True
            while file.at < len(file.rows) and (file.number in self.retained or checks):
                self._alone(file)
                if file.issued and file.number not in self.retained:
                    break

    def _print(self, left: Row | None, right: Row | None) -> None:
        self.invocation.stdout.write(self.between.join(self._fields(left, right)) + self.end)

    def _fields(self, left: Row | None, right: Row | None) -> Iterator[bytes]:
        one, other = self.files
        key = self._field(left, one.key) if left is not None else self._field(right, other.key)
        for number, position in self.layout:
            yield key if number == 0 else self._field(left if number == 1 else right, position)
        if self.layout:
            return
        yield key
        for row, file, count in ((left, one, self.counts[0]), (right, other, self.counts[1])):
            for at in range(count if self.auto else len(row or [])):
                if at != file.key:
                    yield self._field(row, at)

    def _field(self, row: Row | None, at: int) -> bytes:
        found = row[at] if row is not None and at < len(row) else b""
        return found or self.filler


async def join(invocation: Invocation) -> int:
    """Print the joined lines; return 1 for wrong options and files that aren't sorted or can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        names, given = _operands(given)
        keys = [_field_number(given, number) for number in ("1", "2")]
        split = _splitter(given.last("t"))
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    if len(names) != 2:
        missing = f"missing operand after '{names[-1]}'" if names else "missing operand"
        return SYNTAX.usage_error(invocation, missing if len(names) < 2 else f"extra operand '{names[2]}'")
    if names == ["-", "-"]:
        invocation.error("both files cannot be standard input")
        return 1
    end = b"\0" if "z" in given else b"\n"
    files: list[_File] = []
    for number, name in enumerate(names, 1):
        try:
            data = read(invocation, name)
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            return 1
        files.append(_File(name, number, keys[number - 1], lines(data, end), split))
    try:
        return _Join(invocation, given, files).run()
    except BadValue as problem:
        invocation.error(str(problem))
        return 1


def _operands(given: Arguments) -> tuple[list[str], Arguments]:
    """Return the operands, without the fields that old forms of `-o 1.1 2.1` put there."""
    items, names = list(given.items), list[str]()
    after_fields = False
    for at, (name, value) in enumerate(items):
        if name == "" and after_fields and re.fullmatch(r"0|[12]\.\d+", value):
            items[at] = ("o", value)
            continue
        after_fields = name == "o"
        if name == "":
            names.append(value)
    return names, Arguments(items)


def _file_number(text: str) -> int:
    if text not in ("1", "2"):
        raise BadValue(f"invalid file number: '{text}'")
    return int(text)


def _field_number(given: Arguments, name: str) -> int:
    found: set[int] = set()
    for text in (value for option, value in given.items if option in (name, "j")):
        if not re.fullmatch(r"0*[1-9]\d*", text):
            raise BadValue(f"invalid field number: '{text}'")
        found.add(int(text))
    if len(found) > 1:
        raise BadValue("incompatible join fields {}, {}".format(*sorted(found)))
    return (found or {1}).pop() - 1


def _spec(word: str) -> tuple[int, int]:
    if word == "0":
        return 0, 0
    match = re.fullmatch(r"([12])\.(0*[1-9]\d*)", word)
    if match is None:
        raise BadValue(f"invalid field specifier: '{word}'")
    return int(match[1]), int(match[2]) - 1


def _byte(text: str) -> bytes:
    byte = b"\0" if text == "\\0" else encode(text)
    if len(byte) > 1:
        raise BadValue(f"multi-character tab '{text}'")
    return byte


def _splitter(tab: str | None) -> Callable[[bytes], Row]:
    if tab is None:
        return lambda line: [part for part in re.split(rb"[ \t\n]+", line) if part]
    byte = _byte(tab)
    if not byte:
        return lambda line: [line] if line else []
    return lambda line: line.split(byte) if line else []
