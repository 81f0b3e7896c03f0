"""The tools that agents find through WebMCP, and tools declared by scripts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gemini import manual
from gemini_testing import PythonFailed, Surface, ToolCallFailed

# The subset of JSON Schema that WebMCP accepts.
SUBSET = {
    "type", "properties", "required", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "pattern", "items", "prefixItems", "additionalProperties", "default", "description",
}  # fmt: skip

DOUBLE = '''
@gemini.tool(effect="read")
def double(number: int, times: int = 1) -> int:
    """Double a number.

    Args:
        number: What to double.
        times: How often.
    """
    return number * 2**times
'''


def schemas(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a schema and all nested ones."""
    inner = [*schema.get("properties", {}).values(), *schema.get("prefixItems", [])]
    inner += [schema["items"]] if "items" in schema else []
    return [schema, *(found for each in inner for found in schemas(each))]


def named(surface: Surface, name: str) -> dict[str, Any] | None:
    return next((tool for tool in surface.tools() if tool["name"] == name), None)


def test_every_tool_is_listed_before_python_has_started(surface: Surface) -> None:
    surface.load(wait=False)
    state, listed, registered = surface.wait_for(
        """(async () => {
          const tools = (await (await fetch("../tools.json")).json()).tools.filter(({ code }) => !code);
          const registered = await document.modelContext.getTools();
          return registered.length === tools.length
            && [document.documentElement.dataset.kernel, tools, registered.map(({ name }) => name)];
        })()"""
    )

    assert state == "booting"
    assert sorted(registered) == sorted(tool["name"] for tool in listed)


def test_a_call_before_python_has_started_is_answered(surface: Surface) -> None:
    surface.load(wait=False)

    assert surface.call("python_run", code="6 * 7")["result"] == 42


def test_the_tool_list_fits_the_limits_of_browsers(surface: Surface) -> None:
    tools = surface.tools()

    # The part for an agent's context; annotations are for the browser.
    rows = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
    assert len(json.dumps(rows, ensure_ascii=False, separators=(",", ":"))) < 12_000
    for tool in tools:
        assert len(tool["name"]) <= 30
        assert 0 < len(tool["description"]) <= 500
        for schema in schemas(tool["inputSchema"]):
            assert set(schema) <= SUBSET, tool["name"]
            assert len(schema.get("description", "")) <= 150


def test_annotations_describe_the_tools_effects(surface: Surface) -> None:
    read, write = named(surface, "file_read"), named(surface, "file_write")

    assert read and write
    assert read["annotations"]["readOnlyHint"] and read["annotations"]["untrustedContentHint"]
    assert not write["annotations"]["readOnlyHint"]


def test_a_tool_declared_at_run_time_appears_and_can_be_called(surface: Surface) -> None:
    surface.python(DOUBLE)

    assert surface.call("double", number=4) == 8
    assert surface.call("double", number=4, times=3) == 32
    tool = named(surface, "double")
    assert tool
    assert tool["description"] == "Double a number."
    assert tool["annotations"]["readOnlyHint"]
    assert tool["inputSchema"] == {
        "type": "object",
        "properties": {
            "number": {"type": "integer", "description": "What to double."},
            "times": {"type": "integer", "description": "How often.", "default": 1},
        },
        "required": ["number"],
    }


def test_declaring_a_tool_again_replaces_it(surface: Surface) -> None:
    surface.python(DOUBLE)
    surface.call("double", number=1)
    surface.python(DOUBLE.replace("Double a number.", "Twice as much.").replace("* 2**times", "+ times"))

    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some((tool) => tool.description === 'Twice as much.'))()"
    )
    assert surface.call("double", number=4) == 5


@pytest.mark.fortnightly
def test_a_removed_tool_disappears(surface: Surface) -> None:
    surface.python(DOUBLE)
    surface.call("double", number=1)
    surface.python("gemini.registry.remove('double')")

    surface.wait_for(
        "(async () => !(await document.modelContext.getTools()).some(({ name }) => name === 'double'))()"
    )
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("double", number=1)
    assert failed.value.type == "UnknownTool"


def test_other_tools_stay_registered_when_one_is_added(surface: Surface) -> None:
    surface.javascript(
        """
        globalThis.changes = [];
        let names = (await document.modelContext.getTools()).map(({ name }) => name);
        document.modelContext.addEventListener("toolchange", async () => {
          const now = (await document.modelContext.getTools()).map(({ name }) => name);
          changes.push(names.filter((name) => !now.includes(name)));
          names = now;
        });
        """
    )
    surface.python(DOUBLE.replace("double", "newcomer"))
    surface.call("newcomer", number=1)

    assert surface.javascript("return changes.flat()") == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("@gemini.tool\ndef untold(a: int): pass", "has no description"),
        ('@gemini.tool\ndef untyped(a): "Does it."', "has no type"),
        ('@gemini.tool\ndef spread(*a: int): "Does it."', "has no name to pass it by"),
        ('@gemini.tool\ndef odd(a: type(lambda: 0)): "Does it."', "type that JSON can't represent"),
        ('@gemini.tool(name="two words")\ndef f(): "Does it."', "can't be a tool's name"),
        (f'@gemini.tool\ndef wordy(): "{"Very much. " * 50}"', "the limit is 500"),
        ('@gemini.tool\ndef file_read(path: str): "Reads."', "there is a tool 'file_read' already"),
    ],
)
def test_a_declaration_that_browsers_would_refuse_is_refused_at_once(
    surface: Surface, code: str, problem: str
) -> None:
    before = surface.tools()
    with pytest.raises(PythonFailed, match="ToolDeclarationError") as failed:
        surface.python(code)

    assert problem in failed.value.message
    assert surface.tools() == before


@pytest.mark.fortnightly
def test_an_agent_that_knows_nothing_finds_the_manual(surface: Surface) -> None:
    tool = named(surface, "terminal_execute")
    assert tool and tool["description"].endswith(f"Manual: {manual.FILE}.")
    assert surface.call("file_read", path=manual.FILE)["content"] == manual.TEXT
    assert surface.python(f"await gemini.resources.read({manual.URI!r})") == manual.TEXT
    assert manual.FILE not in [row["path"] for row in surface.call("file_history")]

    surface.call("terminal_execute", command="rm ~/MANUAL.md")
    surface.reload()
    assert surface.call("terminal_execute", command="ls ~")["output"] == ""
    surface.call("python_run", code=f"open({manual.FILE!r}, 'w').write({manual.TEXT!r})")
