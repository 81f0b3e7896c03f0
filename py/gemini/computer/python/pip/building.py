"""Wheels of projects in directories, built by their own backends (PEP 517, PEP 660) as programs of the page's Python.

Backends can build pure Python; there is no compiler.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from gemini.computer.python.pip.errors import PipError
from gemini.computer.python.pip.requirements import Requirement
from gemini_userland.invocation import Invocation, Output

LEGACY: Mapping[str, Any] = {"requires": ["setuptools"], "build-backend": "setuptools.build_meta:__legacy__"}
# A line of the program's output that isn't the backend's own.
RESULT = "pip-result:"
PROGRAM = """
import importlib, json, sys
sys.path[0:0] = {paths!r}
name, _, attribute = {backend!r}.partition(":")
backend = importlib.import_module(name)
for part in filter(None, attribute.split(".")):
    backend = getattr(backend, part)
hook = getattr(backend, {hook!r}, None)
print({result!r} + json.dumps(None if hook is None else hook(*{arguments!r})))
"""
# With it, setuptools makes a .pth file of directories; otherwise one of code, which this page doesn't run.
SETTINGS = {"editable_mode": "compat"}

Install = Callable[[list[str]], Awaitable[None]]
"""Installs requirements."""


async def build(invocation: Invocation, requirement: Requirement, install: Install) -> str:
    """Build the wheel of a project and return its path.

    Args:
        invocation: The pip command.
        requirement: A requirement with a directory.
        install: Installs the backend's requirements.

    Raises:
        PipError: The directory has no project, or its backend fails.
    """
    directory = requirement.directory
    system = _build_system(directory)
    kind = "editable" if requirement.editable else "wheel"
    await install(list(system["requires"]))
    more = await _call(invocation, directory, system, f"get_requires_for_build_{kind}", [SETTINGS])
    await install(list(more or []))
    target = tempfile.mkdtemp(prefix="pip-wheel-")
    name = await _call(invocation, directory, system, f"build_{kind}", [target, SETTINGS])
    if not isinstance(name, str):
        raise PipError(f"the backend of {directory} can't build an {kind}; install it without -e")
    return os.path.join(target, name)


def _build_system(directory: str) -> dict[str, Any]:
    path = os.path.join(directory, "pyproject.toml")
    try:
        with open(path, "rb") as file:
            system: dict[str, Any] = tomllib.load(file).get("build-system", {})
    except FileNotFoundError as missing:
        if not os.path.isfile(os.path.join(directory, "setup.py")):
            raise PipError(
                f"{directory} does not appear to be a Python project: neither 'setup.py' nor 'pyproject.toml' found."
            ) from missing
        system = {}
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise PipError(f"{path} can't be read: {problem}") from problem
    return {**LEGACY, **system}


async def _call(
    invocation: Invocation, directory: str, system: Mapping[str, Any], hook: str, arguments: list[object]
) -> Any:
    """Call a hook of the backend and return its result; None if the backend lacks it."""
    program = PROGRAM.format(
        paths=[os.path.join(directory, path) for path in system.get("backend-path", [])],
        backend=system["build-backend"],
        hook=hook,
        arguments=arguments,
        result=RESULT,
    )
    output, errors = Output(), Output()
    # The command imports this package.
    run = import_module("gemini.computer.python.command").run_python
    status: int = await run(
        replace(
            invocation,
            argv=["python", "-P", "-c", program],
            stdin=b"",
            cwd=directory,
            stdout=output,
            stderr=errors,
        )
    )
    results = [line for line in output.text().splitlines() if line.startswith(RESULT)]
    if status or not results:
        raise PipError(f"{hook} of {directory} failed:\n" + (errors.text() or output.text()).rstrip())
    return json.loads(results[-1].removeprefix(RESULT))
