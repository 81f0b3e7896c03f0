"""A team of five whose page is reloaded, and whose Python and companion die at random: every task ends once.

The companion passes requests on to the models. `KILLS` in the environment sets how often something dies, `SEED` what
and when; more than ten need `-o faulthandler_timeout=0`.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.pool import BrowserPool
from gemini_testing.surface import WAIT_TIMEOUT_S
from tests.companion_process import CompanionProcess, companion_process
from tests.companions import CONNECTED
from tests.providers import Completion, Provider, call, running_provider
from tests.web.names import NOTIFYING
from tests.web.person import QUESTION, Person, erase
from tests.web.test_schedules_panel import SHOWN, WATCH, permit_notifications

pytestmark = pytest.mark.extended

PARTS, ASKING = 29, 5
KILLS = int(os.environ.get("KILLS", "5"))
SEED = int(os.environ.get("SEED", "1"))
KILLS_OF_A_TEAM = 12
# An agent works on one task at a time: its later parts wait while one asks.
WITHOUT_ANSWER = PARTS - len(range(ASKING, PARTS, 4))
# What a press meets when a question comes or goes away meanwhile.
GONE = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutError,
)
AGENTS = ("coder", "researcher", "writer", "analyst")
DEATHS = ("page", "kernel", "companion, answering", "companion", "companion, in order")
ADD_MODEL = """
import gemini, gemini.kernel.kernel
from gemini.models.providers.choice import choice_of
models = gemini.kernel.kernel.kernel.models
models.choose(models.add(choice_of("wire", "small")))
"""
# Each slot is a separate run.
SCHEDULE = (
    "row = await gemini.schedule('* * * * *', 'Write into the log of slots', catch_up='all')\nrow['id']"
)
START = "team = gemini.agents.team('Do the parts in {folder}')\nteam.id"
GO_ON = "import gemini\nteam = gemini.agents.resume_team({team!r})\nteam.id"
END = """
outcome = await team
parts = [[task.status, task.result] for task in team.tasks[1:]]
outcome.status, outcome.result, parts, team.id in gemini.agents.teams().unfinished()
"""
END_SCHEDULE = "await gemini.schedule.change({id!r}, paused=True)\nNone"
# The page informs the user after 30 seconds, which are shortened here.
ORDER = """
import gemini.agents.feed
gemini.agents.feed.AWAY_SHOWN_S = 2
run = gemini.agents.run("Order tea", attended=True)
None
"""
# The text of the Inbox, and the questions in the page.
INBOX = """return {
    text: document.querySelector("#inbox-body").innerText,
    visible: document.querySelector("#inbox-body").checkVisibility(),
    question: document.querySelector("[role=alertdialog] [data-id]")?.innerText,
}"""
IS_EMPTY = "return document.querySelector('#inbox-body > .empty')?.checkVisibility()"
UNFINISHED = "gemini.agents.teams().unfinished()"
# What a failure reports.
STATE = """
[[team.id, [[task.agent, task.status, task.question, task.reason] for task in team.tasks if task.status != "waiting"]]
    for team in map(gemini.agents.teams().get, dict.fromkeys([team.id, *gemini.agents.teams().unfinished()]))]
