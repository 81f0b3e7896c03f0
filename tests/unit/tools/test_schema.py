"""JSON Schemas of tools' arguments, in the subset that WebMCP accepts."""

import datetime
import decimal
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Optional, Union

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from gemini.tools import Registry, declare
from tests.unit.tools.conftest import Add, Call

SUBSET = {
    "type", "properties", "required", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "pattern", "items", "prefixItems", "additionalProperties", "default", "description",
}  # fmt: skip


def assert_in_subset(schema: dict[str, Any]) -> None:
    """Assert that `schema` uses only WebMCP's subset."""
    assert set(schema) <= SUBSET, schema
    assert schema.get("additionalProperties", False) is False
    for inner in [*schema.get("properties", {}).values(), *schema.get("prefixItems", [])]:
        assert_in_subset(inner)
    if "items" in schema:
        assert_in_subset(schema["items"])
    assert set(schema.get("required", [])) <= set(schema.get("properties", {}))
    json.dumps(schema, allow_nan=False)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Only(Enum):
    ONE = "one"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Point:
    x: int
    y: int = 3


class Row(TypedDict):
    name: str
    size: NotRequired[int]


class Item(BaseModel):
    """Something to order."""

    sku: str = Field(title="SKU", examples=["a-1"])
    quantity: Annotated[int, Field(gt=0)]
    tags: list[str] = []


class Order(BaseModel):
    items: list[Item]
    note: str | None = None
    place: Point = Point(0, 0)


class Node(BaseModel):
    name: str
    children: list["Node"] = []
    parent: "Node | None" = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = []


def taking(annotation: Any, default: Any = ...) -> Callable[..., Any]:
    def act(value: Any) -> Any:
        """Act."""
        return value

    act.__annotations__["value"] = annotation
    if default is not ...:
        act.__defaults__ = (default,)
    return act


ITEM = {
    "type": "object",
    "description": "Something to order.",
    "properties": {
        "sku": {"type": "string"},
        "quantity": {"type": "integer", "exclusiveMinimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}, "default": []},
    },
    "required": ["sku", "quantity"],
}
POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 3}},
    "required": ["x"],
}


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (dict[str, int], {"type": "object"}),
        (tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[1, 2], {"type": "integer", "enum": [1, 2]}),
        (Colour, {"type": "string", "enum": ["red", "blue"]}),
        (Only, {"type": "string", "enum": ["one"]}),
        (Level, {"type": "integer", "enum": [1, 2]}),
        (Optional[int], {"type": "integer"}),  # noqa: UP045 - the older way to write it
        (Union[None, list[int]], {"type": "array", "items": {"type": "integer"}}),  # noqa: UP007
        (int | str, {"description": "One of: integer, string."}),
        (int | list[int] | None, {"description": "One of: integer, array."}),
        (Colour | None, {"type": "string", "enum": ["red", "blue"]}),
        (Colour | Literal["green"], {"type": "string", "enum": ["red", "blue", "green"]}),
        (Annotated[int, Field(ge=1, lt=9)], {"type": "integer", "minimum": 1, "exclusiveMaximum": 9}),
        (
            Annotated[str, Field(min_length=1, max_length=3, pattern="^a")],
            {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a"},
        ),
        (
            Annotated[list[int], Field(min_length=2, max_length=3)],
            {"type": "array", "items": {"type": "integer"}, "description": "At least 2 items. At most 3 items."},
        ),
        (Annotated[int, Field(multiple_of=5)], {"type": "integer", "description": "A multiple of 5."}),
        (datetime.datetime, {"type": "string", "description": "Format: date-time."}),
        (Path, {"type": "string", "description": "Format: path."}),
        (Row, {
            "type": "object",
            "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
            "required": ["name"],
            "additionalProperties": False,
        }),
        (Item, ITEM),
        (list[Item], {"type": "array", "items": ITEM}),
        (Order, {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": ITEM},
                "note": {"type": "string"},
                "place": {**POINT, "default": {"x": 0, "y": 0}},
            },
            "required": ["items"],
        }),
    ],
    ids=str,
)  # fmt: skip
def test_types_become_schemas(add: Add, annotation: Any, schema: dict[str, Any]) -> None:
    tool = add(taking(annotation))
    assert_in_subset(tool.input_schema)
    found = tool.input_schema["properties"]["value"]
    found.get("properties", {}).get("place", {}).pop("additionalProperties", None)
    assert found == schema


def test_a_dataclass_allows_only_its_members(add: Add) -> None:
    schema = add(taking(Point)).input_schema["properties"]["value"]
    assert schema == {**POINT, "additionalProperties": False}


@pytest.mark.parametrize("annotation", [uuid.UUID, decimal.Decimal, bytes, set[int], complex, None, object])
def test_other_types_stay_within_the_subset(add: Add, annotation: Any) -> None:
    assert_in_subset(add(taking(annotation)).input_schema)


def test_recursive_types_end(add: Add) -> None:
    schema = add(taking(Node)).input_schema
    assert_in_subset(schema)
    node = schema["properties"]["value"]["properties"]
    assert node["children"] == {"type": "array", "items": {"type": "object"}, "default": []}
    assert node["parent"] == {"type": "object"}


@pytest.mark.parametrize("union", [Cat | Dog, Annotated[Cat | Dog, Field(discriminator="kind")]])
def test_a_union_of_objects_lists_the_members_of_both(add: Add, union: Any) -> None:
    schema = add(taking(union)).input_schema["properties"]["value"]
    assert schema == {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["cat", "dog"]},
            "lives": {"type": "integer"},
            "tricks": {"type": "array", "items": {"type": "string"}, "default": []},
        },
        "required": ["kind"],
    }


