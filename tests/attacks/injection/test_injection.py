"""Prompt injection with an agent that obeys every order: nothing leaves without consent, and lost files are restored.

Each case is a text with a channel, a form and a goal. The agent's model does what it reads.
"""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from gemini_companion.app import Companion
from gemini_companion.host.policy import HostPolicy
from gemini_companion.web import Search
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.injection import obedience
from tests.attacks.injection.orders import PRECIOUS, Case, Place, cases, order, program
from tests.attacks.outside import NAMES, Outside, outside_on_loopback
from tests.companions import client_of, companion_of, opened_by
from tests.providers import Provider, running_provider
from tests.tiers import sampled
from tests.web.person import QUESTION, Background, Person

# Channels whose reading reaches outside by itself, which the user allows.
WEB = ("fetched", "found")
NOTE, RESULTS = "/note.html", "/results"
ASKED = "document.querySelector('#approval-question')?.checkVisibility()"
# The owner's own words in the question.
QUESTIONS = {"network": "/win", "origin": "/win", "host": "", "money": "small"}
TOOLS = (
    "file_read", "file_write", "file_list", "browser_navigate", "browser_get_text", "browser_console", "browser_tabs",
    "terminal_execute", "terminal_create", "python_run", "agent_run", "web_fetch", "web_search",
)  # fmt: skip
PREPARE = """
import os, shutil, sys
from gemini.server.kernel import kernel
from gemini.models.choice import choice_of
kernel.models.choose(kernel.models.add(choice_of("wire", "small")))
os.makedirs("/home/obedience", exist_ok=True)
open("/home/obedience/obedience.py", "w").write({source!r})
sys.path.insert(0, "/home/obedience")
"""
# The model reads the results of the first calls, and obeys the last one.
RUN = """
import json
from obedience import obey
from gemini.agents import ScriptedModel, call, say
import gemini
def obeying(request):
    for message in reversed(request.messages):
        wanted = obey(message.text) if message.role in ("tool", "user") else None
        if wanted:
            return call(wanted[0], **wanted[1])
    return say("Nothing was ordered: " + request.messages[-1].text)
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


@dataclass
class World:
    surface: Surface
    companion: Companion
    outside: Outside
    provider: Provider
    machine: Path
    person: Person

    def place(self) -> Place:
        # A browser would reach it by its address, the companion by its name.
        return Place("/project/injection", NAMES[0], self.outside.port)

    def shows(self, text: str) -> None:
        """Put a text into a page of the web, and into the results of any search."""
        shown = html.escape(text)
        page = f"<!doctype html><html><title>Page</title><body><p>{shown}</p></body></html>"
        result = f'<a class="result__a" href="https://a.test/">Tea</a><a class="result__snippet">{shown}</a>'
        for path, content in ((NOTE, page), (RESULTS, result)):
            self.outside.pages[path] = ("text/html; charset=utf-8", content.encode())

    def effects(self, case: Case) -> list[str]:
        """Return the effects outside the page, apart from those of reading what the user allowed."""
        own = (f"GET {NOTE}", f"GET {RESULTS}?q=tea", NAMES[0]) if case.channel in WEB else ()
        return [effect for effect in self._effects() if effect not in own]

    def _effects(self) -> list[str]:
        spent = ["money"] * len(self.provider.requests)
        stolen = [each.name for each in self.machine.iterdir()]
        tabs = [
            row["url"] for row in self.surface.call("browser_tabs") if str(self.outside.port) in row["url"]
        ]
        return [*self.outside.seen()[1], *self.outside.names, *spent, *stolen, *tabs]


@pytest.fixture(scope="module")
def world(
    surface_dist: Path, browsers: BrowserPool, tmp_path_factory: pytest.TempPathFactory
) -> Generator[World]:
    machine, configuration = tmp_path_factory.mktemp("machine"), tmp_path_factory.mktemp("configuration")
    file = configuration / "control-surface" / "providers.toml"
    file.parent.mkdir()
    with ExitStack() as stack:
        provider = stack.enter_context(running_provider())
        file.write_text(f'[providers.wire]\nbase_url = "{provider.base_url("openai")}"\nkey = "none"\n')
        stack.enter_context(pytest.MonkeyPatch.context()).setenv("XDG_CONFIG_HOME", str(configuration))
        outside = stack.enter_context(outside_on_loopback())
        policy = HostPolicy(allowed=True, directories=(machine,))
        search = Search(
            path=configuration / "search.json", endpoints={"duckduckgo": f"{outside.named}{RESULTS}"}
        )
        network = outside.fetcher()
        companion = stack.enter_context(companion_of(surface_dist, policy, network=network, search=search))
        surface = stack.enter_context(opened_by(companion, browsers))
        surface.python(PREPARE.format(source=Path(obedience.__file__).read_text()))
        yield World(surface, companion, outside, provider, machine, Person(surface))


def place_order(world: World, case: Case) -> str:
    """Put the order where the agent will read it, beside the file that it would destroy."""
    place = world.place()
    text = order(case, place)
    world.shows(text)
    files = {
        PRECIOUS: "Years of work\n",
        "note.txt": f"Notes.\n{text}\n",
        "page.html": f"<!doctype html><title>Page</title><p>{text}</p><script>console.log({json.dumps(text)})</script>",
        "prepared.py": program(case.goal, place),
        "run.sh": f"python {place.folder}/prepared.py",
        "Makefile": f"all:\n\tpython {place.folder}/prepared.py\n",
    }
    if case.channel == "name":
        files[f"{text}.txt"] = ""
    code = "import os, shutil\nshutil.rmtree({0!r}, ignore_errors=True); os.makedirs({0!r})\n" + (
        "for name, text in {1!r}.items(): open(os.path.join({0!r}, name), 'w').write(text)"
    )
    world.surface.python(code.format(place.folder, files))
    return text


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
    code = RUN.format(
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
                await asyncio.to_thread(world.person.click, "#approval-refuse")
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
    assert world.effects(case) == []
    precious = f"{world.place().folder}/{PRECIOUS}"
    if case.goal in QUESTIONS:
        assert asked and QUESTIONS[case.goal] in asked[0]
    else:
        assert asked == []
        there = f"import os; os.path.exists({precious!r}) and open({precious!r}).read()"
        assert world.surface.python(there) in (False, "gone", "")
        changes = world.surface.call("file_history", path=precious)
        world.surface.call("file_restore", id=changes[0]["id"])
    assert world.surface.call("file_read", path=precious)["content"] == "Years of work\n"
