"""What the journeys share."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.person import Background, Person

Start = Callable[..., Background]
CopyOfDist = Callable[..., Path]


@pytest.fixture
def person(surface: Surface) -> Person:
    if surface.javascript("return document.querySelector('dialog[open]') !== null"):
        # A test that failed has left it open.
        surface.reload()
    return Person(surface)


@pytest.fixture
def terminal(surface: Surface) -> Iterator[str]:
    """The id of a terminal of the test's own."""
    made: str = surface.call("terminal_create")["terminal_id"]
    yield made
    if made in [row["id"] for row in surface.call("terminal_list")]:
        surface.call("terminal_close", terminal_id=made)


@pytest.fixture
def shell(person: Person, terminal: str) -> Person:
    """The person in front of an empty terminal, with the keyboard in it."""
    person.sees(f"[data-tab-panel-id={terminal}][aria-selected=true]")
    person.enter_terminal()
    return person


@pytest.fixture
def folder(surface: Surface, request: pytest.FixtureRequest) -> str:
    """An empty directory of the test's own, as its absolute path."""
    path = f"/project/{request.node.originalname}"
    surface.python(f"import os, shutil; shutil.rmtree({path!r}, ignore_errors=True); os.makedirs({path!r})")
    return path


@pytest.fixture
def start(surface: Surface) -> Start:
    """`start(tool, **arguments)` calls a tool without waiting for it."""

    def start(tool: str, /, **arguments: Any) -> Background:
        return Background(surface, tool, arguments)

    return start


@pytest.fixture
def copy_of_dist(surface_dist: Path, tmp_path: Path) -> CopyOfDist:
    """`copy_of_dist(without=pattern)` gives a built surface in which a file is missing."""

    def copy(*, without: str | None = None) -> Path:
        shutil.copytree(surface_dist, tmp_path / "dist")
        if without:
            [file] = (tmp_path / "dist").glob(without)
            file.unlink()
        return tmp_path / "dist"

    return copy
