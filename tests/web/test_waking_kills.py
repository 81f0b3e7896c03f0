"""While the companion wakes its page for schedules, the browser and the companion die at random: each slot runs once.

The model is the companion's, and the user has allowed it for all scheduled runs, since nobody is there to be asked.
`KILLS` in the environment sets how often something dies, `SEED` what and when; more than ten need
`-o faulthandler_timeout=0`.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.browser.launch import profile_folder
from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.serve import Options, serving
from gemini_companion.serving.server import Server
from gemini_testing import Surface
from gemini_testing.surface import WAIT_TIMEOUT_S
from tests.browsers import PROC, browsers_of, processes_of
from tests.companion_process import CompanionProcess
from tests.providers import Completion, Provider, call, running_provider
from tests.web.names import WAKING
from tests.web.person import QUESTION, Person
from tests.web.test_waking import in_window

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not PROC.is_dir(), reason="browsers are found by /proc"),
]

KILLS = int(os.environ.get("KILLS", "3"))
SEED = int(os.environ.get("SEED", "1"))
# A kill comes after at most two more requests, or so soon after the browser's start. More slots remain than that ends.
SLOTS = KILLS + 3
LONGEST_START_S = 8.0
PREPARE = """
import gemini, gemini.kernel.kernel
from gemini.models.providers.choice import choice_of

models = gemini.kernel.kernel.kernel.models
models.choose(models.add(choice_of("mine", "small")))
allowed = await gemini.schedule("every day at 9", "Say hello")
gemini.schedule.run_now(allowed["id"])
"""
ALLOWED = """
slots = gemini.schedule.get(allowed["id"])["slots"]
[(slot["status"], slot["result"]) for slot in slots]
"""
# The clock of this page is late, so that the slots come when its window is closed.
SCHEDULE = f"""
import time
from gemini.core.clock import Clock

gemini.schedule.delete(allowed["id"])

class Late(Clock):
    def wall(self):
        return time.time() - 40

gemini.agents.current().clock = Late()
for number in range({SLOTS}):
    await gemini.schedule("in 1 minute", f"Write {{number:02}}")
