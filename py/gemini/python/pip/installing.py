"""Installing and uninstalling, which micropip does."""

from __future__ import annotations

import asyncio
import logging
import re
import zipfile
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gemini.core import ffi
from gemini.python.pip.installed import distributions, versions, warn
from gemini.python.pip.problem import PipProblem
from gemini.python.pip.requirements import EDITABLE, Requirements, Wanted, canonical, names_only
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments

BROKEN = (ValueError, TypeError, OSError, RuntimeError, zipfile.BadZipFile)
"""What micropip raises for requirements, answers and wheels that it can't use."""

_lock = asyncio.Lock()
"""micropip narrates through one logger, and two installations at once would not see each other's packages."""


async def install(invocation: Invocation, given: Arguments) -> int:
    """Install what the arguments ask for."""
    requirements = _requirements(invocation, given)
    if not requirements.wanted:
        raise PipProblem('You must give at least one requirement to install (see "pip help install")')
    quiet = "q" in given
    left = [one for one in requirements.wanted if "U" in given or not _is_there(invocation, one, quiet)]
    if not left:
        return 0
    micropip = await _micropip()
    async with _lock:
        await _Installation(invocation, micropip, requirements, "no-deps" not in given, quiet).run(
            left, "U" in given
        )
    return 0


def _requirements(invocation: Invocation, given: Arguments) -> Requirements:
    requirements = Requirements(pre="pre" in given)
    index = given.last("i") or invocation.env.get("PIP_INDEX_URL")
    requirements.index_urls = [*([index] if index else []), *given.all("extra-index-url")]
    for option, value in given.items:
        if option == "e":
            raise PipProblem(f"{value}: {EDITABLE}")
        if option == "r":
            requirements.read(invocation, value if value == "-" else invocation.path(value))
        elif option == "c":
            requirements.read(invocation, invocation.path(value), as_constraints=True)
        elif not option:
            requirements.add(value, invocation.cwd)
    return requirements


def _is_there(invocation: Invocation, wanted: Wanted, quiet: bool) -> bool:
    """Whether a plain `name` or `name==version` is installed already."""
    match = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\s*==\s*([^\s,;*]+))?", wanted.text)
    one = distributions().get(canonical(match[1])) if match else None
    if match is None or one is None or match[2] not in (None, one.version):
        return False
    if not quiet:
        invocation.print(
            f"Requirement already satisfied: {wanted.text} in {one.locate_file('')} ({one.version})"
        )
    return True


async def _micropip() -> Any:
    """Return the module, which is loaded on first use."""
    if not ffi.IN_BROWSER:
        raise PipProblem("this pip installs packages in the page only; use the pip of your Python")
    if find_spec("micropip") is None:
        await ffi.install_packages(["micropip"])
    try:
        return import_module("micropip")
    except ModuleNotFoundError as problem:
        raise PipProblem("micropip, which installs, could not be loaded") from problem


class _Narration(logging.Filter):
    """Turns what micropip logs into pip's output, and keeps why an index gave no answer."""

    def __init__(self, invocation: Invocation, quiet: bool) -> None:
        super().__init__()
        self._invocation = invocation
        self._quiet = quiet
        self.causes: dict[str, Exception] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Take every record; none goes on to micropip's own handler."""
        arguments = record.args if isinstance(record.args, tuple) else ()
        if record.levelno == logging.DEBUG:
            if arguments and isinstance(arguments[-1], Exception):
                self.causes[canonical(str(arguments[0]))] = arguments[-1]
        elif record.levelno >= logging.WARNING:
            warn(self._invocation, record.getMessage())
        elif not self._quiet and not record.getMessage().startswith("Successfully"):
            self._invocation.print(record.getMessage())
        return False


