"""The command `linux` of the embedded shell, which runs Linux programs, and what offers it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.linux_page import require_machine

pytestmark = pytest.mark.extended(together="linux")
CALL_S = 50


@pytest.fixture(autouse=True, scope="module")
def image(surface_dist: Path) -> None:
    require_machine(surface_dist)


@pytest.fixture(scope="module")
def shell(surface_of_module: Surface) -> Iterator[str]:
    """Open a terminal of the embedded shell and return its id."""
    opened: str = surface_of_module.call("terminal_create")["terminal_id"]
    yield opened
    surface_of_module.call("terminal_close", terminal_id=opened)


def run(surface: Surface, command: str, terminal: str, **more: Any) -> tuple[str, str, int]:
    done = surface.call(
        "terminal_execute",
        command=command,
        terminal_id=terminal,
        streams=True,
        **{"timeout_s": CALL_S, **more},
    )
    assert done["backend"] == "shell"
    return done["stdout"], done["stderr"], done["exit_code"]


def test_a_missing_program_is_offered_and_runs(surface: Surface, shell: str) -> None:
    out, errors, code = run(surface, "cd /project; csplit --version", shell)
    assert (out, code) == ("", 127)
    offer = "`linux csplit …` runs it in the Linux of this page, in the same folder of /project.\n"
    assert errors.endswith(f"csplit: command not found\n{offer}")
    out, errors, code = run(surface, "linux uname -o; linux bash -c 'exit 7'", shell)
    assert (out, errors, code) == ("GNU/Linux\n", "", 7)


def test_it_has_the_folder_the_streams_and_the_variables(surface: Surface, shell: str) -> None:
    script = (
        "mkdir -p /project/there; cd /project/there; export COLOUR='dark red'; printf 'b\\na\\n' >lines; "
        "linux sort <lines | linux tee sorted | cat -n; "
        "linux bash -c 'echo \"$COLOUR\" \"$1|$2\"; pwd; echo bad >&2' - '' '*'; "
        "cat sorted; linux cat /dev/stdin </dev/null; linux nothing-here; echo $?"
    )
    out, errors, code = run(surface, script, shell)
    assert out == "     1\ta\n     2\tb\ndark red |*\n/project/there\na\nb\n127\n" and code == 0
    assert errors.startswith("bad\n") and "nothing-here: not found" in errors
    out, errors, code = run(surface, "cd /tmp; linux true; echo $?; cd /project; rm -r there", shell)
    assert out == "126\n" and "/tmp is not in the Linux" in errors


def test_pipes_wait_and_end_as_in_a_shell(surface: Surface, shell: str) -> None:
    assert run(surface, "linux yes | head -n 2; yes | linux head -n 1", shell) == ("y\ny\ny\n", "", 0)
    numbers = "".join(f"{number}\n" for number in range(1, 300_001)).encode()
    assert run(surface, "seq 300000 | linux md5sum", shell)[0] == f"{hashlib.md5(numbers).hexdigest()}  -\n"


def test_a_limit_of_time_ends_the_program(surface: Surface, shell: str) -> None:
    run(surface, "linux true", shell)
    assert run(surface, "linux sleep 1234", shell, timeout_s=1)[2] == 124
    assert (
        run(surface, "linux bash -c 'until ! pgrep -f \"[s]leep 1234\"; do sleep 0.1; done'", shell)[2] == 0
    )


def test_scripts_and_compiled_programs_offer_it(surface: Surface, shell: str) -> None:
    script = (
        "printf '#!/usr/bin/perl\\nprint 1;' >a.pl; linux cp /bin/true ./compiled; chmod +x a.pl; ./a.pl; ./compiled; "
        "echo $?; linux ./compiled; echo $?; rm a.pl compiled"
    )
    out, errors, _ = run(surface, script, shell)
    assert out == "126\n0\n"
    assert "`linux perl …` runs it" in errors and "cannot execute binary file" in errors
    assert "`linux ./compiled …` runs it" in errors


def test_the_lists_say_which_backend(surface: Surface, shell: str) -> None:
    made = surface.call("terminal_create", backend="linux")
    assert made["backend"] == "linux"
    rows = {row["id"]: row["backend"] for row in surface.call("terminal_list")}
    assert (rows[shell], rows[made["terminal_id"]]) == ("shell", "linux")
    done = surface.call("terminal_execute", command="true", terminal_id=made["terminal_id"])
    assert done["backend"] == "linux"
    surface.call("terminal_close", terminal_id=made["terminal_id"])
    assert "interactive programs (use backend linux)" in surface.call("terminal_create")["lacks"]
