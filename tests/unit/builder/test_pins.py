"""What is pinned is pinned everywhere, exactly, and by no particular index."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from .conftest import ROOT

GROUPS: dict[str, list[Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
PACKAGE: dict[str, Any] = json.loads((ROOT / "web/package.json").read_text())


@pytest.mark.parametrize("group", GROUPS)
def test_every_requirement_of_a_group_is_in_its_file_with_hashes(group: str) -> None:
    listed = (ROOT / f"requirements/{group}.txt").read_text()
    for requirement in GROUPS[group]:
        if isinstance(requirement, str):
            name, version = requirement.split("==")
            pattern = (
                rf"^{re.escape(name.replace('_', '-'))}=={re.escape(version)}( ;.*)? \\\n +--hash=sha256:"
            )
            assert re.search(pattern, listed, re.MULTILINE), requirement


@pytest.mark.parametrize(
    "path", [*(f"requirements/{group}.txt" for group in GROUPS), "web/package-lock.json"]
)
def test_no_lock_file_names_an_index(path: str) -> None:
    text = (ROOT / path).read_text()
    assert '"resolved"' not in text
    assert "index-url" not in text
    if path.endswith(".txt"):
        assert "://" not in text


@pytest.mark.parametrize("kind", ["dependencies", "devDependencies"])
def test_npm_packages_are_exact_and_have_a_reason(kind: str) -> None:
    assert PACKAGE[kind].keys() == PACKAGE[f"//{kind}"].keys()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in PACKAGE[kind].values())


def test_every_npm_package_has_a_hash() -> None:
    lock: dict[str, Any] = json.loads((ROOT / "web/package-lock.json").read_text())
    packages = {path: package for path, package in lock["packages"].items() if path}
    assert packages
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
