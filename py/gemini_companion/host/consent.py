"""The user's consent to actions on this machine: asked for each action, and remembered here until it ends.

Three actions need separate consent: `open` starts a shell, `run` runs a command, `type` types keys into what runs. A
grant is for one action: for one request, for the same program in the same directory (see
`gemini_companion.host.programs`), or for everything of that action. The latter two end at the time that the question
showed, and with the page's connection.
"""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from gemini.core.protocol import Handler, Params
from gemini.errors import Refused
from gemini_companion.pages.consent import Decision, Grant, Questions, was_asked
from gemini_companion.pages.parameters import MethodParams, validated

Action = Literal["open", "run", "type"]
Words = Mapping[str, Any]
HOUR_S = 3600.0
KIND = "host"
# They are asked one by one. Further ones are refused.
MAX_WAITING = 32


@dataclass(frozen=True)
class HostAction:
    """An action on this machine that needs consent.

    Attributes:
        action: Its kind.
        command: The shell, the command or the keys.
        directory: The working directory.
        program: The one program that the command runs, or that reads the keys; None if it is unknown.
        coverable: Whether a grant may cover the program.
        secrets: The names of secrets that the command gets, by variable. No grant covers such a command.
    """

    action: Action
    command: str
    directory: str
    program: str | None = None
    coverable: bool = False
    secrets: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def answers(self) -> tuple[Grant, ...]:
        """The grants that the user is offered."""
        if self.secrets:
            return ("once",)
        return ("once", "program", "hour") if self.coverable else ("once", "hour")


class Consent(Protocol):
    """Requires the user's consent to actions."""

    async def require(self, act: HostAction, words: Words | None = None) -> bool:
        """Return once the user has consented.

        Args:
            act: The action.
            words: What Python in the page says about it.

        Returns:
            True if the user was asked, which takes time.

        Raises:
            Refused: The user refused, or can't be asked.
        """
        ...


class Clock:
    """The time of day, and monotonic time."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds of a clock that is never set."""
        return time.monotonic()


@dataclass(frozen=True)
class StandingGrant:
    """A grant that lasts.

    Attributes:
        program, directory: Its scope; None covers everything of its action.
        until: Its end as the user was shown it, in seconds since 1970.
        ends: Its end by the monotonic clock.
        tainted: Whether it was granted after Python had read text from outside.
    """

    id: int
    action: Action
    program: str | None
    directory: str | None
    until: float
    ends: float
    tainted: bool

    def covers(self, act: HostAction) -> bool:
        """Return whether the grant covers an action."""
        if self.action != act.action or act.secrets:
            return False
        if self.program is None:
            return True
        return act.coverable and (self.program, self.directory) == (act.program, act.directory)

    def row(self) -> dict[str, Any]:
        """Return the row that the settings list: `{id, action, program, directory, until}`."""
        return {
            "id": self.id,
            "action": self.action,
            "program": self.program,
            "directory": self.directory,
            "until": iso(self.until),
        }


class RevokeParams(MethodParams):
    """The parameters of `host/revoke`."""

    grant: int | None = None


class HostConsent:
    """The grants of one page's connection.

    Args:
        questions: Asks the user at the page.
        on_change: Called after each change of the grants.
        clock: The clock for the end of grants.
        lasts_s: How long a standing grant lasts.
    """

    def __init__(
        self,
        questions: Questions,
        on_change: Callable[[], None] = lambda: None,
        clock: Clock | None = None,
        lasts_s: float = HOUR_S,
    ) -> None:
        self._questions = questions
        self._on_change = on_change
        self._clock = clock or Clock()
        self._lasts_s = lasts_s
        self._standing: list[StandingGrant] = []
        self._numbers = itertools.count(1)
        self._tainted = False
        # One question at a time, since its answer may cover the next ones.
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._refusals: Counter[Action] = Counter()

    def handlers(self) -> Mapping[str, Handler]:
        """Return the user's methods, for `gemini.core.protocol.Connection`; Python can't call them."""
        return {"host/revoke": validated(RevokeParams, self._revoke)}

    async def _revoke(self, params: RevokeParams) -> Params:
        self.revoke(params.grant)
        return {}

    def rows(self) -> list[dict[str, Any]]:
        """Return the standing grants as `StandingGrant.row`, oldest first."""
        self._drop_ended()
        return [each.row() for each in self._standing]

    def revoke(self, number: int | None = None) -> None:
        """Revoke a grant, or all of them."""
        self._standing = [each for each in self._standing if number is not None and each.id != number]
        self._on_change()

    def taint(self, tainted: bool) -> None:
        """Note whether Python has read text from outside: while it has, earlier grants don't count."""
        self._tainted = tainted

    async def require(self, act: HostAction, words: Words | None = None) -> bool:
        """Return once the user has consented; see `Consent.require`."""
        if self._is_covered(act):
            return False
        if self._waiting >= MAX_WAITING:
            raise Refused(
                f"{MAX_WAITING} requests for this computer are waiting for the user, which is the limit",
                hint="Wait until some are answered.",
            )
        refusals = self._refusals[act.action]
        self._waiting += 1
        try:
            async with self._turn:
                if self._refusals[act.action] != refusals:
                    raise Refused("the user refused the request before it", hint="Ask them how to proceed.")
                if not self._is_covered(act):
                    await self._ask(act, words)
        finally:
            self._waiting -= 1
        return True

    async def _ask(self, act: HostAction, words: Words | None) -> None:
        until = self._clock.now() + self._lasts_s
        ends = self._clock.monotonic() + self._lasts_s
        facts = {
            "action": act.action,
            "command": act.command,
            "directory": act.directory,
            "program": act.program,
            "until": iso(until),
            **({"secrets": dict(act.secrets)} if act.secrets else {}),
        }
        try:
            decision = await self._questions.ask(KIND, facts, words, act.answers)
        except Refused as refused:
            # What a caller is refused without asking says nothing about the others that wait.
            if was_asked(refused):
                self._refusals[act.action] += 1
            raise
        self._save(act, decision, until, ends)

    def _save(self, act: HostAction, decision: Decision, until: float, ends: float) -> None:
        if decision.decision == "once":
            return
        of_program = decision.decision == "program"
        program, directory = (act.program, act.directory) if of_program else (None, None)
        granted = StandingGrant(
            next(self._numbers), act.action, program, directory, until, ends, self._tainted
        )
        self._standing.append(granted)
        self._on_change()

    def _is_covered(self, act: HostAction) -> bool:
        self._drop_ended()
        return any(each.covers(act) and (each.tainted or not self._tainted) for each in self._standing)

    def _drop_ended(self) -> None:
        now, ticks = self._clock.now(), self._clock.monotonic()
        self._standing = [each for each in self._standing if now < each.until and ticks < each.ends]


def iso(seconds: float) -> str:
    """Return a time since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
