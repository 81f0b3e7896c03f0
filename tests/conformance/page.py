"""Declares in the page the tools, prompts and resources that the official conformance suite expects of a server.

The names, strings and schemas are the suite's own. This module runs in the page's Pyodide.
"""

import asyncio
import base64
import itertools
import json
from typing import Any, Literal

from pydantic import BaseModel

import gemini

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = base64.b64decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
# The suite's clients must see that messages arrive one by one.
BETWEEN_S = 0.05
# Longer than a call may take that isn't a task.
LONG_S = 1
OPTIONS = ["option1", "option2", "option3"]


def choice(kind: str, titles: list[str]) -> dict[str, Any]:
    return {kind: [{"const": f"value{n}", "title": title} for n, title in enumerate(titles, 1)]}


ENUMS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": OPTIONS},
        "titledSingle": {
            "type": "string",
            **choice("oneOf", ["First Option", "Second Option", "Third Option"]),
        },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
        "titledMulti": {
            "type": "array",
            "items": choice("anyOf", ["First Choice", "Second Choice", "Third Choice"]),
        },
    },
}
SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


HEADER: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}
numbers = itertools.count(1)


class Person(BaseModel):
    username: str
    email: str


class Name(BaseModel):
    name: str


class Color(BaseModel):
    color: str


class Confirmation(BaseModel):
    ok: bool


class Confirm(BaseModel):
    confirm: bool


class Context(BaseModel):
    context: str


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


@gemini.tool(effect="read")
def test_simple_text() -> gemini.Content:
    """Return text."""
    return gemini.Content("This is a simple text response for testing.")


@gemini.tool(effect="read")
def test_image_content() -> gemini.Content:
    """Return a picture."""
    return gemini.Content(gemini.Image(PNG))


@gemini.tool(effect="read")
def test_audio_content() -> gemini.Content:
    """Return a sound."""
    return gemini.Content(gemini.Audio(WAV))


@gemini.tool(effect="read")
def test_embedded_resource() -> gemini.Content:
    """Return a document."""
    return gemini.Content(
        gemini.Document("test://embedded-resource", "This is an embedded resource content.")
    )


@gemini.tool(effect="read")
def test_multiple_content_types() -> gemini.Content:
    """Return text, a picture and a document."""
    data = json.dumps({"test": "data", "value": 123})
    document = gemini.Document("test://mixed-content-resource", data, "application/json")
    return gemini.Content("Multiple content types test:", gemini.Image(PNG), document)


@gemini.tool(effect="read")
async def test_tool_with_logging() -> str:
    """Send log messages."""
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        gemini.report_message(message)
        await asyncio.sleep(BETWEEN_S)
    return "Done."


@gemini.tool(effect="read")
def test_error_handling() -> str:
    """Fail."""
    raise RuntimeError("This tool intentionally returns an error for testing")


@gemini.tool(effect="read")
async def test_tool_with_progress() -> str:
    """Report progress."""
    for done in (0, 50, 100):
        gemini.report_progress(done, 100, f"Completed step {done} of 100")
        await asyncio.sleep(BETWEEN_S)
    return "Done."


@gemini.tool(effect="read")
async def test_sampling(prompt: str) -> str:
    """Ask the client's model."""
    return f"LLM response: {await gemini.ask_model(prompt, max_tokens=100)}"


@gemini.tool(effect="read")
async def test_elicitation(message: str) -> str:
    """Ask the client's user who they are."""
    answer = await gemini.ask_caller(message, Person)
    return f"User response: {answer.model_dump_json()}"


@gemini.tool(effect="read")
async def test_elicitation_sep1034_defaults() -> str:
    """Ask with defaults."""
    answer = await gemini.ask_caller("Please say who you are", Defaults)
    return f"Elicitation completed: {answer.model_dump_json()}"


@gemini.tool(effect="read")
async def test_elicitation_sep1330_enums() -> str:
    """Ask with choices."""
    answer = await gemini.ask_caller("Please choose", ENUMS)
    return f"Elicitation completed: {json.dumps(answer)}"


@gemini.tool(effect="read", schema=SCHEMA_2020_12)
def json_schema_2020_12_tool(
    name: str | None = None,
    address: dict[str, str] | None = None,
    contactMethod: str | None = None,  # noqa: N803 - the suite's name
    phone: str | None = None,
    email: str | None = None,
) -> str:
    """Have a schema with references and conditions."""
    return "Done."


@gemini.tool(effect="read")
async def test_input_required_result_elicitation() -> str:
    """Ask for a name."""
    return f"Hello, {(await gemini.ask_caller('What is your name?', Name, name='user_name')).name}!"


@gemini.tool(effect="read")
async def test_input_required_result_sampling() -> str:
    """Ask the client's model."""
    return await gemini.ask_model("What is the capital of France?", max_tokens=100)


@gemini.tool(effect="read")
async def test_input_required_result_list_roots() -> str:
    """Ask for the client's folders."""
    return json.dumps(await gemini.ask_roots())


