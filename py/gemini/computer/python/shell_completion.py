"""Completion of shell commands in the console: `!command`, `name = !command`, `%cd`, `%pip`, `%run` and `%%bash`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gemini.computer.python.completion import Candidate, Completions
from gemini_userland.completion import Shell, complete
from gemini_userland.completion.words import current_command

_LINE = re.compile(r"\s*(?:[^\W\d][\w.,\s\[\]*]*=\s*)?!{1,2}(?P<command>.*)")
_MAGIC = re.compile(r"\s*%(?P<name>cd|pip|run)(?P<rest>\s.*)")
_CELL = re.compile(r"\s*%%(?:bash|sh)\b[^\n]*\n(?P<command>.*)", re.DOTALL)
_COMMANDS = {"cd": "cd", "pip": "pip", "run": "python"}


def shell_command(before: str) -> str | None:
    """Return the shell command that `before`, the code up to the cursor, ends in; None if it ends in Python."""
    if cell := _CELL.fullmatch(before):
        return cell["command"]
    line = before.rpartition("\n")[2]
    if match := _LINE.fullmatch(line):
        return match["command"]
    if match := _MAGIC.fullmatch(line):
        return _COMMANDS[match["name"]] + match["rest"]
    return None


def complete_command(
    before: str, command: str, working_dir: str, commands: Iterable[str], variables: Mapping[str, str]
) -> Completions:
    """Return the completions of the word at the end of a shell command.

    Args:
        before: The code up to the cursor.
        command: The command that it ends in, as `shell_command` returns it.
        working_dir: The working directory, absolute.
        commands: The names of commands that are in no file.
        variables: The environment.
    """
    found = complete(command, Shell(working_dir, commands, variables))
    typed = current_command(command).word.raw
    candidates = [Candidate(text, "folder" if text.endswith("/") else "shell") for text in found]
    return Completions(len(before) - len(typed), candidates)
