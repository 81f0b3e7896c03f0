"""What a tool says of itself: read once, from a Python function's signature, types and docstring."""

import inspect
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from docstring_parser import Docstring, DocstringStyle, ParseError, parse

from gemini.errors import ToolDeclarationError

# Chrome's guidance for WebMCP tools; a longer text costs every agent's context and may be cut by the browser.
# A name over thirty characters is long; over 64 it is refused by the interfaces of language models.
NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
DESCRIPTION_BUDGET = 500
PARAMETER_BUDGET = 150

ATTRIBUTE = "__gemini_tool__"
F = TypeVar("F", bound=Callable[..., Any])


class Effect(StrEnum):
    """How far a tool reaches by its own account: advice for people and agents, which opens nothing."""

    READ = "read"
    WRITE = "write"
    OUTSIDE = "outside"
    SPEND = "spend"

    @property
    def needs_consent(self) -> bool:
        return self in (Effect.OUTSIDE, Effect.SPEND)


Reach = Callable[[Any, dict[str, Any]], Effect]
"""Gives a call's effect from the object whose method the tool is, and the arguments by name, defaults included.

It may fill in an argument that was left open, so that what the person agrees to is what is done.
"""


@dataclass(frozen=True)
class Parameter:
    """One argument: its annotation as written, `inspect.Parameter.empty` as default where it is required."""

    name: str
    annotation: Any
    default: Any
    description: str | None


@dataclass(frozen=True)
class Declaration:
    """Everything about a tool but its bound function."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    returns: Any
    effect: Effect
    untrusted: bool
    group: str
    interrupts: str | None
    """The parameter that names a terminal whose command it ends: the page does that even if Python is busy."""
    withholds: str | None
    """The parameter that stays out of the log until the tool says that it may stand there (`Call.reveal`)."""
    person_only: bool
    """Whether it is for the panels alone: no list tells of it, and nobody but the person can call it."""
    unlogged: bool
    """Whether it stays out of the activity log: what is asked with every key that a person types."""
    reach: Reach | None
    """How far a call with certain arguments reaches, where that isn't `effect` for all of them."""
    schema: dict[str, Any] | None
    """The JSON Schema of the arguments that is told in the place of one made of the signature."""
    action: str | None
    """What a panel of the page calls it by; the page's functions and types are generated from these."""
    is_method: bool
    """Whether it takes `self` first, so that only the bound method of an object can be called."""


def declare(
    *,
    effect: Effect | str = Effect.WRITE,
    untrusted: bool = False,
    name: str | None = None,
    group: str | None = None,
    interrupts: str | None = None,
    withholds: str | None = None,
    person_only: bool = False,
    unlogged: bool = False,
    reach: Reach | None = None,
    schema: dict[str, Any] | None = None,
    action: str | None = None,
) -> Callable[[F], F]:
    """Mark a function or method as a tool, without registering it.

    Args:
        effect: How far it reaches.
        untrusted: True where the result carries text from outside (files, pages, programs).
        name: The tool's name, if not the function's.
        group: The set it is switched on and off with, if not the package that declares it.
        interrupts: The parameter that names a terminal whose command the tool ends.
        withholds: The parameter that stays out of the log, unless the tool calls `current_call().reveal()`.
        person_only: True for what a panel does for the person: on the same road, but told to nobody else.
        reach: Gives the effect of one call, where it depends on the arguments; only for methods.
        schema: A JSON Schema of the arguments that is told as it is, for tools that come from elsewhere with one.
            What arrives is still checked against the signature.
        action: What a panel of the page calls it by, a verb and a noun: `open_file`.
        unlogged: True keeps its calls out of the activity log; only for what is the person's alone and reads.

    Raises:
        ToolDeclarationError: a name, type or text that an agent's browser would refuse.
    """

    def mark(function: F) -> F:
        declaration = read_declaration(
            function,
            _effect(effect),
            untrusted,
            name,
            group,
            interrupts,
            withholds,
            person_only,
            unlogged,
            reach,
            schema,
            action,
        )
        # A bound method takes no attributes.
        setattr(getattr(function, "__func__", function), ATTRIBUTE, declaration)
        return function

    return mark


def declaration_of(function: Callable[..., Any]) -> Declaration | None:
    """The declaration that `declare` left on a function or bound method, if there is one."""
    return getattr(function, ATTRIBUTE, None)


