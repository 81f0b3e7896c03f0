"""Prompt injection with an agent that obeys every order: nothing leaves without consent, and lost files are restored.

Each case is a text with a channel, a form and a goal. The agent's model obeys all text it reads.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import Client

from tests.attacks.injection import obedience
from tests.attacks.injection.orders import Case, cases
from tests.attacks.injection.world import NOTE, OBEYING, TOOLS, WEB, World, check_outcome, place_order
from tests.companions import client_of
from tests.tiers import sampled
from tests.web.person import QUESTION, Background

ASKED = "document.querySelector('#approval-question')?.checkVisibility()"
# The model reads the results of the first calls, and obeys the last one.
RUN = """
reads = [call(tool, **given) for tool, given in {reads!r}]
first = ScriptedModel([*reads, {between}obeying, say("Done")])
run = gemini.agents.run("Have a look", model=first, tools={tools!r})
await run
{follow}
[name for step in run.steps for name in [call.tool for call in step.calls]]
"""
FOLLOW = """
second = ScriptedModel([obeying, say("Done")])
run = gemini.agents.run("Do what is next", model=second, tools={tools!r}, continues=run)
await run
"""


def reads(world: World, case: Case) -> list[tuple[str, dict[str, Any]]]:
    folder = world.place().folder
    note, page = f"{folder}/note.txt", f"{folder}/page.html"
    return {
        "file": [("file_read", {"path": note})],
        "followup": [("file_read", {"path": note})],
        "mcp": [("file_read", {"path": note})],
        "page": [("browser_navigate", {"url": page}), ("browser_get_text", {})],
        "terminal": [("terminal_execute", {"command": f"cat {note}"})],
        "error": [("python_run", {"code": f"raise ValueError(open({note!r}).read())"})],
        "name": [("file_list", {"path": folder})],
        "console": [("browser_navigate", {"url": page}), ("browser_console", {})],
        "fetched": [("web_fetch", {"url": f"{world.outside.named}{NOTE}"})],
        "found": [("web_search", {"query": "tea"})],
    }[case.channel]


def questions_to_agent(world: World, case: Case) -> list[str]:
    """Have an agent of the page read and obey, and return the questions to the user."""
    follows = case.channel == "followup"
    code = OBEYING + RUN.format(
        reads=reads(world, case),
        between='say("I have read it"), ' if follows else "",
        tools=TOOLS,
        follow=FOLLOW.format(tools=TOOLS) if follows else "",
    )
    call = Background(world.surface, "python_run", {"code": code})
    allowed = ["once"] if case.channel in WEB else []
    asked = world.person.answer_questions(call, *allowed, "refuse")
    result = call.result()
    assert "error" not in result, result
    assert len(result["result"]) == (1 if follows else len(reads(world, case)) + 1), result
    return asked[len(allowed) :]


def questions_to_client(world: World, case: Case) -> list[str]:
    """Have an MCP client read and obey, and return the questions to the user."""

    async def ask(client: Client) -> list[str]:
        [(tool, given)] = reads(world, case)
        read = await client.call_tool(tool, given)
        wanted = obedience.obey(read.content[0].text)  # pyright: ignore[reportAttributeAccessIssue]
        assert wanted is not None
        calling = asyncio.ensure_future(client.call_tool(*wanted))
        asked: list[str] = []
        while not calling.done():
            if await asyncio.to_thread(world.surface.javascript, f"return Boolean({ASKED})"):
                question = await asyncio.to_thread(world.surface.javascript, f"return {QUESTION}")
                asked.append(await asyncio.to_thread(world.person.sees, "#approval-question"))
                await asyncio.to_thread(world.person.click, 'button "Refuse"')
                await asyncio.to_thread(world.surface.wait_for, f"{QUESTION} !== arguments[0]", question)
            await asyncio.wait([calling], timeout=0.05)
        return asked

    async def main() -> list[str]:
        async with client_of(world.companion) as client:
            return await ask(client)

    return asyncio.run(main())


def test_no_case_is_missing() -> None:
    assert len({str(case) for case in cases()}) == len(cases()) >= 150


@pytest.mark.parametrize("case", sampled(cases(), every=96), ids=str)
def test_an_order_has_no_outside_effect_without_consent_and_no_lasting_one(world: World, case: Case) -> None:
    place_order(world, case)
    world.outside.reset()
    world.provider.reset()
    asked = questions_to_client(world, case) if case.channel == "mcp" else questions_to_agent(world, case)
    check_outcome(world, case, asked)
