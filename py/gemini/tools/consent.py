"""Python's part in consent. Python decides nothing: the page owns questions, answers and grants.

The owner of each power asks for it outside of Python. The page asks before it opens another origin, types secrets or
runs JavaScript in a document (web/ui/panels/browser/gate.ts); the companion asks before it uses the network, the host
or models. Python adds a courtesy question before a script's tool that reaches outside or spends money, the context
shown with every question, and a notification before text from outside is read.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from gemini.errors import Refused
from gemini.tools.calls import Call, current_call

RequestContext = dict[str, Any]
"""Python's account of a request, unverified: `{tool?, within?, caller?, call?, run?, effect?, arguments?, origins?}`.

`call` is the id of the call in the log.
"""

NO_PAGE_HINT = "Open the surface's page so that the user can agree, or continue without this."


class Consent:
    """The connection to the page's consent questions.

    Attributes:
        attended: Whether the page reports a user. It grants nothing: the page checks for itself.
    """

    def __init__(self) -> None:
        self.attended = False
        self._ask: Callable[[RequestContext], Awaitable[Any]] | None = None
        self._notify: Callable[[str, str], None] | None = None
        self._noted: set[str] = set()
        self._listeners: list[Callable[[str, str], None]] = []

    def attach(self, ask: Callable[[RequestContext], Awaitable[Any]] | None) -> None:
        """Set the page to ask.

        Args:
            ask: Returns if the user agrees and raises `Refused` otherwise; None if the page has closed.
        """
        self._ask = ask

    def on_untrusted(self, notify: Callable[[str, str], None]) -> None:
        """Call `notify(run, origin)` before text from outside is read, once for each run or caller."""
        self._notify = notify
        self._noted.clear()

    def on_each_untrusted(self, listener: Callable[[str, str], None]) -> None:
        """Call `listener(run, origin)` before each text from outside is read."""
        self._listeners.append(listener)

    def note_untrusted(self, run: str, origin: str) -> None:
        """Record that a run, or a caller without one, is about to read text from outside."""
        for listener in self._listeners:
            listener(run, origin)
        if self._notify is not None and run not in self._noted:
            self._noted.add(run)
            self._notify(run, origin)

    async def ask(self, context: RequestContext) -> None:
        """Ask the user as a courtesy: the answer grants nothing.

        Raises:
            Refused: The user refused, or no page is open to ask.
        """
        if self._ask is None:
            raise Refused(
                f"{context['tool']} needs the user's consent, and no page is open to ask", hint=NO_PAGE_HINT
            )
        await self._ask(context)


async def consent_within_call(consent: Consent, action: str, arguments: Any) -> None:
    """Ask before the running call does something outside the surface. A plain script doesn't ask."""
    call = current_call()
    if call is not None:
        await consent.ask(
            {
                **request_context(call),
                "tool": action,
                "within": call.tool,
                "effect": "outside",
                "arguments": arguments,
            }
        )


def request_context(call: Call | None) -> RequestContext:
    """Return the context of a request that a call makes, without the call's arguments."""
    if call is None:
        return {}
    context: RequestContext = {"tool": call.tool, "caller": call.caller, "call": call.id}
    if call.run is not None:
        context["run"] = call.run
    if call.origins:
        context["origins"] = [dict(origin) for origin in call.origins]
    return context


def courtesy_context(call: Call, arguments: Any) -> RequestContext:
    """Return the context of the courtesy question about a script's tool."""
    return {**request_context(call), "effect": call.effect, "arguments": arguments}


def current_request_context() -> str:
    """Return the running call's context as JSON: `{tool, caller, call, run?, origins?}`, or `{}` without a call."""
    return json.dumps(request_context(current_call()))
