"""Declarations of tools, read from a function's signature, types and docstring."""

import inspect
import re
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeVar, get_args

from docstring_parser import Docstring, DocstringStyle, ParseError, parse

from gemini.errors import ToolDeclarationError

# Chrome's guidance for WebMCP tools: longer text costs every agent context, and browsers may cut it.
# The APIs of language models reject names over 64 characters.
NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
DESCRIPTION_BUDGET = 500
PARAMETER_BUDGET = 150

ATTRIBUTE = "__gemini_tool__"
F = TypeVar("F", bound=Callable[..., Any])


Need = Literal["elicitation", "sampling", "roots", "tasks"]


class Effect(StrEnum):
    """The declared reach of a tool: advice for users and agents, which grants nothing."""

    READ = "read"
    WRITE = "write"
    OUTSIDE = "outside"
    SPEND = "spend"

    @property
    def needs_consent(self) -> bool:
        """Return whether a script's tool with this effect asks the user first."""
        return self in (Effect.OUTSIDE, Effect.SPEND)


Reach = Callable[[Any, dict[str, Any]], Effect]
"""Returns a call's effect from the method's object and the arguments by name, defaults included.

It may fill in a missing argument, so that the call does exactly what the user agreed to.
"""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a tool. `default` is `inspect.Parameter.empty` if the parameter is required."""

    name: str
    annotation: Any
    default: Any
    description: str | None


@dataclass(frozen=True)
class Declaration:
    """A tool's properties, apart from its bound function.

    Attributes:
        interrupts: The parameter that names the terminal whose command the tool ends. The page ends the command
            itself, even if Python is busy.
        withholds: The parameter that stays out of the log until the tool calls `Call.reveal`.
        person_only: Whether only panels can call the tool; it is in no list.
        unlogged: Whether calls stay out of the activity log, as for requests at every keystroke.
        reach: Returns the effect of one call, if it depends on the arguments.
        schema: The JSON Schema of the arguments to list instead of the generated one.
        action: The name by which panels call the tool. The build generates the page's functions from it.
        needs: The abilities that an MCP client must have to call the tool.
        lean: Whether clients that take few tools get it.
        repeatable: Whether a call can be repeated after an interruption, since a second one changes nothing more.
        is_method: Whether the first parameter is `self`, so that only a bound method can be called.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    returns: Any
    effect: Effect
    untrusted: bool
    group: str
    interrupts: str | None
    withholds: str | None
    person_only: bool
    unlogged: bool
    reach: Reach | None
    schema: dict[str, Any] | None
    action: str | None
    needs: tuple[Need, ...]
    lean: bool
    repeatable: bool
    is_method: bool


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
    needs: Sequence[Need] = (),
    lean: bool = False,
    repeatable: bool = False,
) -> Callable[[F], F]:
    """Mark a function or method as a tool, without registering it.

    Args:
        effect: How far the tool reaches.
        untrusted: True if the result contains text from outside (files, pages, programs).
        name: The tool's name. Defaults to the function's.
        group: The group to switch the tool on and off with. Defaults to the package that declares it.
        interrupts: The parameter that names the terminal whose command the tool ends.
        withholds: The parameter that stays out of the log, unless the tool calls `current_call().reveal()`.
        person_only: True if only panels may call the tool. It is in no list.
        reach: Returns the effect of one call, if it depends on the arguments. For methods only.
        schema: A JSON Schema of the arguments to list as it is, for tools that bring their own. Arguments are still
            validated against the signature.
        action: The name by which panels call the tool, a verb and a noun: `open_file`.
        needs: The abilities that an MCP client must have to call the tool.
        lean: True if clients that take few tools get it (docs/tools.md).
        repeatable: True if a call can be repeated after an interruption, since a second one changes nothing more.
        unlogged: True keeps calls out of the activity log. For tools that are `person_only` and only read.

    Raises:
        ToolDeclarationError: A browser would reject the name, a type or a description.
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
            needs,
            lean,
            repeatable,
        )
        # A bound method takes no attributes.
        setattr(getattr(function, "__func__", function), ATTRIBUTE, declaration)
        return function

    return mark


def declaration_of(function: Callable[..., Any]) -> Declaration | None:
    """Return the declaration that `declare` attached to a function or bound method, if any."""
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
    needs: Sequence[Need] = (),
    lean: bool = False,
    repeatable: bool = False,
) -> Declaration:
    """Read a function's declaration; see `declare` for the arguments.

    Raises:
        ToolDeclarationError: A browser would reject the name, a type or a description.
    """
    name = name or function.__name__
    if unlogged and not (person_only and effect is Effect.READ):
        raise ToolDeclarationError(
            f"calls of {name!r} must be logged",
            hint="Only tools that are person_only and have the effect read can be unlogged.",
        )
    if not NAME.fullmatch(name):
        raise ToolDeclarationError(
            f"{name!r} can't be a tool's name",
            hint="Use 1 to 64 of the letters A-Z a-z, digits, '_', '.' and '-'.",
        )
    unknown = [need for need in needs if need not in get_args(Need)]
    if isinstance(needs, str) or unknown:
        raise ToolDeclarationError(
            f"{name!r} needs {needs!r}, which MCP clients can't declare",
            hint=f"List some of {', '.join(get_args(Need))}.",
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
        needs=tuple(needs),
        lean=lean,
        repeatable=repeatable,
        is_method=next(iter(inspect.signature(function).parameters), None) == "self",
    )


def _effect(effect: Effect | str) -> Effect:
    try:
        return Effect(effect)
    except ValueError:
        allowed = ", ".join(Effect)
        raise ToolDeclarationError(
            f"effect {effect!r} must be one of {allowed}", data={"allowed": list(Effect)}
        ) from None


def _document(tool: str, function: Callable[..., Any]) -> Docstring:
    try:
        return parse(inspect.getdoc(function) or "", DocstringStyle.GOOGLE)
    except ParseError as error:
        raise ToolDeclarationError(
            f"the docstring of tool {tool!r} can't be read: {error}",
            hint="Begin with what the tool does; then write `Args:` and a line `name: description` for each parameter.",
        ) from error


def _hints(tool: str, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise ToolDeclarationError(
            f"a type in the signature of tool {tool!r} can't be resolved: {error}",
            hint="Types written as strings must be names in the function's module.",
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
    parameters: list[Parameter] = []
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
        parameters.append(Parameter(name, hints[name], parameter.default, description))
    unknown = set(described) - {parameter.name for parameter in parameters}
    if unknown:
        raise ToolDeclarationError(
            f"the docstring of tool {tool!r} describes {', '.join(sorted(unknown))}, which isn't a parameter"
        )
    return parameters


def check_budget(subject: str, text: str, budget: int) -> None:
    """Raise `ToolDeclarationError` if `text` has more than `budget` characters."""
    if len(text) > budget:
        raise ToolDeclarationError(
            f"{subject} has {len(text)} characters; the limit is {budget}",
            data={"length": len(text), "most": budget},
        )


def _group(function: Callable[..., Any]) -> str:
    """Return the default group: `files` for `gemini.files.tools`, `custom` for a script or notebook."""
    # Code run with its own globals belongs to no module.
    package, _, _ = (function.__module__ or "").rpartition(".")
    return package.rpartition(".")[2] or "custom"
