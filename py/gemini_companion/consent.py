"""The companion's questions to the person at a page, over the page's WebSocket.

    companion → page   consent/asks {id, kind, facts, words, answers}    show this question
                       consent/withdrawn {id}                            nobody waits for its answer any more
    page → companion   consent/answer {id, decision, until?} → {}        what the person answered

`facts` are the companion's own: what it will do if the answer allows it. `words` are Python's: who asked and why, never
checked. `answers` names the decisions that the question takes; null leaves that to the kind. A decision is `refuse`,
`once`, `run`, `always`, `program` or `hour`; `until` is in milliseconds since 1970, for a decision that ends.

Python in the page has no way to any of these messages (web/ui/companion/link.js passes on what it may send).
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import Field

from gemini.core.encoding import encode
from gemini.core.protocol import Handler, Params
from gemini.errors import ProtocolError, Refused
from gemini_companion.parameters import Asked, taking

Json = Any
Grant = Literal["once", "run", "always", "program", "hour"]
Answer = Literal["refuse", "once", "run", "always", "program", "hour"]
GRANTS: tuple[Grant, ...] = get_args(Grant)
# More than a person answers; a program that asks this often is refused until some are answered.
MOST_PENDING = 32
# Characters of a question's facts as JSON. They can't be cut, since the rest would be done unseen.
MOST_FACTS = 64 * 1024
# Characters of one text of Python's words, and of all of them as JSON.
LONGEST_WORD = 2_000
MOST_WORDS = 16 * 1024
DEEPEST = 8
CUT = "…"


@dataclass(frozen=True)
class Decision:
    """What the person allowed.

    Attributes:
        decision: For how much it counts.
        until: When it ends, in milliseconds since 1970; None where the page named no end.
    """

    decision: Grant
    until: float | None = None


class Answered(Asked):
    id: str
    decision: Answer
    until: Annotated[float, Field(gt=0, strict=False, allow_inf_nan=False)] | None = None


@dataclass(frozen=True)
class _Pending:
    answers: Sequence[Grant] | None
    decided: asyncio.Future[Decision]


class Questions:
    """The questions of one connection of a page.

    Args:
        notify: Sends the page a notification.
    """

    def __init__(self, notify: Callable[[str, Params], None]) -> None:
        self._notify = notify
        self._pending: dict[str, _Pending] = {}
        self._why_nobody: str | None = "the page has not connected yet"

    @property
    def pending(self) -> int:
        """How many wait for an answer."""
        return len(self._pending)

    def handlers(self) -> Mapping[str, Handler]:
        """The page's request methods, for `gemini.core.protocol.Connection`."""
        return {"consent/answer": taking(Answered, self._answer)}

    def open(self, *, attended: bool) -> None:
        """The page has connected.

        Args:
            attended: Whether a person is at it.
        """
        self._why_nobody = None if attended else "nobody is at the page that it would be asked of"

    def close(self, why: str = "the page has gone") -> None:
        """The page can't be asked any more: what is pending is refused."""
        self._why_nobody = why
        for identifier in list(self._pending):
            self._settle(identifier, Refused(f"the person has not answered: {why}"))

    async def ask(
        self,
        kind: str,
        facts: Mapping[str, Json],
        words: Mapping[str, Json] | None = None,
        answers: Sequence[Grant] | None = None,
    ) -> Decision:
        """Ask the person, and wait for the answer. The question is withdrawn when the caller is cancelled.

        Args:
            kind: A kind of the page (web/ui/consent/kinds), such as `host`.
            facts: What will be done, as the companion itself knows it. The page shows all of it.
            words: What Python says about it. Long texts are cut.
            answers: The grants that the question takes, besides a refusal.

        Raises:
            Refused: The person refused, can't be asked, or is asked too much already.
        """
        self._require_room()
        shown = {"kind": kind, "facts": _bounded_facts(facts), "words": _cut_words(words or {})}
        identifier = secrets.token_urlsafe(16)
        decided: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._pending[identifier] = _Pending(answers, decided)
        listed = None if answers is None else list(answers)
        try:
            self._notify("consent/asks", {"id": identifier, **shown, "answers": listed})
            return await decided
        finally:
            # It is still there where the caller was cancelled, and nobody answered.
            if self._pending.pop(identifier, None) is not None:
                self._notify("consent/withdrawn", {"id": identifier})

    def _require_room(self) -> None:
        if self._why_nobody is not None:
            raise Refused(
                f"this needs a person's consent, and {self._why_nobody}",
                hint="Open the surface in a browser, and ask again there.",
            )
        if len(self._pending) >= MOST_PENDING:
            raise Refused(
                f"{MOST_PENDING} questions wait for the person, which is the most",
                hint="Wait until they have answered.",
            )

    async def _answer(self, told: Answered) -> Params:
        pending = self._pending.get(told.id)
        if pending is None:
            raise ProtocolError("no question of that id waits for an answer")
        if told.decision == "refuse":
            self._settle(told.id, Refused("the person refused", hint="Ask them how to go on."))
            return {}
        if pending.answers is not None and told.decision not in pending.answers:
            raise ProtocolError(f"this question doesn't take the answer {told.decision!r}")
        self._settle(told.id, Decision(told.decision, told.until))
        return {}

    def _settle(self, identifier: str, outcome: Decision | Refused) -> None:
        # Taken out first, so that a second answer finds nothing.
        decided = self._pending.pop(identifier).decided
        if decided.done():
            return
        if isinstance(outcome, Refused):
            decided.set_exception(outcome)
        else:
            decided.set_result(outcome)


def _bounded_facts(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    size = len(encode(facts))
    if size > MOST_FACTS:
        raise Refused(
            f"what the person would be asked has {size:,} characters, more than can be shown",
            hint=f"Do it in parts of fewer than {MOST_FACTS:,} characters.",
        )
    return facts


def _cut_words(words: Mapping[str, Json]) -> Mapping[str, Json]:
    cut = {name[:LONGEST_WORD]: _cut(value) for name, value in words.items()}
    if len(encode(cut)) <= MOST_WORDS:
        return cut
    # Nothing depends on them: the person sees that Python said too much.
    return {"cut": encode(cut)[:LONGEST_WORD] + CUT}


def _cut(value: Json, depth: int = 0) -> Json:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_WORD else value[:LONGEST_WORD] + CUT
    if not isinstance(value, dict | list):
        return value
    if depth >= DEEPEST:
        return CUT
    if isinstance(value, dict):
        members = cast(dict[str, Json], value)
        return {name[:LONGEST_WORD]: _cut(member, depth + 1) for name, member in members.items()}
    return [_cut(each, depth + 1) for each in cast(list[Json], value)]
