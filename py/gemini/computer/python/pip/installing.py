"""The subcommands install and uninstall, which call micropip."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import site
import zipfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import Distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gemini.computer.python import user_site
from gemini.computer.python.pip import building, distribution, logins, records, scripts, wheel
from gemini.computer.python.pip.errors import PipError
from gemini.computer.python.pip.installed import distributions, missing, versions, warn
from gemini.computer.python.pip.reasons import reason_of
from gemini.computer.python.pip.requirements import Requirement, Requirements, canonical, names_only
from gemini.core import ffi
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments

MICROPIP_ERRORS = (ValueError, TypeError, OSError, RuntimeError, zipfile.BadZipFile)
"""The errors that micropip raises for invalid requirements, index responses and wheels."""

_lock = asyncio.Lock()
"""Serializes installations: they share micropip's logger and compare installed packages before and after."""


async def install(invocation: Invocation, given: Arguments) -> int:
    """Install the required packages; return 0 or raise PipError."""
    requirements = _requirements(invocation, given)
    if not requirements.items:
        raise PipError('You must give at least one requirement to install (see "pip help install")')
    quiet = "q" in given
    left = [one for one in requirements.items if "U" in given or not _is_installed(invocation, one, quiet)]
    if not left:
        return 0
    micropip = await _micropip()
    if not all(one.local for one in left) or "no-deps" not in given:
        await distribution.add(invocation.env.get("PIP_PYODIDE_LOCK"))
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
            directory = value if value.startswith((".", "/", "~")) else f"./{value}"
            requirements.add(directory, invocation.cwd, editable=True)
        if option == "r":
            requirements.read(invocation, value if value == "-" else invocation.path(value))
        elif option == "c":
            requirements.read(invocation, invocation.path(value), as_constraints=True)
        elif not option:
            requirements.add(value, invocation.cwd)
    return requirements


def _is_installed(invocation: Invocation, requirement: Requirement, quiet: bool) -> bool:
    """Return whether a plain `name` or `name==version` is already installed; print that unless `quiet`."""
    match = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\s*==\s*([^\s,;*]+))?", requirement.text)
    one = distributions().get(canonical(match[1])) if match else None
    if match is None or one is None or match[2] not in (None, one.version):
        return False
    if not quiet:
        invocation.print(
            f"Requirement already satisfied: {requirement.text} in {one.locate_file('')} ({one.version})"
        )
    return True


async def _micropip() -> Any:
    """Return the module micropip, loaded on first use."""
    if not ffi.IN_BROWSER:
        raise PipError("this pip installs packages in the page only; use the pip of your Python")
    wheel.enable()
    if find_spec("micropip") is None:
        await ffi.install_packages(["micropip"])
        ffi.add_loaded_packages(Path(site.getsitepackages()[0]))
    try:
        return import_module("micropip")
    except ModuleNotFoundError as problem:
        raise PipError("could not load micropip; check the network and try again") from problem


