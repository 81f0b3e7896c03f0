"""Python tries to end the effect of what was read, refused and granted by ending, restarting or replacing itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.errors import PythonFailed
from gemini_testing.plugin import OpenSurface
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.page_port import ASK, ask_page, is_asked
from tests.extension import opened_extension
from tests.tiers import sampled
from tests.web.person import Background, Person

JS = "from pyodide.code import run_js\nawait run_js({!r})"
SAY = (
    "import js, pyodide.ffi\n"
    "js.postMessage(pyodide.ffi.to_js(__import__('json').loads({!r}), dict_converter=js.Object.fromEntries))"
)
DIGEST = "return localStorage.getItem('gemini-kernel-snapshot')"
STATE = "return document.documentElement.dataset.snapshot ?? ''"
RUN = {"run": "r1", "caller": "webmcp"}


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    with fenced_listener() as listener:
        yield listener


class Case:
    """A page in which the user has once pressed "Always allow" for an origin, and has refused another for a run.

    Args:
        surface: The page.
        person: The user.
        outside: The origin.
    """

    def __init__(self, surface: Surface, person: Person, outside: Listener) -> None:
        self.surface, self.person, self.outside = surface, person, outside
        self._tabs = count(100)
        self.refused = f"http://localhost:{outside.server_port}"

    def allow(self) -> None:
        assert self._open("first", "always")

    def opens(self, path: str) -> bool:
        """Open an address of the allowed origin; return whether it opened without a question."""
        self.outside.received(self.surface)
        asked = self._open(path, "refuse")
        assert bool(asked) != (f"/{path}" in self.outside.received(self.surface))
        return not asked

    def _open(self, path: str, decision: str) -> list[str]:
        """Ask the page as code in the kernel does, and return the questions that the user has answered."""
        asked = {"tab": f"t{next(self._tabs)}", "url": f"{self.outside.url}/{path}"}
        request = ASK.replace("__REQUEST__", repr(json.dumps({"method": "open", "params": asked})))
        self.surface.javascript(
            "delete globalThis.opened; gemini.python(arguments[0]).finally(() => { globalThis.opened = true; })",
            request,
        )
        return self.person.answer_until("'opened' in globalThis", decisions=(decision,))

    def visits(self, path: str) -> bool:
        """Type an address of the allowed origin; return whether it opened without a question. No code runs."""
        url = f"{self.outside.url}/{path}"
        self.show("browser")
        self.person.click("#browser-url")
        self.person.press("a", holding=Keys.CONTROL)
        self.person.type(f"{url}\n")
        self.surface.wait_for(
            "document.querySelector('#approval').open"
            " || [...document.querySelectorAll('iframe')].some(({ src }) => src === arguments[0])",
            url,
        )
        if not is_asked(self.surface):
            return True
        self.person.click('button "Cancel"')
        self.surface.wait_for("!document.querySelector('#approval').open")
        return False

    def show(self, panel: str) -> None:
        """Open a panel, unless it is in front."""
        if not self.surface.javascript(
            "return document.getElementById(arguments[0]).checkVisibility()", panel
        ):
            self.person.open_panel(panel)

    def read(self) -> None:
        """Have an agent read text from outside."""
        self.surface.call("file_read", path="/project/README.md")

    def refuse(self) -> None:
        """Refuse a request of a run, and grant it another one."""
        for url, button in ((self.refused, "refuse"), ("http://127.0.0.2:9", "run")):
            self.ask_later(f"{url}/")
            self.person.sees("#approval-question", url)
            self.person.click(f"#approval-{button}")
            self.surface.wait_for("!document.querySelector('#approval').open")

    def ask_later(self, url: str) -> None:
        asked = {"tab": "t80", "url": url, "words": RUN}
        self.surface.python(
            "import asyncio\nfrom gemini.kernel.kernel import kernel\n"
            f"asking = asyncio.ensure_future(kernel._documents.request('open', {asked!r}))\nNone"
        )

    def is_refused_at_once(self) -> bool:
        """Return whether the user's refusal for the run still counts."""
        answer = ask_page(self.surface, "open", tab="t81", url=f"{self.refused}/again", words=RUN)
        return answer.get("error") == "Refused" and not is_asked(self.surface)

    def restart(self) -> None:
        """Press Restart Python, and wait until the earlier Python has ended."""
        self.person.click("#status-memory")
        self.person.click('#status-explained button "Restart Python"')
        self.surface.wait_for("document.documentElement.dataset.kernel === 'booting'")
        self.surface.wait_until_ready()
        self.surface.wait_for("JSON.parse(localStorage.getItem('gemini-consent-record')).read === null")


