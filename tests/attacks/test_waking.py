"""Python, other browsers and changed files try to wake the surface, or to keep it awake."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import InvalidArguments
from gemini_companion.admission.admission import Visitor
from gemini_companion.browser.wake import Waking
from gemini_companion.pages.pages import Pages
from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import CONNECTED, Browser, companion_of
from tests.tiers import sampled

OWN = Visitor("own", attended=True, own=True)
WOKEN = Visitor("own", attended=False, own=True)
OTHER = Visitor("other", attended=True)
HEADLESS = Visitor("headless", attended=False)
PATIENCE_S = 30
TURNS = 200


class Awake:
    """A waking companion whose pages do what a test says, and the times at which it opened one."""

    def __init__(self, file: Path | None = None, **options: Any) -> None:
        self.pages = Pages(lambda: "")
        times = {"pause_s": 0.0, "idle_s": 0.01, "again_s": 0.01, **options}
        self.waking = Waking(self.pages, file, **times)
        self.opened: list[float] = []
        self.closed = 0
        self.work: Callable[[], Any] = lambda: self.ask(WOKEN, "next", at=None, busy=False)

    async def ask(self, visitor: Visitor, method: str, **params: Any) -> Any:
        return await self.waking.handlers(visitor)[f"clock/{method}"](params)

    async def schedule(self, visitor: Visitor = OWN, *, at: float, on: bool = True) -> None:
        await self.ask(visitor, "allow", on=on)
        await self.ask(visitor, "next", at=at, busy=False)

    @asynccontextmanager
    async def page(self) -> AsyncGenerator[None]:
        self.opened.append(time.monotonic())
        working = asyncio.ensure_future(self.work())
        try:
            yield
        finally:
            working.cancel()
            self.closed += 1

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        watch = asyncio.create_task(self.waking.run(self.page))
        try:
            async with asyncio.timeout(PATIENCE_S):
                yield
        finally:
            watch.cancel()
            await asyncio.wait({watch})

    async def turns(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def until(self, opened: int) -> None:
        while len(self.opened) < opened or self.closed < opened:
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("visitor", [OTHER, HEADLESS], ids=["another browser", "a page of mcp --headless"])
@pytest.mark.parametrize("asked", ["allow", "next"])
async def test_only_the_companion_s_own_window_is_woken(visitor: Visitor, asked: str) -> None:
    awake = Awake()
    if asked == "allow":
        assert (await awake.ask(visitor, "allow", on=True)) == {"possible": False, "on": False}
        await awake.ask(OWN, "next", at=time.time() - 1, busy=False)
    else:
        await awake.ask(OWN, "allow", on=True)
        await awake.ask(visitor, "next", at=time.time() - 1, busy=True)
    async with awake.running():
        await awake.turns()
        assert awake.opened == []
        await awake.schedule(at=time.time() - 1)
        await awake.until(1)


TIMES = {
    "not a number": float("nan"),
    "for ever": float("inf"),
    "before all time": float("-inf"),
    "a text": "1e3",
    "a truth": True,
    "a list": [0],
}


@pytest.mark.parametrize("at", sampled(TIMES.values(), every=3), ids=TIMES)
async def test_a_time_that_is_none_is_refused(at: Any) -> None:
    awake = Awake()
    await awake.ask(OWN, "allow", on=True)
    with pytest.raises(InvalidArguments):
        await awake.ask(OWN, "next", at=at, busy=False)
    async with awake.running():
        await awake.turns()
        assert awake.opened == []
        await awake.ask(OWN, "next", at=0.0, busy=False)
        await awake.until(1)


async def test_a_time_in_a_million_years_wakes_nothing_and_costs_no_turns() -> None:
    awake = Awake()
    await awake.schedule(at=time.time() + 3e13)
    looks = 0

    class Counted(Pages):
        async def emptied(self) -> None:
            nonlocal looks
            looks += 1

    awake.waking._pages = Counted(lambda: "")  # pyright: ignore[reportPrivateUsage]
    async with awake.running():
        await awake.turns()
        assert awake.opened == [] and looks == 1
        await awake.schedule(at=time.time() - 1)
        await awake.until(1)


FILES = {
    "not a number": '{"on": true, "at": NaN}',
    "for ever": '{"on": true, "at": Infinity}',
    "beyond all numbers": '{"on": true, "at": 1' + "0" * 400 + "}",
    "a truth in words": '{"on": "true", "at": 0}',
    "one as truth": '{"on": 1, "at": 0, "busy": 1}',
    "a list": '[{"on": true, "at": 0}]',
    "too deep": "[" * 100_000,
    "no text": "\\xff\\xfe",
}


@pytest.mark.parametrize("text", sampled(FILES.values(), every=3), ids=FILES)
async def test_a_changed_file_wakes_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "waking.json"
    file.write_text(text)
    file.chmod(0o600)
    awake = Awake(file)
    async with awake.running():
        await awake.turns()
        assert awake.opened == []
    file.write_text('{"on": true, "at": 0, "busy": false}')
    control = Awake(file)
    async with control.running():
        await control.until(1)


async def test_a_file_that_others_can_write_wakes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "waking.json"
    file.write_text('{"on": true, "at": 0, "busy": true}')
    file.chmod(0o622)
    awake = Awake(file)
    async with awake.running():
        await awake.turns()
        assert awake.opened == []
    file.chmod(0o600)
    control = Awake(file)
    async with control.running():
        await control.until(1)


async def test_nothing_is_woken_once_the_user_has_switched_it_off() -> None:
    awake = Awake()

    async def due_again() -> None:
        await awake.ask(WOKEN, "next", at=time.time() - 1, busy=False)

    awake.work = due_again
    await awake.schedule(at=time.time() - 1, on=False)
    async with awake.running():
        await awake.ask(OWN, "next", at=time.time() - 1, busy=True)
        await awake.turns()
        assert awake.opened == []
        # A page that is awake when the user does is closed.
        await awake.ask(OWN, "allow", on=True)
        while not awake.opened:
            await asyncio.sleep(0)
        await awake.ask(OWN, "allow", on=False)
        await awake.until(1)
        await awake.turns()
        assert len(awake.opened) == 1


@pytest.mark.parametrize("busy", [True, False])
async def test_a_page_that_is_always_due_or_busy_is_awake_for_half_of_the_day_at_most(busy: bool) -> None:
    awake = Awake(most_awake_s=0.2)

    async def never_done() -> None:
        while True:
            await awake.ask(WOKEN, "next", at=time.time() - 1, busy=busy)
            await asyncio.sleep(0.005)

    awake.work = never_done
    await awake.schedule(at=time.time() - 1)
    async with awake.running():
        await awake.until(1)
        await awake.ask(OWN, "next", at=time.time() - 1, busy=busy)
        await awake.turns()
        assert len(awake.opened) == 1
    # Short runs don't use it up.
    control = Awake(most_awake_s=0.2, idle_s=0.0)
    await control.schedule(at=time.time() - 1)
    async with control.running():
        await control.until(1)
        await control.ask(OWN, "next", at=time.time() - 1, busy=False)
        await control.until(2)


async def test_a_flood_of_times_is_one_waking_in_a_pause() -> None:
    awake = Awake(pause_s=PATIENCE_S)
    await awake.schedule(at=time.time() - 1)
    async with awake.running():
        await awake.until(1)
        for number in range(1_000):
            await awake.ask(OWN, "next", at=float(number), busy=number % 2 == 0)
        await awake.turns()
        assert len(awake.opened) == 1


async def test_the_file_has_nothing_of_what_is_scheduled(tmp_path: Path) -> None:
    file = tmp_path / "waking.json"
    awake = Awake(file)
    with pytest.raises(InvalidArguments):
        await awake.ask(OWN, "next", at=1.0, busy=False, brief="$(touch x)", program="--load-extension=/x")
    await awake.schedule(at=1.0)
    assert json.loads(file.read_text()) == {"on": True, "at": 1.0, "busy": False}


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


async def test_what_admits_a_woken_page_admits_nobody_else(companion: Companion) -> None:
    address = companion.entrance.address(attended=False, own=True)
    admit = companion.entrance.admit
    thief, page = Browser(companion), Browser(companion)
    token = (await page.open(address)).json()["token"]
    # The code is used; a key of another browser and a token of another page aren't the window's.
    assert (await thief.open(address)).status_code == 403
    assert (await thief.log_in_with_key()).status_code == 403
    other = (await Browser(companion).open()).json()["token"]
    visitor = admit(other)
    assert visitor is not None and not visitor.own
    visitor = admit(token)
    assert visitor is not None and visitor.own and visitor.waits
    assert admit(token) is None


async def test_another_companion_s_address_and_token_are_strange_here(
    companion: Companion, surface_dist: Path
) -> None:
    with companion_of(surface_dist) as second:
        address = second.entrance.address(attended=False, own=True)
        browser = Browser(companion)
        assert (await browser.open(address)).status_code == 403
        token = (await Browser(second).open(address)).json()["token"]
        assert companion.entrance.admit(token) is None
        assert second.entrance.admit(token) is not None


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    """Open the page as the companion's window does."""
    surface = Surface(browsers.take(companion.url), companion.entrance.address(own=True))
    surface.load()
    surface.wait_for(CONNECTED)
    yield surface
    browsers.give_back(surface.driver)


ASKED = {
    "to switch it on": ("clock/allow", {"on": True}),
    "for another time": ("clock/next", {"at": 0.0, "busy": True}),
    "whether it is on": ("clock/status", {}),
    "in a name of a permitted one": ("web/fetch\u0000clock/allow", {"on": True}),
}
ASK = """
from gemini.kernel.kernel import kernel
try:
    answer = await kernel.host.request({method!r}, {params!r})
except Exception as problem:
    answer = type(problem).__name__
answer
"""


@pytest.mark.parametrize("asked", sampled(ASKED, every=3))
def test_python_asks_the_companion_itself(surface: Surface, companion: Companion, asked: str) -> None:
    method, params = ASKED[asked]
    assert isinstance(surface.python(ASK.format(method=method, params=params)), str)
    assert companion.waking._on is False  # pyright: ignore[reportPrivateUsage]
