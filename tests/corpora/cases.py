"""The file format of the corpora: scripts, and what Debian printed for them.

A line's first column says what it is, like in Mercurial's and cram's tests:

    # A comment about the next case.
    : the name of the case, if it isn't its script
    $ printf 'a\\nb' > new.txt &&
    > cat new.txt missing.txt
      a
      b (no-eol)
    ! cat: missing.txt: No such file or directory
    ? 1
    + new.txt
    | a
    | b (no-eol)
    - removed.txt
    ~ why the surface has an answer that differs from Debian's

`$` and `>` are the script, two blanks standard output, `!` standard error, `?` the exit code, which each answer has.
`+` is a path that was added or changed, with its content after `|`, and `-` one that was removed. A line without a
newline ends with ` (no-eol)`; in one that ends with ` (esc)`, `\\xNN` is a byte and `\\\\` a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

NO_EOL = " (no-eol)"
ESCAPED = " (esc)"
REFUSED = "refused"
REMOVED = b"(removed)"


@dataclass(frozen=True)
class Answer:
    """The effect of a script.

    Attributes:
        stdout: The standard output.
        exit_code: The exit code.
        stderr: The standard error; empty where the corpus doesn't compare it.
        files: What the paths that it changed contain; `REMOVED` for one that is gone.
    """

    stdout: bytes
    exit_code: int
    stderr: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True)
class Case:
    """A script, and Debian's answer.

    Attributes:
        script: One or several lines.
        name: Unique in its file; the script itself for most.
        answer: None until it is recorded.
        differs: Why the surface has another answer; empty if it has the same. It begins with `REFUSED` for a script
            that ours refuses with an error.
        comments: The lines above the case.
    """

    script: str
    name: str = ""
    answer: Answer | None = None
    differs: str = ""
    comments: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return the name, or else the script."""
        return self.name or self.script

    def is_right(self, ours: Answer) -> bool:
        """Return whether ours is as expected: equal to Debian's, or another one where the case says that it differs."""
        return (ours == self.answer) != bool(self.differs)


def read(path: Path) -> list[Case]:
    """Return the cases of a file, in its order.

    Raises:
        ValueError: A line has no kind, or two cases the same title.
    """
    cases = list(_parse(path))
    titles = [case.title for case in cases]
    twice = (
        sorted({title for title in titles if titles.count(title) > 1})
        if len(set(titles)) < len(titles)
        else []
    )
    if twice:
        raise ValueError(f"{path.name} has cases twice: {twice}")
    return cases


def write(path: Path, cases: Iterable[Case]) -> None:
    """Write cases into a file."""
    path.write_bytes("\n".join("\n".join(_rows(case)) + "\n" for case in cases).encode())


class _Reading:
    """The parts of a case while its lines are read."""

    def __init__(self) -> None:
        self.rows: dict[str, list[str]] = {kind: [] for kind in "#:$ !?~"}
        self.files: dict[str, list[str] | None] = {}
        self._path = ""

    def add(self, kind: str, text: str) -> None:
        match kind:
            case ">":
                self.rows["$"].append(text)
            case "+":
                self._path = text
                self.files[text] = []
            case "-":
                self.files[text] = None
            case "|":
                content = self.files[self._path]
                assert content is not None
                content.append(text)
            case _:
                self.rows[kind].append(text)

    def case(self) -> Case:
        rows = self.rows
        files = {path: REMOVED if lines is None else _bytes(lines) for path, lines in self.files.items()}
        answer = Answer(_bytes(rows[" "]), int(rows["?"][0]), _bytes(rows["!"]), files) if rows["?"] else None
        script, name = "\n".join(rows["$"]), "".join(rows[":"])
        return Case(script, name, answer, " ".join(rows["~"]), tuple(rows["#"]))


def _parse(path: Path) -> Iterator[Case]:
    reading = _Reading()
    for number, line in enumerate(path.read_bytes().decode().split("\n"), 1):
        if not line:
            continue
        kind, text = line[0], line[2:]
        if kind not in "#:$> !?~+-|" or line[1:2] not in ("", " "):
            raise ValueError(f"{path.name}:{number}: the line has no kind: {line}")
        # A comment, a name or a script after another script begins a case.
        if kind in "#:$" and reading.rows["$"]:
            yield reading.case()
            reading = _Reading()
        reading.add(kind, text)
    if reading.rows["$"]:
        yield reading.case()


def _rows(case: Case) -> Iterator[str]:
    yield from (f"# {line}".rstrip() for line in case.comments)
    if case.name:
        yield f": {case.name}"
    first, *others = case.script.split("\n")
    yield f"$ {first}"
    yield from (f"> {line}" for line in others)
    if case.answer:
        yield from (f"  {line}" for line in _lines(case.answer.stdout))
        yield from (f"! {line}" for line in _lines(case.answer.stderr))
        yield f"? {case.answer.exit_code}"
        for path, content in case.answer.files.items():
            yield f"- {path}" if content == REMOVED else f"+ {path}"
            if content != REMOVED:
                yield from (f"| {line}" for line in _lines(content))
    if case.differs:
        yield f"~ {case.differs}"


def _lines(data: bytes) -> Iterator[str]:
    *complete, last = data.split(b"\n")
    yield from map(_line, complete)
    if last:
        yield _line(last, NO_EOL)


def _line(data: bytes, end: str = "") -> str:
    text = data.decode("utf-8", "surrogateescape")
    if text.replace("\t", "").isprintable() and not text.endswith((NO_EOL, ESCAPED)):
        return text + end
    return "".join(map(_escaped, text)) + ESCAPED + end


def _escaped(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable() and character not in "()":
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def _bytes(lines: list[str]) -> bytes:
    ends = b"" if lines and lines[-1].endswith(NO_EOL) else b"\n"
    return b"\n".join(map(_data, lines)) + ends if lines else b""


def _data(line: str) -> bytes:
    text = line.removesuffix(NO_EOL)
    if not text.endswith(ESCAPED):
        return text.encode()
    parts = re.split(r"\\(x..|\\)", text.removesuffix(ESCAPED))
    plain, codes = parts[::2], ["", *parts[1::2]]
    decoded = (b"" if not code else b"\\" if code == "\\" else bytes([int(code[1:], 16)]) for code in codes)
    return b"".join(code + part.encode() for code, part in zip(decoded, plain, strict=True))
