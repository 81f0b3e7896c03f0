"""Packages are pinned everywhere, exactly, and independently of an index."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from builder.requirements import GROUPS as LOCKED

from .conftest import ROOT

GROUPS: dict[str, list[Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
NPM = (
    "web",
    "builder/runtime",
    "tests/conformance",
    *(f"benchmarks/{name}" for name in ("libraries", "rivals", "token_clients")),
)
PACKAGES: dict[str, dict[str, Any]] = {
    folder: json.loads((ROOT / folder / "package.json").read_text()) for folder in NPM
}
KINDS = ("dependencies", "devDependencies", "optionalDependencies")
# A version, or an alias where two versions of one package are installed.
EXACT = re.compile(r"(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-alpha\.\d+)?")


def requirements(group: str) -> list[str]:
    """Return the requirements of a group and of the groups that it includes."""
    return [
        found
        for each in GROUPS[group]
        for found in ([each] if isinstance(each, str) else requirements(each["include-group"]))
    ]


@pytest.mark.parametrize("group", LOCKED)
def test_every_requirement_of_a_group_is_in_its_file_with_hashes(group: str) -> None:
    listed = (ROOT / f"requirements/{group}.txt").read_text()
    for requirement in requirements(group):
        name, version = requirement.split("==")
        # The extras of a package are packages of their own there.
        name = re.sub(r"\[.*\]", "", name).replace("_", "-")
        pattern = rf"^{re.escape(name)}=={re.escape(version)}( ;.*)? \\\n +--hash=sha256:"
        assert re.search(pattern, listed, re.MULTILINE), requirement


def test_every_group_is_pinned_directly_or_as_part_of_another() -> None:
    pinned = {requirement for group in LOCKED for requirement in requirements(group)}
    assert {requirement for group in GROUPS for requirement in requirements(group)} == pinned


@pytest.mark.parametrize(
    "path",
    [*(f"requirements/{group}.txt" for group in LOCKED), *(f"{folder}/package-lock.json" for folder in NPM)],
)
def test_no_lock_file_names_an_index(path: str) -> None:
    text = (ROOT / path).read_text()
    assert '"resolved"' not in text
    assert "index-url" not in text
    if path.endswith(".txt"):
        assert "://" not in text


@pytest.mark.parametrize("folder", NPM)
def test_npm_packages_are_exact_and_have_a_reason(folder: str) -> None:
    package = PACKAGES[folder]
    pinned = {name: version for kind in KINDS for name, version in package.get(kind, {}).items()}
    assert pinned.keys() == {name for kind in KINDS for name in package.get(f"//{kind}", {})}
    assert all(EXACT.fullmatch(version) for version in pinned.values())


@pytest.mark.parametrize("folder", NPM)
def test_every_npm_package_has_a_hash(folder: str) -> None:
    lock: dict[str, Any] = json.loads((ROOT / folder / "package-lock.json").read_text())
    packages = {path: package for path, package in lock["packages"].items() if path}
    assert packages
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())


@pytest.mark.parametrize("folder", NPM)
def test_install_scripts_of_packages_do_not_run(folder: str) -> None:
    assert "ignore-scripts=true" in (ROOT / folder / ".npmrc").read_text()
