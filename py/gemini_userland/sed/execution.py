"""Runs scripts on lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.sed.script import Address, BadScript, Command
from gemini_userland.text import decode, encode


@dataclass(frozen=True)
class Line:
    """A line of input.

    Attributes:
        content: The line without its end.
        ended: False for the last line of a file that doesn't end with a newline.
        name: The file name.
    """

    content: bytes
    ended: bool
    name: str


class Files:
    """The files that `w` writes. They are saved at the end; output to the terminal is written at once.

    Args:
        invocation: The call of the command.
        commands: The script.
    """

    def __init__(self, invocation: Invocation, commands: Sequence[Command]) -> None:
        self._invocation = invocation
        self._contents: dict[str, bytearray] = {}
        paths = [one.label for one in commands if one.name in "wW"]
        paths += [one.substitution.path for one in commands if one.substitution and one.substitution.path]
        for path in paths:
            if not path.startswith("/dev/std"):
                self._contents[path] = bytearray()
        self.save()

    def write(self, path: str, data: bytes) -> None:
        """Append to a file."""
        if path == "/dev/stdout":
            self._invocation.stdout.write(data)
        elif path == "/dev/stderr":
            self._invocation.stderr.write(data)
        else:
            self._contents[path] += data

    def save(self) -> None:
        """Write the files.

        Raises:
            OSError: A file can't be written.
        """
        for path, content in self._contents.items():
            with self._invocation.create(self._invocation.path(path)) as file:
                file.write(content)


class Execution:
    """The state of a running script: the pattern space, the hold space and the remaining lines.

    Args:
        commands: The script.
        files: The files that it writes.
        quiet: Whether the pattern space isn't printed automatically (-n).
        end: The end of lines.
        read: Returns the content of a file, or None if it can't be read.

    Attributes:
        exit_code: The exit code after `q` or `Q`, which end the script.
    """

    def __init__(
        self,
        commands: list[Command],
        files: Files,
        *,
        quiet: bool,
        end: bytes,
        read: Callable[[str], bytes | None],
        width: int = 70,
    ) -> None:
        self._commands = commands
        self._width = width
        self._files = files
        self._quiet = quiet
        self._end = end
        self._read = read
        self._hold, self._hold_ended = b"", True
        self._used: re.Pattern[bytes] | None = None
        self._sources: dict[str, list[bytes]] = {}
        self.exit_code: int | None = None
        self._number = 0
        self._actions = self._functions()

    def _functions(self) -> dict[str, Callable[[Command], int | None]]:
        """Return the functions of the commands, by letter."""
        return {
            "d": self._delete,
            "D": self._delete_line,
            "g": self._get,
            "G": self._get_more,
            "h": self._hold_space,
            "H": self._hold_more,
            "x": self._exchange,
            "z": self._empty,
            "n": self._next_line,
            "N": self._add_line,
            "p": self._print_space,
            "P": self._print_line,
            "F": self._print_name,
            "l": self._list,
            "i": self._insert,
            "a": self._add,
            "c": self._change,
            "q": self._quit,
            "Q": self._quit,
            "r": self._read_file,
            "R": self._read_line,
            "w": self._write_file,
            "W": self._write_file,
            "s": self._substitute,
            "y": self._transliterate,
            "b": self._jump,
            "t": self._jump,
            "T": self._jump,
            "=": self._print_number,
        }

    def run(self, lines: list[Line], write: Callable[[bytes], None]) -> None:
        """Run the script for each line, until `exit_code` is set."""
        self._lines, self._at, self._output = lines, 0, write
        self._open = False
        self._line = Line(b"", True, "-")
        self._appended: list[bytes] = []
        again = False
        while self.exit_code is None and (again or self._at < len(lines)):
            if not again:
                self._space = self._next()
            self._replaced = False
            again = self._cycle()
            self._append()

    def start_over(self) -> None:
        """Reset the line number and ranges, as -s and -i do for each file."""
        self._number = 0
        for command in self._commands:
            command.active = False

    def _next(self) -> bytes:
        self._line = self._lines[self._at]
        self._at += 1
        self._number += 1
        self._ended = self._line.ended or self._at < len(self._lines)
        return self._line.content

    def _append(self) -> None:
        # Also a file that can't be read ends an open line.
        for text in self._appended:
            self._write(text)
        self._appended = []

    def _write(self, data: bytes) -> None:
        if self._open:
            self._output(self._end)
        self._open = False
        self._output(data)

    def _print(self, data: bytes) -> None:
        """Print a line; a missing newline at the end of a file is added only if more output follows."""
        self._write(data + self._end if self._ended else data)
        self._open = not self._ended

    def _cycle(self) -> bool:
        """Run the commands once; return True if `D` restarts them without reading a line."""
        at = 0
        commands = self._commands
        while at < len(commands):
            command = commands[at]
            at += 1
            if self._selects(command) == command.negated:
                if command.name == "{":
                    at = command.end
                continue
            act = self._actions.get(command.name)
            target = act(command) if act else None
            if target == AGAIN:
                return True
            if target == DELETED:
                return False
            if target == STOPPED:
                break
            if target is not None:
                at = target
        if not self._quiet:
            self._print(self._space)
        return False

    def _selects(self, command: Command) -> bool:
        first, second = command.first, command.second
        if first is None:
            return True
        if second is None:
            return self._matches(first)
        if command.active:
            return self._continues(command, second)
        if first.number == 0 and first.step is None:
            # The second address may match the first line.
            if self._number == 1:
                command.active = True
                return self._continues(command, second)
            return False
        if not self._matches(first):
            return False
        self._begin(command, second)
        return True

    def _begin(self, command: Command, second: Address) -> None:
        number = second.number
        if number is None:
            command.active = not second.last or self._at < len(self._lines)
            return
        if second.kind == "+":
            number += self._number
        elif second.kind == "~":
            number = self._number + -self._number % number if number else self._number
        command.until = number
        command.active = number > self._number

    def _continues(self, command: Command, second: Address) -> bool:
        if second.number is not None:
            assert command.until is not None
            command.active = self._number < command.until
            return self._number <= command.until
        command.active = not self._matches(second)
        return True

    def _matches(self, address: Address) -> bool:
        if address.last:
            return self._at >= len(self._lines)
        if address.number is not None:
            if address.step:
                return self._number >= address.number and (self._number - address.number) % address.step == 0
            return self._number == address.number
        return self._pattern(address.pattern).search(self._space) is not None

    def _pattern(self, pattern: re.Pattern[bytes] | None) -> re.Pattern[bytes]:
        self._used = pattern or self._used
        if self._used is None:
            raise BadScript("no previous regular expression")
        return self._used

    def _delete(self, command: Command) -> int:
        return DELETED

    def _delete_line(self, command: Command) -> int:
        if b"\n" not in self._space:
            return DELETED
        self._space = self._space.partition(b"\n")[2]
        return AGAIN

    def _get(self, command: Command) -> None:
        self._space, self._ended = self._hold, self._hold_ended

    def _get_more(self, command: Command) -> None:
        self._space += b"\n" + self._hold
        self._ended = self._hold_ended

    def _hold_space(self, command: Command) -> None:
        self._hold, self._hold_ended = self._space, self._ended

    def _hold_more(self, command: Command) -> None:
        self._hold += b"\n" + self._space
        self._hold_ended = self._ended

    def _exchange(self, command: Command) -> None:
        self._space, self._hold = self._hold, self._space
        self._ended, self._hold_ended = self._hold_ended, self._ended

    def _empty(self, command: Command) -> None:
        self._space = b""

    def _next_line(self, command: Command) -> int | None:
        if self._at >= len(self._lines):
            return STOPPED
        if not self._quiet:
            self._print(self._space)
        self._append()
        self._space = self._next()
        return None

    def _add_line(self, command: Command) -> int | None:
        if self._at >= len(self._lines):
            return STOPPED
        self._append()
        self._space += b"\n" + self._next()
        return None

    def _print_space(self, command: Command) -> None:
        self._print(self._space)

    def _print_line(self, command: Command) -> None:
        first, more, _ = self._space.partition(b"\n")
        if more:
            self._write(first + self._end)
        else:
            self._print(first)

    def _print_number(self, command: Command) -> None:
        self._write(b"%d\n" % self._number)

    def _print_name(self, command: Command) -> None:
        self._write(encode(self._line.name) + b"\n")

    def _list(self, command: Command) -> None:
        width = self._width if command.number is None else command.number
        self._write(_listed(self._space, width) + b"\n")

    def _insert(self, command: Command) -> None:
        self._write(command.text)

    def _add(self, command: Command) -> None:
        self._appended.append(command.text)

    def _change(self, command: Command) -> int:
        if command.second is None or not command.active or command.negated:
            self._write(command.text)
        return DELETED

    def _quit(self, command: Command) -> int:
        self.exit_code = command.number or 0
        return STOPPED if command.name == "q" else DELETED

    def _read_file(self, command: Command) -> None:
        self._appended.append(self._read(command.label) or b"")

    def _read_line(self, command: Command) -> None:
        if command.label not in self._sources:
            self._sources[command.label] = (self._read(command.label) or b"").splitlines()[::-1]
        if source := self._sources[command.label]:
            self._appended.append(source.pop() + b"\n")

    def _write_file(self, command: Command) -> None:
        part = self._space.partition(b"\n")[0] if command.name == "W" else self._space
        self._files.write(command.label, part + self._end)

    def _substitute(self, command: Command) -> None:
        substitution = command.substitution
        assert substitution is not None
        result = substitution.apply(self._pattern(substitution.pattern), self._space)
        if result is None:
            return
        self._space = result
        self._replaced = True
        if substitution.prints:
            self._print(result)
        if substitution.path:
            self._files.write(substitution.path, result + self._end)

    def _transliterate(self, command: Command) -> None:
        table = command.table
        text = (encode(character) for character in decode(self._space))
        self._space = b"".join(table.get(character, character) for character in text)

    def _jump(self, command: Command) -> int | None:
        if command.name != "b":
            wanted = self._replaced == (command.name == "t")
            self._replaced = False
            if not wanted:
                return None
        return command.end


AGAIN, DELETED, STOPPED = -1, -2, -3
_SPECIAL = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 92: b"\\\\"}


def _listed(space: bytes, width: int) -> bytes:
    pieces = [_SPECIAL.get(byte, bytes([byte]) if 32 <= byte < 127 else b"\\%03o" % byte) for byte in space]
    lines, line = list[bytes](), b""
    for piece in pieces:
        if width > 0 and len(line) + len(piece) > width - 1:
            lines.append(line + b"\\")
            line = b""
        line += piece
    return b"\n".join([*lines, line + b"$"])