"""
SLOTS = "import gemini\n[[slot['slot'], slot['status']] for slot in gemini.schedule.get({id!r})['slots']]"


class Work:
    """The models of the team, as their provider answers: by the conversation alone, so that a resumed run continues."""

    def __init__(self, provider: Provider) -> None:
        self.requests = 0
        self.done: set[str] = set()
        self.at_request: dict[int, Callable[[], None]] = {}
        provider.script = self.answer

    def answer(self, body: dict[str, Any]) -> Completion:
        self.requests += 1
        if act := self.at_request.pop(self.requests, None):
            act()
        messages: list[dict[str, Any]] = body["messages"]
        text = "\n".join(_text(message) for message in messages if message["role"] == "user")
        results = [_text(message) for message in messages if message["role"] == "tool"]
        if part := re.search(r"Part (\d\d) in (\S+):", text):
            return self._part(part[1], part[2], results)
        if found := re.search(r"Do the parts in (\S+)", text):
            return self._leader(found[1], messages, results)
        return self._slot(results)

    def _leader(self, folder: str, messages: list[dict[str, Any]], results: list[str]) -> Completion:
        called = [
            made["function"]["name"] for message in messages for made in message.get("tool_calls") or ()
        ]
        added, last = called.count("task_add"), called[-1] if called else ""
        if added < PARTS:
            brief = f"Part {added:02} in {folder}: write your number into the log, and say that it is done."
            return call("task_add", agent=AGENTS[added % 4], brief=brief, expects="that it is done")
        if last == "ask":
            [task] = {
                found for text in results for found in re.findall(r'"task":"(task-\w+)"[^}]*Which word', text)
            }
            return call("task_answer", task=task, text=json.loads(results[-1])["answer"])
        if last == "task_wait" and "Which word" in results[-1]:
            return call("ask", question="A part asks: which word?")
        ended = last == "task_wait" and '"unfinished":[]' in results[-1]
        return Completion("All parts are done") if ended else call("task_wait")

    def _part(self, part: str, folder: str, results: list[str]) -> Completion:
        asks = int(part) == ASKING
        if not results:
            return call("terminal_execute", command=f"echo {part} >> {folder}/log")
        if asks and len(results) == 1:
            return call("ask", question="Which word?")
        self.done.add(part)
        return Completion(f"Part {part} is done" + (f": {json.loads(results[1])['answer']}" if asks else ""))

    def _slot(self, results: list[str]) -> Completion:
        return (
            Completion("Written")
            if results
            else call("terminal_execute", command="echo slot >> /project/slots")
        )


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(each.get("text", "") for each in content)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def companion(
    surface_dist: Path, provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CompanionProcess]:
    folder = tmp_path_factory.mktemp("companion")
    provider.configure(folder)
    with companion_process(surface_dist, folder) as companion:
        yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: CompanionProcess, browsers: BrowserPool) -> Iterator[Surface]:
    surface = Surface(browsers.take(companion.url), companion.address)
    surface.load()
    surface.wait_for(CONNECTED)
    # A reload goes to the page's own address: the browser is known by its key.
    surface.url = companion.url
    yield surface
    browsers.give_back(surface.driver)


class Trial:
    """A user who allows each ticket for a model, and what dies meanwhile."""

    def __init__(self, surface: Surface, companion: CompanionProcess, work: Work, seed: int) -> None:
        self.surface, self.companion, self.work = surface, companion, work
        self.person = Person(surface)
        self.chance = random.Random(seed)
        self.deaths: list[str] = []

    def until(self, condition: Callable[[], Any]) -> None:
        """Wait for a condition, and answer the owners' questions meanwhile."""
        deadline = time.monotonic() + 3 * WAIT_TIMEOUT_S
        while not condition():
            if time.monotonic() > deadline:
                inbox = self.surface.javascript(INBOX)
                pytest.fail(f"nothing happens any more: {self.surface.python(STATE)}; {inbox}")
            with suppress(TimeoutError):
                number = self.surface.wait_for(QUESTION, timeout_s=0.3)
                # A question that the companion asked goes away with it.
                with suppress(*GONE):
                    self.surface.driver.find_element(By.ID, "approval-once").click()
                ignored = "document.querySelector('[role=alertdialog] [role=status]').textContent"
                self.surface.wait_for(f"{QUESTION} !== arguments[0] || {ignored}", number, timeout_s=5)
            # A scheduled run whose question was cut off waits for the user.
            with suppress(*GONE):
                self.surface.driver.find_element(By.CSS_SELECTOR, "#inbox-body [data-action=go_on]").click()

    def kill(self, team: str) -> None:
        """Let something die after some more requests, and continue when it is there again."""
        if not self.deaths:
            self.deaths = self.chance.sample(DEATHS, len(DEATHS))
        work, death = self.work, self.deaths.pop()
        at = work.requests + self.chance.randrange(1, 12)
        died: list[int] = []
        if death == "companion, answering":
            work.at_request[at] = lambda: died.append(self.companion.stop() or at)
        self.until(lambda: died or work.requests >= at or len(work.done) >= WITHOUT_ANSWER)
        work.at_request.clear()
        if death.startswith("companion"):
            self.companion.stop(signal.SIGTERM if death == "companion, in order" else signal.SIGKILL)
            self.companion.restart()
            return
        if death == "page":
            self.surface.reload()
        else:
            with pytest.raises(ToolCallFailed, match="KernelDied"):
                self.surface.call("python_run", code="import os; os.abort()")
            self.surface.wait_until_ready()
        assert self.surface.python(GO_ON.format(team=team)) == team

    def answer_question(self) -> None:
        """Answer the question that has waited all the time."""
        field = "#inbox-body [data-kind=questions] input[name=text]"
        shown = f"return document.querySelector('{field}')?.checkVisibility()"
        self.until(lambda: self.surface.javascript(shown))
        while self.surface.javascript(shown):
            # A question of an owner may come in between, over the panel.
            self.until(lambda: not self.surface.javascript(f"return {QUESTION}"))
            with suppress(*GONE):
                self.person.click(field)
                erase(self.person.find(field))
                self.person.type("Birch")
                self.person.press(Keys.ENTER)
                self.surface.wait_for(f"!document.querySelector('{field}')?.checkVisibility() || {QUESTION}")


