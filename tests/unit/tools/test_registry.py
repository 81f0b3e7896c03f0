"""Adding, replacing and removing tools, and listeners of the list."""

from collections.abc import Callable
from typing import Any

import pytest

from gemini.errors import GeminiError, StorageFull, ToolDeclarationError, UnknownTool
from gemini.tools import Registry, declare
from tests.unit.tools.conftest import Add, Call


class Room:
    @declare(effect="read")
    def own_tool(self) -> str:
        """A builtin tool."""
        return "the surface's"


def named(name: str, answer: str = "") -> Callable[..., Any]:
    def act() -> str:
        """Act."""
        return answer

    return declare(name=name)(act)


def names(registry: Registry) -> list[str]:
    return [row["name"] for row in registry.rows()]


async def test_a_person_only_tool_is_hidden_from_others(registry: Registry) -> None:
    def forget() -> str:
        """Forget."""
        return "forgotten"

    registry.add(declare(person_only=True)(forget))
    assert names(registry) == []
    assert await registry.call("forget", caller="person") == "forgotten"
    with pytest.raises(UnknownTool, match="forget"):
        await registry.call("forget", caller="webmcp")


async def test_calls_of_unlogged_tools_stay_out_of_the_log(registry: Registry, call: Call) -> None:
    def complete(text: str) -> str:
        """Complete."""
        return f"{text}…"

    events: list[object] = []
    registry.events.subscribe(lambda _, event: events.append(event))
    registry.add(declare(effect="read", person_only=True, unlogged=True)(complete))
    assert await registry.call("complete", {"text": "a"}, caller="person") == "a…"
    assert (await call("complete", {"text": 1}, caller="person"))["error"]["type"] == "InvalidArguments"
    assert registry.log.rows() == [] and events == []


@pytest.mark.parametrize(("effect", "person_only"), [("read", False), ("write", True)])
def test_only_person_only_reads_can_be_unlogged(effect: str, person_only: bool) -> None:
    with pytest.raises(ToolDeclarationError, match="calls of 'act' must be logged"):

        @declare(effect=effect, person_only=person_only, unlogged=True)
        def act() -> None:
            """Act."""


async def test_tools_can_be_added_and_removed(registry: Registry, call: Call) -> None:
    registry.add(named("a"))
    registry.add(named("b", "still here"))
    assert names(registry) == ["a", "b"]
    registry.remove("a")
    assert names(registry) == ["b"]
    assert "a" not in registry and "b" in registry
    assert (await call("a"))["error"]["type"] == "UnknownTool"
    assert await call("b") == "still here"


def test_a_taken_name_is_rejected(registry: Registry) -> None:
    registry.add(named("a"))
    with pytest.raises(ToolDeclarationError, match="there is a tool 'a' already"):
        registry.add(named("a"))


async def test_a_replaced_tool_keeps_its_position(registry: Registry, call: Call) -> None:
    registry.add(named("a", "old"))
    registry.add(named("b"))
    registry.add(named("a", "new"), replace=True)
    assert names(registry) == ["a", "b"]
    assert await call("a") == "new"


async def test_builtin_tools_can_not_be_replaced(registry: Registry, call: Call) -> None:
    registry.add_room(Room())
    for replace in (False, True):
        with pytest.raises(ToolDeclarationError, match="there is a tool 'own_tool' already"):
            registry.add(named("own_tool", "an impostor's"), replace=replace)
    registry.remove("own_tool")
    with pytest.raises(ToolDeclarationError):
        registry.add(named("own_tool", "an impostor's"), replace=True)


def test_removing_an_unknown_tool_is_an_error(registry: Registry) -> None:
    with pytest.raises(UnknownTool, match='there is no tool "a"'):
        registry.remove("a")


def test_listeners_are_notified_of_each_change(registry: Registry) -> None:
    lists: list[list[str]] = []
    end = registry.on_change(lambda: lists.append(names(registry)))
    registry.add(named("a"))
    registry.add(named("a"), replace=True)
    registry.add_room(Room())
    registry.remove("a")
    assert lists == [["a"], ["a"], ["a", "own_tool"], ["own_tool"]]
    end()
    registry.add(named("b"))
    assert len(lists) == 4


def test_a_rejected_declaration_changes_nothing(registry: Registry) -> None:
    changes: list[int] = []
    registry.on_change(lambda: changes.append(1))

    def act(value: Callable[[int], int]) -> None:
        """Act."""

    with pytest.raises(ToolDeclarationError):
        registry.add(declare()(act))
    assert names(registry) == changes == []


async def test_a_running_call_ends_with_the_replaced_tool(registry: Registry, call: Call) -> None:
    def act() -> str:
        """Act."""
        registry.add(named("act", "new"), replace=True)
        return "old"

    registry.add(declare()(act))
    assert await call("act") == "old"
    assert await call("act") == "new"


async def test_changes_are_saved_before_the_answer_is_sent(registry: Registry, add: Add, call: Call) -> None:
    order: list[str] = []

    def write() -> str:
        """Write."""
        order.append("written")
        return "done"

    add(write)
    registry.before_answer(lambda: order.append("saved"))
    assert await call("write") == "done"
    assert order == ["written", "saved"]


async def test_a_failure_to_save_is_the_answer(registry: Registry, add: Add, call: Call) -> None:
    def write() -> str:
        """Write."""
        return "done"

    def fail() -> None:
        raise StorageFull("the disk is full")

    add(write)
    registry.before_answer(fail)
    assert (await call("write"))["error"] == {"type": "StorageFull", "message": "the disk is full"}
    with pytest.raises(GeminiError):
        await registry.call("write")
