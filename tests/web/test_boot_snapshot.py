"""The memory snapshot of Python, which speeds up every start after the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface, ServeSurface
from gemini_testing.pool import BrowserPool
from gemini_testing.snapshots import Snapshots
from tests.web.conftest import CopyOfDist

pytestmark = pytest.mark.extended

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


@pytest.fixture(scope="module")
def surface_options() -> dict[str, Any]:
    return {"saves_data": False}


@pytest.fixture
def with_snapshot(surface: Surface) -> Surface:
    """Return a page that has a snapshot for its next start."""
    surface.wait_for("['saved', 'restored'].includes(document.documentElement.dataset.snapshot)")
    return surface


def in_kernel(surface: Surface, body: str, *arguments: str) -> Any:
    """Run the body of a function on the kernel's origin, which stores the snapshot."""
    call = f"(async function () {{ {body} }})({', '.join(map(json.dumps, arguments))})"
    return surface.python(
        "from pyodide.code import run_js\n"
        f"found = await run_js({call!r})\n"
        "found.to_py() if hasattr(found, 'to_py') else found"
    )


def state(surface: Surface) -> str:
    return surface.wait_for("document.documentElement.dataset.snapshot")


def test_the_second_visit_starts_from_the_snapshot_and_works(with_snapshot: Surface) -> None:
    with_snapshot.call("file_write", path="/project/saved.txt", content="saved")
    before = with_snapshot.tools()

    with_snapshot.reload()

    assert state(with_snapshot) == "restored"
    assert with_snapshot.tools() == before
    assert with_snapshot.call("terminal_execute", command="cat saved.txt | tr s S")["output"] == "Saved"
    assert "saved.txt" in with_snapshot.call("terminal_execute", command="ls")["output"]
    assert with_snapshot.call("terminal_execute", command="python report.py")["exit_code"] == 1
    assert "pydantic_core" in with_snapshot.call("terminal_execute", command="pip list")["output"]
    packages = with_snapshot.python("import pyodide_js; list(pyodide_js.loadedPackages.object_keys())")
    assert {"control-surface", "pydantic"} <= set(packages)
    assert len(in_kernel(with_snapshot, LIST)) == 1


def test_a_start_from_the_snapshot_imports_almost_nothing(with_snapshot: Surface) -> None:
    with_snapshot.reload()
    assert state(with_snapshot) == "restored"
    assert with_snapshot.call("terminal_execute", command="echo here")["output"] == "here\n"

    imported: list[str] = with_snapshot.python("import sys; list(sys.modules)")

    # A start first imports the module that the worker passes to Python. `__main__` is the code above.
    started = imported.index("gemini_host")
    # The history of files starts after the first call, and may do so before Python lists the modules.
    history = {"gemini.computer.history.intake", "gemini.computer.history.packing"}
    # So do the search for schedules, a second after the start, and the saving of terminals' screens.
    later = history | {"gemini.storage.schedules", "gemini.core.secret_words"}
    assert set(imported[started + 1 :]) <= {"js", "__main__"} | later


def test_arguments_of_declared_tools_are_checked_after_a_restore(with_snapshot: Surface) -> None:
    with_snapshot.reload()
    assert state(with_snapshot) == "restored"

    with_snapshot.python(
        "import gemini\n@gemini.tool(effect='read')\ndef half(x: int) -> float:\n    'Half of it.'\n    return x / 2"
    )

    assert with_snapshot.call("half", x=3) == 1.5
    assert json.loads(with_snapshot.call_raw("half", x="three"))["error"]["type"] == "InvalidArguments"


def test_each_start_draws_other_random_numbers(with_snapshot: Surface) -> None:
    drawn: list[str] = []
    for _ in range(2):
        with_snapshot.reload()
        assert state(with_snapshot) == "restored"
        drawn += [str(one) for one in with_snapshot.python(RANDOM)]
    assert len(set(drawn)) == len(drawn)


def test_a_damaged_snapshot_is_dropped_and_python_starts_in_the_same_load(with_snapshot: Surface) -> None:
    in_kernel(with_snapshot, DAMAGE)

    with_snapshot.reload()

    assert with_snapshot.call("python_run", code="6 * 7")["result"] == 42
    assert state(with_snapshot) == "dropped"
    assert with_snapshot.wait_for("document.documentElement.dataset.snapshot === 'saved'")
    with_snapshot.reload()
    assert state(with_snapshot) == "restored"


def test_a_snapshot_whose_start_failed_is_not_used_again(with_snapshot: Surface) -> None:
    [name] = in_kernel(with_snapshot, LIST)
    in_kernel(with_snapshot, RENAME, name, f"{name}.in-use")

    with_snapshot.reload()

    assert state(with_snapshot) in ("dropped", "saved")
    assert with_snapshot.wait_for("document.documentElement.dataset.snapshot === 'saved'")
    assert in_kernel(with_snapshot, LIST) == [name]


def test_a_snapshot_of_another_build_is_deleted(with_snapshot: Surface) -> None:
    [name] = in_kernel(with_snapshot, LIST)
    in_kernel(with_snapshot, RENAME, name, name.replace("surface-", "surface-0"))

    with_snapshot.reload()

    assert state(with_snapshot) == "saved"
    assert in_kernel(with_snapshot, LIST) == [name]


def test_the_snapshot_works_without_isolation(open_surface: OpenSurface) -> None:
    surface = open_surface(isolated=False, saves_data=False)
    assert state(surface) == "saved"
    surface.reload()
    assert state(surface) == "restored"
    assert surface.call("terminal_execute", command="echo here")["output"] == "here\n"


def test_a_missing_archive_fails_the_start_with_its_name(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist: Path = copy_of_dist(without="surface-*/packages/requirements.tar")
    surface = open_surface(dist=dist, wait=False)
    reason = surface.wait_for("document.querySelector('.failure[role=alert] pre')?.textContent")
    assert "requirements.tar could not be downloaded" in reason


def test_browsers_of_tests_share_a_snapshot(
    browsers: BrowserPool, serve_surface: ServeSurface, tmp_path: Path
) -> None:
    url = serve_surface()
    first = browsers.take()
    Snapshots(tmp_path).create(first, url)
    browsers.give_back(first)
    [saved] = tmp_path.glob("*.snapshot")
    # Another process of the run has created it.
    Snapshots(tmp_path).create(first, url)
    assert list(tmp_path.glob("*.snapshot")) == [saved]
    other = BrowserPool(Snapshots(tmp_path))
    try:
        surface = Surface(other.take(url), url)
        surface.load()
        assert state(surface) == "restored"
        assert surface.call("terminal_execute", command="echo works")["output"] == "works\n"
    finally:
        other.end()
