"""Runs with models that people run themselves: they forget their tools, and their contexts are small."""

import json
from collections.abc import AsyncGenerator, Sequence

import pytest

from gemini.agents.loop.small_window import brief
from gemini.agents.loop.tool_choice import row_of
from gemini.agents.runs.runs import Runs
from gemini.errors import ContextExceeded
from gemini.models import Prompted
from gemini.models.interface.messages import SystemMessage
from gemini.models.interface.model import ModelEvent, Request, ToolRow
from gemini.models.interface.scripted import Scripted, ScriptedModel, call, say
from gemini.models.interface.window import hint_of
from gemini.models.providers.written import calls_from_text
from gemini.tools import Registry, declare
from tests.unit.agents.conftest import World


class SmallModel(ScriptedModel):
    """A model as `RemoteModel` is with a server that people run themselves; its context is known after `prepare`."""

    forgets_tools = True
    window_hint = hint_of("llama.cpp")

    def __init__(self, turns: Sequence[Scripted], context: int = 32_000) -> None:
        super().__init__(turns)
        self._window = context

    async def prepare(self) -> None:
        self.context_tokens = self._window


class WithTools(SmallModel):
    """A model whose API has tools, and that writes calls as text."""

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        return calls_from_text(super().stream(request), request.tools)


def said(request: Request) -> str:
    return request.messages[-1].text


async def test_a_run_that_did_nothing_is_reminded_once_and_is_not_done(runs: Runs) -> None:
    model = SmallModel([say("I have written it."), say("I really have.")])
    ended = await runs.start("Write b", model=model)
    assert (ended.status, ended.result) == ("answered", "I really have.")
    assert ended.reason == "answered without acting: no tool was called"
    first, second = model.requests
    assert (first.must_call, second.must_call) == (False, True)
    assert "You called no tool, so nothing was done" in said(second)


async def test_a_reminded_model_that_acts_is_done(runs: Runs, world: World) -> None:
    turns = [say("I write it."), call("write", path="b", content="x"), say("Written.")]
    ended = await runs.start("Write b", model=SmallModel(turns))
    assert (ended.status, ended.result, world.files["b"]) == ("done", "Written.", "x")


@pytest.mark.parametrize("turns", [[call("done", result="2")], [say("2"), call("done", result="2")]])
async def test_a_model_that_only_ends_the_run_has_answered_without_acting(
    runs: Runs, turns: list[Scripted]
) -> None:
    ended = await runs.start("What is 1 + 1?", model=SmallModel(turns))
    assert (ended.status, ended.result) == ("answered", "2")


async def test_a_call_among_text_is_answered_with_what_was_wrong(runs: Runs, world: World) -> None:
    model = ScriptedModel(
        [
            say('I will write it: {"name": "write", "arguments": {"path": "b", "content": "x"}} Done!'),
            call("write", path="b", content="y"),
            say("Written."),
        ]
    )
    ended = await runs.start("Write b", model=model)
    assert (ended.status, world.files["b"]) == ("done", "y")
    assert "You wrote a call of write among text, so it wasn't made" in said(model.requests[1])


@pytest.mark.parametrize(
    "text",
    [
        "{'tool': 'write', 'arguments': {'path': 'b', 'content': 'x'}}",
        'write("b", "x")',
        '{"tool": "wrote", "arguments": {"path": "b", "con',
        "<tool_call>write b x</tool_call>",
        'Here it is: "arguments": {"path": "b"}',
    ],
)
async def test_what_only_looks_like_a_call_is_answered_with_what_was_wrong(
    runs: Runs, world: World, text: str
) -> None:
    model = SmallModel([say(text), call("write", path="b", content="x"), say("Written.")])
    ended = await runs.start("Write b", model=model)
    assert (ended.status, world.files["b"]) == ("done", "x")
    assert "something like a call" in said(model.requests[1]) and "write" in said(model.requests[1])


