"""Results and exceptions of tools, as JSON."""

import asyncio
import datetime
import enum
import math
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pydantic import BaseModel, computed_field

from gemini.errors import FileMissing, GeminiError, ToolFailed, UnknownTool, UnserialisableResult
from gemini.tools import Registry
from tests.unit.tools.conftest import Add, Call


@dataclass
class Point:
    x: int
    y: float


class Page(BaseModel):
    title: str
    points: list[Point] = []


@dataclass
class Blob:
    data: bytes


class Level(enum.Enum):
    LOW = "low"


class Broken(BaseModel):
    @computed_field
    @property
    def value(self) -> int:
        raise KeyError("in the property")


def returning(add: Add, value: Any) -> None:
    def act() -> Any:
        """Act."""
        return value

    add(act)


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (None, None),
        (True, True),
        (2**80, 2**80),
        (1.5, 1.5),
        ("", ""),
        ("🐍 \u2028 \x00", "🐍 \u2028 \x00"),
        ("\ud800", "\ud800"),
        ([{"name": "a\udc80"}], [{"name": "a\udc80"}]),
        (Path("/tmp/\udcff"), "/tmp/\udcff"),
        ([1, (2, {3})], [1, [2, [3]]]),
        ({1: "a", None: "b"}, {"1": "a", "None": "b"}),
        (Point(1, 2.5), {"x": 1, "y": 2.5}),
        (Page(title="T", points=[Point(1, 2)]), {"title": "T", "points": [{"x": 1, "y": 2.0}]}),
        (Level.LOW, "low"),
        (datetime.datetime(2026, 11, 21, tzinfo=datetime.UTC), "2026-11-21T00:00:00Z"),
        (b"\xff\xfe\xfd", "//79"),
        (
            [{"a-b_c": b"\xfb\xff", "_": "-_"}, Blob(b"\xfb\xff")],
            [{"a-b_c": "+/8=", "_": "-_"}, {"data": "+/8="}],
        ),
        pytest.param(
            {"rows": (row for row in ["a-b", "-"])}, {"rows": ["a-b", "-"]}, id="a generator inside"
        ),
        ([math.nan, math.inf, -math.inf], ["NaN", "Infinity", "-Infinity"]),
    ],
    ids=ascii,
)
async def test_values_become_json(add: Add, call: Call, value: Any, json: Any) -> None:
    returning(add, value)
    assert await call("act") == json


async def test_python_callers_get_the_value_itself(registry: Registry, add: Add) -> None:
    page = Page(title="T")
    returning(add, page)
    assert await registry.call("act") is page


async def test_a_generator_becomes_a_list(add: Add, call: Call) -> None:
    def numbers(names: bool = False) -> Iterator[Any]:
        """Count."""
        yield from (1, "\ud800", 2)

    add(numbers)
    assert await call("numbers") == [1, "\ud800", 2]


async def test_any_awaitable_is_awaited(add: Add, call: Call) -> None:
    def later() -> Any:
        """Later."""
        future = asyncio.get_running_loop().create_future()
        future.set_result(5)
        return future

    add(later)
    assert await call("later") == 5


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def circular() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


async def agen() -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize(
    "value",
    [object(), lambda: 1, [{"a": object()}], circular(), nested(100_000), Broken(), asyncio, agen, range],
    ids=["object", "function", "inside", "circular", "deep", "property", "module", "generator", "type"],
)
async def test_values_that_json_can_not_represent_are_typed_errors(add: Add, call: Call, value: Any) -> None:
    returning(add, value)
    answer = await call("act")
    assert answer["isError"] is True
    assert answer["error"]["type"] == "UnserialisableResult"
    assert answer["error"]["message"].startswith("the result can't be written as JSON")
    assert "dataclass" in answer["error"]["hint"]


async def test_python_callers_get_that_error_too(registry: Registry, add: Add) -> None:
    returning(add, object())
    with pytest.raises(UnserialisableResult):
        await registry.call("act")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no good"),
        KeyError("key"),
        StopIteration(3),
        KeyboardInterrupt(),
        SystemExit(3),
        MemoryError(),
    ],
    ids=repr,
)
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_exceptions_of_tools_are_failures_with_a_traceback(
    add: Add, call: Call, error: BaseException, asynchronous: bool
) -> None:
    def act() -> NoReturn:
        """Act."""
        raise error

    async def act_later() -> NoReturn:
        """Act."""
        await asyncio.sleep(0)
        raise error

    add(act_later if asynchronous else act, name="act")
    if asynchronous and isinstance(error, StopIteration):
        # Python turns it into a RuntimeError in a coroutine.
        return
    answer = await call("act")
    assert answer["isError"] is True
    assert answer["error"]["type"] == "ToolFailed"
    assert answer["error"]["message"] == f"act raised {type(error).__name__}: {error}"
    assert "raise error" in answer["error"]["data"]["traceback"]


async def test_an_error_in_a_generator_is_a_tool_failure(add: Add, call: Call) -> None:
    def numbers() -> Iterator[int]:
        """Count."""
        yield 1
        raise KeyError("at two")

    add(numbers)
    assert (await call("numbers"))["error"]["message"] == "numbers raised KeyError: 'at two'"


async def test_gemini_errors_pass_with_type_hint_and_data(add: Add, call: Call) -> None:
    class Sulking(GeminiError): ...

    def act(own: bool) -> None:
        """Act."""
        if own:
            raise Sulking("I don't want to", hint="Say please.", data={"times": 3})
        raise FileMissing("/a isn't there")

    add(act)
    assert await call("act", {"own": True}) == {
        "isError": True,
        "error": {
            "type": "Sulking",
            "message": "I don't want to",
            "hint": "Say please.",
            "data": {"times": 3},
        },
    }
    assert await call("act", {"own": False}) == {
        "isError": True,
        "error": {"type": "FileMissing", "message": "/a isn't there"},
    }


@pytest.mark.parametrize(
    "data", [object(), {"a": {1: object()}}, circular()], ids=["object", "inside", "circular"]
)
async def test_data_that_json_can_not_represent_becomes_text(add: Add, call: Call, data: Any) -> None:
    def act() -> None:
        """Act."""
        raise GeminiError("odd", data=data)

    add(act)
    answer = await call("act")
    assert answer["error"]["message"] == "odd"
    assert isinstance(answer["error"]["data"], str)


async def test_python_callers_get_exceptions_with_their_cause(registry: Registry, add: Add) -> None:
    def act() -> None:
        """Act."""
        raise ValueError("no good")

    add(act)
    with pytest.raises(ToolFailed, match="act raised ValueError: no good") as failed:
        await registry.call("act")
    assert isinstance(failed.value.__cause__, ValueError)


@pytest.mark.parametrize("name", ["nothing", "", "a b\n🐍", "\ud800", "../../etc/passwd", "n" * 10_000_000])
async def test_an_unknown_tool_lists_the_known_ones(
    registry: Registry, add: Add, call: Call, name: str
) -> None:
    returning(add, 1)
    answer = await call(name, {"a": 1}, max_chars=2_000)
    assert answer["error"]["type"] == "UnknownTool"
    assert answer["error"]["message"].startswith("there is no tool ")
    assert answer["error"]["hint"] == "The tools are: act."
    with pytest.raises(UnknownTool):
        await registry.call(name)


async def test_the_registry_works_after_failures(add: Add, call: Call) -> None:
    def act(how: str) -> str:
        """Act."""
        if how == "exit":
            raise SystemExit
        return how

    add(act)
    await call("act", {"how": "exit"})
    await call("act", {"how": 5})
    assert await call("act", {"how": "well"}) == "well"
