"""Pages for tests of Linux: skips tests for which the built page has no Linux, and opens pages that reach a server."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from gemini_companion.network import Fetcher, Reach
from gemini_companion.network.targets import Address
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by

# The server's name for programs.
NAME, HOST = "files.example", "127.0.0.1"


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


@contextmanager
def page_reaching(port: int, dist: Path, browsers: BrowserPool) -> Generator[Surface]:
    """Open a page of a companion that reaches a server on loopback as NAME."""

    async def resolve(host: str, port: int) -> Sequence[Address]:
        return [ipaddress.ip_address(HOST)] if host == NAME else []

    fetcher = Fetcher(Reach(resolve, also={(HOST, port)}))
    with companion_of(dist, network=fetcher) as companion, opened_by(companion, browsers) as surface:
        yield surface
