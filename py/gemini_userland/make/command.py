"""The command `make`: it reads the makefiles, remakes those with rules, and updates the goals."""

from __future__ import annotations

import dataclasses
import os
import platform

from gemini_userland.invocation import Invocation
from gemini_userland.make.builder import Builder, Node, Stopped
from gemini_userland.make.database import SUFFIXES, Database
from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.flags import SYNTAX, Flags, from_makeflags, with_job_counts
from gemini_userland.make.functions import FUNCTIONS
from gemini_userland.make.host import Host
from gemini_userland.make.reader import Reader
from gemini_userland.make.scan import MakeError, assignment, names
from gemini_userland.make.variables import Origin
from gemini_userland.options import Arguments

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
DEFAULTS = {
    "AR": "ar",
    "ARFLAGS": "-rv",
    "AS": "as",
    "CC": "cc",
    "CPP": "$(CC) -E",
    "CXX": "g++",
    "FC": "f77",
    "LD": "ld",
    "LEX": "lex",
    "M2C": "m2c",
    "MAKEINFO": "makeinfo",
    "PC": "pc",
    "RM": "rm -f",
    "TEX": "tex",
    "YACC": "yacc",
}
FEATURES = (
    "target-specific order-only second-expansion else-if shortest-stem undefine oneshell nocomment "
    "grouped-target"
)
SUCCESS, OUT_OF_DATE, FAILURE = 0, 1, 2


