"""Pictures of steps are taken while the model thinks, and show the page before and after an action."""

import asyncio
from pathlib import Path

from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.models.interface.scripted import ScriptedModel, call, calls
from gemini.tools import Registry, declare


class Page:
    """A page that counts clicks, with a slow camera."""

    def __init__(self) -> None:
        self.clicks = 0
        self.taken = 0
        self.capturable = True

    @declare(effect="write", group="dom")
    async def click(self) -> int:
        """Click."""
        self.clicks += 1
        return self.clicks

    @declare(effect="read", group="dom")
    async def read(self) -> int:
        """Read."""
        return self.clicks

    async def snapshot(self, max_chars: int) -> tuple[str, str]:
        return f"{self.clicks} clicks", "page"

    async def screenshot(self) -> bytes | None:
        self.taken += 1
        shown = self.clicks
        await asyncio.sleep(0)
        return bytes([shown]) if self.capturable else None


def runs_of(page: Page, tmp_path: Path) -> Runs:
    registry = Registry()
    registry.results_folder = tmp_path
    registry.add_room(page)
    runs = Runs(registry, observer=page.snapshot, camera=page.screenshot)
    runs.clock = ManualClock()
    return runs


async def test_before_and_after_each_action(tmp_path: Path) -> None:
    page = Page()
    runs = runs_of(page, tmp_path)
    model = ScriptedModel(
        [call("click"), call("read"), calls(("click", {}), ("click", {})), call("done", result="3")]
    )
    run = runs.start("Click", model=model)
    await run
    shown = [[n and await runs.pictures.get(n) for n in (step.before, step.after)] for step in run.steps]
    assert shown == [[b"\0", b"\1"], [None, None], [b"\1", b"\3"], [None, None]]
    # At most one for each request to the model.
    assert page.taken <= 4


async def test_a_page_that_cannot_be_captured_has_no_picture(tmp_path: Path) -> None:
    page = Page()
    page.capturable = False
    runs = runs_of(page, tmp_path)
    run = runs.start("Click", model=ScriptedModel([call("click"), call("done", result="1")]))
    await run
    [first, _] = run.steps
    assert first.before is None
    assert first.after is not None and await runs.pictures.get(first.after) is None


async def test_get_waits_for_a_picture_in_progress(tmp_path: Path) -> None:
    page = Page()
    runs = runs_of(page, tmp_path)
    asked: list[asyncio.Task[bytes | None]] = []
    run = runs.start("Click", model=ScriptedModel([call("click"), call("done", result="1")]))

    def ask(event: object) -> None:
        if not asked and run.steps and (number := run.steps[0].after) is not None:
            asked.append(asyncio.ensure_future(runs.pictures.get(number)))

    run.on_event(ask)
    await run
    assert await asked[0] == b"\1"


async def test_the_picture_of_a_paused_run_is_taken_before_the_user_acts(tmp_path: Path) -> None:
    page = Page()
    runs = runs_of(page, tmp_path)
    run = runs.start("Click", model=ScriptedModel([call("click"), call("click"), call("done", result="2")]))
    ended = asyncio.Event()

    def pause(event: object) -> None:
        if len(run.steps) == 1 and not ended.is_set():
            run.pause()
            ended.set()

    run.on_event(pause)
    await ended.wait()
    [first] = run.steps
    assert first.after is not None and await runs.pictures.get(first.after) == b"\1"
    page.clicks = 50
    run.resume()
    await run
    second = run.steps[1]
    shown = [
        number and await runs.pictures.get(number) for number in (first.after, second.before, second.after)
    ]
    assert shown == [b"\1", b"\x32", b"\x33"]


async def test_a_cancelled_run_leaves_no_picture_pending(tmp_path: Path) -> None:
    page = Page()
    runs = runs_of(page, tmp_path)
    run = runs.start("Click", model=ScriptedModel([call("click"), call("done", result="1")]))
    run.on_event(lambda _: run.cancel() if run.steps else None)
    await run
    before, after = [n and await runs.pictures.get(n) for n in (run.steps[0].before, run.steps[0].after)]
    assert before == b"\0" and after in (b"\1", None)