class _LogFilter(logging.Filter):
    """A filter that prints micropip's log records in pip's format and collects index errors in `causes`."""

    def __init__(self, invocation: Invocation, quiet: bool) -> None:
        super().__init__()
        self._invocation = invocation
        self._quiet = quiet
        self.causes: dict[str, Exception] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Print or store the record; return False so that micropip's own handler never gets it."""
        arguments = record.args if isinstance(record.args, tuple) else ()
        if record.levelno == logging.DEBUG:
            if arguments and isinstance(arguments[-1], Exception):
                self.causes[canonical(str(arguments[0]))] = arguments[-1]
        elif record.levelno >= logging.WARNING:
            # A package's directories often have files that are not its own, such as bytecode.
            if not record.getMessage().startswith("A directory"):
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
        self._log_filter = _LogFilter(invocation, quiet)

    async def run(self, requirements: Sequence[Requirement], upgrade: bool) -> None:
        """Install the packages and print the new versions; raise PipError if any fails."""
        before = versions()
        # Earlier failures aren't about this installation.
        ffi.take_network_failures()
        logger = logging.getLogger("micropip")
        level = logger.level
        logger.addFilter(self._log_filter)
        logger.setLevel(logging.DEBUG)
        try:
            requirements = [await self._build(one) for one in requirements]
            if upgrade:
                requirements = [one for one in requirements if not await self._upgraded(one, before)]
            await self._install([one.text for one in requirements])
            new, found = self._changed(before)
            self._check(requirements, new, found)
        except PipError:
            # Otherwise the next attempt would find that the packages are installed.
            new, found = self._changed(before)
            self._remove([found[name] for name in new if name not in before])
            raise
        finally:
            logger.setLevel(level)
            logger.removeFilter(self._log_filter)
        user_site.link()
        if new and not self._quiet:
            labels = [f"{name}-{found[name].version}" for name in new]
            self._invocation.print("Successfully installed " + " ".join(labels))

    def _failed(
        self, requirements: Sequence[Requirement], new: Sequence[str], found: Mapping[str, Distribution]
    ) -> list[str]:
        """Return the packages that are missing afterwards: those from Pyodide's own lock file fail silently."""
        failed = [one.name for one in requirements if not one.local and canonical(one.name) not in found]
        if not self._deps:
            return failed
        extras = {canonical(one.name): one.extras for one in requirements}
        users: dict[str, list[str]] = {}
        for name in new:
            for lacked in missing(found[name], extras.get(name, ()), found):
                users.setdefault(lacked, []).append(name)
        return [*failed, *(f"{name} (required by {', '.join(by)})" for name, by in users.items())]

    def _changed(self, before: Mapping[str, str]) -> tuple[list[str], dict[str, Distribution]]:
        """Return the names of packages that are new or have another version, and all installed packages."""
        found = distributions()
        return [name for name, one in found.items() if before.get(name) != one.version], found

    def _check(
        self, requirements: Sequence[Requirement], new: Sequence[str], found: Mapping[str, Distribution]
    ) -> None:
        """Check what was installed, and create its scripts.

        Raises:
            PipError: A package is missing, or isn't what was required.
        """
        if failed := self._failed(requirements, new, found):
            raise PipError(f"could not load {', '.join(failed)}: {reason_of(ffi.take_network_failures())}")
        for name in new:
            if not self._requirements.accepts(name, digest := found[name].read_text("PYODIDE_SHA256")):
                raise PipError(
                    "THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE: "
                    f"{name} has sha256:{digest or 'none, as it is part of the distribution'}"
                )
        for name in new:
            records.disown(found[name], found.values(), scripts.directory(found[name]))
            scripts.add(found[name])

    def _remove(self, packages: Sequence[Distribution]) -> None:
        every = list(distributions().values())
        for one in packages:
            records.disown(one, every, scripts.directory(one))
        with contextlib.suppress(*MICROPIP_ERRORS):
            self._micropip.uninstall([one.name for one in packages])

    async def _build(self, requirement: Requirement) -> Requirement:
        """Return a requirement's wheel, if it is a project in a directory; otherwise itself."""
        if not requirement.directory:
            return requirement
        self._say(f"Processing {requirement.directory}")
        path = await building.build(self._invocation, requirement, self._install)
        name = os.path.basename(path).partition("-")[0]
        self._say(f"  Built {'editable ' if requirement.editable else ''}wheel for {name}")
        return Requirement(f"{name}{requirement.text} @ emfs:{quote(path)}", local=True)

    def _say(self, text: str) -> None:
        if not self._quiet:
            self._invocation.print(text)

    async def _upgraded(self, requirement: Requirement, before: dict[str, str]) -> bool:
        """Upgrade an installed package if a newer version exists; return False if it isn't installed."""
        name = canonical(requirement.name)
        plain = re.fullmatch(r"[A-Za-z0-9._-]+(?:\[[^]]*\])?(.*)", requirement.text)
        if (
            name not in before
            or requirement.local
            or plain is None
            or ";" in requirement.text
            or "@" in requirement.text
        ):
            return False
        newer = requirement.text + ("," if plain[1].strip() else "") + f">{before[name]}"
        try:
            await self._install([newer])
        except NoWheel:
            if not self._quiet:
                self._invocation.print(f"Requirement already satisfied: {requirement.text} ({before[name]})")
        return True

    async def _install(self, requirements: list[str]) -> None:
        if not requirements:
            return
        urls, headers = logins.without_logins([url.rstrip("/") for url in self._requirements.index_urls])
        layer = import_module("micropip._compat").compatibility_layer
        try:
            with logins.sent(layer, headers):
                await self._micropip.install(
                    requirements,
                    deps=self._deps,
                    pre=self._requirements.pre,
                    index_urls=urls or None,
                    constraints=self._requirements.constraints or None,
                    reinstall=True,
                )
        except MICROPIP_ERRORS as problem:
            raise self._pip_error(problem, requirements) from problem
        except ffi.errors_of_javascript() as problem:
            # Pyodide unpacks wheels in JavaScript, which passes our error on as a traceback.
            reason = str(problem).strip().splitlines()[-1].removeprefix("shutil.ReadError: ")
            raise PipError(f"could not install {', '.join(requirements)}: {reason}") from problem

    def _pip_error(self, problem: Exception, requirements: list[str]) -> PipError:
        """Return the pip error for an error of micropip."""
        text = str(problem).strip()
        if match := re.match(r"Can't find a pure Python 3 wheel for:? ?'?([^'\n]*)", text):
            return NoWheel(
                f"no version of {match[1]} has a wheel that runs here: a pure Python wheel "
                "(…-none-any.whl) or a wasm wheel for this Pyodide (…_wasm32.whl)\n"
                f"No matching distribution found for {match[1]}"
            )
        if match := re.match(r"Can't fetch metadata for '([^']*)'", text):
            cause = self._log_filter.causes.get(canonical(match[1]))
            if getattr(cause, "status", None) == 404:
                return PipError(f"No matching distribution found for {match[1]}: there is no such package")
            failures = ffi.take_network_failures()
            reason = f"the package index answered: {cause}" if cause and not failures else reason_of(failures)
            return PipError(f"could not find out about {match[1]}: {reason}")
        if failures := ffi.take_network_failures():
            text = reason_of(failures)
        return PipError(f"could not install {', '.join(requirements)}: {text or repr(problem)}")


class NoWheel(PipError):
    """No version of a package has a compatible wheel."""


async def uninstall(invocation: Invocation, given: Arguments) -> int:
    """Remove packages. `-y` is required, because the command can't ask for confirmation."""
    requirements = Requirements()
    for path in given.all("r"):
        requirements.read(invocation, invocation.path(path))
    names = [*names_only(given.operands), *(one.name for one in requirements.items)]
    if not names:
        raise PipError('You must give at least one requirement to uninstall (see "pip help uninstall")')
    if "y" not in given:
        raise PipError("this pip can't ask for confirmation: add -y")
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
        records.disown(one, installed.values(), scripts.directory(one))
        scripts.remove(one)
        try:
            micropip.uninstall(one.metadata["Name"])
        except MICROPIP_ERRORS as problem:
            raise PipError(f"Cannot uninstall {label}: {problem}") from problem
        invocation.print(f"  Successfully uninstalled {label}")
    return 0
