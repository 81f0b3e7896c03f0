"""Functions of code mode: Python functions that call tools, synchronously where the browser can suspend a stack."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from gemini.code_mode.signatures import Function
from gemini.code_mode.values import wrap
from gemini.computer.python import process, tracebacks
from gemini.core import ffi

tracebacks.hide_frames_of(__file__)

Call = Callable[[str, dict[str, Any]], Any]
"""Calls a tool by its name with arguments; returns the value, or an awaitable of it."""


class Pending:
    """The result of a call where the browser can't suspend Python: `await` has it.

    Args:
        name: The function's name.
        task: The call, which has begun.
        finish: Makes the result of the tool's value.
    """

    def __init__(self, name: str, task: "asyncio.Future[Any]", finish: Callable[[Any], Any]) -> None:
        self._name, self._task, self._finish = name, task, finish

    def __await__(self) -> Generator[Any, None, Any]:
        value = yield from self._task.__await__()
        return self._finish(value)

    def __repr__(self) -> str:
        return self._why()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(self._why())

    def _why(self) -> str:
        return (
            f"{self._name} waits, and this browser can't suspend Python (JavaScript Promise Integration): "
            f"write `await {self._name}(…)`"
        )


def make(described: Function, call: Call) -> Callable[..., Any]:
    """Return the function that `described` describes. Its arguments may be positional."""

    def function(*values: Any, **named: Any) -> Any:
        given = bind(described, values, named)
        return settle(described.path, call(described.tool, given), lambda value: wrap(value, described.kind))

    function.__name__ = function.__qualname__ = described.name
    function.__module__ = described.module
    function.__doc__ = described.document()
    function.__signature__ = described.signature  # pyright: ignore[reportFunctionMemberAccess]
    return function


def bind(described: Function, values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of the tool. Raises TypeError, with the signature, if they don't fit."""
    members = {each.name: each.member for each in described.arguments}
    try:
        bound = described.signature.bind(*values, **named)
    except TypeError as error:
        raise TypeError(f"{error}; it is {described.path}{described.signature}") from None
    return {members[name]: value for name, value in bound.arguments.items()}


def settle(name: str, value: Any, finish: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return `finish` of a value, after waiting for an awaitable one; a `Pending` where the stack can't wait."""
    if not hasattr(value, "__await__"):
        return finish(value)
    # In a context of no program: the tool is the surface's own code.
    task = asyncio.get_running_loop().create_task(_await(value), context=process.detached())
    return finish(ffi.wait(task)) if ffi.can_wait() else Pending(name, task, finish)


async def _await(value: Awaitable[Any]) -> Any:
    return await value