def work_through(trial: Trial, folder: str, kills: int) -> None:
    """Run a team during which things die, and check that each of its tasks has ended once."""
    surface, work = trial.surface, trial.work
    work.done.clear()
    team: str = surface.python(START.format(folder=folder))
    for _ in range(kills):
        trial.kill(team)
    trial.answer_question()
    trial.until(lambda: surface.python("team.outcome is not None"))
    # A slot's run may be unfinished, as one begins each minute.
    status, result, parts, unfinished = surface.python(END)
    assert (status, result, unfinished) == ("done", "All parts are done", False)
    texts = [f"Part {number:02} is done" + (": Birch" if number == ASKING else "") for number in range(PARTS)]
    assert parts == [["done", text] for text in texts]
    # A command that was cut off isn't repeated, so each ran at most once.
    lines = surface.call("file_read", path=f"{folder}/log")["content"].split()
    assert len(lines) == len({*lines}) >= PARTS - kills * 3


def test_every_task_ends_once(
    surface: Surface, companion: CompanionProcess, provider: Provider, folder: str
) -> None:
    trial = Trial(surface, companion, Work(provider), SEED)
    # It is open again after each reload.
    trial.person.open_panel("inbox")
    surface.python(ADD_MODEL)
    began = time.time()
    schedule: str = surface.python(SCHEDULE)
    left = KILLS
    for number in itertools.count():
        subfolder = f"{folder}/{number}"
        surface.python(f"import os\nos.mkdir({subfolder!r})")
        work_through(trial, subfolder, min(left, KILLS_OF_A_TEAM))
        left -= min(left, KILLS_OF_A_TEAM)
        if left == 0:
            break
    surface.python(END_SCHEDULE.format(id=schedule))
    # The list of slots has only the newest ones, and older ones can still run.
    trial.until(lambda: surface.python(UNFINISHED) == [] and surface.javascript(IS_EMPTY))
    slots = surface.python(SLOTS.format(id=schedule))
    assert {status for _, status in slots} <= {"done"}
    assert len(slots) == len({slot for slot, _ in slots})
    # There is a slot each minute, and each ran at most once.
    log = surface.call("terminal_execute", command="cat /project/slots")["output"]
    assert log.split("\n").count("slot") <= (time.time() - began) / 60 + 1


def test_the_user_learns_that_a_run_waits_for_the_companion(
    surface: Surface, companion: CompanionProcess, provider: Provider
) -> None:
    provider.script = None
    provider.replies = [call("ask", question="Which tea?"), Completion("Mint is ordered")]
    person = Person(surface)
    permit_notifications(surface, WATCH)
    person.open_panel("inbox")
    person.click(NOTIFYING)
    person.sees('region "Inbox" [role=status]', "Notifications are on.")
    surface.python(ADD_MODEL + ORDER)
    person.click('button "Allow once"')
    person.sees('region "Inbox" [data-kind=questions] li', "Which tea?")
    surface.driver.minimize_window()
    try:
        surface.wait_for("document.visibilityState === 'hidden'")
        companion.stop()
        surface.python("run.answer('Mint')")
        surface.wait_for(f"{SHOWN}.length === 1")
    finally:
        surface.driver.set_window_rect(0, 0, 1400, 900)
    assert surface.javascript(f"return {SHOWN}") == ["A run can't go on: agent waits for the companion"]
    person.sees('region "Inbox" [data-kind=away] li', "Its model needs the companion")
    companion.restart()
    # A companion that was restarted doesn't know the user's grants.
    person.click('button "Allow once"')
    person.no_longer_sees('region "Inbox" [data-kind=away]')
    assert surface.python("(await run).result") == "Mint is ordered"
