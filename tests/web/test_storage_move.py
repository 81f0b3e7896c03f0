"""Data on the page's own origin, from an earlier version, moves to the kernel's origin once, without losses."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from gemini_testing.server import Server, running, server_of_kernel

pytestmark = pytest.mark.extended

# Reloads the page instead of sending the command with that number, as if the tab was killed there.
KILL_AT = """
let sent = 0;
const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (data, ...rest) {
  if (data?.type === "move" && ++sent >= KILLED_AT && !sessionStorage.killed) {
    sessionStorage.killed = "yes";
    if (LAST) postMessage.call(this, data, ...rest);
    location.reload();
    return;
  }
  return postMessage.call(this, data, ...rest);
};
"""
RELOADED = "performance.getEntriesByType('navigation')[0].type === 'reload'"
STORED = """
const root = await navigator.storage.getDirectory();
const names = [];
for await (const name of root.keys()) names.push(name);
return names;
"""


class Host:
    """A host that starts with one origin and later adds one for the kernel."""

    def __init__(self, dist: Path, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._server = Server(dist)
        stack.enter_context(running(self._server))
        self.url = self._server.url

    def add_kernel_origin(self) -> None:
        self._stack.enter_context(running(server_of_kernel(self._server)))


@pytest.fixture
def host(surface_dist: Path) -> Iterator[Host]:
    with contextlib.ExitStack() as stack:
        yield Host(surface_dist, stack)


@pytest.fixture
def surface(host: Host, browsers: BrowserPool) -> Iterator[Surface]:
    """Return a page on one origin, with files, a setting and a terminal's history."""
    surface = Surface(browsers.take(), host.url)
    surface.load()
    surface.call("file_write", path="/project/deep/saved.txt", content="saved")
    surface.call(
        "terminal_execute", command="head -c 3000000 /dev/urandom > /project/large; md5sum /project/large"
    )
    yield surface
    browsers.give_back(surface.driver)


def checksums(surface: Surface) -> str:
    ran = surface.call("terminal_execute", command="cd /project && md5sum large deep/saved.txt README.md")
    assert ran["exit_code"] == 0
    return ran["output"]


def has_kernel_origin(surface: Surface) -> bool:
    return surface.python("import js; js.location.origin") != surface.javascript("return location.origin")


def test_files_terminals_and_settings_move_once(host: Host, surface: Surface) -> None:
    before = checksums(surface)
    assert not has_kernel_origin(surface)
    # The log is written in batches; unwritten rows are lost with any tab.
    surface.python("from gemini.kernel.kernel import kernel; kernel.store.history.flush()")
    host.add_kernel_origin()

    surface.reload()

    assert has_kernel_origin(surface)
    assert checksums(surface) == before
    assert "md5sum /project/large" in surface.python(
        "str([row['arguments'] for row in gemini.registry.log.rows()])"
    )
    assert surface.javascript(STORED) == []
    surface.call("file_write", path="/project/deep/saved.txt", content="changed")
    surface.reload()
    assert surface.call("file_read", path="/project/deep/saved.txt")["content"] == "changed"


@pytest.mark.parametrize("last", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "killed_at", [2, *(pytest.param(step, marks=pytest.mark.extended) for step in (1, 3, 4))]
)
def test_a_tab_that_is_killed_during_the_move_loses_nothing(
    host: Host, surface: Surface, killed_at: int, last: bool
) -> None:
    before = checksums(surface)
    host.add_kernel_origin()
    source = KILL_AT.replace("KILLED_AT", str(killed_at)).replace("LAST", str(last).lower())
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})

    surface.load(wait=False)
    # Asked of the new page: the driver may lose an answer that is sent while the old one is unloaded.
    surface.wait_for(RELOADED)
    assert surface.javascript("return sessionStorage.killed") == "yes"
    surface.wait_until_ready()

    assert has_kernel_origin(surface)
    assert checksums(surface) == before
    assert surface.javascript(STORED) == []


@pytest.mark.extended
def test_existing_files_of_the_kernel_and_the_old_ones_both_stay(host: Host, surface: Surface) -> None:
    host.add_kernel_origin()
    surface.reload()
    surface.call("file_write", path="/project/new.txt", content="new")
    # As an earlier version that ran once more would leave them.
    surface.javascript(
        """
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle("files", { create: true });
        const file = await folder.getFileHandle("a", { create: true });
        const writable = await file.createWritable();
        await writable.write("other files");
        await writable.close();
        """
    )

    surface.reload()

    assert surface.call("file_read", path="/project/new.txt")["content"] == "new"
    assert surface.javascript(STORED) == ["files"]
    assert "Files of an earlier version" in surface.wait_for(
        "document.querySelector('#missing-list').textContent"
    )
