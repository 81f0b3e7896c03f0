"""Writes a pyodide-lock.json that lists exactly the given wheels. Runs as a program in `.venv`.

The format is Pyodide's lock file, as `loadPyodide` and `loadPackage` read it: `info` describes the interpreter, and
`packages` has an entry for each wheel. This module needs only `packaging`, because `pyodide-lock` 0.2 requires
Python 3.12 and rejects the platform tag of the wheels of Pyodide 314.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_wheel_filename


def lock(info: dict[str, str], wheels: list[Path], *, partial: bool = False) -> dict[str, Any]:
    """Return the content of the lock file.

    File names are relative, so the folder works under any URL.

    Args:
        info: The `info` of Pyodide's own lock file: `{python, abi_version, arch, platform}`.
        wheels: The wheels to list.
        partial: Whether a wheel may require packages that aren't among the wheels; they are left out.

    Raises:
        ValueError: A wheel isn't for this Pyodide, or requires a package that isn't among the wheels.
    """
    names = {canonicalize_name(parse_wheel_filename(wheel.name)[0]) for wheel in wheels}
    entries = [_entry(wheel, info, names, partial=partial) for wheel in sorted(wheels)]
    return {"info": info, "packages": {entry["name"]: entry for entry in entries}}


def _entry(wheel: Path, info: dict[str, str], names: set[Any], *, partial: bool) -> dict[str, Any]:
    name, version, _, tags = parse_wheel_filename(wheel.name)
    if not any(_fits(tag, info) for tag in tags):
        raise ValueError(
            f"{wheel.name} is not for Python {info['python']} of Pyodide's ABI {info['abi_version']}"
        )
    with zipfile.ZipFile(wheel) as archive:
        members = archive.namelist()
        metadata = HeaderParser().parsestr(
            archive.read(next(m for m in members if m.endswith(".dist-info/METADATA"))).decode()
        )
    depends = list(_needs(metadata.get_all("Requires-Dist", []), info, wheel))
    if partial:
        depends = [need for need in depends if need in names]
    elif missing := [need for need in depends if need not in names]:
        raise ValueError(f"{wheel.name} needs {', '.join(missing)}, which the dependency group doesn't pin")
    return {
        "name": canonicalize_name(name),
        "version": str(version),
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": _imports(members),
        "depends": depends,
        "unvendored_tests": False,
    }


def _fits(tag: Tag, info: dict[str, str]) -> bool:
    python = "".join(info["python"].split(".")[:2])
    if tag.platform == "any":
        return tag.abi == "none" and tag.interpreter in {"py3", f"py{python}"}
    platform = f"pyemscripten_{info['abi_version']}_{info['arch']}"
    return tag.platform == platform and tag.abi in {f"cp{python}", "abi3", "none"}


def _needs(requirements: list[str], info: dict[str, str], wheel: Path) -> list[str]:
    environment = {
        "extra": "",
        "implementation_name": "cpython",
        "implementation_version": info["python"],
        "os_name": "posix",
        "platform_machine": info["arch"],
        "platform_python_implementation": "CPython",
        "platform_release": info["platform"].partition("_")[2].replace("_", "."),
        "platform_system": "Emscripten",
        "platform_version": "#1",
        "python_full_version": info["python"],
        "python_version": ".".join(info["python"].split(".")[:2]),
        "sys_platform": "emscripten",
    }
    needs: list[str] = []
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate(environment):
            if requirement.extras:
                raise ValueError(f"{wheel.name} needs {requirement}, but a lock file can't have extras")
            needs.append(canonicalize_name(requirement.name))
    return needs


def _imports(members: list[str]) -> list[str]:
    """Return the top-level modules, by which `loadPackagesFromImports` finds the package."""
    tops = {
        member.split("/")[0].removesuffix(".py")
        for member in members
        if member.endswith((".py", ".so")) and ".dist-info/" not in member and ".data/" not in member
    }
    return sorted(top for top in tops if top.isidentifier())


def main() -> int:
    """Write the lock file that the command line asks for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m builder.lockfile", description=__doc__)
    parser.add_argument("source", type=Path, help="the lock file to copy `info` from")
    parser.add_argument("target", type=Path)
    parser.add_argument("wheels", type=Path, nargs="+")
    arguments = parser.parse_args()
    info = json.loads(arguments.source.read_text(encoding="utf-8"))["info"]
    try:
        content = lock(info, arguments.wheels)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    arguments.target.write_text(json.dumps(content, indent=1, sort_keys=True), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
