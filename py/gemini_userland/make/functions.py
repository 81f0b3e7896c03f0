"""make's functions that use variables, files, the shell or the output."""

from __future__ import annotations

import os
from typing import Protocol

from gemini_userland.make import words as text_functions
from gemini_userland.make.evaluate import Evaluator, Function
from gemini_userland.make.variables import Origin, Scope
from gemini_userland.make.words import SPACE, words


class _Immediate(Protocol):
    """A function with one expanded argument."""

    async def __call__(self, evaluator: Evaluator, argument: str, scope: Scope) -> str: ...


def _expand(function: _Immediate) -> Function:
    async def call(evaluator: Evaluator, arguments: list[str], scope: Scope) -> str:
        return await function(evaluator, await evaluator.expand(arguments[0], scope), scope)

    return call


@_expand
async def _wildcard(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    return " ".join(name for pattern in words(argument) for name in evaluator.host.glob(pattern))


@_expand
async def _abspath(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    return " ".join(os.path.normpath(evaluator.host.path(name)) for name in words(argument))


@_expand
async def _realpath(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    paths = [evaluator.host.path(name) for name in words(argument)]
    return " ".join(os.path.realpath(path) for path in paths if os.path.exists(path))


@_expand
async def _shell(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    return await evaluator.shell(argument)


@_expand
async def _info(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    evaluator.host.print(argument)
    return ""


@_expand
async def _warning(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    evaluator.host.report(argument, evaluator.location)
    return ""


@_expand
async def _error(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    raise evaluator.error(argument)


@_expand
async def _origin(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    variable = scope.variable(argument.strip(SPACE))
    return "undefined" if variable is None else variable.origin.label


@_expand
async def _flavor(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    variable = scope.variable(argument.strip(SPACE))
    if variable is None:
        return "undefined"
    return "recursive" if variable.recursive else "simple"


@_expand
async def _value(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    variable = scope.variable(argument.strip(SPACE))
    return "" if variable is None else variable.value


@_expand
async def _eval(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    if evaluator.read_text is None:
        raise evaluator.error("$(eval …) is not supported here")
    await evaluator.read_text(argument)
    return ""


async def _foreach(evaluator: Evaluator, arguments: list[str], scope: Scope) -> str:
    _require(evaluator, arguments, 3, "foreach")
    name = (await evaluator.expand(arguments[0], scope)).strip(SPACE)
    loop = Scope(scope)
    pieces: list[str] = []
    for word in words(await evaluator.expand(arguments[1], scope)):
        loop.set(name, word, Origin.AUTOMATIC)
        pieces.append(await evaluator.expand(arguments[2], loop))
    return " ".join(pieces)


async def _if(evaluator: Evaluator, arguments: list[str], scope: Scope) -> str:
    _require(evaluator, arguments, 2, "if")
    holds = await evaluator.expand(arguments[0].strip(SPACE), scope)
    if holds:
        return await evaluator.expand(arguments[1], scope)
    return await evaluator.expand(arguments[2], scope) if len(arguments) > 2 else ""


async def _or(evaluator: Evaluator, arguments: list[str], scope: Scope) -> str:
    for argument in arguments:
        if value := await evaluator.expand(argument.strip(SPACE), scope):
            return value
    return ""


async def _and(evaluator: Evaluator, arguments: list[str], scope: Scope) -> str:
    value = ""
    for argument in arguments:
        value = await evaluator.expand(argument.strip(SPACE), scope)
        if not value:
            return ""
    return value


async def _call(evaluator: Evaluator, arguments: list[str], scope: Scope) -> str:
    given = [await evaluator.expand(argument, scope) for argument in arguments]
    name = given[0].strip(SPACE)
    if name in text_functions.FUNCTIONS or name in evaluator.functions:
        # The arguments are already expanded, so a $ is literal.
        return await evaluator.call(name, [one.replace("$", "$$") for one in given[1:]], scope)
    variable = scope.variable(name)
    if variable is None:
        return ""
    if not variable.recursive:
        return variable.value
    frame = Scope(scope)
    # Hide the arguments of an outer call.
    for number in range(10):
        frame.set(str(number), "", Origin.AUTOMATIC)
    for number, argument in enumerate([name, *given[1:]]):
        frame.set(str(number), argument, Origin.AUTOMATIC)
    return await evaluator.expand(variable.value, frame)


@_expand
async def _file(evaluator: Evaluator, argument: str, scope: Scope) -> str:
    operation, comma, text = argument.partition(",")
    operation = operation.strip(SPACE)
    name = operation.lstrip("<>").strip(SPACE)
    if operation.startswith("<"):
        path = evaluator.host.path(name)
        return evaluator.host.read(name).removesuffix("\n") if os.path.exists(path) else ""
    if not operation.startswith(">"):
        raise evaluator.error(f"file: invalid file operation: {operation}")
    line = text if text.endswith("\n") or not comma else text + "\n"
    evaluator.host.write(name, line, append=operation.startswith(">>"))
    return ""


def _require(evaluator: Evaluator, arguments: list[str], count: int, name: str) -> None:
    if len(arguments) < count:
        raise evaluator.too_few(len(arguments), name)


FUNCTIONS: dict[str, tuple[int, Function]] = {
    "wildcard": (1, _wildcard),
    "abspath": (1, _abspath),
    "realpath": (1, _realpath),
    "shell": (1, _shell),
    "info": (1, _info),
    "warning": (1, _warning),
    "error": (1, _error),
    "origin": (1, _origin),
    "flavor": (1, _flavor),
    "value": (1, _value),
    "eval": (1, _eval),
    "file": (1, _file),
    "foreach": (3, _foreach),
    "if": (3, _if),
    "or": (0, _or),
    "and": (0, _and),
    "call": (0, _call),
}
"""(number of arguments or 0 for any, function) by name."""
