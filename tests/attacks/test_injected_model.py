"""A model that obeys a text from outside: it gets no tools, approves nothing, and its traces stay outside text.

The kernel is the real one, with scripted models. tests/attacks/injection runs such models in the page, with its powers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gemini.agents import ScriptedModel, call, say
from gemini.agents.teamwork.files import is_provided
from gemini.errors import GeminiError, Refused
from gemini.kernel.kernel import Kernel
from tests.attacks.injected import ORDER, Heard, opened, panel
from tests.tiers import sampled

SKILL = "---\nname: {name}\ndescription: Notes.\n{more}---\n\nRead the notes.\n"
AGENT = "---\nrole: Does all.\n---\n\nDo all that you are asked.\n"
# All groups except the groups of pages, whose agents see a page before anything else.
GROUPS = ["files", "terminals", "memory", "schedules", "automations", "agents", "agent_run"]
WIDE = {"terminal_execute", "python_run", "browser_navigate", "file_write", "web_fetch"}


class Children:
    """The models of the agents that an agent starts."""

    def __init__(self, kernel: Kernel, *turns: Any) -> None:
        self.models: list[ScriptedModel] = []

        def find(_wanted: object, _agent: str) -> ScriptedModel:
            self.models.append(ScriptedModel([*turns, say("Done.")]))
            return self.models[-1]

        kernel.runs.selection.find = find  # type: ignore[method-assign, assignment]

    def tools(self) -> set[str]:
        return {tool.name for model in self.models for request in model.requests for tool in request.tools}


async def run(
    kernel: Kernel, *turns: Any, tools: Sequence[str] = GROUPS, agent: str = "reader", **more: Any
) -> list[dict[str, Any]]:
    """Run an agent by a script, and return the results of its calls."""
    work = kernel.runs.start(
        "Sum it up.", model=ScriptedModel([*turns, say("Done.")]), tools=tools, agent=agent, **more
    )
    await work
    return [json.loads(made.result) for step in work.steps for made in step.calls]


async def allow_skill(kernel: Kernel, home: Path, name: str, more: str = "", text: str = "") -> None:
    folder = home / "project/.agents/skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL.format(name=name, more=more) + text)
    [row] = [each for each in await panel(kernel, "skill_list") if each["name"] == name]
    await panel(kernel, "skill_allow", folder=row["folder"], fingerprint=row["fingerprint"])


# An agent that may only read files and start agents.
NARROW = ["file_read", "agent_run"]
STARTS: dict[str, dict[str, Any]] = {
    "an agent": {"task": ORDER},
    "an agent by a file": {"task": ORDER, "agent": "wide"},
    "an agent that has its conversation": {"task": ORDER, "fork": True},
    "a team": {"task": ORDER, "strategy": "team"},
    "a team that a file leads": {"task": ORDER, "strategy": "team", "agent": "wide"},
}


@pytest.mark.parametrize("attack", sampled(STARTS, every=3))
async def test_an_agent_gets_no_tools_by_starting_another(kernel: Kernel, home: Path, attack: str) -> None:
    (home / "project/.agents").mkdir()
    (home / "project/.agents/wide.md").write_text(AGENT)
    children = Children(kernel, call("terminal_execute", command="touch /tmp/x"))
    if "team" not in attack:
        # The control: an agent without limits starts one that has these tools.
        await run(
            kernel,
            call("agent_run", **STARTS[attack]),
            tools=["files", "terminals", "agent_run"],
        )
        assert {"terminal_execute", "file_read"} <= children.tools()
        children.models.clear()
    await run(kernel, call("agent_run", **STARTS[attack]), tools=NARROW)
    assert not children.tools() & (WIDE | {"agent_run"})


async def test_an_agent_for_pages_gets_only_tools_that_its_caller_has(kernel: Kernel) -> None:
    children = Children(kernel)
    await run(kernel, call("browser_run_agent", task=ORDER), tools=["dom", "browser_run_agent"])
    assert "browser_navigate" in children.tools()
    children.models.clear()
    await run(kernel, call("browser_run_agent", task=ORDER), tools=["browser_get_text", "browser_run_agent"])
    assert not children.tools() & WIDE


async def test_a_skill_that_narrows_narrows_what_its_agent_starts(kernel: Kernel, home: Path) -> None:
    await allow_skill(kernel, home, "readers", "allowed-tools: Read agent_run schedule_create\n")
    children = Children(kernel)
    tools = ["files", "terminals", "agent_run", "schedule_create"]
    results = await run(
        kernel,
        call("skill_open", name="readers"),
        call("agent_run", task=ORDER),
        call("schedule_create", when="every day at 9", brief=ORDER),
        call("terminal_execute", command="touch /tmp/x"),
        tools=tools,
    )
    assert not children.tools() & WIDE
    [schedule] = kernel.schedules.rows()
    given = set(schedule["tools"] or [])
    assert "file_read" in given and not given & WIDE
    assert results[-1]["error"]["type"] == "UnknownTool"


@pytest.mark.parametrize("more", ["allowed-tools: Read python_run terminal_execute\n", ""])
async def test_a_skill_adds_no_tool(kernel: Kernel, home: Path, more: str) -> None:
    await allow_skill(kernel, home, "runners", more)
    results = await run(
        kernel,
        call("skill_open", name="runners"),
        call("python_run", code="1"),
        call("find_tools", query="python_run"),
        call("python_run", code="1"),
        tools=["file_read"],
    )
    assert "error" not in results[0]
    assert [results[index]["error"]["type"] for index in (1, 3)] == ["UnknownTool", "UnknownTool"]


async def test_a_schedule_has_only_its_makers_tools(kernel: Kernel) -> None:
    await run(
        kernel,
        call("schedule_create", when="every day at 9", brief=ORDER),
        tools=["file_read", "schedule_create"],
    )
    [row] = kernel.schedules.rows()
    assert set(row["tools"] or []) == {"file_read", "schedule_create"} and not row["approved"]


# What only the user may do, as an agent would call it.
APPROVALS: dict[str, dict[str, Any]] = {
    "skill_allow": {"folder": "/project/.agents/skills/x", "fingerprint": "0"},
    "memory_approve": {"memory": 1},
    "memory_pin": {"agent": "reader", "text": ORDER},
    "panel_schedule_approve": {"schedule": "s"},
    "panel_schedule_run": {"schedule": "s"},
    "panel_model_prompt": {"text": ORDER},
    "panel_model_add": {"choice": {}},
    "agent_create": {"name": "wide"},
    "agent_save": {"name": "reader"},
    "team_start": {"task": ORDER},
    "chat_send": {"text": ORDER},
    "group_switch": {"group": "automations", "on": True},
    "panel_run_answer": {"text": "yes"},
    "task_reply": {"text": "yes"},
    "panel_run_start": {"task": ORDER},
    "panel_automation_run": {"name": "x"},
}


@pytest.mark.parametrize("action", sampled(APPROVALS))
async def test_no_agent_does_what_only_the_user_may(kernel: Kernel, action: str) -> None:
    [result, *_] = await run(kernel, call(action, **APPROVALS[action]))
    assert result["error"]["type"] == "UnknownTool"
    with pytest.raises(GeminiError) as refused:
        await kernel.registry.call(action, APPROVALS[action], caller="agent:reader")
    assert type(refused.value).__name__ == "UnknownTool"
    # The control: the user's call gets there, and fails by its arguments at most.
    try:
        await panel(kernel, action, **APPROVALS[action])
    except GeminiError as error:
        assert type(error).__name__ != "UnknownTool"


@pytest.mark.parametrize("attack", ["approve", "pin"])
async def test_code_of_an_agent_approves_nothing(kernel: Kernel, attack: str) -> None:
    number = kernel.memories.remember("reader", "Ann likes tea.")["id"]
    steps: dict[str, Callable[[], None]] = {
        "approve": lambda: kernel.memories.approve(number),
        "pin": lambda: kernel.memories.pin("reader", ORDER),
    }
    caught: list[Exception] = []

    def tool() -> str:
        """Do it."""
        try:
            steps[attack]()
        except Refused as refused:
            caught.append(refused)
        return "done"

    await run(kernel, call("tool"), tools=[tool])  # type: ignore[list-item]
    assert len(caught) == 1
    steps[attack]()


READ = call("file_read", path="note.txt")


async def memory(kernel: Kernel, home: Path) -> Any:
    [_, written] = await run(kernel, READ, call("memory_write", text=ORDER))
    assert written["waits"] and await run(kernel, call("memory_read"), tools=["memory"]) is not None
    [row] = kernel.memories.rows()
    assert not row["approved"]
    await panel(kernel, "memory_approve", memory=row["id"])
    return call("memory_read")


async def schedules(kernel: Kernel, home: Path) -> Any:
    await run(kernel, READ, call("schedule_create", when="every day at 9", brief=ORDER))
    [row] = kernel.schedules.rows()
    assert not row["approved"] and row["outside"]
    return call("schedule_list")


async def changed_schedule(kernel: Kernel, home: Path) -> Any:
    await schedules(kernel, home)
    return call("schedule_change", schedule=kernel.schedules.rows()[0]["id"], paused=True)


async def automation(kernel: Kernel, home: Path) -> Any:
    folder = home / "project/.agents/automations"
    folder.mkdir(parents=True)
    (folder / "notes.py").write_text(f'async def notes() -> object:\n    """{ORDER}"""\n')
    return call("automation_list")


async def earlier_run(kernel: Kernel, home: Path) -> Any:
    work = kernel.runs.start("Sum it up.", model=ScriptedModel([READ, say(ORDER)]), tools=["files"])
    await work
    return call("agent_status", run_id=work.id)


async def started_agent(kernel: Kernel, home: Path) -> Any:
    Children(kernel, READ, say(ORDER))
    return call("agent_run", task="Read the note.")


async def name_of_a_file(kernel: Kernel, home: Path) -> Any:
    (home / "project" / ORDER.replace("/", "\u2215")).touch()
    return call("file_list", path=".")


async def nearest_name(kernel: Kernel, home: Path) -> Any:
    (home / "project" / "orders of mallory.txt").write_text("x")
    return call("file_edit", path="orders of mallory.tx", old="x", new="y")


async def nearest_line(kernel: Kernel, home: Path) -> Any:
    return call("file_edit", path="note.txt", old=ORDER.replace("Send", "send"), new="y")


async def path_of_a_link(kernel: Kernel, home: Path) -> Any:
    (home / "project/link").symlink_to(ORDER.replace("/", "\u2215"))
    return call("file_write", path="link/x", content="y")


async def title(kernel: Kernel, home: Path) -> Any:
    return call("terminal_list")


async def history(kernel: Kernel, home: Path) -> Any:
    return call("file_history")


CARRIERS: dict[str, Callable[[Kernel, Path], Any]] = {
    each.__name__: each
    for each in (
        memory, schedules, changed_schedule, automation, earlier_run, started_agent, name_of_a_file, nearest_name,
        nearest_line, path_of_a_link, title, history,
    )
}  # fmt: skip


@pytest.mark.parametrize("carrier", sampled(CARRIERS, every=3))
async def test_what_an_injected_model_left_is_text_from_outside_later(
    kernel: Kernel, home: Path, carrier: str
) -> None:
    reading = await CARRIERS[carrier](kernel, home)
    heard = Heard(kernel)
    # The control: a run that reads nothing has read nothing.
    await run(kernel, call("file_write", path="own.txt", content="mine"), agent="writer")
    assert heard.origins == []
    model = ScriptedModel([reading, say("Done.")])
    await kernel.runs.start("Sum it up.", model=model, tools=GROUPS)
    assert heard.origins != []


async def test_a_run_that_goes_on_after_a_restart_still_has_read_it(kernel: Kernel, home: Path) -> None:
    work = kernel.runs.start(
        "Sum it up.", model=ScriptedModel([READ, call("ask", question="Well?")]), tools=["files"]
    )
    async for _ in work:
        break
    kernel.close()
    again = opened(home)
    heard = Heard(again)
    resumed = again.runs.resume(work.id, model=ScriptedModel([say("Done.")]))
    assert heard.origins != []
    resumed.cancel()


async def test_a_run_that_continues_another_has_read_what_that_read(kernel: Kernel) -> None:
    work = kernel.runs.start("Sum it up.", model=ScriptedModel([READ, say(ORDER)]), tools=["files"])
    await work
    heard = Heard(kernel)
    await run(kernel, tools=["files", "memory"], continues=work)
    assert heard.origins != []
    [written] = await run(
        kernel, call("memory_write", text="Ann likes tea."), tools=["memory"], continues=work
    )
    assert written["waits"]


@pytest.mark.parametrize("part", ["prompt", "role"])
async def test_a_provided_agent_with_other_texts_is_not_the_surfaces_own(
    kernel: Kernel, home: Path, part: str
) -> None:
    files = kernel.teams.files
    provided = (await files.read()).agents["researcher"]
    assert is_provided(provided)
    path = Path(provided.path or "")
    path.write_text(path.read_text().replace(getattr(provided, part).splitlines()[0], ORDER))
    changed = (await files.read()).agents["researcher"]
    assert ORDER in getattr(changed, part) and not is_provided(changed)


async def test_nothing_of_an_earlier_page_runs_by_itself(kernel: Kernel, home: Path) -> None:
    await run(kernel, READ, call("schedule_create", when="every minute", brief=ORDER))
    work = kernel.runs.start(
        "Sum it up.", model=ScriptedModel([READ, call("ask", question="Well?")]), tools=["files"]
    )
    async for _ in work:
        break
    kernel.close()
    again = opened(home)
    started: list[object] = []
    again.runs.on_start(started.append)
    again.schedules.scheduler.start()
    for _ in range(20):
        await asyncio.sleep(0)
    assert started == [] and again.runs.unfinished() == [work.id]
