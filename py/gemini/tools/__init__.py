"""Tools: declaration, schema, registry, consent and the log of calls.

`registry` is the one that the kernel, the bridge, the console and every script of this interpreter share.
"""

from collections.abc import Callable
from typing import Any, TypeVar, overload

from gemini.tools.calls import Call, current_call, report_message, report_progress
from gemini.tools.consent import consent_within_call
from gemini.tools.declaration import Effect, declare
from gemini.tools.prompts import prompt_of
from gemini.tools.registry import Registry
from gemini.tools.resources import resource_of

__all__ = [
    "Call",
    "Effect",
    "Registry",
    "current_call",
    "declare",
    "prompt",
    "registry",
    "report_message",
    "report_progress",
    "require_consent",
    "resource",
    "tool",
]

F = TypeVar("F", bound=Callable[..., Any])

registry = Registry()


@overload
def tool(function: F, /) -> F: ...
@overload
def tool(
    *,
    effect: Effect | str = Effect.WRITE,
    untrusted: bool = False,
    name: str | None = None,
    group: str | None = None,
    schema: dict[str, Any] | None = None,
) -> Callable[[F], F]: ...
def tool(
    function: F | None = None,
    /,
    *,
    effect: Effect | str = Effect.WRITE,
    untrusted: bool = False,
    name: str | None = None,
    group: str | None = None,
    schema: dict[str, Any] | None = None,
) -> F | Callable[[F], F]:
    """Make a typed, documented Python function, sync or async, a tool that agents can call.

    Use it as `@gemini.tool` or with options. The function itself stays as it is. Declaring a name again replaces the
    tool, so that a script can be run twice.

    Args:
        function: The function, where no options are given.
        effect: How far the tool reaches: "read", "write", "outside" or "spend".
        untrusted: Whether the result carries text from outside, such as files, pages and programs.
        name: The tool's name, if not the function's.
        group: The group that it is switched on and off with; "custom" by default.
        schema: A JSON Schema of the arguments to list in place of the one made from the signature.

    Raises:
        ToolDeclarationError: A name, type or text that an agent's browser would refuse.
    """

    def register(function: F) -> F:
        marked = declare(effect=effect, untrusted=untrusted, name=name, group=group, schema=schema)(function)
        registry.add(marked, replace=True)
        return marked

    return register if function is None else register(function)


@overload
def prompt(function: F, /) -> F: ...
@overload
def prompt(*, name: str | None = None) -> Callable[[F], F]: ...
def prompt(function: F | None = None, /, *, name: str | None = None) -> F | Callable[[F], F]:
    """Make a function that gives text, or `Content`, a prompt that MCP clients offer to their person.

    Its docstring says what it is for. Its arguments are text; those annotated with a `Literal` are completed while
    the person types.

    Raises:
        ToolDeclarationError: there is no docstring, or an argument that isn't text.
    """

    def register(function: F) -> F:
        registry.prompts.add(prompt_of(function, name))
        return function

    return register if function is None else register(function)


def resource(uri: str, *, mime_type: str = "text/plain", name: str | None = None) -> Callable[[F], F]:
    """Make a function that gives text or bytes, sync or async, a resource that MCP clients can read.

    Its docstring says what it is. A URI with names in braces stands for many, and the function takes the names:
    `@gemini.resource("notes://{year}/{name}")`. `gemini.resources.updated(uri)` tells who has subscribed to it.

    Raises:
        ToolDeclarationError: there is no docstring, or the names aren't what the function takes.
    """

    def register(function: F) -> F:
        registry.resources.add(resource_of(function, uri, mime_type, name))
        return function

    return register


async def require_consent(*, action: str, arguments: Any) -> None:
    """Ask the person before the running tool call does something that reaches outside.

    This is a courtesy: the answer opens nothing. What reaches outside is asked about by the power's owner anyway.

    Raises:
        Refused: they said no, or nobody is there to ask.
    """
    await consent_within_call(registry.consent, action, arguments)
