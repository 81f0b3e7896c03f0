"""The operands of `cp` and `mv`: sources and their target, and whether a file may be replaced."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from gemini_userland.backups import METHODS
from gemini_userland.invocation import Invocation, LineRequest
from gemini_userland.options import Arguments, Syntax

SHORT = "bfinS:t:TuvZ"
LONG = {
    "backup=?": "b",
    "force": "f",
    "interactive": "i",
    "no-clobber": "n",
    "suffix=": "S",
    "target-directory=": "t",
    "no-target-directory": "T",
    "update": "u",
    "verbose": "v",
    "strip-trailing-slashes": "strip-trailing-slashes",
}
WORDS = {"b": METHODS}


@dataclass(frozen=True)
class Target:
    """The names as they were given; `into` is whether the sources go into a folder of that name."""

    sources: Sequence[str]
    name: str
    into: bool

    def place_of(self, source: str) -> str:
        """Return the name of a source's copy."""
        if not self.into:
            return self.name
        return os.path.join(self.name, os.path.basename(source.rstrip("/")) or source)


def find_target(invocation: Invocation, given: Arguments, syntax: Syntax) -> Target | int:
    """Return the target, or the exit code if an error was printed."""
    names = list(given.operands)
    if not names:
        return syntax.usage_error(invocation, "missing file operand")
    folder = given.last("t")
    if folder is not None:
        if not os.path.isdir(invocation.path(folder)):
            reason = (
                "Not a directory" if os.path.exists(invocation.path(folder)) else "No such file or directory"
            )
            invocation.error(f"target directory '{folder}': {reason}")
            return 1
        return Target(names, folder, into=True)
    if len(names) == 1:
        return syntax.usage_error(invocation, f"missing destination file operand after '{names[0]}'")
    name = names.pop()
    is_folder = os.path.isdir(invocation.path(name))
    if "T" in given:
        if len(names) > 1:
            return syntax.usage_error(invocation, f"extra operand '{name}'")
        return Target(names, name, into=False)
    if not is_folder and (
        len(names) > 1 or (name.endswith("/") and not os.path.isdir(invocation.path(names[0])))
    ):
        if not os.path.lexists(invocation.path(name)):
            kind = "cannot create regular file" if len(names) == 1 else "target"
            reason = "Not a directory" if len(names) == 1 else "No such file or directory"
            invocation.error(f"{kind} '{name}': {reason}")
        else:
            invocation.error(f"target '{name}': Not a directory")
        return 1
    return Target(names, name, into=is_folder)


async def may_replace(invocation: Invocation, given: Arguments, source: str, place: str) -> bool:
    """Return whether a file that exists may be replaced."""
    path = invocation.path(place)
    if not os.path.lexists(path):
        return True
    if "u" in given and os.lstat(path).st_mtime_ns >= os.lstat(invocation.path(source)).st_mtime_ns:
        return False
    chosen = given.last_of("f", "i", "n") if invocation.name == "mv" else given.last_of("i", "n")
    if chosen == "n":
        return False
    return chosen != "i" or await agreed(invocation, f"overwrite '{place}'? ")


def with_backup(backup: str | None) -> str:
    """Return what `-v` adds about a backup."""
    return "" if backup is None else f" (backup: '{backup}')"


async def agreed(invocation: Invocation, question: str) -> bool:
    """Ask the user a question; without a terminal, the next line of the input is the answer."""
    prompt = f"{invocation.name}: {question}"
    if invocation.keyboard is None:
        invocation.stderr.write(prompt.encode("utf-8", "surrogateescape"))
        answer, _, invocation.stdin = invocation.stdin.partition(b"\n")
        return answer.strip().lower().startswith(b"y")
    line = await invocation.keyboard.read_line(LineRequest(prompt))
    return (line or "").strip().lower().startswith("y")
