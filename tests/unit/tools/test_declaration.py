"""Declarations of tools, and the errors of invalid ones."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import Field

import gemini
from gemini.errors import ToolDeclarationError
from gemini.tools import Effect, Registry, declare
from tests.unit.tools.conftest import Add, Call


async def test_a_decorated_function_is_a_tool_and_stays_callable(shared: Registry) -> None:
    @gemini.tool
    def add_two(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    assert add_two(1, 2) == 3
    assert await shared.call("add_two", {"a": 1, "b": 2}) == 3


async def test_a_coroutine_function_is_a_tool(shared: Registry) -> None:
    @gemini.tool(effect="read")
    async def later(value: str) -> str:
        """Return the value later."""
        await asyncio.sleep(0)
        return value

    assert await later("a") == "a"
    assert await shared.call("later", {"value": "b"}) == "b"


async def test_declaring_a_name_again_replaces_the_tool(shared: Registry) -> None:
    def version(number: int) -> Callable[[], int]:
        @gemini.tool(name="version")
        def current() -> int:
            """Return the version."""
            return number

        return current

    version(1)
    version(2)
    assert await shared.call("version") == 2


async def test_bound_methods_are_tools(registry: Registry, call: Call) -> None:
    class Counter:
        def __init__(self, start: int) -> None:
            self.value = start

        @declare(name="count")
        def count(self, by: int = 1) -> int:
            """Count."""
            self.value += by
            return self.value

    registry.add(Counter(10).count)
    assert await call("count", {"by": 5}) == 15
    registry.add(Counter(100).count, replace=True)
    assert await call("count") == 101


async def test_a_bound_method_can_be_declared_later(shared: Registry) -> None:
    class Greeter:
        def greet(self, name: str) -> str:
            """Greet."""
            return f"hello {name}"

    gemini.tool(Greeter().greet)
    assert await shared.call("greet", {"name": "you"}) == "hello you"


async def test_a_room_registers_its_marked_methods_in_order(registry: Registry, call: Call) -> None:
    class Room:
        @declare()
        def second(self) -> str:
            """B."""
            return "b"

        def unmarked(self) -> None: ...

        @declare()
        async def first(self) -> str:
            """A."""
            return "a"

    registry.add_room(Room())
    assert [row["name"] for row in registry.rows()] == ["second", "first"]
    assert await call("first") == "a"


@pytest.mark.parametrize(
    ("effect", "annotations"),
    [
        ("read", {"readOnlyHint": True}),
        ("write", {}),
        ("outside", {"consequentialHint": True}),
        ("spend", {"consequentialHint": True}),
    ],
)
def test_annotations_follow_from_the_effect(add: Add, effect: str, annotations: dict[str, bool]) -> None:
    def act() -> None:
        """Act."""

    row = add(act, effect=effect).row()
    assert row["effect"] == effect
    assert row["annotations"] == annotations


def test_an_untrusted_tool_has_the_hint(add: Add) -> None:
    def act() -> None:
        """Act."""

    assert add(act, untrusted=True).row()["annotations"]["untrustedContentHint"] is True


def test_name_group_and_effect_can_be_set(add: Add) -> None:
    def act() -> None:
        """Act."""

    row = add(act, name="do.it-now_2", group="mine", effect=Effect.READ).row()
    assert (row["name"], row["group"], row["effect"]) == ("do.it-now_2", "mine", "read")


def test_tools_of_scripts_are_in_the_group_custom(add: Add) -> None:
    def act() -> None:
        """Act."""

    act.__module__ = "__main__"
    assert add(act).row()["group"] == "custom"


def test_descriptions_come_from_the_docstring(add: Add) -> None:
    def act(path: str, deep: bool = False, quiet: bool = False) -> int:
        """Do something with a path.

        It takes a while,
        and two lines.

        Args:
            path: Where. Absolute,
                or relative.
            deep (bool): Below it, too.

        Returns:
            How many.

        Raises:
            OSError: it can't.
        """
        return len(path)

    row = add(act).row()
    assert row["description"] == "Do something with a path. It takes a while, and two lines."
    properties = row["inputSchema"]["properties"]
    assert properties["path"]["description"] == "Where. Absolute, or relative."
    assert properties["deep"]["description"] == "Below it, too."
    assert "description" not in properties["quiet"]


def test_a_field_may_carry_its_description(add: Add) -> None:
    def act(size: Annotated[int, Field(gt=0, description="In bytes.")]) -> None:
        """Act."""

    assert add(act).input_schema["properties"]["size"]["description"] == "In bytes."


def documented(description: str, parameter: str = "") -> Callable[..., Any]:
    def act(a: int = 0) -> None: ...

    act.__doc__ = f"{description}\n\nArgs:\n    a: {parameter}" if parameter else description
    return act


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (documented("d" * 500), {}),
        (documented("Act.", "p" * 150), {}),
        (documented("Act."), {"name": "n" * 64}),
    ],
)
def test_texts_may_reach_their_limit(add: Add, function: Callable[..., Any], options: Any) -> None:
    assert add(function, **options)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (documented("d" * 501), "the description of 'act' has 501 characters; the limit is 500"),
        (
            documented("Act.", "p" * 151),
            "the description of parameter 'a' of tool 'act' has 151 characters; the limit is 150",
        ),
    ],
)
def test_texts_over_their_limit_are_rejected(function: Callable[..., Any], reason: str) -> None:
    with pytest.raises(ToolDeclarationError, match=reason):
        declare()(function)


def test_the_limit_includes_a_types_own_description(add: Add) -> None:
    @dataclass
    class Place:
        x: int

    Place.__doc__ = "p" * 151

    def go(place: Place) -> None:
        """Go."""

    with pytest.raises(ToolDeclarationError, match="parameter 'place' of tool 'go' has 151 characters"):
        add(go)


@pytest.mark.parametrize("name", ["n" * 65, "two words", "a\nb", "žluť", "🐍", "\ud800", "a/b", "../a"])
def test_names_that_a_browser_would_reject_are_rejected(name: str) -> None:
    with pytest.raises(ToolDeclarationError, match="can't be a tool's name") as rejected:
        declare(name=name)(documented("Act."))
    assert "1 to 64" in str(rejected.value.hint)


def test_a_lambda_is_rejected() -> None:
    with pytest.raises(ToolDeclarationError, match="<lambda>"):
        declare()(lambda: 1)


def no_type(a) -> None:  # pyright: ignore
    """Act."""


def many(*paths: str) -> None:
    """Act."""


def anything(**options: str) -> None:
    """Act."""


def by_place(a: int, /) -> None:
    """Act."""


def undocumented(a: int) -> None: ...


def describes_another(a: int) -> None:
    """Act.

    Args:
        b: Not there.
    """


def unreadable(a: int) -> None:
    """Act.

    Args:
        there is no colon
    """


def unresolved(a: "NoSuchType") -> None:  # noqa: F821 # pyright: ignore
    """Act."""


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (no_type, "parameter 'a' of tool 'no_type' has no type"),
        (many, "parameter 'paths' of tool 'many' has no name to pass it by"),
        (anything, "parameter 'options' of tool 'anything' has no name to pass it by"),
        (by_place, "parameter 'a' of tool 'by_place' has no name to pass it by"),
        (undocumented, "tool 'undocumented' has no description"),
        (describes_another, "describes b, which isn't a parameter"),
        (unreadable, "the docstring of tool 'unreadable' can't be read"),
        (unresolved, "a type in the signature of tool 'unresolved' can't be resolved"),
    ],
)
def test_functions_that_agents_could_not_call_are_rejected(function: Callable[..., Any], reason: str) -> None:
    with pytest.raises(ToolDeclarationError, match=reason):
        declare()(function)


def test_an_unknown_effect_is_rejected_with_the_known_ones() -> None:
    with pytest.raises(
        ToolDeclarationError, match="'erase' must be one of read, write, outside, spend"
    ) as rejected:
        declare(effect="erase")(undocumented)
    assert rejected.value.data == {"allowed": ["read", "write", "outside", "spend"]}


@pytest.mark.parametrize("unfit", [asyncio.Lock, Callable[[int], int], type, 5])
def test_types_that_json_can_not_represent_are_rejected(add: Add, unfit: Any) -> None:
    def act(a: Any) -> None:
        """Act."""

    act.__annotations__["a"] = unfit
    with pytest.raises(
        ToolDeclarationError, match="a parameter of tool 'act' has a type that JSON can't represent"
    ):
        add(act)


def test_a_rejected_declaration_registers_nothing(shared: Registry) -> None:
    before = len(shared.rows())
    with pytest.raises(ToolDeclarationError):
        gemini.tool(undocumented)
    assert len(shared.rows()) == before


def test_an_unbound_method_is_rejected(registry: Registry) -> None:
    class Counter:
        @declare()
        def count(self) -> int:
            """Count."""
            return 1

    with pytest.raises(ToolDeclarationError, match="'count' is an unbound method"):
        registry.add(Counter.count)


def test_a_function_that_is_not_declared_is_no_tool(registry: Registry) -> None:
    with pytest.raises(ToolDeclarationError, match="isn't a tool"):
        registry.add(undocumented)
