"""What an earlier version stored on the page's own origin moves to the kernel's, once, with nothing lost."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.server import Server, running, server_of_kernel

# Has the page loaded again instead of sending the command of that number, as if its tab had been killed there.
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
STORED = """
const root = await navigator.storage.getDirectory();
const names = [];
for await (const name of root.keys()) names.push(name);
return names;
"""


class Host:
    """A host that begins with one origin, and gives the kernel one of its own later."""

    def __init__(self, dist: Path, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._server = Server(dist)
        stack.enter_context(running(self._server))
        self.url = self._server.url

    def part(self) -> None:
        self._stack.enter_context(running(server_of_kernel(self._server)))


@pytest.fixture
def host(surface_dist: Path) -> Iterator[Host]:
    with contextlib.ExitStack() as stack:
        yield Host(surface_dist, stack)


@pytest.fixture
def surface(host: Host) -> Iterator[Surface]:
    """A page on one origin, with files, a setting and a terminal's history in it."""
    surface = Surface(launch(), host.url)
    surface.load()
    surface.call("file_write", path="/project/deep/kept.txt", content="kept")
    surface.call(
        "terminal_execute", command="head -c 3000000 /dev/urandom > /project/large; md5sum /project/large"
    )
    yield surface
    surface.driver.quit()


def sums(surface: Surface) -> str:
    ran = surface.call("terminal_execute", command="cd /project && md5sum large deep/kept.txt README.md")
    assert ran["exit_code"] == 0
    return ran["stdout"]


def is_apart(surface: Surface) -> bool:
    return surface.python("import js; js.location.origin") != surface.javascript("return location.origin")


def test_files_terminals_and_settings_move_once(host: Host, surface: Surface) -> None:
    before = sums(surface)
    assert not is_apart(surface)
    # The log is written in batches; what has not been written is lost with any tab.
    surface.python("from gemini.server.kernel import kernel; kernel.store.history.flush()")
    host.part()

    surface.reload()

    assert is_apart(surface)
    assert sums(surface) == before
    assert "md5sum /project/large" in surface.python(
        "str([row['arguments'] for row in gemini.registry.log.rows()])"
    )
    assert surface.javascript(STORED) == []
    surface.call("file_write", path="/project/deep/kept.txt", content="changed")
    surface.reload()
    assert surface.call("file_read", path="/project/deep/kept.txt")["content"] == "changed"


@pytest.mark.parametrize("last", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("killed_at", [1, 2, 3, 4])
def test_a_tab_that_is_killed_in_the_middle_loses_nothing(
    host: Host, surface: Surface, killed_at: int, last: bool
) -> None:
    before = sums(surface)
    host.part()
    source = KILL_AT.replace("KILLED_AT", str(killed_at)).replace("LAST", str(last).lower())
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})

    surface.load(wait=False)
    surface.wait_for("sessionStorage.killed === 'yes'")
    surface.wait_until_ready()

    assert is_apart(surface)
    assert sums(surface) == before
    assert surface.javascript(STORED) == []


def test_files_that_the_kernel_has_by_then_stay_and_so_do_the_old_ones(host: Host, surface: Surface) -> None:
    host.part()
    surface.reload()
    surface.call("file_write", path="/project/new.txt", content="new")
    # As an earlier version leaves them that was opened once more.
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