async def make(invocation: Invocation) -> int:
    """Update the operands, or the first target of the makefile.

    The exit codes are GNU make's: 0, 1 if -q found an outdated target, 2 after a failure.
    """
    inherited = from_makeflags(invocation.env.get("MAKEFLAGS", ""))
    before = SYNTAX.parse(invocation, with_job_counts(inherited))
    given = SYNTAX.parse(invocation, with_job_counts(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    if not isinstance(before, int):
        given = Arguments([*before.items, *given.items])
    level = invocation.env.get("MAKELEVEL", "0")
    host = Host(
        invocation,
        os.path.normpath(os.path.join(invocation.cwd, *given.all("C"))),
        invocation.name + (f"[{level}]" if level.isdigit() and level != "0" else ""),
        {**invocation.env},
    )
    flags = Flags.of(given, int(level) if level.isdigit() else 0)
    try:
        os.scandir(host.directory).close()
    except OSError as problem:
        host.fail(f"{given.last('C')}: {problem.strerror}.  Stop.")
        return FAILURE
    shows = flags.prints_directory
    if shows is None:
        shows = (flags.level > 0 or "C" in given) and not flags.silent
    if shows:
        flags.letters.add("w")
        host.say(f"Entering directory '{host.directory}'")
    status = await _Run(host, flags, given).run()
    if shows:
        host.say(f"Leaving directory '{host.directory}'")
    return status


class _Run:
    """A run of make, which starts over after it remakes a makefile."""

    def __init__(self, host: Host, flags: Flags, given: Arguments) -> None:
        self._host = host
        self._flags = flags
        self._makefiles = given.all("f")
        self._variables = [one for one in given.operands if assignment(one) is not None]
        self._goals = [one for one in given.operands if assignment(one) is None and one]
        self._status = SUCCESS

    async def run(self) -> int:
        """Read the makefiles, update the goals and return the exit code."""
        try:
            while not await self._once():
                pass
        except MakeError as problem:
            self._host.fail(f"{problem.message}.  Stop.", problem.where)
            return FAILURE
        except RecursionError:
            self._host.fail("references are nested too deeply.  Stop.")
            return FAILURE
        except Stopped:
            return OUT_OF_DATE if self._flags.question else FAILURE
        return self._status

    async def _once(self) -> bool:
        """Read the makefiles and update the goals; return False if a makefile was remade."""
        evaluator = Evaluator(self._host, FUNCTIONS)
        database = Database(self._host, SUFFIXES if self._flags.builtin_suffixes else ())
        await self._define(evaluator)
        reader = Reader(database, evaluator, self._host, list(self._flags.include_directories))
        await self._read(reader)
        if evaluator.globals.variable("VPATH") is not None:
            raise MakeError("VPATH is not supported by this make; name the directories in the rules")
        database.finish()
        await self._apply_makeflags(evaluator)
        nodes: dict[str, Node] = {}
        if await self._remake(reader, nodes):
            return False
        await self._make(Builder(database, evaluator, self._host, self._flags, nodes), evaluator)
        return True

    async def _define(self, evaluator: Evaluator) -> None:
        """Set the predefined variables."""
        scope = evaluator.globals
        evaluator.warns_undefined = self._flags.warns_undefined
        evaluator.environment_overrides = self._flags.environment_overrides
        for name, value in DEFAULTS.items() if self._flags.builtin_variables else ():
            scope.set(name, value, Origin.DEFAULT, recursive=True)
        for name, value in self._host.invocation.env.items():
            scope.set(name, value, Origin.ENVIRONMENT, recursive=True)
        simple = {
            "SHELL": "/bin/sh",
            ".SHELLFLAGS": "-c",
            "MAKE_COMMAND": self._host.invocation.name,
            "MAKE_VERSION": "4.3",
            "MAKE_HOST": f"{platform.machine()}-{platform.system()}".lower(),
            ".FEATURES": FEATURES,
            "SUFFIXES": "",
            "MAKEFILE_LIST": "",
            ".DEFAULT_GOAL": "",
            ".RECIPEPREFIX": "",
            ".VARIABLES": "",
            "CURDIR": self._host.directory,
            "MAKEFLAGS": self._flags.makeflags(self._variables),
            "MAKELEVEL": str(self._flags.level),
            "MAKECMDGOALS": " ".join(self._goals),
        }
        for name, value in simple.items():
            scope.set(name, value, Origin.FILE if name in ("CURDIR", "MAKEFLAGS") else Origin.DEFAULT)
        scope.set("MAKE", "$(MAKE_COMMAND)", Origin.DEFAULT, recursive=True)
        for text in self._variables:
            given = assignment(text)
            if given is not None:
                await evaluator.assign(given, origin=Origin.COMMAND_LINE)

    async def _read(self, reader: Reader) -> None:
        wanted = self._makefiles or [name for name in MAKEFILES if self._host.exists(name)][:1]
        for name in wanted:
            if name == "-":
                text = self._host.invocation.stdin.decode("utf-8", "surrogateescape")
                await reader.read_standard_input(text)
            else:
                await reader.read_file(name)
        reader.evaluator.location = None
        if not wanted and not self._goals:
            raise MakeError("No targets specified and no makefile found")

    async def _apply_makeflags(self, evaluator: Evaluator) -> None:
        """Apply the options that a makefile added to MAKEFLAGS."""
        value = evaluator.globals.own["MAKEFLAGS"].value
        if value == self._flags.makeflags(self._variables):
            return
        given = SYNTAX.parse(self._host.invocation, with_job_counts(from_makeflags(value)))
        if not isinstance(given, int):
            self._flags.apply(given)
            evaluator.globals.own["MAKEFLAGS"].value = self._flags.makeflags(self._variables)

    async def _remake(self, reader: Reader, nodes: dict[str, Node]) -> bool:
        """Update the makefiles themselves and return whether one changed."""
        real = dataclasses.replace(self._flags, dry_run=False, question=False, touch=False, always_make=False)
        builder = Builder(reader.database, reader.evaluator, self._host, real, nodes)
        before = {file: self._host.mtime(file) for file in reader.files}
        # GNU make starts with the makefile that was read last.
        for file, optional in reversed(reader.files.items()):
            missing = reader.missing.get(file)
            rules = await builder.rules(file)
            if reader.database.target(file).double or (not rules and (optional or missing is None)):
                continue
            self._host.muted = optional
            self._host.reason = None if missing is None else (f"{file}: {missing[0]}", missing[1])
            try:
                node = await builder.update(file, reader.evaluator.globals)
                if node.failed and not optional:
                    self._skip_remake(file, missing is not None)
            except (MakeError, Stopped):
                if not optional:
                    raise
            self._host.muted, self._host.reason = False, None
        return any(self._host.mtime(file) != mtime for file, mtime in before.items())

    def _skip_remake(self, makefile: str, missing: bool) -> None:
        """Continue with the outdated makefile because of -k; stop if it is missing."""
        if missing:
            raise Stopped
        self._host.report(f"Failed to remake makefile '{makefile}'.")
        self._status = FAILURE

    async def _make(self, builder: Builder, evaluator: Evaluator) -> None:
        goals = self._goals
        if not goals:
            default = (await evaluator.value(".DEFAULT_GOAL")).strip()
            if not default:
                raise MakeError("No targets")
            goals = [default]
        try:
            for goal in goals:
                await self._make_goal(builder, evaluator, names(goal.replace(" ", "\\ "))[0])
        finally:
            builder.remove_intermediates()

    async def _make_goal(self, builder: Builder, evaluator: Evaluator, goal: str) -> None:
        before = builder.started
        node = await builder.update(goal, evaluator.globals)
        if node.failed:
            self._status = FAILURE
            if node.blocked and not self._flags.dry_run and not self._flags.question:
                self._host.report(f"Target '{goal}' not remade because of errors.")
        elif builder.started == before and not self._flags.silent and not self._flags.question:
            nothing = node.phony or not node.has_recipe
            self._host.say(f"Nothing to be done for '{goal}'." if nothing else f"'{goal}' is up to date.")
