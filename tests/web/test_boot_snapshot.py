"""From its second visit on, a page starts Python from a memory snapshot that the first one has made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist

FOLDER = (
    "const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('python-snapshot');"
)
LIST = f"{FOLDER} return Array.fromAsync(folder.keys());"
# Flips one bit in the middle.
DAMAGE = f"""{FOLDER}
const [name] = await Array.fromAsync(folder.keys());
const file = await folder.getFileHandle(name);
const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
bytes[bytes.length >> 1] ^= 1;
const writer = await file.createWritable();
await writer.write(bytes);
await writer.close();
return name;
"""
RENAME = f"""{FOLDER}
const [from, to] = arguments;
await (await folder.getFileHandle(from)).move(to);
"""
RANDOM = """
import random, secrets, tempfile, uuid
[random.random(), random.getrandbits(64), str(uuid.uuid4()), secrets.token_hex(), tempfile.mktemp()]
"""


@pytest.fixture
def kept(surface: Surface) -> Surface:
    """A page whose snapshot is there for the next start."""
    surface.wait_for("['saved', 'restored'].includes(document.documentElement.dataset.snapshot)")
    return surface


def in_kernel(surface: Surface, body: str, *arguments: str) -> Any:
    """Run the body of a function on the kernel's origin, where the snapshot is."""
    call = f"(async function () {{ {body} }})({', '.join(map(json.dumps, arguments))})"
    return surface.python(
        "from pyodide.code import run_js\n"
        f"found = await run_js({call!r})\n"
        "found.to_py() if hasattr(found, 'to_py') else found"
    )


def state(surface: Surface) -> str:
    return surface.wait_for("document.documentElement.dataset.snapshot")


def test_the_second_visit_starts_from_the_snapshot_and_everything_works(kept: Surface) -> None:
    kept.call("file_write", path="/project/kept.txt", content="kept")
    before = kept.tools()

    kept.reload()

    assert state(kept) == "restored"
    assert kept.tools() == before
    assert kept.call("terminal_execute", command="cat kept.txt | tr k K")["stdout"] == "Kept"
    assert kept.call("terminal_execute", command="python report.py")["exit_code"] == 1
    assert "pydantic_core" in kept.call("terminal_execute", command="pip list")["stdout"]
    packages = kept.python("import pyodide_js; list(pyodide_js.loadedPackages.object_keys())")
    assert {"gemini-surface", "pydantic"} <= set(packages)
    assert len(in_kernel(kept, LIST)) == 1


def test_a_start_from_the_snapshot_imports_next_to_nothing(kept: Surface) -> None:
    kept.reload()
    assert state(kept) == "restored"
    assert kept.call("terminal_execute", command="echo here")["stdout"] == "here\n"

    imported: list[str] = kept.python("import sys; list(sys.modules)")

    # What the worker gives to Python is the first that a start imports; `__main__` is the code above.
    started = imported.index("gemini_host")
    assert set(imported[started + 1 :]) <= {"js", "__main__"}


def test_a_tool_that_a_script_declares_is_checked_as_ever(kept: Surface) -> None:
    kept.reload()
    assert state(kept) == "restored"

    kept.python(
        "import gemini\n@gemini.tool(effect='read')\ndef half(x: int) -> float:\n    'Half of it.'\n    return x / 2"
    )

    assert kept.call("half", x=3) == 1.5
    assert json.loads(kept.call_raw("half", x="three"))["error"]["type"] == "InvalidArguments"


def test_no_two_starts_draw_the_same_random_numbers(kept: Surface) -> None:
    drawn: list[str] = []
    for _ in range(2):
        kept.reload()
        assert state(kept) == "restored"
        drawn += [str(one) for one in kept.python(RANDOM)]
    assert len(set(drawn)) == len(drawn)


def test_a_damaged_snapshot_is_dropped_and_python_starts_in_the_same_load(kept: Surface) -> None:
    in_kernel(kept, DAMAGE)

    kept.reload()

    assert kept.call("python_run", code="6 * 7")["result"] == 42
    assert state(kept) == "dropped"
    assert kept.wait_for("document.documentElement.dataset.snapshot === 'saved'")
    kept.reload()
    assert state(kept) == "restored"


def test_a_snapshot_that_ended_the_start_before_is_not_used_again(kept: Surface) -> None:
    [name] = in_kernel(kept, LIST)
    in_kernel(kept, RENAME, name, f"{name}.in-use")

    kept.reload()

    assert state(kept) in ("dropped", "saved")
    assert kept.wait_for("document.documentElement.dataset.snapshot === 'saved'")
    assert in_kernel(kept, LIST) == [name]


def test_a_snapshot_of_another_build_is_deleted(kept: Surface) -> None:
    [name] = in_kernel(kept, LIST)
    in_kernel(kept, RENAME, name, name.replace("surface-", "surface-0"))

    kept.reload()

    assert state(kept) == "saved"
    assert in_kernel(kept, LIST) == [name]


def test_without_isolation_the_snapshot_works_too(open_surface: OpenSurface) -> None:
    surface = open_surface(isolated=False)
    assert state(surface) == "saved"
    surface.reload()
    assert state(surface) == "restored"
    assert surface.call("terminal_execute", command="echo here")["stdout"] == "here\n"


def test_a_missing_archive_stops_the_start_with_its_name(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist: Path = copy_of_dist(without="surface-*/packages/requirements.tar")
    surface = open_surface(dist=dist, wait=False)
    reason = surface.wait_for("document.querySelector('#failure pre')?.textContent")
    assert "requirements.tar could not be downloaded" in reason
