"""Tools: declaration, schema, registry, consent and the log of calls.

The kernel, the bridge, the console and every script of this interpreter share one `registry`.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from gemini.tools.calls import Call, current_call, report_message, report_progress
from gemini.tools.consent import consent_within_call
from gemini.tools.declaration import Effect, Need, declare
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
    needs: Sequence[Need] = (),
    lean: bool = False,
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
    needs: Sequence[Need] = (),
    lean: bool = False,
) -> F | Callable[[F], F]:
    """Register a typed, documented function, sync or async, as a tool that agents can call.

    Use it as `@gemini.tool` or with options. The function itself is unchanged. Declaring a name again replaces the
    tool, so a script can run twice.

    Args:
        function: The function, if the decorator is used without options.
        effect: How far the tool reaches: "read", "write", "outside" or "spend".
        untrusted: True if the result contains text from outside, such as files, pages and programs.
        name: The tool's name. Defaults to the function's.
        group: The group to switch the tool on and off with. Defaults to "custom".
        schema: A JSON Schema of the arguments to list instead of the one generated from the signature.
        needs: The abilities without which an MCP client is refused before the tool runs: "elicitation", "sampling"
            and "roots" for questions to it, "tasks" for calls that take longer than a request. A call of a tool that
            needs tasks is one from the start.
        lean: True if agents in browsers that take few tools see it, too.

    Raises:
        ToolDeclarationError: A browser would reject the name, a type or a description.
    """

    def register(function: F) -> F:
        marked = declare(
            effect=effect,
            untrusted=untrusted,
            name=name,
            group=group,
            schema=schema,
            needs=needs,
            lean=lean,
        )(function)
        registry.add(marked, replace=True)
        return marked

    return register if function is None else register(function)


@overload
def prompt(function: F, /) -> F: ...
@overload
def prompt(*, name: str | None = None) -> Callable[[F], F]: ...
def prompt(function: F | None = None, /, *, name: str | None = None) -> F | Callable[[F], F]:
    """Register a function that returns text or `Content` as a prompt that MCP clients offer to their users.

    The docstring becomes the prompt's description. Arguments are text; clients complete those that are annotated with
    a `Literal`.

    Raises:
        ToolDeclarationError: The function has no docstring, or an argument isn't text.
    """

    def register(function: F) -> F:
        registry.prompts.add(prompt_of(function, name))
        return function

    return register if function is None else register(function)


def resource(uri: str, *, mime_type: str = "text/plain", name: str | None = None) -> Callable[[F], F]:
    """Register a function that returns text or bytes, sync or async, as a resource that MCP clients can read.

    The docstring becomes the resource's description. A URI template passes its variables to the function:
    `@gemini.resource("notes://{year}/{name}")`. `gemini.resources.updated(uri)` notifies subscribers of a change.

    Raises:
        ToolDeclarationError: The function has no docstring, or its parameters differ from the template's variables.
    """

    def register(function: F) -> F:
        registry.resources.add(resource_of(function, uri, mime_type, name))
        return function

    return register


async def require_consent(*, action: str, arguments: Any) -> None:
    """Ask the user before the running tool call does something outside the surface.

    This question is a courtesy: the answer grants nothing. The page and the companion ask before they act.

    Raises:
        Refused: The user refused, or no page is open to ask.
    """
    await consent_within_call(registry.consent, action, arguments)
