"""Python fails to start, or ends during calls: the calls fail, and the page continues."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest

from gemini_testing import PageError, Surface, ToolCallFailed
from gemini_testing.plugin import OpenSurface
from tests.tiers import sampled
from tests.web.axe import violations
from tests.web.conftest import CopyOfDist, Start
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended


def end_kernel(surface: Surface, code: str) -> ToolCallFailed:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("python_run", code=code)
    return failed.value


@pytest.mark.parametrize(
    "code",
    sampled(
        [
            # The worker closes itself silently.
            "import asyncio, js; js.close(); await asyncio.sleep(60)",
            # The interpreter can't continue.
            "import os; os.abort()",
            "import ctypes; ctypes.string_at(-2)",
        ]
    ),
)
def test_waiting_calls_fail_when_python_dies_and_files_survive(
    surface: Surface, start: Start, code: str
) -> None:
    surface.call("file_write", path="/project/saved.txt", content=code)
    surface.call(
        "terminal_execute", command="mkdir -p deep/er && echo also > deep/er/saved && ln -sf er deep/link"
    )
    bystander = start("terminal_execute", command="sleep 60")

    failed = end_kernel(surface, code)

    assert failed.type == "KernelDied"
    assert failed.hint and "Acknowledged" in failed.hint
    assert bystander.result()["error"]["type"] == "KernelDied"
    # A call before Python has restarted waits for it.
    assert surface.call("file_read", path="/project/saved.txt")["content"] == code
    assert surface.call("file_read", path="/project/deep/link/saved")["content"] == "also\n"
    surface.wait_until_ready()


def test_a_new_kernel_has_only_the_surface_s_own_tools(surface: Surface) -> None:
    surface.python('@gemini.tool\ndef mortal() -> int:\n    "Be there for a while."\n    return 1')
    assert surface.call("mortal") == 1
    before = {tool["name"] for tool in surface.tools()}

    end_kernel(surface, "import os; os.abort()")

    surface.wait_for(
        "(async () => !(await document.modelContext.getTools()).some(({ name }) => name === 'mortal'))()"
    )
    assert {tool["name"] for tool in surface.tools()} == before - {"mortal"}
    assert surface.call("terminal_execute", command="echo again")["output"] == "again\n"


def test_terminals_and_the_log_are_restored_after_a_death(surface: Surface, person: Person) -> None:
    surface.call("terminal_create")
    surface.call("terminal_execute", command="cd /tmp; mark=there")
    open_ids = [row["id"] for row in surface.call("terminal_list")]
    end_kernel(surface, "import os; os.abort()")
    surface.wait_until_ready()

    surface.wait_for(
        "document.querySelectorAll('[data-tab-panel-id^=term-]').length === arguments[0]", len(open_ids)
    )
    assert [row["id"] for row in surface.call("terminal_list")] == open_ids
    assert surface.call("terminal_execute", command="echo $mark; pwd")["output"] == "there\n/tmp\n"
    person.enter_terminal()
    person.type("echo $((40 + 2))\n")
    person.reads_line("42")
    person.sees('contentinfo "Status" [role=status]', "Ready")


HOLD_FILES = """
const source = `(async () => {
  const root = await navigator.storage.getDirectory();
  const file = await (await root.getDirectoryHandle('files')).getFileHandle('a');
  let handle;
  // The worker of a closed tab holds the file a little longer.
  while (!handle) handle = await file.createSyncAccessHandle().catch(() => new Promise((go) => setTimeout(go, 50)));
  onmessage = () => setTimeout(() => handle.close(), 6000);
  postMessage('held');
})()`;
globalThis.holder = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
await new Promise((resolve) => { holder.onmessage = resolve; });
"""


def test_the_next_kernel_waits_for_a_slow_worker_and_loses_no_files(
    open_surface: OpenSurface,
) -> None:
    # On a separate kernel origin, this page couldn't start a worker that holds the files.
    surface = open_surface(kernel=False)
    surface.call("file_write", path="/project/saved.txt", content="saved")
    # The tab is closed, not reused: Chromium 156 sometimes ends the process of a page that is left under load.
    left = surface.driver.current_window_handle
    surface.driver.switch_to.new_window("tab")
    holding = surface.driver.current_window_handle
    surface.driver.switch_to.window(left)
    surface.driver.close()
    surface.driver.switch_to.window(holding)
    surface.driver.get(urljoin(surface.url, "tools.json"))
    surface.javascript(HOLD_FILES)
    surface.driver.switch_to.new_window("tab")
    surface.load(wait=False)
    surface.wait_for("document.getElementById('status-text').textContent.includes('Opening your files')")
    loading = surface.driver.current_window_handle
    surface.driver.switch_to.window(holding)
    surface.javascript("holder.postMessage('let go')")
    surface.driver.switch_to.window(loading)

    surface.wait_until_ready()

    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"


def test_code_that_never_pauses_can_be_aborted(surface: Surface) -> None:
    surface.call("file_write", path="/project/saved.txt", content="saved")
    call = Background(surface, "python_run", {"code": "while True: pass"})

    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"


def damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)


def test_a_damaged_package_fails_the_start_with_its_name(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    for file in dist.glob("surface-*/packages/gemini_surface.tar*"):
        damage(file)

    with pytest.raises(PageError, match="could not start") as failed:
        open_surface(dist=dist)

    assert "gemini" in failed.value.message


@pytest.mark.parametrize(
    "missing",
    sampled(["pyodide-*/pyodide.asm.wasm", "surface-*/packages/pyodide-lock.json", "surface-*/kernel.js"]),
)
def test_a_failed_start_shows_its_reason_and_every_call_fails_with_it(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist, missing: str
) -> None:
    surface = open_surface(dist=copy_of_dist(without=missing), wait=False)
    person = Person(surface)
    early = Background(surface, "file_list", {"path": "/"})

    reason = person.sees("[role=alert].failure pre", "The Python kernel could not start")

    assert surface.javascript("return document.documentElement.dataset.kernel") == "failed"
    assert surface.javascript("return gemini.ready.catch((error) => error.message)") == reason
    assert early.result()["error"] | {"hint": ""} == {"type": "KernelDied", "message": reason, "hint": ""}
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("file_list", path="/")
    assert (failed.value.type, failed.value.message) == ("KernelDied", reason)


def test_retry_starts_python_after_the_cause_was_removed(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist, surface_dist: Path
) -> None:
    lock = next(surface_dist.glob("surface-*/packages/pyodide-lock.json"))
    dist = copy_of_dist(without=str(lock.relative_to(surface_dist)))
    surface = open_surface(dist=dist, wait=False)
    person = Person(surface)
    person.sees("[role=alert].failure pre")
    shutil.copy(lock, dist / lock.relative_to(surface_dist))

    person.click('[role=alert] button "Retry"')

    person.no_longer_sees("[role=alert].failure")
    surface.wait_until_ready()
    assert surface.call("python_run", code="1 + 1")["result"] == 2


# The first two requests for the kernel's script fail, as on a bad network.
UNLOADED = """
globalThis.Worker = new Proxy(Worker, {
  construct(real, [url, ...given]) {
    if (!url.href.endsWith("kernel.js")) return Reflect.construct(real, [url, ...given]);
    const count = Number(sessionStorage.getItem("loads")) + 1;
    sessionStorage.setItem("loads", count);
    return Reflect.construct(real, [count <= 2 ? new URL("none.js", url) : url, ...given]);
  },
});
"""


def test_a_start_whose_script_was_not_loaded_is_tried_again_and_calls_wait(open_surface: OpenSurface) -> None:
    surface = open_surface(kernel=False, wait=False, path="NOTICES.txt")
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": UNLOADED})
    surface.url = surface.url.removesuffix("NOTICES.txt")
    surface.load(wait=False)

    early = Background(surface, "python_run", {"code": "1 + 1"})

    assert early.result()["result"] == 2
    assert int(surface.javascript("return sessionStorage.getItem('loads')")) >= 3


# Python's worker says nothing until the second start, and the page's time passes faster.
SILENT_ONCE = """
globalThis.Worker = new Proxy(Worker, {
  construct(real, given) {
    if (!given[0].href.endsWith("kernel.js") || sessionStorage.getItem("began")) return Reflect.construct(real, given);
    sessionStorage.setItem("began", "yes");
    return Object.assign(new EventTarget(), { postMessage() {}, terminate() {} });
  },
});
globalThis.setTimeout = new Proxy(setTimeout, {
  apply: (real, self, [act, ms, ...given]) => real(act, ms === 20000 ? 100 : ms, ...given),
});
"""


def test_a_start_in_which_nothing_happens_is_a_message_with_retry_and_a_report(
    open_surface: OpenSurface,
) -> None:
    surface = open_surface(isolated=False, sites=False, kernel=False, wait=False, path="NOTICES.txt")
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SILENT_ONCE})
    surface.url = surface.url.removesuffix("NOTICES.txt")
    surface.load(wait=False)
    person = Person(surface)
    assert "Copy a report" in person.sees("[role=alert].failure", "Python hasn't started yet.")
    assert violations(surface, "[role=alert].failure") == []

    person.click('[role=alert] button "Retry"')

    surface.wait_until_ready()
    assert surface.call("python_run", code="1 + 1")["result"] == 2
