"""A page with a companion, and an index of packages on loopback that the page reaches through it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import Outside, outside_on_loopback
from tests.companions import companion_of, opened_by
from tests.web.person import Background, Person
from tests.wheels import Wheel

PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


@dataclass
class World:
    """A page, the origin outside of it that has the packages, and the user."""

    surface: Surface
    outside: Outside
    person: Person

    def run(self, command: str) -> dict[str, Any]:
        return self.surface.call("terminal_execute", command=command, timeout_s=60, streams=True)

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool, allow all that it asks for, and return its result."""
        call = Background(self.surface, tool, arguments)
        self.person.answer_questions(call, "run")
        return call.result()

    def allowed(self, command: str) -> dict[str, Any]:
        """Run a command, allow all that it asks for, and return its result."""
        return self.call("terminal_execute", command=command, timeout_s=60, streams=True)

    def offer(self, *wheels: Wheel) -> str:
        """Serve wheels, and an index of them; return what a command line must begin with to use it."""
        for wheel in wheels:
            self.outside.pages[f"/files/{wheel.name}"] = ("application/zip", wheel.content)
            about = wheel.metadata(f"{self.outside.named}/files/{wheel.name}")
            self.outside.pages[f"/simple/{wheel.package}/json"] = ("application/json", about)
        return f"PIP_INDEX_URL={self.outside.named}/simple/{{package_name}}/json"


@contextmanager
def world_of(surface_dist: Path, browsers: BrowserPool, *ports: int) -> Generator[World]:
    """Open the page with nothing stored; its companion also reaches these ports of loopback."""
    with (
        outside_on_loopback() as outside,
        companion_of(surface_dist, network=outside.fetcher(*ports)) as companion,
        opened_by(companion, browsers) as surface,
    ):
        yield World(surface, outside, Person(surface))
