"""Tools: declaration, schema, registry, approval and the log of calls.

`registry` is the one that the kernel, the bridge, the console and every script of this interpreter share.
"""

from collections.abc import Callable
from typing import Any, TypeVar, overload

from gemini.tools.approval import consent_within_call
from gemini.tools.calls import Call, current_call, report_progress
from gemini.tools.declaration import Effect, declare
from gemini.tools.registry import Registry

__all__ = [
    "Call",
    "Effect",
    "Registry",
    "current_call",
    "declare",
    "registry",
    "report_progress",
    "require_consent",
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
) -> Callable[[F], F]: ...
def tool(function: F | None = None, /, **options: Any) -> F | Callable[[F], F]:
    """Make a typed, documented Python function, sync or async, a tool that agents can call.

    Use it as `@gemini.tool` or with options: `effect` ("read", "write", "outside", "spend"), `untrusted` (the
    result carries text from outside), `name` and `group`. Declaring a name again replaces the tool, so that a
    script can be run twice. The function itself stays as it is.

    Raises:
        ToolDeclarationError: what an agent's browser would refuse.
    """

    def register(function: F) -> F:
        marked = declare(**options)(function)
        registry.add(marked, replace=True)
        return marked

    return register if function is None else register(function)


async def require_consent(*, action: str, arguments: Any) -> None:
    """Ask the person before the running tool call does something that reaches outside.

    Raises:
        Refused: they said no, or nobody is there to ask.
    """
    await consent_within_call(registry.approval, action, arguments)