def read_declaration(
    function: Callable[..., Any],
    effect: Effect,
    untrusted: bool,
    name: str | None,
    group: str | None,
    interrupts: str | None = None,
    withholds: str | None = None,
    person_only: bool = False,
    unlogged: bool = False,
    reach: Reach | None = None,
    schema: dict[str, Any] | None = None,
    action: str | None = None,
) -> Declaration:
    name = name or function.__name__
    if unlogged and not (person_only and effect is Effect.READ):
        raise ToolDeclarationError(
            f"calls of {name!r} have to be in the log",
            hint="Only what is the person's alone, and reads, can stay out of it.",
        )
    if not NAME.fullmatch(name):
        raise ToolDeclarationError(
            f"{name!r} can't be a tool's name",
            hint="Use 1 to 64 of the letters A-Z a-z, digits, '_', '.' and '-'.",
        )
    document = _document(name, function)
    hints = _hints(name, function)
    return Declaration(
        name=name,
        description=_description(name, document),
        parameters=tuple(_parameters(name, function, hints, document)),
        returns=hints.get("return", Any),
        effect=effect,
        untrusted=untrusted,
        group=group or _group(function),
        interrupts=interrupts,
        withholds=withholds,
        person_only=person_only,
        unlogged=unlogged,
        reach=reach,
        schema=schema,
        action=action,
        is_method=next(iter(inspect.signature(function).parameters), None) == "self",
    )


def _effect(effect: Effect | str) -> Effect:
    try:
        return Effect(effect)
    except ValueError:
        allowed = ", ".join(Effect)
        raise ToolDeclarationError(
            f"effect {effect!r} is none of {allowed}", data={"allowed": list(Effect)}
        ) from None


def _document(tool: str, function: Callable[..., Any]) -> Docstring:
    try:
        return parse(inspect.getdoc(function) or "", DocstringStyle.GOOGLE)
    except ParseError as error:
        raise ToolDeclarationError(
            f"the docstring of tool {tool!r} can't be read: {error}",
            hint="Begin with what it does, then `Args:` with a line `name: what it is` for each parameter.",
        ) from error


def _hints(tool: str, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise ToolDeclarationError(
            f"a type in the signature of tool {tool!r} can't be resolved: {error}",
            hint="Types written as text must be names of the function's module.",
        ) from error


def _description(name: str, document: Docstring) -> str:
    text = " ".join(f"{document.short_description or ''} {document.long_description or ''}".split())
    if not text:
        raise ToolDeclarationError(
            f"tool {name!r} has no description",
            hint="Give the function a docstring: agents choose tools by it.",
        )
    check_budget(f"the description of {name!r}", text, DESCRIPTION_BUDGET)
    return text


def _parameters(
    tool: str, function: Callable[..., Any], hints: dict[str, Any], document: Docstring
) -> list[Parameter]:
    described = {entry.arg_name: " ".join((entry.description or "").split()) for entry in document.params}
    found: list[Parameter] = []
    for position, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        if position == 0 and name == "self":
            continue
        where = f"parameter {name!r} of tool {tool!r}"
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ToolDeclarationError(
                f"{where} has no name to pass it by",
                hint="Tools take named arguments only: no *args, **kwargs or positional-only parameters.",
            )
        if name not in hints:
            raise ToolDeclarationError(f"{where} has no type", hint=f"Annotate it, as in `{name}: str`.")
        description = described.get(name) or None
        if description:
            check_budget(f"the description of {where}", description, PARAMETER_BUDGET)
        found.append(Parameter(name, hints[name], parameter.default, description))
    unknown = set(described) - {parameter.name for parameter in found}
    if unknown:
        raise ToolDeclarationError(
            f"the docstring of tool {tool!r} describes {', '.join(sorted(unknown))}, which it doesn't take"
        )
    return found


def check_budget(what: str, text: str, budget: int) -> None:
    """Raises ToolDeclarationError where `text` has more than `budget` characters."""
    if len(text) > budget:
        raise ToolDeclarationError(
            f"{what} has {len(text)} characters; {budget} are the most",
            data={"length": len(text), "most": budget},
        )


def _group(function: Callable[..., Any]) -> str:
    """`gemini.files.tools` declares the group `files`; a script or notebook declares `custom`."""
    # Code that is run with globals of its own belongs to no module.
    package, _, _ = (function.__module__ or "").rpartition(".")
    return package.rpartition(".")[2] or "custom"
