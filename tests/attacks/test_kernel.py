"""Code in the kernel tries to reach its page and the page's storage."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.errors import PythonFailed
from gemini_testing.pool import BrowserPool
from gemini_testing.server import Server, running, server_of_kernel, server_of_sites
from tests.attacks.listener import Listener
from tests.tiers import sampled

# Data of the page that code in the kernel could want to read or change.
TREASURE = """
await (await caches.open("treasure")).put("/treasure", new Response("secret"));
const root = await navigator.storage.getDirectory();
const folder = await root.getDirectoryHandle("treasure", { create: true });
const file = await folder.getFileHandle("secret", { create: true });
const writable = await file.createWritable();
await writable.write("secret");
await writable.close();
localStorage.setItem("gemini:treasure", JSON.stringify("secret"));
sessionStorage.setItem("treasure", "secret");
await new Promise((resolve, reject) => {
  const opening = indexedDB.open("treasure");
  opening.onupgradeneeded = () => opening.result.createObjectStore("secrets").put("secret", 1);
  opening.onsuccess = resolve;
  opening.onerror = reject;
});
globalThis.treasure = "secret";
"""


@pytest.fixture(scope="module")
def page(surface_dist: Path, browsers: BrowserPool) -> Iterator[tuple[Surface, Listener]]:
    """Return a page with secrets, and an outside origin."""
    outside = Listener()
    server = Server(surface_dist)
    with contextlib.ExitStack() as stack:
        stack.enter_context(outside.listening())
        for each in (server, server_of_sites(server), server_of_kernel(server)):
            stack.enter_context(running(each))
        surface = Surface(browsers.take(server.url), server.url)
        stack.callback(lambda: browsers.give_back(surface.driver))
        surface.load()
        surface.javascript(TREASURE)
        yield surface, outside


def attempt(surface: Surface, code: str) -> str:
    """Run an attempt, and return its result or its error as text."""
    try:
        return str(surface.python(code))
    except PythonFailed as failure:
        return f"failed: {failure}"


JS = "from pyodide.code import run_js\nawait run_js({!r})"
READS = {
    "its document": "import js; js.document.body.innerHTML",
    "its window": "import js; js.window.treasure",
    "its frame's parent": "import js; js.parent.treasure",
    "its local storage": "import js; js.localStorage.getItem('gemini:treasure')",
    "its session storage": "import js; js.sessionStorage.getItem('treasure')",
    "its cookies": "import js; js.document.cookie",
    "its caches": "import js; response = await js.caches.match('/treasure'); await response.text()",
    "its caches by name": "import js; [str(name) for name in await js.caches.keys()]",
    "its files": JS.format(
        "(async () => { const root = await navigator.storage.getDirectory();"
        "const file = await (await root.getDirectoryHandle('treasure')).getFileHandle('secret');"
        "return (await file.getFile()).text(); })()"
    ),
    "its databases": "import js; [database.name for database in await js.indexedDB.databases()]",
    "its locks": "import js; [lock.name for lock in (await js.navigator.locks.query()).held]",
    "its service worker": "import js; js.navigator.serviceWorker.controller.scriptURL",
    "its address": "import js; js.location.ancestorOrigins[0]",
}


@pytest.mark.parametrize("code", sampled(READS.values()), ids=READS.keys())
def test_python_can_not_read_the_page_s_data(page: tuple[Surface, Listener], code: str) -> None:
    surface, _ = page
    found = attempt(surface, code)
    assert "secret" not in found
    assert "treasure" not in found.partition("failed")[0]
    assert "gemini-surface" not in found


ORIGINS = {
    "a fetch": "fetch(`${url}/tools.json`)",
    "a fetch without an answer": "fetch(`${url}/tools.json`, { mode: 'no-cors' })",
    "a fetch of a form": "fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' })",
    "a socket": "new Promise((resolve, reject) => Object.assign(new WebSocket(`${url.replace('http', 'ws')}/page`), "
    "{ onopen: resolve, onerror: reject }))",
    "a stream of events": "new Promise((resolve, reject) => Object.assign(new EventSource(url), "
    "{ onopen: resolve, onerror: reject }))",
    "a module": "import(`${url}/webmcp_bridge.js`)",
    "a worker": "new Promise((resolve, reject) => Object.assign(new Worker(`${url}/service_worker.js`), "
    "{ onmessage: resolve, onerror: reject }))",
    "a worker of text": "new Promise((resolve, reject) => Object.assign(new Worker(URL.createObjectURL(new Blob(["
    "`fetch('${url}').then(() => postMessage(1))`]))), { onmessage: resolve, onerror: reject }))",
    "a worker in its address": "new Promise((resolve, reject) => Object.assign(new Worker("
    "`data:text/javascript,fetch('${url}').then(() => postMessage(1))`), { onmessage: resolve, onerror: reject }))",
    "a script": "Promise.resolve(importScripts(`${url}/webmcp_bridge.js`))",
    "a transport": "new WebTransport(url.replace('http:', 'https:')).ready",
    "a service worker": "navigator.serviceWorker.register(`${url}/service_worker.js`)",
}
ATTEMPT = """
(async () => {{
  const url = {url!r};
  return Promise.race([
    (async () => {{ await {code}; return "reached"; }})(),
    new Promise((resolve) => setTimeout(resolve, 3000, "silence")),
  ]).catch((error) => `failed: ${{error}}`);
}})()
"""


@pytest.mark.parametrize("whose", ["the page", "another"])
@pytest.mark.parametrize("code", sampled(ORIGINS.values()), ids=ORIGINS.keys())
def test_python_reaches_no_other_origin(page: tuple[Surface, Listener], code: str, whose: str) -> None:
    surface, outside = page
    url = surface.url.rstrip("/") if whose == "the page" else outside.url
    outside.received(surface)
    assert attempt(surface, JS.format(ATTEMPT.format(url=url, code=code))) != "reached"
    assert outside.received(surface) == []


SAY = "import js, pyodide.ffi\njs.postMessage(pyodide.ffi.to_js({}, dict_converter=js.Object.fromEntries))"
CHANGES = {
    "its caches": JS.format(
        "caches.open('treasure').then((cache) => cache.put('/treasure', new Response('changed')))"
    ),
    "its databases": JS.format(
        "new Promise((resolve) => { indexedDB.deleteDatabase('treasure').onsuccess = resolve; })"
    ),
    "its files": JS.format(
        "navigator.storage.getDirectory().then((root) => root.removeEntry('treasure', { recursive: true }))"
    ),
    "who owns it": "import js; js.BroadcastChannel.new('gemini-surface').postMessage('let go')",
    "its lock": JS.format(
        "void navigator.locks.request('gemini-surface', { steal: true }, () => new Promise(() => {}))"
    ),
    "that its files have moved": SAY.replace("{}", "{'type': 'moved', 'id': 1, 'done': True}"),
    "that it is ready again": SAY.replace("{}", "{'type': 'ready'}"),
    "that a frame is up": SAY.replace("{}", "{'geminiKernel': 'up'}"),
}
UNTOUCHED = """
const cached = await (await caches.match("/treasure")).text();
const root = await navigator.storage.getDirectory();
const file = await (await root.getDirectoryHandle("treasure")).getFileHandle("secret");
const databases = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === "treasure");
const { held } = await navigator.locks.query();
return [cached, await (await file.getFile()).text(), databases, held.map(({ name }) => name),
  document.documentElement.dataset.kernel];
"""


@pytest.mark.parametrize("code", sampled(CHANGES.values()), ids=CHANGES.keys())
def test_python_can_not_change_the_page_s_data(page: tuple[Surface, Listener], code: str) -> None:
    surface, _ = page
    attempt(surface, code)
    assert surface.python("6 * 7") == 42
    assert surface.javascript(UNTOUCHED) == ["secret", "secret", ["treasure"], ["gemini-surface"], "ready"]
