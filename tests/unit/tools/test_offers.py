"""MCP features beyond tools: content, resources, prompts, and questions to the client."""

from __future__ import annotations

import base64
from typing import Any, Literal

import pytest
from pydantic import BaseModel

import gemini
from gemini.errors import InvalidArguments, NobodyToAsk, Refused, ToolDeclarationError, UnknownResource
from gemini.tools import Registry
from gemini.tools.calls import Client
from gemini.tools.prompts import prompt_of
from gemini.tools.resources import resource_of
from tests.unit.tools.conftest import Add, Call

PICTURE = gemini.Image(b"\x89PNG" * 100)


class Age(BaseModel):
    years: int


def client(answer: Any, messages: list[Any] | None = None) -> Client:
    async def ask(method: str, params: dict[str, Any]) -> Any:
        return answer

    return Client(lambda *message: None if messages is None else messages.append(message), ask)


async def test_content_is_a_list_of_blocks(add: Add, call: Call) -> None:
    def show() -> gemini.Content:
        """Show."""
        return gemini.Content("A dot:", PICTURE, gemini.Document("a://b", b"\0", "application/x"))

    add(show)
    text, image, document = (await call("show"))["content"]
    assert text == {"type": "text", "text": "A dot:"}
    assert base64.b64decode(image["data"]) == PICTURE.data and image["mimeType"] == "image/png"
    assert document["resource"] == {"uri": "a://b", "mimeType": "application/x", "blob": "AA=="}


async def test_an_image_is_truncated_for_callers_other_than_mcp_clients(
    registry: Registry, add: Add, call: Call
) -> None:
    def show() -> gemini.Content:
        """Show."""
        return gemini.Content(PICTURE)

    add(show)
    assert "cut" in await call("show", max_chars=300)
    text = await registry.call_json("show", {}, caller="mcp:a", max_chars=300, client=client(None))
    assert "cut" not in text and len(text) > 300


async def test_a_resource_can_be_a_template(registry: Registry) -> None:
    async def note(year: str, name: str) -> str:
        """A note."""
        return f"{name} of {year}"

    registry.resources.add(resource_of(note, "notes://{year}/{name}", "text/plain", None))
    assert registry.resources.rows() == []
    [template] = registry.resources.templates()
    assert template["uriTemplate"] == "notes://{year}/{name}"
    assert await registry.resources.read("notes://2026/a%20b") == "a b of 2026"
    with pytest.raises(UnknownResource):
        await registry.resources.read("notes://2026/a/b")
    with pytest.raises(ToolDeclarationError, match="in braces"):
        resource_of(note, "notes://{year}", "text/plain", None)


async def test_listeners_are_notified_of_added_and_removed_resources_and_prompts(registry: Registry) -> None:
    def about() -> str:
        """About."""
        return "me"

    changes: list[str] = []
    end = registry.resources.on_change(lambda: changes.append("resources"))
    registry.prompts.on_change(lambda: changes.append("prompts"))
    registry.resources.add(resource_of(about, "a://b", "text/plain", None))
    registry.prompts.add(prompt_of(about, None))
    registry.prompts.remove("about")
    end()
    registry.resources.remove("a://b")
    assert changes == ["resources", "prompts", "prompts"]


async def test_a_prompt_completes_and_checks_its_choices() -> None:
    def greet(name: str, tone: Literal["formal", "friendly", "fond"] = "formal") -> str:
        """Greet a user."""
        return f"Greet {name} in a {tone} way."

    prompt = prompt_of(greet, None)
    assert prompt.suggestions("tone", "f") == ["formal", "friendly", "fond"]
    assert prompt.suggestions("tone", "fr") == ["friendly"]
    [message] = (await prompt.get({"name": "Ada"}))["messages"]
    assert message["content"]["text"] == "Greet Ada in a formal way."
    for wrong in ({}, {"name": "Ada", "tone": "rude"}, {"name": "Ada", "age": "3"}):
        with pytest.raises(InvalidArguments):
            await prompt.get(wrong)


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        ({"action": "accept", "content": {"years": 3}}, "3"),
        ({"action": "accept", "content": {"years": "many"}}, InvalidArguments.__name__),
        ({"action": "decline", "content": None}, Refused.__name__),
        ({"action": "cancel", "content": None}, Refused.__name__),
    ],
)
async def test_the_answer_has_the_requested_type(
    registry: Registry, add: Add, answer: dict[str, Any], given: str
) -> None:
    async def ask() -> int:
        """Ask."""
        return (await gemini.ask_caller("How old?", Age)).years

    add(ask)
    text = await registry.call_json("ask", {}, caller="mcp:a", client=client(answer))
    assert given in text


async def test_without_a_client_to_ask_the_call_fails(add: Add, call: Call) -> None:
    async def ask() -> str:
        """Ask."""
        return await gemini.ask_model("How old is the moon?")

    add(ask)
    assert (await call("ask"))["error"]["type"] == NobodyToAsk.__name__


async def test_messages_reach_only_the_calls_client(registry: Registry, add: Add, call: Call) -> None:
    def act() -> None:
        """Act."""
        gemini.report_message("half", "notice")

    add(act)
    messages: list[Any] = []
    await registry.call_json("act", {}, caller="mcp:a", client=client(None, messages))
    await call("act")
    assert messages == [("notice", "half")]
    with pytest.raises(InvalidArguments, match="level must be one of"):
        gemini.report_message("half", "loud")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


async def test_a_declared_schema_is_listed_and_the_signature_validated(add: Add, call: Call) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/n"}},
        "$defs": {"n": {"type": "integer"}},
    }

    def twice(n: int) -> int:
        """Twice."""
        return 2 * n

    assert add(twice, schema=schema).row()["inputSchema"] == schema
    assert await call("twice", {"n": 4}) == 8
    assert (await call("twice", {"n": "four"}))["error"]["type"] == "InvalidArguments"
