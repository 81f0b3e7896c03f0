"""What Python says to the page about consent. It decides nothing: questions, answers and grants are the page's.

Each power has an owner outside of Python, which asks: the page before it opens another origin, types secrets or runs
JavaScript in a document (web/ui/browser/gate.js), the companion before the network, the host and models. Here is what
remains: a courtesy question before a tool that a script declared as reaching outside or spending money, the words that
go with every question, and the note that text from outside is about to be read.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from gemini.errors import Refused
from gemini.tools.calls import Call, current_call

Words = dict[str, Any]
"""What Python says about a request: `{tool?, within?, caller?, run?, effect?, arguments?, origins?}`."""

NOBODY_HINT = "Open the surface's page, where the person can agree; or do without it."


class Consent:
    """The way to the page's questions.

    Attributes:
        attended: Whether a person is at the page, as it says. It opens nothing: the page knows by itself.
    """

    def __init__(self) -> None:
        self.attended = False
        self._ask: Callable[[Words], Awaitable[Any]] | None = None
        self._notify: Callable[[str, str], None] | None = None
        self._noted: set[str] = set()

    def attach(self, ask: Callable[[Words], Awaitable[Any]] | None) -> None:
        """Ask a page from now on.

        Args:
            ask: Returns when the person agrees, and raises `Refused` otherwise; None where the page has gone.
        """
        self._ask = ask

    def on_untrusted(self, notify: Callable[[str, str], None]) -> None:
        """Call `notify(run, origin)` before text from outside is read, once for each run or caller."""
        self._notify = notify
        self._noted.clear()

    def note_untrusted(self, run: str, origin: str) -> None:
        """Note that a run, or a caller that has none, is about to read text from outside."""
        if self._notify is not None and run not in self._noted:
            self._noted.add(run)
            self._notify(run, origin)

    async def ask(self, words: Words) -> None:
        """Ask the person, as a courtesy: the answer opens nothing.

        Raises:
            Refused: the person said no, or nobody is there to ask.
        """
        if self._ask is None:
            raise Refused(
                f"{words['tool']} needs a person's consent, and nobody is there to ask", hint=NOBODY_HINT
            )
        await self._ask(words)


async def consent_within_call(consent: Consent, action: str, arguments: Any) -> None:
    """Ask for something that the running call is about to do outside; a plain script asks nobody."""
    call = current_call()
    if call is not None:
        await consent.ask(
            {
                **words_of(call),
                "tool": action,
                "within": call.tool,
                "effect": "outside",
                "arguments": arguments,
            }
        )


def words_of(call: Call | None) -> Words:
    """What Python says about a request that a call makes, without the call's arguments."""
    if call is None:
        return {}
    words: Words = {"tool": call.tool, "caller": call.caller}
    if call.run is not None:
        words["run"] = call.run
    if call.origins:
        words["origins"] = [dict(found) for found in call.origins]
    return words


def courtesy_words(call: Call, arguments: Any) -> Words:
    """What Python says about a call of a script's tool."""
    return {**words_of(call), "effect": call.effect, "arguments": arguments}
