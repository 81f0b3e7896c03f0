"""The process of the kernel's frame ends: by an attack on the browser, or because its memory is full."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gemini_companion.serving import static_files
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from gemini_testing.server import serving
from tests.attacks.listener import Listener
from tests.attacks.page_port import ask_page, is_asked
from tests.attacks.test_restart import RUN, Case, outside, tainted
from tests.web.person import Background, Person

__all__ = ["outside", "tainted"]
pytestmark = pytest.mark.extended
KERNEL = "document.documentElement.dataset.kernel"
FRAME = "document.querySelector('.kernel-frame')"
STARTS = "document.querySelector('#boot-progress').value > 0"
GRANTED = "http://127.0.0.2:9"


@pytest.fixture(scope="module")
def surface_of_module(surface_dist: Path, browsers: BrowserPool) -> Iterator[Surface]:
    """Open a page whose kernel has its own process, as docs/hosting.md says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(static_files.HEADERS, "Origin-Agent-Cluster", "?1")
        with serving(surface_dist) as url:
            surface = Surface(browsers.take(url), url)
            surface.load()
            yield surface
            browsers.give_back(surface.driver)


@pytest.fixture(scope="module")
def opened(surface_of_module: Surface, outside: Listener) -> Case:
    case = Case(surface_of_module, Person(surface_of_module), outside)
    case.allow()
    assert case.opens("control")
    case.refuse()
    return case


def crash(surface: Surface) -> None:
    """End the process of the kernel's frame."""
    browser = surface.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    target = None
    while target is None:
        with urlopen(f"http://{browser}/json/list") as answer:
            rows = json.load(answer)
        target = next((row for row in rows if row["type"] == "iframe" and "/kernel.html" in row["url"]), None)
    with (
        contextlib.suppress(ConnectionClosed, TimeoutError),
        connect(target["webSocketDebuggerUrl"]) as socket,
    ):
        socket.send(json.dumps({"id": 1, "method": "Page.crash"}))
        # The process answers nothing any more.
        socket.recv(timeout=1)


def still_counts(case: Case, name: str) -> None:
    """Check that what was read, refused and granted still counts."""
    assert not case.opens(name)
    assert case.is_refused_at_once()
    ask_page(case.surface, "open", tab=f"t{name}", url=f"{GRANTED}/{name}", words=RUN)
    assert not is_asked(case.surface)


def test_a_crash_fails_its_calls_with_the_reason_and_absolves_nothing(tainted: Case) -> None:
    surface = tainted.surface
    surface.call("file_write", path="/project/saved.txt", content="saved")
    call = Background(surface, "python_run", {"code": "import asyncio; await asyncio.sleep(60)"})
    surface.wait_for("gemini.python('True')")

    crash(surface)

    failed = call.result()["error"]
    assert failed["type"] == "KernelDied" and "process ended" in failed["message"], failed
    surface.wait_until_ready()
    assert surface.python("'mark' in globals()") is False
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"
    still_counts(tainted, "90")


def test_a_frame_that_always_crashes_waits_for_the_person(tainted: Case) -> None:
    surface, person = tainted.surface, tainted.person
    # The first one doesn't count: this Python was used.
    for _ in range(6):
        surface.javascript(f"{FRAME}.crashed = true")
        crash(surface)
        # The next one crashes while Python starts.
        surface.wait_for(f"{KERNEL} === 'failed' || ({FRAME} && !{FRAME}.crashed && {STARTS})")
    surface.wait_for(f"{KERNEL} === 'failed'")

    assert "process ended" in person.sees("#failure pre", "ended several times")
    person.click("#failure #restart")
    surface.wait_until_ready()
    person.no_longer_sees("#failure")
    # The press is the user's, so it clears what was read, and Python has started without code of its storage.
    surface.wait_for("JSON.parse(localStorage.getItem('gemini-consent-record')).read === null")
    assert tainted.visits("91")


def test_only_the_person_s_press_clears_it(tainted: Case) -> None:
    crash(tainted.surface)
    tainted.surface.wait_for(f"{KERNEL} !== 'ready'")
    tainted.surface.wait_until_ready()
    assert not tainted.opens("92")
    # The control.
    tainted.restart()
    assert tainted.visits("93")