@pytest.fixture(scope="module")
def opened(surface_of_module: Surface, outside: Listener) -> Case:
    case = Case(surface_of_module, Person(surface_of_module), outside)
    case.allow()
    assert case.opens("control")
    case.refuse()
    return case


@pytest.fixture
def tainted(opened: Case) -> Case:
    """Return a page in which an agent has read text from outside."""
    opened.read()
    opened.surface.python("mark = 'first'")
    return opened


MESSAGES: dict[str, dict[str, Any]] = {
    "died": {"type": "died", "reason": "x"},
    "died, with words": {"type": "died", "words": "x"},
    "stuck": {"type": "stuck"},
    "unstopped": {"type": "unstopped"},
    "closed": {"type": "closed"},
    "failed": {"type": "failed", "reason": "x"},
    "ready": {"type": "ready"},
    "dying": {"type": "dying", "reason": "x"},
    "silent": {"type": "silent", "silent": True},
    "a snapshot of its own": {"type": "made", "digest": "0" * 64},
    "a digest from the maker": {"digest": "0" * 64},
    "saved": {"type": "snapshot", "state": "saved"},
    "restored": {"type": "snapshot", "state": "restored"},
    "a start": {"type": "start", "snapshot": None, "bare": True},
    "a moved file": {"type": "moved", "id": 1, "done": True},
}


@pytest.mark.parametrize("message", sampled(MESSAGES.values(), every=5), ids=MESSAGES)
def test_no_message_of_the_worker_ends_python_or_what_was_read(
    tainted: Case, message: dict[str, Any]
) -> None:
    surface = tainted.surface
    digest = surface.javascript(DIGEST)

    surface.python(SAY.format(json.dumps(message)))

    assert surface.python("mark") == "first"
    assert surface.javascript("return document.documentElement.dataset.kernel") == "ready"
    assert surface.javascript(DIGEST) == digest
    assert not tainted.opens("forged")
    assert tainted.is_refused_at_once()


def worker_closes(case: Case) -> None:
    with pytest.raises((PythonFailed, ToolCallFailed)):
        case.surface.python("import asyncio, js; js.close(); await asyncio.sleep(60)")


def interpreter_aborts(case: Case) -> None:
    with pytest.raises((PythonFailed, ToolCallFailed)):
        case.surface.python("import os; os.abort()")


def lock_is_stolen(case: Case) -> None:
    steal = (
        "navigator.locks.query().then(({ held }) => held.forEach(({ name }) =>"
        " void navigator.locks.request(name, { steal: true }, () => {})))"
    )
    with pytest.raises((PythonFailed, ToolCallFailed)):
        case.surface.python(JS.format(steal) + "\nimport asyncio; await asyncio.sleep(60)")


def stop_is_ignored(case: Case) -> None:
    call = Background(
        case.surface, "python_run", {"code": "from pyodide.code import run_js\nrun_js('for (;;);')"}
    )
    call.abort()
    case.surface.wait_for("document.documentElement.dataset.kernel === 'booting'")


def kernel_is_stuck(case: Case) -> None:
    stuck = "from pyodide.code import run_js\nrun_js('for (;;);')"
    assert Background(case.surface, "python_run", {"code": stuck}).result()["error"]["type"] == "KernelDied"


def page_reloads(case: Case) -> None:
    case.surface.reload()


RESTARTS = [
    worker_closes,
    pytest.param(interpreter_aborts, marks=pytest.mark.fortnightly),
    pytest.param(lock_is_stolen, marks=pytest.mark.extended),
    pytest.param(stop_is_ignored, marks=pytest.mark.extended),
    pytest.param(kernel_is_stuck, marks=pytest.mark.extended),
    pytest.param(page_reloads, marks=pytest.mark.fortnightly),
]