class Many:
    """As many tools as the surface has, with long descriptions."""

    @declare(group="files", effect="read")
    def file_read(self, path: str) -> str:
        """Read a file. Texts are returned as they are, pictures as descriptions, and long files in parts.

        Args:
            path: The path, absolute or below the current folder; a leading ~ is the home folder.
        """
        return path

    @declare(group="dom", effect="read")
    def browser_look(self, description: str) -> str:
        """Look at the page in the active tab. It is described in words, with the places of its elements."""
        return description


async def test_a_small_context_gets_brief_tools_and_a_short_prompt(runs: Runs, registry: Registry) -> None:
    registry.add_room(Many())
    usual, small = ScriptedModel([say("Over")]), SmallModel([call("done", result="Over")], 2_048)
    await runs.start("Read a.txt", model=usual)
    await runs.start("Read a.txt", model=small)
    large, little = usual.requests[0], small.requests[0]
    assert sum(map(size, little.tools)) < 0.3 * 4 * 2_048
    assert len(system(little)) < len(system(large)) * 0.7
    # The rule about text from outside stays.
    assert system(large)[-150:] == system(little)[-150:]
    [row] = [row for row in little.tools if row.name == "file_read"]
    assert row.description == "Read a file." and "leading" not in str(row.schema)
    assert "note" not in {row.name for row in little.tools}
    # The answer gets what is left of the context.
    assert little.max_output_tokens is not None and little.max_output_tokens < 2_048


async def test_a_context_that_turns_out_small_after_the_first_answer_gets_less(
    runs: Runs, registry: Registry, world: World
) -> None:
    class Loading(SmallModel):
        """A model that is loaded with its first request."""

        async def prepare(self) -> None:
            self.context_tokens = 2_048 if self.requests else 131_072

    registry.add_room(Many())
    model = Loading([call("write", path="b", content="x"), call("done", result="Over")])
    assert (await runs.start("Write b", model=model)).status == "done"
    first, second = model.requests
    assert "note" in {row.name for row in first.tools} and "note" not in {row.name for row in second.tools}
    assert len(system(second)) < len(system(first)) * 0.7


def size(row: ToolRow) -> int:
    return len(row.name) + len(row.description) + len(str(row.schema))


def system(request: Request) -> str:
    [text] = [message.text for message in request.messages if isinstance(message, SystemMessage)]
    return text


def test_a_property_named_description_stays() -> None:
    schema = {"properties": {"description": {"type": "string", "description": "Of what."}}}
    assert brief(ToolRow("look", "Look. Well.", schema)).schema == {
        "properties": {"description": {"type": "string"}}
    }


async def test_what_cannot_fit_is_not_sent(runs: Runs) -> None:
    model = SmallModel([say("Never asked")], 512)
    ended = await runs.start("Summarize: " + "tea and cake " * 400, model=model)
    assert ended.status == "failed" and model.requests == []
    assert "tokens, and the model's context has 512" in (ended.reason or "")
    assert "llama-server -c 8192" in (ended.reason or "")
    assert ". Start it with a larger -c" in (ended.reason or "")


@pytest.mark.parametrize("context", [8_192, 1_024])
async def test_a_refused_request_is_not_repeated_unchanged(runs: Runs, context: int) -> None:
    model = SmallModel([ContextExceeded("request (2341 tokens) exceeds 1024"), say("Never asked")], context)
    ended = await runs.start("Hello", model=model)
    assert ended.status == "failed" and len(model.requests) == 1
    assert "llama-server -c 8192" in (ended.reason or "")


@pytest.mark.parametrize("form", ["api", "prompt"])
async def test_tools_that_are_echoed_as_text_are_no_calls(
    runs: Runs, registry: Registry, world: World, form: str
) -> None:
    [row] = [row_of(tool) for tool in registry if tool.declaration.name == "write"]
    described = {"name": row.name, "description": row.description, "parameters": row.schema}
    echo = say(json.dumps([{"type": "function", "function": described}]))
    turns = [echo, say('{"tool": "done", "arguments": {"result": "Over"}}')]
    model = SmallModel(turns) if form == "prompt" else WithTools(turns)
    ended = await runs.start("Write b", model=Prompted(model) if form == "prompt" else model)
    assert (ended.status, ended.result, world.files) == ("answered", "Over", {})
    assert "something like a call, but it isn't one" in said(model.requests[1])
