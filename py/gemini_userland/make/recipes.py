"""Runs recipes: expands their lines, prints them, and passes them to the shell."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from gemini_userland.make.database import Database, Recipe
from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.flags import Flags
from gemini_userland.make.host import Host
from gemini_userland.make.scan import Location
from gemini_userland.make.variables import Origin, Scope
from gemini_userland.make.words import SPACE

PREFIXES = "@+-" + SPACE
SHELLS = ("sh", "bash", "dash", "ash", "ksh", "zsh")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Command:
    """An expanded line of a recipe, and the effect of its prefixes.

    Attributes:
        line: The line number.
        text: The text for the shell.
        silent: Whether it isn't printed (@).
        ignores: Whether failures are ignored (-).
        always: Whether it runs even with -n, -q and -t (+).
    """

    line: int
    text: str
    silent: bool
    ignores: bool
    always: bool


@dataclass(frozen=True)
class RecipeResult:
    """The result of a recipe.

    Attributes:
        commands: The number of commands.
        ok: Whether all commands succeeded or their failures were ignored.
        for_real: Whether commands really ran, which -n and -t prevent.
    """

    commands: int
    ok: bool
    for_real: bool


class RecipeRunner:
    """Runs recipes in the embedded shell.

    Args:
        database: The special targets.
        evaluator: Expands the lines.
        host: The shell.
        flags: The options.
    """

    def __init__(self, database: Database, evaluator: Evaluator, host: Host, flags: Flags) -> None:
        self._database = database
        self._evaluator = evaluator
        self._host = host
        self._flags = flags

    async def run(self, target: str, recipe: Recipe, scope: Scope) -> RecipeResult:
        """Run the commands of a recipe until one fails."""
        commands = await self._commands(target, recipe, scope)
        environment = await self.environment(scope) if commands else {}
        dry = self._flags.dry_run or self._flags.touch or self._flags.question
        for_real = False
        for count, command in enumerate(commands, 1):
            if dry and not command.always:
                if self._flags.dry_run:
                    self._host.print(command.text)
                continue
            for_real = True
            if self._flags.dry_run or not (command.silent or self._flags.silent):
                self._host.print(command.text)
            status = await self._host.run(await self._script(command.text, scope), environment)
            if status and not self._continues_after(
                Location(recipe.file, command.line), target, status, command
            ):
                return RecipeResult(count, False, True)
        return RecipeResult(len(commands), True, for_real or not dry)

    def _continues_after(self, where: Location, target: str, status: int, command: Command) -> bool:
        """Report a failed command and return whether make continues."""
        note = f"[{where}: {target}] Error {status}"
        if command.ignores or self._flags.ignore_errors:
            if not self._flags.silent:
                self._host.report(note + " (ignored)")
            return True
        self._host.fail(note)
        return False

    async def _commands(self, target: str, recipe: Recipe, scope: Scope) -> list[Command]:
        """Expand all lines before the first one runs, as GNU make does."""
        silent = self._database.applies(".SILENT", target)
        ignores = self._database.applies(".IGNORE", target)
        lines: list[tuple[int, str, str]] = []
        for number, text in recipe.lines:
            self._evaluator.location = Location(recipe.file, number)
            lines.append((number, text, await self._evaluator.expand(text, scope)))
        self._evaluator.location = None
        if self._database.special(".ONESHELL") is not None and lines:
            lines = [self._one_script(lines)]
            return [
                one
                for line in lines
                if (one := _command(*line, silent=silent, ignores=ignores)).text.strip(SPACE)
            ]
        return [
            command
            for number, written, text in lines
            for part in _parts(text)
            if (command := _command(number, written, part, silent=silent, ignores=ignores)).text.strip(SPACE)
        ]

    def _one_script(self, lines: list[tuple[int, str, str]]) -> tuple[int, str, str]:
        number, written, first = lines[0]
        return number, written, "\n".join([first, *(text.lstrip(PREFIXES) for _, _, text in lines[1:])])

    async def _script(self, text: str, scope: Scope) -> str:
        """Return the script for the embedded shell: the text itself, or a call of the program in SHELL."""
        shell = (await self._evaluator.value("SHELL", scope)).strip(SPACE) or "/bin/sh"
        flags = (await self._evaluator.value(".SHELLFLAGS", scope)).split()
        if shell.rsplit("/", 1)[-1] not in SHELLS:
            return f"{shell} {' '.join(flags)} {shlex.quote(text)}"
        settings = [re.sub(r"^(-[a-z]*)c([a-z]*)$", r"\1\2", flag) for flag in flags]
        settings = [flag for flag in settings if flag not in ("", "-", "--")]
        return f"set {' '.join(settings)}; {text}" if settings else text

    async def environment(self, scope: Scope) -> dict[str, str]:
        """Return the environment of a recipe: make's own with the exported variables."""
        environment = dict(self._host.environment)
        exports_all = (
            self._evaluator.exports_all or self._database.special(".EXPORT_ALL_VARIABLES") is not None
        )
        for name in sorted(scope.names()):
            variable = scope.variable(name)
            if variable is None or name in ("SHELL", "MAKELEVEL") and not variable.exported:
                continue
            exported = variable.exported
            if exported is None:
                given = variable.origin in (Origin.COMMAND_LINE, Origin.ENVIRONMENT_OVERRIDE)
                plain = variable.origin not in (Origin.DEFAULT, Origin.AUTOMATIC)
                exported = (given or name in environment or (exports_all and plain)) and bool(
                    NAME.fullmatch(name)
                )
            if exported:
                environment[name] = await self._evaluator.value(name, scope)
            elif variable.exported is False:
                environment.pop(name, None)
        environment["MAKEFLAGS"] = await self._evaluator.value("MAKEFLAGS", scope)
        environment["MAKELEVEL"] = str(self._flags.level + 1)
        return environment


def _parts(text: str) -> list[str]:
    """Split lines that come from an expanded variable."""
    return re.split(r"(?<!\\)\n", text)


def _command(number: int, written: str, text: str, silent: bool, ignores: bool) -> Command:
    stripped = text.lstrip(PREFIXES)
    prefixes = text[: len(text) - len(stripped)] + written[: len(written) - len(written.lstrip(PREFIXES))]
    recursive = "$(MAKE)" in written or "${MAKE}" in written
    return Command(
        number,
        stripped,
        silent or "@" in prefixes,
        ignores or "-" in prefixes,
        "+" in prefixes or recursive,
    )