@pytest.mark.parametrize(
    ("annotation", "default", "shown"),
    [
        (int, 0, {"default": 0}),
        (bool, False, {"default": False}),
        (str, "", {"default": ""}),
        (list[int], [], {"default": []}),
        (Colour, Colour.RED, {"default": "red"}),
        (Path, Path("/a"), {"default": "/a"}),
        (str | None, None, {}),
        (float, float("inf"), {}),
        (Any, object(), {}),
    ],
)
def test_optional_parameters_show_their_default(add: Add, annotation: Any, default: Any, shown: Any) -> None:
    schema = add(taking(annotation, default)).input_schema
    assert_in_subset(schema)
    value = schema["properties"]["value"]
    assert {name: value[name] for name in value if name == "default"} == shown
    assert "required" not in schema


async def test_defaults_reach_the_function_unchanged(registry: Registry) -> None:
    sentinel = object()
    given: list[object] = []

    @declare()
    def act(value: Any = sentinel) -> None:
        """Act."""
        given.append(value)

    registry.add(act)
    await registry.call("act")
    assert given == [sentinel]


def test_required_parameters_are_listed_in_order(add: Add) -> None:
    def act(b: int, a: str, *, c: bool = True, d: list[int]) -> None:
        """Act."""

    assert add(act).input_schema["required"] == ["b", "a", "d"]


def test_a_tool_without_parameters_takes_an_empty_object(add: Add) -> None:
    def act() -> None:
        """Act."""

    assert add(act).input_schema == {"type": "object", "properties": {}}


# Keywords of JSON Schema, members of pydantic models, and usual names of parameters.
ODD_NAMES = [
    "copy", "schema", "title", "format", "json", "type", "properties", "required", "default", "description",
    "items", "enum", "model_config", "model_fields", "model_dump", "dict", "cls", "_private", "p0",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_parameters_may_have_any_name(registry: Registry, name: str) -> None:
    namespace: dict[str, Any] = {}
    exec(f'def act({name}: str, p1: int = 2) -> list:\n    """Act."""\n    return [{name}, p1]', namespace)
    tool = registry.add(declare()(namespace["act"]))
    assert tool.input_schema["properties"][name] == {"type": "string"}
    assert tool.input_schema["required"] == [name]
    assert_in_subset(tool.input_schema)
    assert await registry.call("act", {name: "given", "p1": 5}) == ["given", 5]


async def test_members_may_be_named_like_json_schema_keywords(add: Add, call: Call) -> None:
    class Page(BaseModel):
        title: str
        format: Literal["pdf", "html"] = "pdf"
        default: int = 0

    def publish(page: Page) -> list[Any]:
        """Publish."""
        return [page.title, page.format, page.default]

    schema = add(publish).input_schema["properties"]["page"]
    assert schema["properties"] == {
        "title": {"type": "string"},
        "format": {"type": "string", "enum": ["pdf", "html"], "default": "pdf"},
        "default": {"type": "integer", "default": 0},
    }
    assert await call("publish", {"page": {"title": "T"}}) == ["T", "pdf", 0]


@pytest.mark.parametrize(
    ("annotation", "given", "arrives"),
    [
        (Colour, "red", Colour.RED),
        (Point, {"x": 1}, Point(1, 3)),
        (list[Point], [{"x": 1, "y": 2}], [Point(1, 2)]),
        (Item, {"sku": "a", "quantity": 1}, Item(sku="a", quantity=1)),
        (Node, {"name": "a", "children": [{"name": "b"}]}, Node(name="a", children=[Node(name="b")])),
        (Row, {"name": "a"}, {"name": "a"}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (datetime.date, "2026-11-21", datetime.date(2026, 11, 21)),
        (int | str, "5", "5"),
        (str | None, None, None),
        (float, 1, 1.0),
        (str, "\ud800", "\ud800"),
        (Any, {"a": [1, None]}, {"a": [1, None]}),
    ],
)
async def test_arguments_are_converted_to_the_declared_types(
    registry: Registry, add: Add, annotation: Any, given: Any, arrives: Any
) -> None:
    add(taking(annotation))
    value = await registry.call("act", {"value": given})
    assert value == arrives
    assert type(value) is type(arrives)


def records(of: tuple[Any, Any]) -> Any:
    """Return a dataclass with members of two types."""
    return dataclass(type("Record", (), {"__annotations__": {"title": of[0], "rest": of[1]}, "rest": None}))


TYPES = st.recursive(
    st.sampled_from([str, int, bool, float, Colour, Level, Literal["a", "b"], Row, Item, Node, Path, Any]),
    lambda inner: st.one_of(
        inner.map(lambda of: list[of]),
        inner.map(lambda of: dict[str, of]),
        inner.map(lambda of: Optional[of]),  # noqa: UP045 - some of them have no operator
        st.tuples(inner, inner).map(lambda of: tuple[of]),
        st.tuples(inner, inner).map(lambda of: Union[of]),  # noqa: UP007
        st.tuples(inner, inner).map(records),
    ),
    max_leaves=6,
)


@given(annotation=TYPES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_any_combination_of_types_stays_within_the_subset(annotation: Any) -> None:
    schema = Registry().add(declare()(taking(annotation))).input_schema
    assert_in_subset(schema)
    assert schema["required"] == ["value"]