class _Installation:
    """One `pip install`."""

    def __init__(
        self, invocation: Invocation, micropip: Any, requirements: Requirements, deps: bool, quiet: bool
    ) -> None:
        self._invocation = invocation
        self._micropip = micropip
        self._requirements = requirements
        self._deps = deps
        self._quiet = quiet
        self._narration = _Narration(invocation, quiet)

    async def run(self, wanted: Sequence[Wanted], upgrade: bool) -> None:
        """Install, and say what is new; raises PipProblem."""
        before = versions()
        logger = logging.getLogger("micropip")
        level = logger.level
        logger.addFilter(self._narration)
        logger.setLevel(logging.DEBUG)
        try:
            if upgrade:
                wanted = [one for one in wanted if not await self._upgraded(one, before)]
            await self._install([one.text for one in wanted])
        finally:
            logger.setLevel(level)
            logger.removeFilter(self._narration)
        after = versions()
        # What Pyodide loads from its own lock file fails in silence.
        failed = [one.name for one in wanted if not one.local and canonical(one.name) not in after]
        if failed:
            raise PipProblem(f"could not load {', '.join(failed)}")
        new = [f"{name}-{version}" for name, version in after.items() if before.get(name) != version]
        if new and not self._quiet:
            self._invocation.print("Successfully installed " + " ".join(new))

    async def _upgraded(self, wanted: Wanted, before: dict[str, str]) -> bool:
        """Replace a package that is there by a newer one, if there is one; False when it isn't there."""
        name = canonical(wanted.name)
        plain = re.fullmatch(r"[A-Za-z0-9._-]+(?:\[[^]]*\])?(.*)", wanted.text)
        if name not in before or wanted.local or plain is None or ";" in wanted.text or "@" in wanted.text:
            return False
        newer = wanted.text + ("," if plain[1].strip() else "") + f">{before[name]}"
        try:
            await self._install([newer])
        except NoWheel:
            if not self._quiet:
                self._invocation.print(f"Requirement already satisfied: {wanted.text} ({before[name]})")
        return True

    async def _install(self, requirements: list[str]) -> None:
        if not requirements:
            return
        try:
            await self._micropip.install(
                requirements,
                deps=self._deps,
                pre=self._requirements.pre,
                index_urls=[url.rstrip("/") for url in self._requirements.index_urls] or None,
                constraints=self._requirements.constraints or None,
                reinstall=True,
            )
        except BROKEN as problem:
            raise self._explained(problem, requirements) from problem

    def _explained(self, problem: Exception, requirements: list[str]) -> PipProblem:
        """Say what micropip's message means."""
        text = str(problem).strip()
        if match := re.match(r"Can't find a pure Python 3 wheel for:? ?'?([^'\n]*)", text):
            return NoWheel(
                f"no version of {match[1]} has a wheel that runs here: it needs one in pure Python "
                "(…-none-any.whl) or a wasm wheel, built for this Pyodide (…_wasm32.whl)\n"
                f"No matching distribution found for {match[1]}"
            )
        if match := re.match(r"Can't fetch metadata for '([^']*)'", text):
            cause = self._narration.causes.get(canonical(match[1]))
            if getattr(cause, "status", None) == 404:
                return PipProblem(f"No matching distribution found for {match[1]}: there is no such package")
            return PipProblem(
                f"the package index gave no answer for {match[1]}"
                + (f" ({cause})" if cause else "")
                + ": the name is wrong, the person refused, or there is no network"
            )
        return PipProblem(f"could not install {', '.join(requirements)}: {text or repr(problem)}")


class NoWheel(PipProblem):
    """No wheel fits."""


async def uninstall(invocation: Invocation, given: Arguments) -> int:
    """Remove packages; -y is needed, as nobody can be asked."""
    requirements = Requirements()
    for path in given.all("r"):
        requirements.read(invocation, invocation.path(path))
    names = [*names_only(given.operands), *(one.name for one in requirements.wanted)]
    if not names:
        raise PipProblem('You must give at least one requirement to uninstall (see "pip help uninstall")')
    if "y" not in given:
        raise PipProblem("this pip can't ask: add -y to uninstall without asking")
    micropip = await _micropip()
    installed = distributions()
    for name in names:
        one = installed.get(canonical(name))
        if one is None:
            warn(invocation, f"Skipping {name} as it is not installed.")
            continue
        label = f"{one.metadata['Name']}-{one.version}"
        invocation.print(f"Found existing installation: {one.metadata['Name']} {one.version}")
        invocation.print(f"Uninstalling {label}:")
        try:
            micropip.uninstall(one.metadata["Name"])
        except BROKEN as problem:
            raise PipProblem(f"Cannot uninstall {label}: {problem}") from problem
        invocation.print(f"  Successfully uninstalled {label}")
    return 0