@pytest.mark.parametrize("restart", RESTARTS)
def test_no_restart_that_python_causes_ends_what_was_read_or_refused(
    tainted: Case, restart: Callable[[Case], None]
) -> None:
    restart(tainted)
    tainted.surface.wait_until_ready()

    assert tainted.surface.python("'mark' in globals()") is False
    assert not tainted.opens("restarted")
    assert "read" in tainted.person.surface.javascript("return localStorage.getItem('gemini-consent-record')")
    assert tainted.is_refused_at_once()


@pytest.mark.fortnightly
def test_a_grant_for_a_run_survives_a_death(tainted: Case) -> None:
    url = "http://127.0.0.2:9"
    tainted.surface.reload()
    tainted.ask_later(f"{url}/")
    tainted.person.click('button "Allow for this run"')
    interpreter_aborts(tainted)
    tainted.surface.wait_until_ready()

    ask_page(tainted.surface, "open", tab="t82", url=f"{url}/granted", words=RUN)
    assert not is_asked(tainted.surface)


@pytest.mark.extended
def test_another_tab_that_takes_over_starts_with_what_was_read(tainted: Case) -> None:
    driver, surface = tainted.surface.driver, tainted.surface
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    surface.load(wait=False)
    tainted.person.click("#take-over")
    surface.wait_until_ready()
    try:
        assert not tainted.opens("taken-over")
        assert tainted.is_refused_at_once()
    finally:
        driver.close()
        driver.switch_to.window(first)
    surface.wait_until_ready()
    assert not tainted.opens("taken-back")


# Code that Python leaves for the next start. Each writes its name into this file when it runs.
RAN = "/project/ran.txt"
SITE = "import sys\nsite = f'/home/user/.local/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages'"
CODE = f"open({RAN!r}, 'a').write(__name__)"
FILES = {
    "/home/user/.bashrc": f"echo bashrc >> {RAN}",
    "/home/user/.bash_profile": f"echo bash_profile >> {RAN}",
    "/home/user/.profile": f"echo profile >> {RAN}",
    "/home/user/.pythonrc.py": CODE,
    "/home/user/.config/pip/pip.conf": f"[global]\nlog = {RAN}\n",
    "/home/pyodide/sitecustomize.py": CODE,
    "/home/pyodide/sqlite3.py": CODE,
    "/home/sitecustomize.py": CODE,
    "/project/sitecustomize.py": CODE,
    "/project/usercustomize.py": CODE,
    "/project/sqlite3.py": CODE,
    "/project/random.py": CODE,
}
PACKAGES = {
    "sitecustomize.py": CODE,
    "usercustomize.py": CODE,
    "implant.py": CODE,
    "implant.pth": "import implant\n",
    # A module that the surface imports late.
    "turtle.py": CODE,
    "jedi/__init__.py": CODE,
    "gemini_later/__init__.py": CODE,
}
LEAVE = f"""
import os
{SITE}
for path, text in {{**__FILES__, **{{f"{{site}}/{{name}}": text for name, text in __PACKAGES__.items()}}}}.items():
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)
""".replace("__FILES__", repr(FILES)).replace("__PACKAGES__", repr(PACKAGES))
CLEAN = f"""
import os, shutil
for path in {[*FILES, RAN]!r}:
    if os.path.exists(path):
        os.unlink(path)
shutil.rmtree("/home/user/.local", ignore_errors=True)
"""
IN_SHELL = (
    f"implant() {{ echo function >> {RAN}; }}; alias ls='echo alias >> {RAN}';"
    f" trap 'echo trap >> {RAN}' EXIT DEBUG; PROMPT_COMMAND=implant; PS1='$(implant)$ '"
)


