"""Asking the person before a call reaches outside or spends money.

Consent comes through `answer`, which the page's own dialog calls and no tool does. It guards against calls that
nobody wanted, not against Python code that was allowed to run: that shares an interpreter with it. What has to hold
against such code too (the person's machine, keys) is guarded outside of the page, by the companion.
"""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, cast, get_args

from gemini.errors import InvalidArguments, Refused
from gemini.events import ApprovalRequested, ApprovalSettled, EventLog
from gemini.tools.calls import Origins, current_call
from gemini.tools.choices import Choices
from gemini.tools.declaration import Effect

Decision = Literal["once", "always", "refuse"]
# Beside the arguments that the person is shown; a space keeps it apart from any parameter.
CAME_FROM = "not the agent's own words"


@dataclass
class Question:
    """What the person is asked.

    Attributes:
        tool: The tool that is called; or else, in words, what one is about to do.
        within: The tool that is about to do it; None where `tool` is the tool itself.
        asked: When, ISO 8601 in UTC.
    """

    id: int
    tool: str
    within: str | None
    caller: str
    effect: str
    arguments: Any
    asked: str


class Approval:
    """Open questions; `choices` has what was allowed for good."""

    def __init__(self, events: EventLog, choices: Choices) -> None:
        self.attended = False
        self._events = events
        self._choices = choices
        self._open: dict[int, tuple[Question, asyncio.Future[Decision]]] = {}
        self._last_id = 0

    async def require(
        self,
        action: str,
        caller: str,
        effect: Effect,
        arguments: Any,
        *,
        within: str | None = None,
        origins: Origins = (),
    ) -> None:
        """Return when the person agrees, or did so before for good.

        What was allowed for good doesn't hold for arguments from outside: the person is shown those each time.

        Args:
            action: The tool that is called, or what the tool `within` is about to do, in words.
            caller: Who calls it.
            effect: How far it reaches.
            arguments: What it is called with, as the person is to see it.
            within: See `action`.
            origins: What of the arguments came from text that nobody vouches for.

        Raises:
            Refused: the person said no, or nobody is there to ask.
        """
        if not origins and self._choices.allows(action, caller):
            return
        shown = _with_origins(arguments, origins) if origins else arguments
        decision = await self._ask(action, within, caller, effect, shown) if self.attended else "refuse"
        if not self.attended:
            raise Refused(
                f"{action} needs a person's consent, and nobody is there to ask",
                hint="Open the surface's page, where the person can agree; or do without it.",
            )
        if decision == "refuse":
            raise Refused(
                f"the person refused {action}",
                hint="Don't try it again as it is; ask what they would rather have.",
            )
        if decision == "always" and not origins:
            self._choices.grant(action, caller)

    async def _ask(
        self, action: str, within: str | None, caller: str, effect: Effect, arguments: Any
    ) -> Decision:
        self._last_id += 1
        asked = datetime.now(UTC).isoformat(timespec="milliseconds")
        question = Question(self._last_id, action, within, caller, effect.value, arguments, asked)
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._open[question.id] = (question, answer)
        self._events.publish(ApprovalRequested(vars(question)))
        decision: Decision | None = None
        try:
            decision = await answer
            return decision
        finally:
            del self._open[question.id]
            self._events.publish(ApprovalSettled(question.id, decision or "withdrawn"))

    def attend(self, attended: bool) -> None:
        """A person is there from now on, or nobody: then what waits is refused."""
        self.attended = attended
        if not attended:
            for approval_id in list(self._open):
                self.answer(approval_id, "refuse")

    def answer(self, approval_id: int, decision: str) -> None:
        """The person's answer to an open question; one that is no longer open is left alone."""
        if decision not in get_args(Decision):
            raise InvalidArguments(
                f"decision must be one of {', '.join(get_args(Decision))}, not {decision!r}"
            )
        _, future = self._open.get(approval_id, (None, None))
        if future is not None and not future.done():
            future.set_result(cast(Decision, decision))

    def rows(self) -> list[dict[str, Any]]:
        """The questions that wait for an answer."""
        return [vars(question) for question, _ in self._open.values()]


async def consent_within_call(approval: Approval, action: str, arguments: Any) -> None:
    """Ask for something that the running call is about to do outside; a plain script needs no consent."""
    call = current_call()
    if call is not None:
        await approval.require(
            action, call.caller, Effect.OUTSIDE, arguments, within=call.tool, origins=call.origins
        )


def _with_origins(arguments: Any, origins: Origins) -> Any:
    """What the person is shown: the arguments, and which of them came from where."""
    told = [f"{found['argument']}: {found['text']!r} came from {found['origin']}" for found in origins]
    if isinstance(arguments, dict):
        return {**cast("dict[str, Any]", arguments), CAME_FROM: told}
    return {"arguments": arguments, CAME_FROM: told}
