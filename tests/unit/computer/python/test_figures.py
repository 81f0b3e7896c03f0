"""Figures of matplotlib in the console."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.python.console import PythonConsole
from gemini.computer.python.transcript import Transcript
from gemini.core.events import EventLog

PNG = b"\x89PNG\r\n\x1a\n"
SETUP = "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots(figsize=(2, 1))\naxes.plot([1, 2])\n"


@pytest.fixture
def console(tmp_path: Path) -> PythonConsole:
    env = {
        **os.environ,
        "MPLBACKEND": "module://gemini.computer.python.matplotlib_backend",
        "MPLCONFIGDIR": str(tmp_path),
    }
    return PythonConsole(str(tmp_path), env, Transcript(EventLog(), lambda inputs: None))


def last(console: PythonConsole) -> Any:
    return console.transcript.state()["entries"][-1]


def size_of(display: dict[str, Any]) -> tuple[int, int]:
    """Return width and height of a PNG (its chunk IHDR)."""
    data = base64.b64decode(display["data"])
    assert display["media_type"] == "image/png" and data.startswith(PNG)
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@pytest.mark.fortnightly
async def test_show_shows_each_open_figure_once(console: PythonConsole) -> None:
    await console.run(f"{SETUP}plt.figure()\nprint('before')\nplt.show()\nprint('after')", typed=True)
    parts = last(console)["output"]
    assert [(part["stream"], part.get("text")) for part in parts] == [
        ("stdout", "before\n"),
        ("value", None),
        ("value", None),
        ("stdout", "after\n"),
    ]
    first, second = (size_of(part["display"]) for part in parts if part["stream"] == "value")
    assert first < second
    assert (await console.run("plt.get_fignums()")).result == []
    await console.run("plt.show()", typed=True)
    assert last(console)["output"] == []


async def test_a_figure_shows_itself(console: PythonConsole) -> None:
    await console.run(f"{SETUP}figure", typed=True)
    assert size_of(last(console)["display"]) > (100, 50)
    await console.run("display(figure); figure.show(); plt.close(figure)", typed=True)
    assert [part["stream"] for part in last(console)["output"]] == ["value", "value"]


async def test_outside_of_the_console_show_prints_figures(console: PythonConsole) -> None:
    seen: list[bytes] = []

    class Sink:
        def write(self, data: bytes) -> None:
            seen.append(data)

    await console.evaluate(f"{SETUP}plt.show()", stdout=Sink())  # type: ignore[arg-type]
    assert b"Figure(" in b"".join(seen)
