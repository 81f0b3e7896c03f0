"""Everyday command lines that the embedded shell fails print in the Linux what they print in Debian."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.everyday.record import FOLDER, OF_LINUX, identity
from tests.web.linux_page import require_disk

pytestmark = pytest.mark.extended(together="linux")
EXPECTED: dict[str, dict[str, Any]] = json.loads(OF_LINUX.read_text())
PLACE = "/project/linux-lines"
PARTS = 3
CALL_S = 100
# Files of /project are no FIFOs and have one name.
OWN = "/tmp/lines"


@pytest.fixture(autouse=True, scope="module")
def image(surface_dist: Path) -> None:
    require_disk(surface_dist)


@pytest.mark.parametrize("part", range(PARTS))
def test_lines_that_the_embedded_shell_fails_pass(surface: Surface, part: int) -> None:
    expected = {
        line: (answer["stdout"], answer["exit_code"]) for line, answer in list(EXPECTED.items())[part::PARTS]
    }
    surface.call("file_write", path=f"{PLACE}/files.sh", content=(FOLDER / "files.sh").read_text())
    for at, line in enumerate(expected):
        surface.call("file_write", path=f"{PLACE}/line-{at}.sh", content=f"{identity()}{line}\n")
    in_shell = answers(surface, "shell", PLACE, list(expected))
    in_linux = answers(surface, "linux", OWN, list(expected))
    surface.python(f"__import__('shutil').rmtree({PLACE!r})")
    different = {line: (in_linux[line], right) for line, right in expected.items() if in_linux[line] != right}
    assert different == {}
    # Nearly all, so that the lines stay those that need a Linux.
    passed = [line for line, right in expected.items() if in_shell[line] == right]
    assert len(passed) <= len(expected) // 10, passed


def answers(surface: Surface, backend: str, folder: str, lines: list[str]) -> dict[str, tuple[str, int]]:
    """Run all lines in one terminal; return what each printed, and its exit code."""
    terminal = surface.call("terminal_create", backend=backend)["terminal_id"]

    def run(script: str) -> None:
        done = surface.call("terminal_execute", terminal_id=terminal, command=script, timeout_s=CALL_S)
        assert "timed_out" not in done, (script, done)

    if backend == "shell":
        run(f"mkdir {PLACE}/given; cd {PLACE}/given; bash {PLACE}/files.sh")
    else:
        run(f"rm -rf {folder}; mkdir {folder}; cp -a {PLACE}/given {folder}")
    for at in range(len(lines)):
        run(
            f"cd {folder}; rm -rf case side; cp -a given case; cd case\n"
            f"bash {PLACE}/line-{at}.sh >{PLACE}/{backend}-{at} 2>/dev/null </dev/null\n"
            f"echo $? >{PLACE}/{backend}-code-{at}"
        )
    surface.call("terminal_close", terminal_id=terminal)
    read = (
        f"[[open(f'{PLACE}/{backend}{{kind}}{{at}}', errors='replace').read() for kind in ('-', '-code-')]"
        f" for at in range({len(lines)})]"
    )
    found = surface.python(read)
    return {line: (out, int(code)) for line, (out, code) in zip(lines, found, strict=True)}


def test_there_are_forty_lines() -> None:
    assert len(EXPECTED) >= 40