"""
RESULT = "import gemini\n[[row['brief'], [slot['status'] for slot in row['slots']]] for row in gemini.schedule.all()]"


class Work:
    """A model that writes a number into a log. It looks before it repeats a command that was cut off."""

    def __init__(self, provider: Provider) -> None:
        self.requests = 0
        self.done: set[str] = set()
        provider.script = self.answer

    def answer(self, body: dict[str, Any]) -> Completion:
        self.requests += 1
        messages: list[dict[str, Any]] = body["messages"]
        text = "\n".join(_text(message) for message in messages if message["role"] == "user")
        number = re.search(r"Write (\d\d)", text)
        if number is None:
            return Completion("Hello")
        calls = [made["function"]["arguments"] for each in messages for made in each.get("tool_calls") or ()]
        results = [_text(message) for message in messages if message["role"] == "tool"]
        write = call("terminal_execute", command=f"echo {number[1]} >> /project/log")
        if not calls:
            return write
        if '"exit_code":0' in results[-1]:
            self.done.add(number[1])
            return Completion(f"Wrote {number[1]}")
        if "grep" in calls[-1] and '"exit_code":1' in results[-1]:
            return write
        return call("terminal_execute", command=f"touch /project/log; grep {number[1]} /project/log")


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(each.get("text", "") for each in content)


class Trial:
    """The companion and the browser that it wakes, and what dies meanwhile."""

    def __init__(self, companion: CompanionProcess, profile: Path, work: Work, file: Path) -> None:
        self.companion, self.profile, self.work, self.file = companion, profile, work, file
        self.chance = random.Random(SEED)
        self.log: list[str] = []

    def until(self, condition: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + 3 * WAIT_TIMEOUT_S
        while not (found := condition()):
            if time.monotonic() > deadline:
                pytest.fail(
                    f"nothing happens any more: {self.log}, {self.work.done}, {self.file.read_text()}"
                )
            # The processes of others send no event.
            threading.Event().wait(0.02)
        return found

    def kill(self, number: int) -> None:
        """Wait for the woken browser, and let it or the companion die at a random moment."""
        self.until(lambda: browsers_of(self.profile))
        victim = ("browser", "companion")[number % 2]
        if self.chance.random() < 0.5:
            moment_s = self.chance.random() * LONGEST_START_S
            threading.Event().wait(moment_s)
            moment = f"{moment_s:.1f} s"
        else:
            at = self.work.requests + self.chance.randrange(1, 3)
            self.until(lambda: self.work.requests >= at)
            threading.Event().wait(self.chance.random() * 0.3)
            moment = f"request {at}"
        before = processes_of(self.profile)
        print(time.strftime("%X"), number, victim, moment, len(self.work.done), flush=True)
        self.log.append(f"{victim} at {moment}, {len(self.work.done)} written, {self.file.read_text()}")
        if victim == "browser":
            for browser in browsers_of(self.profile):
                with suppress(ProcessLookupError):
                    os.kill(browser, signal.SIGKILL)
        else:
            self.companion.stop()
            self.companion.restart()
        # Nothing of it stays behind.
        self.until(lambda: not {*before} & {*processes_of(self.profile)})

    def end(self) -> None:
        """Wait until all is written and the page is closed."""
        self.until(lambda: len(self.work.done) == SLOTS)
        # Once more when the last run is about to end.
        self.companion.stop()
        self.companion.restart()
        self.until(lambda: not processes_of(self.profile) and self._is_idle())

    def _is_idle(self) -> bool:
        saved = json.loads(self.file.read_text())
        return saved["at"] is None and not saved.get("busy")


def prepare(surface: Surface) -> None:
    """Let the companion wake the page, allow its model in scheduled runs, and add the schedules."""
    person = Person(surface)
    person.open_panel("schedules")
    person.click(WAKING)
    surface.wait_for("document.querySelector('#schedule-wake').checked")
    surface.python(PREPARE)
    number = surface.wait_for(QUESTION)
    person.answer_until(f"{QUESTION} !== arguments[0]", number, decisions=["always"])
    person.sees('region "Schedules" .schedule-last', "Hello")
    assert surface.python(ALLOWED) == [["done", "Hello"]]
    surface.python(SCHEDULE)
    person.sees('region "Schedules" .schedule-list > li', f"Write {SLOTS - 1:02}")


def result(surface: Surface) -> tuple[list[Any], list[str]]:
    log = surface.call("file_read", path="/project/log")["content"]
    return surface.python(RESULT), log.split()


async def test_each_slot_runs_once(
    surface_dist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with running_provider() as provider:
        work = Work(provider)
        configuration = tmp_path / "control-surface" / "providers.toml"
        configuration.parent.mkdir()
        configuration.write_text(
            f'[providers.mine]\nbase_url = "{provider.url}/v1"\nkey = "none"\n', encoding="utf-8"
        )
        companion = CompanionProcess(surface_dist, tmp_path)
        profile = profile_folder("window")
        port = int(companion.url.split(":")[-1].strip("/"))

        async def visit(act: Callable[[Surface], Any]) -> Any:
            async with serving(Server(port), Options(surface_dist, HostPolicy())) as served:
                return await asyncio.to_thread(in_window, served, profile, act)

        await visit(prepare)
        work.requests = 0
        trial = Trial(companion, profile, work, profile.parents[1] / f"waking-{port}.json")
        try:
            await asyncio.to_thread(companion.start)
            for number in range(KILLS):
                await asyncio.to_thread(trial.kill, number)
            await asyncio.to_thread(trial.end)
        finally:
            await asyncio.to_thread(companion.close)
        rows, log = await visit(result)
    assert sorted(rows) == [[f"Write {number:02}", ["done"]] for number in range(SLOTS)], trial.log
    assert sorted(log) == [f"{number:02}" for number in range(SLOTS)], trial.log
