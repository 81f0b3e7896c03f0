"""Skips tests of the Linux where the built page has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def require_machine(dist: Path) -> None:
    """Skip the test if the built page has no Linux."""
    if not list(dist.glob("linux-*")):
        pytest.skip("dist has no Linux: `python3 build.py linux` makes it")


def require_disk(dist: Path) -> None:
    """Skip the test if the built page has no Linux with a system disk."""
    for listed in dist.glob("linux-*/machine.json"):
        if json.loads(listed.read_text())["disk"]:
            return
    pytest.skip("dist has no Linux with a system disk: `python3 build.py linux` makes it")
