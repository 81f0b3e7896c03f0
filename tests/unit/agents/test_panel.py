"""The actions of the agent panel, and the events that its page receives."""

from __future__ import annotations

import asyncio
import gc
import inspect
import weakref
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.agents import feed
from gemini.agents.events import RunChanged, RunForgotten, RunRow, RunStreamed
from gemini.agents.record.steps import ENDED
from gemini.agents.runs import runs
from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.core.encoding import decode
from gemini.core.events import Event, row_of
from gemini.errors import ModelAway, ModelLoading, ModelRepeats
from gemini.kernel.endpoint import call_for_person
from gemini.kernel.kernel import Kernel
from gemini.models import Prompted
from gemini.models.interface.messages import UserMessage
from gemini.models.interface.model import ModelEvent, PromptRead, Request, Stopped, TextDelta
from gemini.models.interface.scripted import Scripted, ScriptedModel, Turn, call, say
from gemini.models.interface.usage import Usage
from gemini.pages.tabs.events import TabChanged
from gemini.pages.tabs.results import TabRow
from gemini.pages.tabs.tab_owner import TabOwner
from gemini.tools import Registry


class Panel:
    """A page: the actions that it calls, and the events that it receives."""

    def __init__(self, home: Path) -> None:
        self.kernel = Kernel(Registry(), str(home / "project"), home / "saved")
        self.events: list[Event] = []
        self._received = asyncio.Event()
        self.kernel.events.subscribe(self._on_event)

    def _on_event(self, _: int, event: Event) -> None:
        self.events.append(event)
        self._received.set()

    @property
    def runs(self) -> Runs:
        return self.kernel.runs

    def script(self, *turns: Scripted) -> ScriptedModel:
        model = ScriptedModel(turns)
        self.runs.model = model
        return model

    async def ask(self, action: str, /, **arguments: Any) -> Any:
        answer = call_for_person(self.kernel.registry, {"action": action, "arguments": arguments})
        answer = await answer if inspect.isawaitable(answer) else answer
        # The log is written after the answer is sent.
        answer.then()
        return decode(answer.text)

    async def start(self, task: str = "Do it", **more: Any) -> str:
        return (await self.ask("start_run", task=task, tools=["files"], **more))["run_id"]

    async def until(self, shown: Callable[[RunRow], bool]) -> RunRow:
        """Wait until the newest row of a run satisfies `shown`; return the row."""
        while True:
            self._received.clear()
            rows = [event.run for event in self.events if isinstance(event, RunChanged)]
            if rows and shown(rows[-1]):
                return rows[-1]
            await self._received.wait()

    async def ends(self) -> RunRow:
        return await self.until(lambda row: row["status"] in ENDED)

    def rows(self) -> list[RunRow]:
        return self.kernel.snapshot()["runs"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "saved").mkdir()
    (tmp_path / "project").mkdir()
    return tmp_path


@pytest.fixture
def panel(home: Path) -> Panel:
    panel = Panel(home)
    panel.kernel.registry.consent.attended = True
    return panel


async def test_a_run_is_published_from_start_to_end(panel: Panel) -> None:
    panel.script(
        Turn(thought="Let me see", text="I look", calls=[("file_list", {"path": "."})]), say("Two files")
    )
    run_id = await panel.start("How many files are here?")
    row = await panel.ends()
    assert (row["id"], row["status"], row["result"], row["steps"]) == (run_id, "done", "Two files", 2)
    assert row["tokens"] == 240
    read = await panel.ask("run_steps", run_id=run_id, after=1)
    assert [step["number"] for step in read["steps"]] == [2]
    assert panel.rows()[-1] == row


