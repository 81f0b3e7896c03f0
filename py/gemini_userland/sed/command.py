"""The command `sed`: its options, files and output."""

from __future__ import annotations

import errno
import os
import re
import shutil

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.sed.execution import Execution, Files, Line
from gemini_userland.sed.expressions import Expressions
from gemini_userland.sed.script import BadScript, Command, read_script
from gemini_userland.text import decode, encode, read

SYNTAX = Syntax(
    short="ne:f:Ersuzl:",
    long={
        "quiet": "n",
        "silent": "n",
        "expression=": "e",
        "file=": "f",
        "regexp-extended": "E",
        "separate": "s",
        "in-place=?": "i",
        "null-data": "z",
        "unbuffered": "u",
        "line-length=": "l",
        "sandbox": "sandbox",
        "follow-symlinks": "follow-symlinks",
    },
    refused={
        "posix": "leave it out, and avoid GNU's extensions",
        "debug": "use the commands `=` and `l` to see what a script does",
    },
    version="sed (GNU sed) 4.9, as far as the shell of control-surface supports it",
    help="""
Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...
Edit lines with a script.

  -n               print only the script's own output
  -e SCRIPT        add SCRIPT to the script
  -f FILE          add the content of FILE to the script
  -E, -r           use extended regular expressions
  -i[SUFFIX]       edit files in place; with SUFFIX, back up the originals
  -s               process files separately
  -z               end lines with a null byte
  --sandbox        refuse scripts that read and write files
  --follow-symlinks  with -i, edit what a link points to, not the link
""",
)
IN_PLACE = re.compile(r"-([nErsuz]*)i(.*)", re.DOTALL)
CANNOT_READ = 2
NO_INPUT = 4


