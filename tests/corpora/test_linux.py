"""Everyday lines that the embedded shell fails print in Linux machines what they print in Debian."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini_testing import Surface
from tests.web.linux_page import require_disk

from .cases import Answer
from .corpora import LINUX

pytestmark = pytest.mark.extended(together="linux")
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
    cases = LINUX.cases()[part::PARTS]
    assert LINUX.setup is not None
    surface.call("file_write", path=f"{PLACE}/files.sh", content=LINUX.setup.read_text())
    for at, case in enumerate(cases):
        surface.call("file_write", path=f"{PLACE}/line-{at}.sh", content=f"{LINUX.before}{case.script}\n")
    in_shell = answers(surface, "shell", PLACE, len(cases))
    in_linux = answers(surface, "linux", OWN, len(cases))
    surface.python(f"__import__('shutil').rmtree({PLACE!r})")
    wrong = [
        f"{case.script}\n  {answer}\n  {case.answer}"
        for case, answer in zip(cases, in_linux, strict=True)
        if not case.is_right(answer)
    ]
    assert not wrong, "\n".join(wrong)
    # Nearly all, so that the lines stay those that need a Linux.
    passed = [case.script for case, answer in zip(cases, in_shell, strict=True) if answer == case.answer]
    assert len(passed) <= len(cases) // 10, passed


def answers(surface: Surface, backend: str, folder: str, count: int) -> list[Answer]:
    """Run the scripts `line-0.sh` and following in one terminal, and return the answer of each."""
    terminal = surface.call("terminal_create", backend=backend)["terminal_id"]

    def run(script: str) -> None:
        done = surface.call("terminal_execute", terminal_id=terminal, command=script, timeout_s=CALL_S)
        assert "timed_out" not in done, (script, done)

    if backend == "shell":
        run(f"mkdir {PLACE}/given; cd {PLACE}/given; bash {PLACE}/files.sh")
    else:
        run(f"rm -rf {folder}; mkdir {folder}; cp -a {PLACE}/given {folder}")
    for at in range(count):
        run(
            f"cd {folder}; rm -rf case side; cp -a given case; cd case\n"
            f"bash {PLACE}/line-{at}.sh >{PLACE}/{backend}-{at} 2>/dev/null </dev/null\n"
            f"echo $? >{PLACE}/{backend}-code-{at}"
        )
    surface.call("terminal_close", terminal_id=terminal)
    read = (
        f"[[open(f'{PLACE}/{backend}{{kind}}{{at}}', encoding='latin-1').read() for kind in ('-', '-code-')]"
        f" for at in range({count})]"
    )
    return [Answer(out.encode("latin-1"), int(code)) for out, code in surface.python(read)]
