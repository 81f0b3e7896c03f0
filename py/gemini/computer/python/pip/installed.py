"""The subcommands that read installed packages: list, freeze, show and check."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from importlib import import_module, metadata
from typing import TYPE_CHECKING

from gemini.computer.python.pip.errors import PipError
from gemini.computer.python.pip.requirements import canonical
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

FIELDS = ("Name", "Version", "Summary", "Home-page", "Author", "License-Expression", "License")
NOT_FROZEN = {"pip", "setuptools", "wheel", "distribute"}


def distributions() -> dict[str, metadata.Distribution]:
    """Return the installed distributions by canonical name; the first one on `sys.path` wins."""
    found: dict[str, metadata.Distribution] = {}
    for one in metadata.distributions():
        # A dist-info directory without its METADATA file has no name.
        if "Name" in one.metadata:
            found.setdefault(canonical(one.metadata["Name"]), one)
    return dict(sorted(found.items()))


def versions() -> dict[str, str]:
    """Return the version of each installed package by canonical name."""
    return {name: one.version for name, one in distributions().items()}


def freeze(invocation: Invocation, given: Arguments) -> int:
    """Print installed packages as `name==version` lines."""
    for name, one in distributions().items():
        if name not in NOT_FROZEN or "all" in given:
            invocation.print(f"{one.metadata['Name']}=={one.version}")
    return 0


def list_packages(invocation: Invocation, given: Arguments) -> int:
    """Print installed packages as columns, `name==version` lines or JSON."""
    rows = [(str(one.metadata["Name"]), one.version) for one in distributions().values()]
    style = given.last("format", "columns")
    if style == "json":
        invocation.print(json.dumps([{"name": name, "version": version} for name, version in rows]))
    elif style == "freeze":
        for name, version in rows:
            invocation.print(f"{name}=={version}")
    elif style == "columns":
        width = max([len("Package"), *(len(name) for name, _ in rows)])
        longest = max([len("Version"), *(len(version) for _, version in rows)])
        for name, version in [("Package", "Version"), ("-" * width, "-" * longest), *rows]:
            invocation.print(f"{name:<{width}} {version}")
    else:
        raise PipError(f"--format must be columns, freeze or json, not '{style}'")
    return 0


def show(invocation: Invocation, given: Arguments) -> int:
    """Print information about packages; return 1 if none of them is installed."""
    if not given.operands:
        raise PipError("Please provide a package name or names.")
    installed = distributions()
    missing = [name for name in given.operands if canonical(name) not in installed]
    if missing:
        warn(invocation, "Package(s) not found: " + ", ".join(missing))
    present = [installed[canonical(name)] for name in given.operands if canonical(name) in installed]
    for number, one in enumerate(present):
        if number:
            invocation.print("---")
        for field, value in _facts(one, installed).items():
            invocation.print(f"{field}: {value}".rstrip(" "))
        if "f" in given:
            invocation.print("Files:")
            for file in sorted(str(path) for path in one.files or []):
                invocation.print(f"  {file}")
    return 0 if present else 1


def _facts(one: metadata.Distribution, installed: Mapping[str, metadata.Distribution]) -> dict[str, str]:
    name = canonical(one.metadata["Name"])
    needs = sorted({required for required in _require(one)})
    users = sorted(str(other.metadata["Name"]) for other in installed.values() if name in _require(other))
    fields = {field: str((one.metadata.get_all(field) or [""])[0]) for field in FIELDS}
    fields["License"] = fields.pop("License-Expression") or fields.pop("License")
    fields["Location"] = str(one.locate_file(""))
    fields["Requires"] = ", ".join(needs)
    fields["Required-by"] = ", ".join(users)
    return fields


def _require(one: metadata.Distribution) -> set[str]:
    """Return the canonical names of a package's requirements, without extras."""
    try:
        return {canonical(name) for name, _ in _requirements(one)}
    except ModuleNotFoundError:  # without `packaging`, markers can't be evaluated
        plain = [line for line in one.requires or [] if "extra" not in line.partition(";")[2]]
        return {canonical(_leading_name(line.strip())) for line in plain}


def _requirements(one: metadata.Distribution) -> Iterator[tuple[str, SpecifierSet]]:
    """Yield the names and versions that a package requires here; raise ModuleNotFoundError without `packaging`."""
    from packaging.requirements import Requirement

    for requirement in _applicable(one, Requirement):
        yield requirement.name, requirement.specifier


def _applicable(
    one: metadata.Distribution, parse: Callable[[str], Requirement], extras: Iterable[str] = ()
) -> Iterator[Requirement]:
    """Yield the requirements of a package whose markers are true here, without extras or with one of these."""
    for requirement in map(parse, one.requires or []):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def _leading_name(requirement: str) -> str:
    for index, character in enumerate(requirement):
        if not (character.isalnum() or character in "._-"):
            return requirement[:index]
    return requirement


def missing(one: metadata.Distribution, extras: Iterable[str], installed: Container[str]) -> list[str]:
    """Return the names of what a package requires here, with these extras, and what isn't installed."""
    # micropip's own copy: an installation doesn't need the package `packaging`.
    parse = import_module("micropip._vendored.packaging.src.packaging.requirements").Requirement
    needed = {canonical(each.name) for each in _applicable(one, parse, extras)}
    return sorted(name for name in needed if name not in installed)


def check(invocation: Invocation, given: Arguments) -> int:
    """Print missing and incompatible requirements of installed packages; return 1 if there are any."""
    installed = distributions()
    complaints: list[str] = []
    try:
        for one in installed.values():
            complaints += _complaints(one, installed)
    except ModuleNotFoundError as problem:
        raise PipError("pip check needs a package: pip install packaging") from problem
    for complaint in complaints or ["No broken requirements found."]:
        invocation.print(complaint)
    return 1 if complaints else 0


def _complaints(one: metadata.Distribution, installed: Mapping[str, metadata.Distribution]) -> Iterator[str]:
    owner = f"{one.metadata['Name']} {one.version}"
    for name, specifier in _requirements(one):
        other = installed.get(canonical(name))
        if other is None:
            yield f"{owner} requires {name}, which is not installed."
        elif not specifier.contains(other.version, prereleases=True):
            has = f"{other.metadata['Name']} {other.version}"
            yield f"{owner} has requirement {name}{specifier}, but you have {has}."


def warn(invocation: Invocation, text: str) -> None:
    """Write a warning to standard error in pip's format."""
    invocation.stderr.write(f"WARNING: {text}\n".encode("utf-8", "surrogateescape"))