async def sed(invocation: Invocation) -> int:
    """Edit the operands, or standard input."""
    given = SYNTAX.parse(invocation, _with_suffixes(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    operands = list(given.operands)
    try:
        text = _script(invocation, given, operands)
    except OSError as error:
        invocation.error(f"couldn't open file {given.last('f')}: {error.strerror}")
        return NO_INPUT
    if text is None:
        invocation.stderr.write(encode(SYNTAX.help.strip("\n") + "\n"))
        return 1
    expressions = Expressions(extended="E" in given or "r" in given)
    try:
        commands = read_script(text, expressions, sandboxed="sandbox" in given)
        return _edit(invocation, given, commands, operands, quiet="n" in given or expressions.quiet)
    except BadScript as problem:
        invocation.error(str(problem))
        return problem.exit_code
    except OSError as error:
        # A folder of `r`, or a file of `w` or `-i` that can't be written.
        name = os.fsdecode(error.filename or "-").removeprefix(f"{invocation.cwd}/")
        invocation.error(f"couldn't open file {name}: {error.strerror}")
        return NO_INPUT


def _with_suffixes(words: list[str]) -> list[str]:
    """Convert `-i[SUFFIX]` to its long form, because getopt has no letters with optional values."""
    converted: list[str] = []
    for at, word in enumerate(words):
        if word == "--":
            return converted + words[at:]
        match = IN_PLACE.fullmatch(word)
        if match is None or (at and words[at - 1] in ("-e", "-f")):
            converted.append(word)
            continue
        converted += [f"-{match[1]}"] * bool(match[1]) + [f"--in-place={match[2]}"]
    return converted


def _script(invocation: Invocation, given: Arguments, operands: list[str]) -> str | None:
    pieces: list[str] = []
    for name, value in given.items:
        if name == "e":
            pieces.append(value)
        elif name == "f":
            pieces.append(decode(read(invocation, value)).removesuffix("\n"))
    if pieces:
        return "\n".join(pieces)
    return operands.pop(0) if operands else None


def _edit(
    invocation: Invocation, given: Arguments, commands: list[Command], operands: list[str], *, quiet: bool
) -> int:
    if not quiet and len(operands) < 2 and not {"z", "i"} & {name for name, _ in given.items}:
        edited = _edit_at_once(invocation, commands, operands)
        if edited is not None:
            invocation.stdout.write(edited)
            return 0
    if "i" in given and not operands:
        invocation.error("no input files")
        return NO_INPUT
    end = b"\0" if "z" in given else b"\n"
    width = given.last("l", "70")
    if not width.isdigit():
        invocation.error(f"invalid line length: {width}")
        return 1
    files = Files(invocation, commands)
    execution = Execution(
        commands, files, quiet=quiet, end=end, read=lambda name: _text_of(invocation, name), width=int(width)
    )
    sources, code = _sources(invocation, given, operands, end)
    try:
        if "i" in given:
            _in_place(invocation, execution, sources, given.last("i", ""), follows="follow-symlinks" in given)
        else:
            joined = [line for _, lines in sources for line in lines]
            for lines in [lines for _, lines in sources] if "s" in given else [joined]:
                execution.run(lines, invocation.stdout.write)
                execution.start_over()
                if execution.exit_code is not None:
                    break
    finally:
        files.save()
    return execution.exit_code or code


def _sources(
    invocation: Invocation, given: Arguments, operands: list[str], end: bytes
) -> tuple[list[tuple[str, list[Line]]], int]:
    """Return the names and lines of the files, and the exit code for those that can't be read."""
    sources: list[tuple[str, list[Line]]] = []
    code = 0
    for name in operands or ["-"]:
        lines = _lines(invocation, given, name, end)
        if lines is not None:
            sources.append((name, lines))
            continue
        is_folder = os.path.isdir(invocation.path(name))
        code = NO_INPUT if is_folder else CANNOT_READ
        # A folder ends the program, but where files are edited in place.
        if is_folder and "i" not in given:
            break
    return sources, code


def _edit_at_once(invocation: Invocation, commands: list[Command], operands: list[str]) -> bytes | None:
    """Return the output of a script that only substitutes within lines, or None for others and unreadable files."""
    data = _content(invocation, operands[0] if operands else "-")
    for command in commands:
        if data is None or command.substitution is None or command.first is not None or command.negated:
            return None
        if command is not commands[-1] and command.substitution.adds_lines:
            return None
        data = command.substitution.apply_to_lines(data)
    return data


def _text_of(invocation: Invocation, name: str) -> bytes | None:
    """Return a file for the command `r`, which ignores unreadable files.

    Raises:
        IsADirectoryError: It is a folder.
    """
    if os.path.isdir(invocation.path(name)):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", name)
    return _content(invocation, name)


def _content(invocation: Invocation, name: str) -> bytes | None:
    try:
        return read(invocation, "-" if name == "/dev/stdin" else name)
    except OSError:
        return None


def _lines(invocation: Invocation, given: Arguments, name: str, end: bytes) -> list[Line] | None:
    """Return the lines of a file; print an error and return None if it can't be read."""
    try:
        # In place, `-` is a file like others.
        path = "./-" if name == "-" and "i" in given else name
        pieces = read(invocation, path).split(end)
    except IsADirectoryError:
        place = f"couldn't edit {name}: not a regular file"
        invocation.error(place if "i" in given else f"read error on {name}: Is a directory")
        return None
    except OSError as error:
        invocation.error(f"can't read {name}: {error.strerror}")
        return None
    last = pieces.pop()
    lines = [Line(piece, True, name) for piece in pieces]
    return [*lines, Line(last, False, name)] if last else lines


def _in_place(
    invocation: Invocation,
    execution: Execution,
    sources: list[tuple[str, list[Line]]],
    suffix: str,
    *,
    follows: bool,
) -> None:
    for name, lines in sources:
        if execution.exit_code is not None:
            return
        execution.start_over()
        result = bytearray()
        execution.run(lines, result.extend)
        path = invocation.path(name)
        if follows:
            path = os.path.realpath(path)
        mode = os.stat(path).st_mode
        if os.path.islink(path):
            # The new file takes the link's place.
            os.rename(path, _backup_path(path, suffix)) if suffix else os.unlink(path)
        elif suffix:
            shutil.copy2(path, _backup_path(path, suffix))
        with open(encode(path), "wb") as file:
            file.write(result)
        os.chmod(path, mode & 0o7777)


def _backup_path(path: str, suffix: str) -> str:
    """Return the path of the backup; `*` in the suffix stands for the file name."""
    folder, name = os.path.split(path)
    return os.path.join(folder, suffix.replace("*", name) if "*" in suffix else name + suffix)