@pytest.mark.fortnightly
def test_the_person_s_restart_runs_no_code_that_python_left(tainted: Case) -> None:
    surface, person = tainted.surface, tainted.person
    surface.python(LEAVE)
    surface.call("terminal_execute", command=IN_SHELL)
    surface.call("terminal_execute", command=f"rm -f {RAN}; implant")
    # The control: the implant works.
    assert "function" in surface.call("file_read", path=RAN)["content"]
    surface.python(f"import os; os.unlink({RAN!r})")
    assert not tainted.visits("tainted")

    tainted.restart()

    tainted.show("settings")
    assert "without saved code" in person.sees("#grants-state")
    assert tainted.visits("clean")
    assert "ran.txt" not in [row["name"] for row in surface.call("file_list", path="/project")]
    # From the first command on, code in saved files may run.
    surface.python("import sys; 'clean' in sys.modules")
    assert not tainted.opens("used")
    assert "implant" not in surface.call("terminal_execute", command="declare -F; alias; trap")["output"]
    surface.python(CLEAN)


@pytest.mark.extended
def test_a_start_after_the_person_s_restart_counts_saved_code_as_text_from_outside(tainted: Case) -> None:
    tainted.restart()
    assert tainted.visits("clean-again")

    tainted.surface.reload()

    assert not tainted.visits("saved-code")
    tainted.show("settings")
    assert "Python runs code from your files" in tainted.person.sees("#grants-state")


@pytest.mark.extended
def test_the_person_trusts_saved_code_again(tainted: Case) -> None:
    tainted.restart()
    tainted.surface.reload()
    tainted.show("settings")
    tainted.surface.javascript("document.querySelector('#trust-saved-code').click()")
    assert not tainted.opens("scripted")
    tainted.show("settings")

    tainted.person.click("#trust-saved-code")

    tainted.person.no_longer_sees("#grants-state")
    assert tainted.opens("trusted")
    tainted.surface.reload()
    assert tainted.opens("trusted-again")


@pytest.mark.fortnightly
def test_a_scripted_press_of_restart_ends_nothing(tainted: Case) -> None:
    tainted.person.click("#status-memory")
    tainted.surface.javascript("document.querySelector('#status-memory ~ button').click()")

    assert tainted.surface.python("mark") == "first"
    assert not tainted.opens("scripted-restart")
    tainted.surface.javascript("document.querySelector('#status-explained').hidePopover()")


@pytest.mark.extended
def test_a_python_that_always_dies_is_not_started_forever(open_surface: OpenSurface) -> None:
    surface = open_surface()
    person = Person(surface)
    person.open_panel("terminals")
    # No tool is called, and no code is run by the page.
    for _ in range(5):
        person.enter_terminal()
        person.type("python -c 'import os; os.abort()'\n")
        surface.wait_for("['booting', 'failed'].includes(document.documentElement.dataset.kernel)")
        surface.wait_for("document.documentElement.dataset.kernel !== 'booting'")

    assert "ended several times" in person.sees("#failure pre")
    person.click("#failure #restart")
    surface.wait_until_ready()
    person.no_longer_sees("#failure")


FOLDER = (
    "const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('python-snapshot');"
)
REWRITE = f"""(async () => {{
{FOLDER}
const [name] = await Array.fromAsync(folder.keys());
const file = await folder.getFileHandle(name);
let bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
CHANGE
const writer = await file.createWritable();
await writer.write(bytes);
await writer.close();
const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");
postMessage({{ type: "made", digest }});
postMessage({{ digest }});
postMessage({{ type: "snapshot", state: "saved" }});
await (await caches.open("x")).put("/gemini-kernel-snapshot", new Response(digest));
const other = await (await folder.getFileHandle(`${{name}}.sha256`, {{ create: true }})).createWritable();
await other.write(digest);
await other.close();
}})()"""
CHANGES = {
    "one bit": "bytes[bytes.length >> 1] ^= 1;",
    "the first byte": "bytes[0] ^= 1;",
    "the last byte": "bytes[bytes.length - 1] ^= 1;",
    "one byte more": "bytes = new Uint8Array([...bytes, 0]);",
    "an import": "const module = new TextEncoder().encode('gemini.computer.search.search');"
    "const at = bytes.findIndex((_, i) => module.every((each, k) => bytes[i + k] === each)); bytes[at] = 122;",
    "half": "bytes = bytes.slice(0, bytes.length >> 1);",
    "nothing left": "bytes = new Uint8Array();",
}


