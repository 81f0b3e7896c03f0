"""The typed functions that panels call match the declarations in Python."""

from typing import Any

import pytest

from builder.actions import render, render_calls
from builder.types import Types, declare_state

POINT = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}


@pytest.mark.parametrize(
    ("schema", "type_text"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "number"),
        ({"enum": ["a", 1]}, '"a" | 1'),
        ({"const": "a"}, '"a"'),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "(string | null)[]"),
        ({"prefixItems": [{"type": "string"}, {"type": "integer"}], "type": "array"}, "[string, number]"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Record<string, number>"),
        ({"type": "object"}, "any"),
        ({}, "any"),
    ],
)
def test_a_schema_becomes_a_type(schema: dict[str, Any], type_text: str) -> None:
    assert Types().of(schema, "Owner") == type_text


def test_an_object_gets_a_name_and_marks_optional_members() -> None:
    types = Types()
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b-c": {"type": "null"}},
        "required": ["a"],
    }
    assert types.of(schema, "Owner") == "Owner"
    assert 'export type Owner = { a: string; "b-c"?: null };\n' in types.render()


def test_different_types_of_the_same_name_get_different_names() -> None:
    types = Types()
    one = {"$defs": {"Point": POINT}, "type": "array", "items": {"$ref": "#/$defs/Point"}}
    other = {"$defs": {"Point": {"type": "string"}}, "type": "array", "items": {"$ref": "#/$defs/Point"}}
    assert [types.of(one, "One"), types.of(one, "Same"), types.of(other, "Other")] == [
        "Point[]",
        "Point[]",
        "OtherPoint[]",
    ]


def test_a_type_is_declared_once_whether_or_not_its_schema_has_texts() -> None:
    types = Types()
    described = {**POINT, "title": "Point", "description": "A point."}
    one = {"$defs": {"Point": described}, "type": "array", "items": {"$ref": "#/$defs/Point"}}
    other = {"$defs": {"Point": POINT}, "type": "array", "items": {"$ref": "#/$defs/Point"}}
    assert [types.of(one, "One"), types.of(other, "Other")] == ["Point[]", "Point[]"]
    titled = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    untitled = {"type": "object", "properties": {}}
    refers = {"type": "array", "items": {"$ref": "#/$defs/Row"}}
    texts = [types.of({"$defs": {"Row": row}, **refers}, "Second") for row in (titled, untitled)]
    assert texts == ["Row[]", "SecondRow[]"]


def test_the_state_has_each_event() -> None:
    types = Types()
    event = {"properties": {"type": {"const": "moved"}, "at": POINT}, "required": ["type", "at"]}
    events = [{"type": "object", "title": title, **event} for title in ("Moved", "Gone")]
    declare_state(types, POINT, events)
    text = types.render()
    assert "export type KernelEvent = Moved | Gone;" in text
    assert 'export type Moved = { type: "moved"; at: { x: number } };' in text
    assert "export type Snapshot = { x: number };" in text


def test_an_action_becomes_a_function() -> None:
    action = {
        "action": "open_file",
        "description": "Open a file.",
        "input": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
        "output": {"type": "boolean"},
    }
    types = Types()
    text = render([action], types)
    assert 'import type { OpenFileGiven } from "./types.ts";' in text
    assert "export type OpenFileGiven = { path: string };" in types.render()
    assert "openFile: (given: OpenFileGiven, signal?: AbortSignal): Promise<boolean | Failure> =>" in text
    assert '    act("open_file", given, signal),' in text


def test_the_call_of_an_action_is_python_unless_only_the_user_has_it() -> None:
    schema = {"properties": {"url": {}, "tab": {}}, "required": ["url"]}
    text = render_calls(
        [
            {"action": "open_page", "tool": "go", "scripts": True, "input": schema},
            {"action": "hide", "tool": "panel_hide", "scripts": False, "input": {}},
        ]
    )
    assert r'"call": "await (await gemini.start()).tools.call(\"go\", {\"url\": ...})"' in text
    assert '"hide": {"tool": "panel_hide", "call": "# panel_hide is an action of the user' in text
