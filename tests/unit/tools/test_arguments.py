"""Invalid arguments: each problem with its path, the allowed values and a suggestion."""

import time
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tests.unit.tools.conftest import Add, Call


class Item(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sku: str
    quantity: Annotated[int, Field(gt=0)] = 1


@dataclass
class Place:
    x: int
    y: int = 0


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


def even(number: int) -> int:
    if number % 2:
        raise ValueError("the number must be even")
    return number


def stumble(_: int) -> int:
    raise KeyError("in the validator")


@pytest.fixture(autouse=True)
def tools(add: Add) -> None:
    def order(items: list[Item], speed: Literal["slow", "fast"] = "slow", place: Place | None = None) -> str:
        """Order."""
        return "ordered"

    def adopt(pet: Annotated[Cat | Dog, Field(discriminator="kind")]) -> str:
        """Adopt."""
        return "adopted"

    def mix(value: int | list[int], sizes: dict[str, int] | None = None) -> str:
        """Mix."""
        return "mixed"

    def halve(number: Annotated[int, AfterValidator(even)]) -> int:
        """Halve."""
        return number // 2

    def fall(number: Annotated[int, AfterValidator(stumble)]) -> int:
        """Fall."""
        return number

    def nothing() -> str:
        """Do nothing."""
        return "done"

    for tool in (order, adopt, mix, halve, fall, nothing):
        add(tool)


SKU = {"sku": "a"}
REQUIRED = "is required"
AN_INTEGER = "input should be a valid integer, unable to parse string as an integer"


@pytest.mark.parametrize(
    ("tool", "arguments", "problems"),
    [
        ("order", {}, [{"path": "items", "problem": REQUIRED}]),
        (
            "order",
            {"items": 5},
            [{"path": "items", "problem": "input should be a valid list", "given": "5"}],
        ),
        (
            "order",
            {"items": [SKU, {"sku": 1, "quantity": 0}, {}]},
            [
                {"path": "items[1].sku", "problem": "input should be a valid string", "given": "1"},
                {"path": "items[1].quantity", "problem": "input should be greater than 0", "given": "0"},
                {"path": "items[2].sku", "problem": REQUIRED},
            ],
        ),
        (
            "order",
            {"items": [], "speed": "fats"},
            [
                {
                    "path": "speed",
                    "problem": "input should be 'slow' or 'fast'; did you mean 'fast'?",
                    "given": '"fats"',
                    "allowed": ["slow", "fast"],
                }
            ],
        ),
        (
            "order",
            {"item": []},
            [
                {"path": "items", "problem": REQUIRED},
                {
                    "path": "item",
                    "problem": "is not an argument; did you mean 'items'?",
                    "allowed": ["items", "speed", "place"],
                },
            ],
        ),
        (
            "order",
            {"items": [{"sku": "a", "quantty": 1}]},
            [
                {
                    "path": "items[0].quantty",
                    "problem": "is not a member; did you mean 'quantity'?",
                    "allowed": ["sku", "quantity"],
                }
            ],
        ),
        (
            "order",
            {"items": [7]},
            [{"path": "items[0]", "problem": "input should be an object", "given": "7"}],
        ),
        (
            "order",
            {"items": [], "place": {"y": "far"}},
            [
                {"path": "place.x", "problem": REQUIRED},
                {"path": "place.y", "problem": AN_INTEGER, "given": '"far"'},
            ],
        ),
        (
            "adopt",
            {"pet": {"kind": "cat", "lives": "nine"}},
            [{"path": "pet.lives", "problem": AN_INTEGER, "given": '"nine"'}],
        ),
        (
            "mix",
            {"value": "much"},
            [
                {
                    "path": "value",
                    "problem": f"{AN_INTEGER}, or input should be a valid list",
                    "given": '"much"',
                }
            ],
        ),
        (
            "mix",
            {"value": 1, "sizes": {"a b\n": "x"}},
            [{"path": 'sizes["a b\\n"]', "problem": AN_INTEGER, "given": '"x"'}],
        ),
        (
            "halve",
            {"number": 3},
            [{"path": "number", "problem": "the number must be even", "given": "3"}],
        ),
        ("nothing", {"a": 1}, [{"path": "a", "problem": "is not an argument", "allowed": []}]),
        ("nothing", [1], [{"path": "arguments", "problem": "input should be an object", "given": "[1]"}]),
        ("nothing", "x", [{"path": "arguments", "problem": "input should be an object", "given": '"x"'}]),
    ],
)
async def test_each_problem_has_a_path(
    call: Call, tool: str, arguments: Any, problems: list[dict[str, Any]]
) -> None:
    answer = await call(tool, arguments)
    assert answer["isError"] is True
    assert answer["error"]["type"] == "InvalidArguments"
    assert answer["error"]["data"] == problems


async def test_the_message_lists_all_problems(call: Call) -> None:
    answer = await call("order", {"items": [{"sku": 5}], "sped": "fast"})
    assert answer["error"]["message"] == (
        "order: items[0].sku: input should be a valid string; got 5; "
        "sped: is not an argument; did you mean 'speed'?"
    )
    assert answer["error"]["hint"] == "order takes items, speed, place. Fix these arguments and call again."


async def test_an_unknown_kind_lists_the_known_ones(call: Call) -> None:
    answer = await call("adopt", {"pet": {"kind": "cow"}})
    assert "'cat', 'dog'" in answer["error"]["message"]


async def test_no_arguments_are_an_empty_object(call: Call) -> None:
    assert await call("nothing", None) == await call("nothing", {}) == "done"


async def test_numbers_and_booleans_may_come_as_text(call: Call) -> None:
    assert await call("halve", {"number": "4"}) == 2


async def test_many_problems_are_counted(call: Call) -> None:
    answer = await call("order", {"items": [{} for _ in range(500)]})
    assert len(answer["error"]["data"]) == 10
    assert answer["error"]["message"].endswith("items[9].sku: is required; and 490 more problems")


async def test_a_million_problems_are_only_counted(call: Call) -> None:
    started = time.perf_counter()
    answer = await call("mix", {"value": ["x"] * 1_000_000})
    assert answer["error"]["message"] == "mix: the arguments have 1,000,001 problems"
    # Listing them would take pydantic ten times as long, and a gigabyte.
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    "arguments",
    [
        {"number": "9" * 10_000_000},
        {"number": ["x" * 10_000_000]},
        {"number": 2, "n" * 10_000_000: 1},
        {"number": {str(n): n for n in range(300_000)}},
    ],
    ids=["text", "list", "name", "object"],
)
async def test_a_huge_argument_gets_a_short_answer(call: Call, arguments: Any) -> None:
    answer = await call("halve", arguments)
    assert answer["error"]["type"] == "InvalidArguments"
    assert len(str(answer)) < 2_000


async def test_deeply_nested_arguments_get_an_answer(call: Call) -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    answer = await call("halve", {"number": deep})
    assert answer["error"]["type"] == "InvalidArguments"
    assert "nested deeper" in answer["error"]["data"][0]["given"]


@pytest.mark.parametrize("text", ["a b", "a\nb", "🐍", "\ud800", "\x00", ""])
async def test_any_text_is_an_argument(add: Add, call: Call, text: str) -> None:
    def echo(text: str) -> str:
        """Return the text."""
        return text

    add(echo)
    assert await call("echo", {"text": text}) == text


async def test_an_error_in_a_validator_is_a_tool_failure(call: Call) -> None:
    answer = await call("fall", {"number": 1})
    assert answer["error"]["type"] == "ToolFailed"
    assert "KeyError: 'in the validator'" in answer["error"]["message"]