async def test_tasks_and_answers_say_what_their_mentions_mean(panel: Panel, home: Path) -> None:
    (home / "project/notes.txt").write_text("Notes")
    model = panel.script(call("ask", question="By what?"), say("Wrote it"), say("And again"))
    run_id = await panel.start("Write it as @coder, by @notes.txt")
    await panel.until(lambda row: row["question"] is not None)
    await panel.ask("answer_run", run_id=run_id, text="By @notes.txt")
    await panel.ends()
    await panel.ask("follow_up", run_id=run_id, task="Check @notes.txt")
    await panel.until(lambda row: row["result"] == "And again")
    note = f"@notes.txt is the file {home}/project/notes.txt."
    tasks = [message.text for message in model.requests[-1].messages if isinstance(message, UserMessage)]
    assert f"(@coder is an agent. {note})" in tasks[0] and tasks[-1] == f"Check @notes.txt\n\n({note})"
    assert note in str(model.requests[1].messages[-1])


async def test_a_run_whose_companion_is_long_away_is_shown_until_it_is_back(panel: Panel) -> None:
    panel.runs.clock = ManualClock()
    back = asyncio.Event()

    class Companion(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
            if not back.is_set():
                raise ModelAway("the companion isn't connected")
            async for event in super().stream(request):
                yield event

    panel.runs.model = Companion([say("There it is.")])
    run_id = await panel.start("Wait for it")
    row = await panel.until(lambda row: row["away_since"] is not None)
    [listed] = (await panel.ask("list_inbox"))["away"]
    assert (listed["run_id"], listed["about"], row["status"]) == (run_id, "Wait for it", "running")
    back.set()
    row = await panel.ends()
    assert (row["result"], row["away_since"]) == ("There it is.", None)
    assert (await panel.ask("list_inbox"))["away"] == []


async def test_the_models_output_is_streamed(panel: Panel) -> None:
    panel.script(Turn(thought="A thought of some length", text="And then some words"))
    await panel.start()
    await panel.ends()
    for part, said in (("thought", "A thought of some length"), ("text", "And then some words")):
        parts = [
            event.text for event in panel.events if isinstance(event, RunStreamed) and event.part == part
        ]
        assert len(parts) > 1
        assert "".join(parts) == said
    row_of(1, panel.events[-1])


async def test_a_paused_run_does_one_step_at_a_time(panel: Panel) -> None:
    panel.script(*[call("file_write", path=f"{n}.txt", content="x") for n in range(3)], say("Done"))
    run_id = await panel.start()
    await panel.ask("control_run", run_id=run_id, action="pause")
    before = await panel.until(lambda row: row["status"] == "paused" and not row["busy"])
    await panel.ask("control_run", run_id=run_id, action="step")
    after = await panel.until(
        lambda row: row["status"] == "paused" and not row["busy"] and row["steps"] > before["steps"]
    )
    assert after["steps"] == before["steps"] + 1
    await panel.ask("control_run", run_id=run_id, action="resume")
    assert (await panel.ends())["result"] == "Done"


async def test_a_running_run_refuses_a_single_step(panel: Panel) -> None:
    panel.script(call("ask", question="Well?"), say("Done"))
    run_id = await panel.start()
    await panel.until(lambda row: row["question"] == "Well?")
    refused = await panel.ask("control_run", run_id=run_id, action="step")
    assert refused["error"]["type"] == "UsageProblem"
    await panel.ask("answer_run", run_id=run_id, text="Go on")
    assert (await panel.ends())["status"] == "done"


async def test_the_users_actions_are_reported_to_the_model(panel: Panel) -> None:
    model = panel.script(call("ask", question="Well?"), say("I saw it"))
    run_id = await panel.start()
    await panel.until(lambda row: row["question"] == "Well?")
    await panel.ask("control_run", run_id=run_id, action="take_over")
    await panel.ask("make_file", path="mine.txt", kind="file")
    await panel.ask("read_file", path="mine.txt")
    tab = TabRow(id="t1", url="https://a.example/", title="A", active=False, loading=False, readable=False)
    panel.kernel.events.publish(TabChanged(tab))
    # Another agent works meanwhile; in the run's own tab the user does.
    for tab_id, run in (("t2", "run-other"), ("t3", run_id)):
        owner = TabOwner(id=run, run=run, name="Other", finished=False)
        panel.kernel.events.publish(TabChanged({**tab, "id": tab_id, "owner": owner}))
    await panel.ask("answer_run", run_id=run_id, text="See for yourself")
    row = await panel.until(lambda row: row["taken_over"] and not row["busy"] and row["steps"] == 1)
    assert row["status"] == "paused"
    await panel.ask("control_run", run_id=run_id, action="give_back")
    row = await panel.ends()
    assert not row["taken_over"]
    [events] = [
        message.text
        for message in model.requests[-1].messages
        if isinstance(message, UserMessage) and "took over" in message.text
    ]
    assert "panel_make" in events
    assert "mine.txt" in events
    assert "tab t1 shows https://a.example/" in events
    assert "tab t2 shows" not in events and "tab t3 shows" in events
    assert "file_read" not in events
    steps = (await panel.ask("run_steps", run_id=run_id))["steps"]
    assert "mine.txt" in steps[1]["notes"][0]


async def test_give_back_needs_a_takeover(panel: Panel) -> None:
    panel.script(call("ask", question="Well?"))
    run_id = await panel.start()
    await panel.until(lambda row: row["question"] == "Well?")
    refused = await panel.ask("control_run", run_id=run_id, action="give_back")
    assert refused["error"]["type"] == "UsageProblem"
    await panel.ask("control_run", run_id=run_id, action="cancel")
    assert (await panel.ends())["status"] == "cancelled"


async def test_the_user_edits_a_plan_during_the_run(panel: Panel) -> None:
    def plan(request: Request) -> Turn:
        names = {row.name for row in request.tools}
        if "verdict" in names:
            return call("verdict", done=True, missing="")
        if "plan" in names:
            return (
                call("done", result="All")
                if made
                else call("plan", steps=[{"what": "First"}, {"what": "Second"}])
            )
        made.append(request.messages[-1].text)
        if len(made) == 1:
            return call("ask", question="Is the plan good?")
        return call("file_list", path=".")

    made: list[str] = []
    panel.script(*[plan] * 10)
    run_id = await panel.start(strategy="plan")
    row = await panel.until(lambda row: row["question"] is not None)
    assert [step["status"] for step in row["plan"] or []] == ["running", "waiting"]
    await panel.ask("edit_plan", run_id=run_id, steps=[{"what": "Something else"}])
    row = await panel.until(lambda row: (row["plan"] or [])[-1]["what"] == "Something else")
    refused = await panel.ask("edit_plan", run_id=run_id, steps=[{"what": ""}])
    assert refused["error"]["type"] == "InvalidArguments"
    await panel.ask("answer_run", run_id=run_id, text="It is now")
    row = await panel.ends()
    assert [(step["what"], step["status"]) for step in row["plan"] or []] == [
        ("First", "done"),
        ("Something else", "done"),
    ]
    assert "Something else" in made[1]


async def test_a_run_is_followed_up(panel: Panel) -> None:
    model = panel.script(say("One"), say("Two"))
    first = await panel.start("Say one")
    await panel.ends()
    second = (await panel.ask("follow_up", run_id=first, task="And the next?"))["run_id"]
    row = await panel.until(lambda row: row["id"] == second and row["status"] == "done")
    assert row["continues"] == first
    assert any("Say one" in message.text for message in model.requests[1].messages)


async def test_a_run_that_failed_starts_again_in_the_same_way(panel: Panel) -> None:
    repeats = ModelRepeats("the model repeats itself: “the top of”", hint="Try again.")
    model = panel.script(repeats, say("Done"))
    first = await panel.start("Write it", budget={"steps": 4})
    assert (await panel.ends())["reason"] == "the model repeats itself: “the top of”. Try again."
    second = (await panel.ask("retry_run", run_id=first))["run_id"]
    row = await panel.until(lambda row: row["id"] == second and row["status"] == "done")
    assert (row["task"], row["continues"]) == ("Write it", None)
    assert [each.messages[-1] for each in model.requests] == [
        UserMessage(text="Write it", purpose="task")
    ] * 2
    assert [each.name for each in model.requests[0].tools] == [each.name for each in model.requests[1].tools]
    assert panel.runs.get(second).budget.steps == 4


async def test_a_model_of_a_file_is_shown_without_its_folder(panel: Panel) -> None:
    panel.runs.model = ScriptedModel([say("Done")], name="m/SmolLM2-135M-Instruct.Q4_1.gguf")
    await panel.start()
    assert (await panel.ends())["model"] == "SmolLM2-135M-Instruct.Q4_1"


async def test_a_run_that_goes_on_is_not_started_again(panel: Panel) -> None:
    panel.script(call("ask", question="Well?"))
    run_id = await panel.start()
    await panel.until(lambda row: row["question"] is not None)
    assert (await panel.ask("retry_run", run_id=run_id))["error"]["type"] == "RunProblem"
    await panel.ask("control_run", run_id=run_id, action="cancel")
    await panel.ends()


async def test_a_task_that_an_agent_wrote_stays_one_when_it_is_retried(panel: Panel) -> None:
    panel.script(say("One"), say("Two"))
    run = panel.runs.start("Write it", tools=["files"])
    await run
    again = (await panel.ask("retry_run", run_id=run.id))["run_id"]
    await panel.runs.get(again)
    rows = {row["id"]: row["row"] for row in panel.kernel.store.runs.rows()}
    assert not rows[run.id]["by_user"] and not rows[again]["by_user"]


async def test_tokens_are_counted_while_an_answer_comes(panel: Panel) -> None:
    panel.script(say("One word and another, and then a third one"))
    await panel.start()
    row = await panel.ends()
    counts = [event.tokens for event in panel.events if isinstance(event, RunStreamed)]
    assert counts == sorted(counts) and counts[0] >= 1 and counts[-1] > counts[0]
    # At its end, the usage of the request stands for them.
    assert row["tokens"] == 120 and row["stream"] is None


async def test_tokens_of_a_call_that_is_written_as_text_are_counted_while_it_comes(panel: Panel) -> None:
    panel.runs.model = Prompted(
        ScriptedModel([say('{"tool": "done", "arguments": {"result": "All of it"}}')])
    )
    await panel.start()
    row = await panel.ends()
    counts = [event.tokens for event in panel.events if isinstance(event, RunStreamed)]
    # Its text isn't counted again as a call.
    assert len(counts) > 2 and counts == sorted(counts) and 10 <= counts[-1] <= 20
    changed = [event.run for event in panel.events if isinstance(event, RunChanged)]
    assert all(
        each["stream"] is None or each["stream"]["tokens"] == 0 or each["tokens"] == 0 for each in changed
    )
    assert (row["result"], row["tokens"]) == ("All of it", 120)


async def test_what_an_answer_waits_for_is_shown(panel: Panel) -> None:
    panel.runs.clock = ManualClock()

    class Slow(ScriptedModel):
        is_loaded = False

        async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
            if not self.is_loaded:
                self.is_loaded = True
                raise ModelLoading("small is being loaded by its server")
            yield PromptRead(512, 2341)
            async for event in super().stream(request):
                yield event

    panel.runs.model = Slow([say("There it is.")])
    await panel.start()
    await panel.ends()
    streams = [event.run["stream"] for event in panel.events if isinstance(event, RunChanged)]
    waits = [stream["retry"] for stream in streams if stream is not None and stream["retry"]]
    assert waits == ["Loading the model…", "Reading the prompt: 512 of 2,341 tokens."]


async def test_a_step_has_the_time_of_its_first_word_and_its_speed(panel: Panel) -> None:
    clock = panel.runs.clock = ManualClock()

    class Slow(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
            await clock.sleep(2.0)
            for word in ("One ", "two ", "three"):
                yield TextDelta(word)
                await clock.sleep(0.25)
            yield Usage(input=10, output=5)
            yield Stopped("end")

    panel.runs.model = Slow([])
    run_id = await panel.start()
    await panel.ends()
    [step] = (await panel.ask("run_steps", run_id=run_id))["steps"]
    # Four tokens after the first, in half a second.
    assert (step["first_s"], step["speed"]) == (2.0, 8.0)


async def test_runs_of_an_earlier_page_are_listed_and_resumed(panel: Panel, home: Path) -> None:
    panel.script(say("Over"))
    over = await panel.start("Quick")
    await panel.ends()
    panel.script(call("file_write", path="a.txt", content="a"), call("ask", question="Well?"))
    cut, given_up = await panel.start("Long"), await panel.start("Other")
    await panel.until(lambda row: row["id"] == cut and row["question"] is not None)
    panel.kernel.close()
    later = Panel(home)
    assert {row["id"]: row["status"] for row in later.rows()} == {
        over: "done",
        cut: "unfinished",
        given_up: "unfinished",
    }
    assert later.rows()[1]["steps"] == 1
    assert (await later.ask("run_steps", run_id=over))["result"] == "Over"
    refused = await later.ask("go_on", run_id=cut)
    assert refused["error"]["type"] == "ModelMissing"
    later.script(say("In the end"))
    await later.ask("go_on", run_id=cut)
    assert (await later.ends())["result"] == "In the end"
    await later.ask("control_run", run_id=given_up, action="cancel")
    assert later.rows()[-1]["id"] == cut
    assert {row["id"]: row["status"] for row in later.rows()}[given_up] == "cancelled"
    later.kernel.close()


async def test_a_run_is_deleted(panel: Panel) -> None:
    panel.script(call("ask", question="Well?"), say("Done"))
    run_id = await panel.start()
    await panel.until(lambda row: row["question"] is not None)
    assert (await panel.ask("forget_run", run_id=run_id))["error"]["type"] == "RunProblem"
    await panel.ask("control_run", run_id=run_id, action="cancel")
    await panel.ends()
    assert await panel.ask("forget_run", run_id=run_id) == {"success": True}
    assert panel.rows() == []
    assert panel.events[-2:] and any(isinstance(event, RunForgotten) for event in panel.events)
    assert (await panel.ask("run_steps", run_id=run_id))["error"]["type"] == "RunMissing"


async def test_agents_do_not_get_the_panels_tools(panel: Panel) -> None:
    model = panel.script(say("Nothing"))
    await panel.runs.start("Look", model=model)
    assert not [row.name for row in model.requests[0].tools if row.name.startswith("panel_")]


async def test_the_oldest_pictures_are_deleted(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemini.storage.runs.MAX_PICTURES", 3)
    store = panel.kernel.store.runs
    numbers = [store.expect_picture("run-1") for _ in range(5)]
    for n, number in enumerate(numbers):
        store.fill_picture(number, bytes([n]))
    assert [store.picture(number) for number in numbers] == [None, None, b"\x02", b"\x03", b"\x04"]
    assert (await panel.ask("run_picture", picture=numbers[-1]))["data"] == "BA=="
    assert (await panel.ask("run_picture", picture=numbers[0]))["error"]["type"] == "InvalidArguments"


async def test_ended_runs_leave_memory(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "MOST_ENDED", 2)
    monkeypatch.setattr(runs, "MAX_RUNS", 2)

    async def ended_run() -> weakref.ref[Any]:
        panel.script(say("Done"))
        run = panel.runs.start("Do it", tools=["files"])
        await run
        return weakref.ref(run)

    found = [await ended_run() for _ in range(5)]
    gc.collect()
    assert [each() is None for each in found] == [True, True, False, False, False]
    # The journal still lists them.
    assert len(panel.kernel.run_feed.rows()) == 5