@gemini.tool(effect="read")
async def test_input_required_result_multiple_inputs() -> str:
    """Ask three questions at once."""
    name, greeting, roots = await asyncio.gather(
        gemini.ask_caller("What is your name?", Name, name="user_name"),
        gemini.ask_model("Generate a greeting", max_tokens=50),
        gemini.ask_roots(),
    )
    return f"{greeting} {name.name}, {len(roots)}"


@gemini.tool(effect="read", needs=["sampling"])
async def test_missing_capability() -> str:
    """Need the client's model."""
    return await gemini.ask_model("Say hello", max_tokens=50)


@gemini.tool(effect="read")
async def test_input_required_result_request_state() -> str:
    """Ask for a confirmation."""
    await gemini.ask_caller("Please confirm", Confirmation)
    return "state-ok"


@gemini.tool(effect="read")
async def test_input_required_result_multi_round() -> str:
    """Ask twice."""
    name = await gemini.ask_caller("Step 1: What is your name?", Name)
    color = await gemini.ask_caller("Step 2: What is your favorite color?", Color)
    return f"{name.name} likes {color.color}."


@gemini.tool(effect="read")
async def test_input_required_result_tampered_state() -> str:
    """Ask for a confirmation."""
    await gemini.ask_caller("Please confirm", Confirmation)
    return "Done."


@gemini.tool(effect="read")
async def test_input_required_result_capabilities() -> str:
    """Ask any client that can answer."""
    return await gemini.ask_model("Say hello", max_tokens=50)


@gemini.tool(effect="read", schema=HEADER)
def test_header(region: str) -> str:
    """Take an argument that an HTTP header repeats."""
    return region


@gemini.tool(effect="read")
async def test_reconnection() -> str:
    """Take a moment."""
    await asyncio.sleep(BETWEEN_S)
    return "Done."


@gemini.tool
def test_trigger_tool_change() -> str:
    """Declare another tool."""
    gemini.tool(effect="read", name=f"test_added_{next(numbers)}")(test_simple_text)
    return "Done."


@gemini.tool
def test_trigger_prompt_change() -> str:
    """Declare another prompt."""
    gemini.prompt(name=f"test_added_{next(numbers)}")(test_simple_prompt)
    return "Done."


@gemini.tool(effect="read")
def greet(name: str) -> gemini.Content:
    """Greet."""
    return gemini.Content(f"Hello, {name}!")


@gemini.tool(effect="read")
async def slow_compute(seconds: float, label: str) -> str:
    """Take some time."""
    await asyncio.sleep(seconds)
    return label


@gemini.tool(effect="read", needs=["tasks"])
async def failing_job() -> str:
    """Fail in a task."""
    await asyncio.sleep(BETWEEN_S)
    raise RuntimeError("This job intentionally fails")


@gemini.tool(effect="read", needs=["tasks"])
async def protocol_error_job() -> str:
    """Fail as a protocol does."""
    raise gemini.ProtocolError("This job intentionally fails as a protocol does")


@gemini.tool(effect="read", needs=["tasks"])
async def confirm_delete(filename: str) -> str:
    """Ask in a task."""
    answer = await gemini.ask_caller(f"Delete {filename}?", Confirm)
    return f"{filename}: {answer.confirm}"


@gemini.tool(effect="read", needs=["tasks"])
async def multi_input() -> str:
    """Ask two questions in a task."""
    first, second = await asyncio.gather(
        gemini.ask_caller("First name?", Name), gemini.ask_caller("Second name?", Name)
    )
    return f"{first.name} and {second.name}"


@gemini.tool(effect="read")
async def test_tool_with_task() -> gemini.Content:
    """Ask, and then take so long that the call becomes a task."""
    name = (await gemini.ask_caller("What is your name?", Name, name="user_name")).name
    await asyncio.sleep(LONG_S)
    return gemini.Content(f"Hello, {name}!")


@gemini.resource("test://static-text")
def static_text() -> str:
    """Constant text."""
    return "This is the content of the static text resource."


@gemini.resource("test://static-binary", mime_type="image/png")
def static_binary() -> bytes:
    """A constant picture."""
    return PNG


@gemini.resource("test://watched-resource")
def watched() -> str:
    """Text that may change."""
    return "This is the content of the watched resource."


@gemini.resource("test://template/{id}/data", mime_type="application/json")
def template_data(id: str) -> str:
    """Data by its id."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


@gemini.prompt
def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@gemini.prompt
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt with arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@gemini.prompt
def test_prompt_with_embedded_resource(resourceUri: str) -> gemini.Content:  # noqa: N803 - the suite's name
    """A prompt with a document."""
    document = gemini.Document(resourceUri, "Embedded resource content for testing.")
    return gemini.Content(document, "Please process the embedded resource above.")


@gemini.prompt
def test_prompt_with_image() -> gemini.Content:
    """A prompt with a picture."""
    return gemini.Content(gemini.Image(PNG), "Please analyze the image above.")


@gemini.prompt
async def test_input_required_result_prompt() -> str:
    """A prompt that asks."""
    answer = await gemini.ask_caller("What context should the prompt use?", Context, name="user_context")
    return f"Consider {answer.context}."
