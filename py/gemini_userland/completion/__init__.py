"""Completions of a shell's command line: commands, paths, variables, options, git branches and make targets.

| module | content |
|---|---|
| `words` | the command around the cursor, and the quoting of the word |
| `paths` | files and directories |
| `options` | options of the commands that exist here |
| `projects` | subcommands and branches of git, targets of make |
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gemini_userland.completion.options import OF_PIP, SAME, options_of
from gemini_userland.completion.paths import executables, paths
from gemini_userland.completion.projects import of_git, of_make
from gemini_userland.completion.words import Command, Word, current_command, is_open_double, quoted

# The word after these is a command.
PREFIXES = frozenset(
    ["command", "exec", "nohup", "time", "env", "xargs", "sudo", "which", "type", "hash", "nice", "builtin"]
)
DIRECTORIES = frozenset(["cd", "pushd", "rmdir"])
VARIABLE = re.compile(r"\$(\{?)(\w*)$")
NAMES_OF_VARIABLES = frozenset(["unset", "export", "declare", "local", "readonly", "typeset", "read"])


@dataclass(frozen=True)
class Shell:
    """The shell as completion sees it.

    Attributes:
        working_dir: The working directory, absolute.
        commands: Functions, aliases, builtins, keywords and programs that are in no file.
        variables: The set variables and their values.
    """

    working_dir: str
    commands: Iterable[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


def complete(before: str, shell: Shell) -> list[str]:
    """Return the completions of the word at the end of `before`, sorted.

    Each begins with the typed part of the word, as typed, and ends with the blank or quote that should follow it.
    """
    command = current_command(before)
    word = command.word
    if command.comment:
        return []
    variable = None if word.quote == "'" else VARIABLE.search(word.raw)
    if variable is not None:
        return _variables(word, variable, shell)
    if command.redirects:
        return paths(word, shell.working_dir, shell.variables)
    words = _without_prefixes(command.words)
    if not words:
        return _commands(word, shell)
    if "=" in word.value and word.value.startswith("-"):
        return paths(word.after("="), shell.working_dir, shell.variables)
    return sorted(_arguments(Command(words, word), shell))


def _without_prefixes(words: list[str]) -> list[str]:
    while words and (words[0] in PREFIXES or re.match(r"\w+\+?=", words[0])):
        words = words[1:]
        # An option of the prefix itself.
        while words and words[0].startswith("-"):
            words = words[1:]
    return words


def _variables(word: Word, match: re.Match[str], shell: Shell) -> list[str]:
    brace, typed = match[1], match[2]
    found: list[str] = []
    for name in sorted(shell.variables):
        if name.startswith(typed):
            directory = os.path.isdir(shell.variables[name])
            plain = "/" if directory else "" if is_open_double(word) else " "
            found.append(word.raw + name[len(typed) :] + ("}" if brace else plain))
    return found


def _commands(word: Word, shell: Shell) -> list[str]:
    if re.match(r"\w+\+?=", word.value):
        return paths(word.after("="), shell.working_dir, shell.variables)
    if "/" in word.value or word.value.startswith("~"):
        return paths(word, shell.working_dir, shell.variables, executable=True)
    folders = shell.variables.get("PATH", "").split(":")
    known = {*shell.commands, *executables(folders, shell.working_dir)}
    return [quoted(word, name, " ") for name in sorted(known) if name.startswith(word.value)]


def _arguments(command: Command, shell: Shell) -> Iterable[str]:
    name, word = os.path.basename(command.words[0]), command.word
    if word.value.startswith("-"):
        options = options_of(name, command.words)
        return {
            quoted(word, option, "" if option.endswith("=") else " ")
            for option in options
            if option.startswith(word.value)
        }
    if name in NAMES_OF_VARIABLES:
        return [quoted(word, each, " ") for each in shell.variables if each.startswith(word.value)]
    files = paths(word, shell.working_dir, shell.variables, directories=name in DIRECTORIES)
    special = {"git": of_git, "make": of_make}.get(name)
    if SAME.get(name, name) == "pip" and len(command.words) == 1:
        return [quoted(word, each, " ") for each in OF_PIP if each.startswith(word.value)]
    if special is None:
        return files
    names, with_files = special(command.words, shell.working_dir)
    found = {quoted(word, each, " ") for each in names if each.startswith(word.value)}
    return found | set(files) if with_files or not found else found