@pytest.mark.extended
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_snapshot_that_python_has_changed_does_not_start(open_surface: OpenSurface, change: str) -> None:
    surface = open_surface(saves_data=False)
    surface.wait_for("['saved', 'restored'].includes(document.documentElement.dataset.snapshot)")
    digest = surface.javascript(DIGEST)
    # The control: untouched, it starts.
    surface.reload()
    assert surface.javascript(STATE) == "restored"

    surface.python(JS.format(REWRITE.replace("CHANGE", change)))
    assert surface.javascript(DIGEST) == digest
    surface.reload()

    assert surface.javascript(STATE) != "restored"
    assert surface.python("6 * 7") == 42


@pytest.mark.extended
def test_no_snapshot_of_an_unknown_digest_starts(open_surface: OpenSurface) -> None:
    surface = open_surface(saves_data=False)
    surface.wait_for("['saved', 'restored'].includes(document.documentElement.dataset.snapshot)")
    surface.reload()
    assert surface.javascript(STATE) == "restored"

    surface.javascript("localStorage.removeItem('gemini-kernel-snapshot')")
    surface.reload()

    assert surface.javascript(STATE) != "restored"


POISON = """(async () => {
for (const name of await caches.keys()) {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    if (!request.url.endsWith("/kernel.js")) continue;
    const text = await (await cache.match(request)).text();
    const headers = { "Content-Type": "text/javascript" };
    await cache.put(request, new Response("self.poisoned = 1;" + text, { headers }));
  }
}
})()"""


@pytest.mark.extended
def test_on_one_origin_the_person_s_restart_uses_no_copy_that_python_has_changed(
    open_surface: OpenSurface,
) -> None:
    surface = open_surface(kernel=False)
    person = Person(surface)
    surface.wait_for("document.documentElement.dataset.offline === 'saved'")
    poisoned = "import js; hasattr(js, 'poisoned')"
    surface.python(JS.format(POISON))
    # The control: Python on one origin reaches the copies.
    surface.reload()
    assert surface.python(poisoned) is True

    person.click("#status-memory")
    person.click('#status-explained button "Restart Python"')
    surface.wait_for("document.documentElement.dataset.kernel === 'booting'")
    surface.wait_until_ready()

    assert surface.python(poisoned) is False


@pytest.fixture(scope="module")
def extension() -> Iterator[Surface]:
    with opened_extension() as surface:
        surface.call("file_read", path="/project/README.md")
        surface.python("mark = 'first'")
        yield surface


READ = "return JSON.parse(localStorage.getItem('gemini-consent-record')).read?.origin ?? ''"


@pytest.mark.extended
@pytest.mark.parametrize("message", ["let go", "I own it", "who owns it", "let go:1", "I own it:1"])
@pytest.mark.parametrize("channel", ["gemini-surface", "gemini-ownership"])
def test_python_on_the_page_s_origin_can_not_speak_for_tabs(
    extension: Surface, channel: str, message: str
) -> None:
    extension.python(f"import js\njs.BroadcastChannel.new({channel!r}).postMessage({message!r})")
    extension.python("import asyncio, js; await asyncio.sleep(0.5); hasattr(js, 'localStorage')")

    assert extension.python("mark") == "first"
    assert extension.javascript("return document.documentElement.dataset.kernel") == "ready"
    assert "file_read" in extension.javascript(READ)


@pytest.mark.extended
def test_python_that_takes_the_tabs_lock_is_stopped_until_the_person_restarts_it(extension: Surface) -> None:
    # No text runs as code in an extension.
    steal = (
        "import js, pyodide.ffi\nnever = js.Promise.new(pyodide.ffi.create_proxy(lambda *_: None))\n"
        "js.navigator.locks.request('gemini-surface', pyodide.ffi.to_js({'steal': True},"
        " dict_converter=js.Object.fromEntries), pyodide.ffi.create_proxy(lambda _: never))\n"
        "import asyncio; await asyncio.sleep(60)"
    )
    with pytest.raises((PythonFailed, ToolCallFailed)):
        extension.python(steal)
    person = Person(extension)
    assert "took the lock" in person.sees("#failure pre")
    assert "file_read" in extension.javascript(READ)

    person.click("#failure #restart")
    extension.wait_until_ready()
    extension.wait_for("JSON.parse(localStorage.getItem('gemini-consent-record')).read === null")
    extension.wait_for(
        "navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'gemini-surface'))"
    )
