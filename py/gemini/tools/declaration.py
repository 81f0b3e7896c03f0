"""Declarations of tools, read from a function's signature, types and docstring."""

import inspect
import re
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, Literal, TypeVar, get_args

from docstring_parser import Docstring, DocstringStyle, ParseError, parse
from typing_extensions import TypedDict, Unpack

from gemini.errors import ToolDeclarationError
from gemini.tools.budgets import DESCRIPTION_BUDGET, PARAMETER_BUDGET, check_budget

# The APIs of language models reject names over 64 characters.
NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

ATTRIBUTE = "__gemini_tool__"
# The surface's own modules.
OWN = "gemini."
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


class Options(TypedDict, total=False):
    """The options of `declare`, with the names and meanings that `Declaration` has."""

    effect: Effect | str
    untrusted: bool
    name: str | None
    group: str | None
    interrupts: str | None
    withholds: str | None
    person_only: bool
    unlogged: bool
    reach: Reach | None
    schema: dict[str, Any] | None
    action: str | None
    needs: Sequence[Need]
    lean: bool
    code: bool
    repeatable: bool


@dataclass(frozen=True)
class Signature:
    """The part of a declaration that a function's types and docstring say.

    Attributes:
        is_method: Whether the first parameter is `self`, so that only a bound method can be called.
    """

    description: str
    parameters: tuple[Parameter, ...]
    returns: Any
    is_method: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Declaration:
    """A tool's properties, apart from its bound function.

    Attributes:
        name: The tool's name. Defaults to the function's.
        read: Reads the signature. It takes milliseconds, and a visit uses few of some two hundred tools.
        effect: How far the tool reaches.
        untrusted: True if the result contains text from outside (files, pages, programs).
        group: The group to switch the tool on and off with. Defaults to the package that declares it.
        interrupts: The parameter that names the terminal whose command the tool ends. The page ends the command
            itself, even if Python is busy.
        withholds: The parameter that stays out of the log until the tool calls `current_call().reveal()`.
        person_only: Whether only panels can call the tool; it is in no list.
        unlogged: Whether calls stay out of the activity log, as for requests at every keystroke. Only for tools that
            are `person_only` and only read.
        reach: Returns the effect of one call, if it depends on the arguments. For methods only.
        schema: The JSON Schema of the arguments to list instead of the generated one, for tools that bring their own.
            Arguments are still validated against the signature.
        action: The name by which panels call the tool, a verb and a noun: `open_file`. The build generates the page's
            functions from it.
        needs: The abilities that an MCP client must have to call the tool.
        lean: Whether clients that take few tools get it (docs/tools.md).
        code: Whether only clients in code mode list it (docs/code-mode.md).
        repeatable: Whether a call can be repeated after an interruption, since a second one changes nothing more.
    """

    name: str
    read: Callable[[], Signature]
    group: str
    effect: Effect = Effect.WRITE
    untrusted: bool = False
    interrupts: str | None = None
    withholds: str | None = None
    person_only: bool = False
    unlogged: bool = False
    reach: Reach | None = None
    schema: dict[str, Any] | None = None
    action: str | None = None
    needs: tuple[Need, ...] = ()
    lean: bool = False
    code: bool = False
    repeatable: bool = False

    @cached_property
    def signature(self) -> Signature:
        """The description, the parameters and the result.

        Raises:
            ToolDeclarationError: A browser would reject a type or a description.
        """
        return self.read()

    @property
    def description(self) -> str:
        """The first lines of the docstring."""
        return self.signature.description

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters, without `self`."""
        return self.signature.parameters

    @property
    def returns(self) -> Any:
        """The type of the result."""
        return self.signature.returns


def declare(**options: Unpack[Options]) -> Callable[[F], F]:
    """Mark a function or method as a tool, without registering it. `Declaration` describes the options.

    The signatures of the surface's own are read when they are used; the build reads all of them.

    Raises:
        ToolDeclarationError: A browser would reject the name, a type or a description.
    """

    def mark(function: F) -> F:
        declaration = _read(function, options)
        if not (function.__module__ or "").startswith(OWN):
            _ = declaration.signature
        # A bound method takes no attributes.
        setattr(getattr(function, "__func__", function), ATTRIBUTE, declaration)
        return function

    return mark


def declaration_of(function: Callable[..., Any]) -> Declaration | None:
    """Return the declaration that `declare` attached to a function or bound method, if any."""
    return getattr(function, ATTRIBUTE, None)


def _read(function: Callable[..., Any], options: Options) -> Declaration:
    name = options.get("name") or function.__name__
    if not NAME.fullmatch(name):
        raise ToolDeclarationError(
            f"{name!r} can't be a tool's name",
            hint="Use 1 to 64 of the letters A-Z a-z, digits, '_', '.' and '-'.",
        )
    effect = _effect(options.get("effect", Effect.WRITE))
    members: dict[str, Any] = {
        **options,
        "name": name,
        "read": partial(_signature, name, function),
        "effect": effect,
        "group": options.get("group") or _group(function),
        "needs": _needs(name, options.get("needs", ())),
    }
    declaration = Declaration(**members)
    if declaration.unlogged and not (declaration.person_only and declaration.effect is Effect.READ):
        raise ToolDeclarationError(
            f"calls of {name!r} must be logged",
            hint="Only tools that are person_only and have the effect read can be unlogged.",
        )
    return declaration


def _signature(tool: str, function: Callable[..., Any]) -> Signature:
    document, hints = _document(tool, function), _hints(tool, function)
    return Signature(
        _description(tool, document),
        tuple(_parameters(tool, function, hints, document)),
        hints.get("return", Any),
        next(iter(inspect.signature(function).parameters), None) == "self",
    )


def _needs(tool: str, needs: Sequence[Need]) -> tuple[Need, ...]:
    unknown = [need for need in needs if need not in get_args(Need)]
    if isinstance(needs, str) or unknown:
        raise ToolDeclarationError(
            f"{tool!r} needs {needs!r}, which MCP clients can't declare",
            hint=f"List some of {', '.join(get_args(Need))}.",
        )
    return tuple(needs)


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


def _group(function: Callable[..., Any]) -> str:
    """Return the default group: `files` for `gemini.computer.files.tools`, `custom` for a script or notebook."""
    # Code run with its own globals belongs to no module.
    package, _, _ = (function.__module__ or "").rpartition(".")
    return package.rpartition(".")[2] or "custom"
