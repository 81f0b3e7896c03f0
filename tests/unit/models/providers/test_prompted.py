"""Tools in the prompt, and calls in the text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini.models import Prompted
from gemini.models.interface.messages import (
    AssistantMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from gemini.models.interface.model import Answer, CallDelta, Request, TextDelta, ToolRow, collect
from gemini.models.interface.scripted import ScriptedModel, Turn, say
from gemini.models.providers.written import CallReader

TOOLS = [
    ToolRow("file_read", "Read a file.", {"type": "object"}),
    ToolRow("wait", "Wait.", {"type": "object"}),
]
CALL = '{"tool": "file_read", "arguments": {"path": "a {[ `b`.txt"}}'


def read(pieces):
    """Return the prose and the calls of a text in pieces."""
    reader = CallReader(row.name for row in TOOLS)
    prose = "".join(reader.feed(piece) for piece in pieces)
    calls = []
    for event in reader.end():
        if isinstance(event, TextDelta):
            prose += event.text
        elif isinstance(event, CallDelta):
            calls.append((event.index, event.name, event.arguments))
    return prose, calls


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"I read it.\n{CALL}",
        f"```json\n{CALL}\n```",
        f"First:\n```\n{CALL}```",
        f"[{CALL}]",
        '{"name": "file_read", "parameters": {"path": "a {[ `b`.txt"}}',
        '{"tool_calls": [{"type": "function", "function": {"name": "file_read", "arguments": '
        + json.dumps(json.dumps({"path": "a {[ `b`.txt"}))
        + "}}]}",
        f"{CALL}\nIt will say what is there.",
        f"```json {CALL}```",
        f"```json {CALL}``` It will say what is there.",
        f"Step [1: I read.\n{CALL}",
        f"```\nI call it now.\n{CALL}\n```",
        f"I call {{\n{CALL}",
    ],
)
def test_a_call_is_found_in_what_models_write(text):
    _, [(_, name, arguments)] = read([text])
    assert (name, json.loads(arguments)) == ("file_read", {"path": "a {[ `b`.txt"})


def test_several_calls_keep_their_order():
    _, calls = read([f'{CALL}\n{{"tool": "wait"}}\n{CALL}'])
    assert [(index, name) for index, name, _ in calls] == [(0, "file_read"), (1, "wait"), (2, "file_read")]
    assert calls[1][2] == "{}"


def test_several_calls_in_one_fence_are_found() -> None:
    _, calls = read([f'```json\n{CALL}\n{{"tool": "wait"}}\n```\nThat is all.'])
    assert [(index, name) for index, name, _ in calls] == [(0, "file_read"), (1, "wait")]


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, `code`, [a link](https://example.org) and {braces}.",
        '```python\nprint({"a": 1})\n```\nThat is all.',
        '{"answer": 42}',
        "An open { that nothing closes",
        '{"name": "Ada", "age": 36}',
    ],
)
def test_other_text_stays_prose(text):
    assert read([text]) == (text, [])


def test_a_call_to_an_unknown_tool_is_still_a_call():
    for text in ('{"tool": "file_eat", "arguments": {}}', '{"tool": "file_eat"}'):
        _, [(_, name, _)] = read([text])
        assert name == "file_eat"


def test_a_call_with_invalid_json_is_passed_on():
    text = '{"tool": "file_read", "arguments": {"path": "a.txt}'
    assert read([text]) == ("", [(0, "file_read", text)])


@given(
    st.data(),
    st.sampled_from([f"Well.\n```json\n{CALL}\n```\nThen `x` ``y``.", f"{CALL} {CALL}", "``` [1, 2] ` {"]),
)
def test_pieces_make_no_difference(data, text):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    pieces = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert read(pieces) == read([text])


def test_prose_is_passed_on_at_once():
    reader = CallReader(["wait"])
    assert reader.feed("I look ") == "I look "
    assert reader.feed('first. {"to') == "first. "


async def test_a_model_without_tools_gets_them_in_the_prompt_and_calls_one():
    asked = []

    def answer(request):
        asked.append(request)
        return say(f"Let me see.\n{CALL}")

    model = Prompted(ScriptedModel([answer]))
    request = Request(
        [
            SystemMessage(text="Be brief."),
            UserMessage(text="What is in it?", purpose="task"),
            AssistantMessage(text="I wait.", calls=(ToolCall(id="1", name="wait", arguments='{"s": 1}'),)),
            ToolMessage(call_id="1", tool="wait", text="waited"),
        ],
        TOOLS,
        must_call=True,
    )
    whole = await collect(model, request, Answer())
    message = whole.message()
    assert (message.text.strip(), message.stop) == ("Let me see.", "calls")
    assert [(call.name, call.parsed()) for call in message.calls] == [("file_read", {"path": "a {[ `b`.txt"})]
    [sent] = asked
    assert not sent.tools and not sent.must_call
    system, task, called, result = sent.messages
    assert (
        "Be brief." in system.text
        and "- file_read: Read a file." in system.text
        and "Answer with a call" in system.text
    )
    assert task.text == "What is in it?"
    assert called == AssistantMessage(text='I wait.\n{"tool": "wait", "arguments": {"s": 1}}')
    assert result == UserMessage(text="The call to wait returned:\nwaited")


async def test_without_tools_nothing_is_added():
    asked = []

    def answer(request):
        asked.append(request)
        return say(f"As an example: {CALL}")

    whole = await collect(Prompted(ScriptedModel([answer])), Request([UserMessage(text="Hi")]), Answer())
    assert whole.text == f"As an example: {CALL}"
    assert asked[0].messages == [UserMessage(text="Hi")]


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ('{"tool": "file_read", "path": "a.txt"}', "file_read", {"path": "a.txt"}),
        ('{"file_read": {"path": "a.txt"}}', "file_read", {"path": "a.txt"}),
        ('{"name": "file_read", "arguments": "{\\"path\\": \\"a.txt\\"}"}', "file_read", {"path": "a.txt"}),
        (
            '<tool_call>{"name": "file_read", "arguments": {"path": "a.txt"}}</tool_call>',
            "file_read",
            {"path": "a.txt"},
        ),
        (
            '[TOOL_CALLS][{"name": "file_read", "arguments": {"path": "a.txt"}}]',
            "file_read",
            {"path": "a.txt"},
        ),
        ('<|python_tag|>{"name": "file_read", "parameters": {"path": "a"}}', "file_read", {"path": "a"}),
        ('```tool_code\n{"tool": "file_read", "args": {"path": "a"}}\n```', "file_read", {"path": "a"}),
        ('{"name": "write_file", "arguments": {"path": "a"}}', "write_file", {"path": "a"}),
    ],
)
def test_forms_that_models_have_learned_are_calls(text: str, name: str, arguments: dict[str, str]) -> None:
    prose, [(_, called, given)] = read([text])
    assert (called, json.loads(given), prose.strip()) == (name, arguments, "")


def test_tags_in_pieces_are_no_prose() -> None:
    text = '<tool_call>{"name": "wait", "arguments": {}}</tool_call> and a < b <b>'
    assert read(list(text)) == read([text]) == (" and a < b <b>", [(0, "wait", "{}")])


async def test_a_required_call_is_required_by_a_schema() -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Turn:
        asked.append(request)
        return say(CALL)

    model = Prompted(ScriptedModel([answer, answer]), by_schema=True)
    for must_call in (True, False):
        await collect(model, Request([UserMessage(text="Read it.")], TOOLS, must_call), Answer())
    forced, free = asked
    assert free.answer_schema is None and forced.answer_schema is not None
    names = [each["properties"]["tool"]["const"] for each in forced.answer_schema["anyOf"]]
    assert names == ["file_read", "wait"]
