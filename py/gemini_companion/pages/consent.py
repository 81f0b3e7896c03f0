"""The companion's questions to the user at a page, over the page's WebSocket.

    companion → page   consent/asks {id, kind, facts, words, answers}    show this question
                       consent/withdrawn {id}                            its answer is no longer needed
    page → companion   consent/answer {id, decision, until?} → {}        the user's answer

`facts` are the companion's own: its action if the answer allows it. `words` are Python's, never checked: who asked
and why. `answers` lists the grants that the question accepts; null leaves them to the kind. A decision is `refuse`,
`once`, `run`, `always`, `program` or `hour`; `until` is the end of a temporary grant, or of a refusal that also applies
to later questions, in milliseconds since 1970.
`entered` is the user's input in a question of the kind `sign-in`, and `filled` in one of the kind `mcp-question`.

Python in the page has no access to these messages (web/ui/companion/link.ts filters what it may send).
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import Field

from gemini.core.encoding import encode
from gemini.core.protocol import Handler, Params
from gemini.errors import ProtocolError, Refused
from gemini_companion.pages.parameters import MethodParams, validated

Json = Any
Grant = Literal["once", "run", "always", "program", "hour"]
Answer = Literal["refuse", "once", "run", "always", "program", "hour"]
GRANTS: tuple[Grant, ...] = get_args(Grant)
# More than the page shows: it shares its places among callers (web/ui/consent/consent.ts) and refuses the rest. Further
# questions are refused until some are answered.
MAX_PENDING = 256
# Characters of a question's facts as JSON. They are never cut, since the cut part would be done unseen.
MAX_FACTS = 64 * 1024
# Characters of one text of Python's words, and of all its words as JSON.
LONGEST_WORD = 2_000
MAX_WORDS = 16 * 1024
LONGEST_ENTERED = 1024
DEEPEST = 8
CUT = "…"
_UNASKED = "unasked_until"
"""The member of a refusal's data with its end, if the user wasn't asked."""


class Entered(MethodParams):
    """A user name, and a password or token; `keep` asks to save them."""

    # https://www.rfc-editor.org/rfc/rfc7617#section-2: no control characters, and no colon in the user's name.
    user: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f:]+$", max_length=LONGEST_ENTERED)]
    password: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=LONGEST_ENTERED, repr=False)]
    keep: bool


class Filled(MethodParams):
    """The user's input in a question with fields of a server's choice, by field."""

    values: dict[str, str | bool | list[str]]


@dataclass(frozen=True)
class Decision:
    """A grant by the user.

    Attributes:
        decision: The extent of the grant.
        until: Its end, in milliseconds since 1970; None if the page named no end.
        entered: The text that the user typed; None if the question has no fields for a user and a password.
        filled: The values of other fields by name; None if the question has none.
    """

    decision: Grant
    until: float | None = None
    entered: Entered | None = None
    filled: Mapping[str, Json] | None = None


class AnswerParams(MethodParams):
    """The parameters of `consent/answer`."""

    id: str
    decision: Answer
    until: Annotated[float, Field(gt=0, strict=False, allow_inf_nan=False)] | None = None
    entered: Entered | None = None
    filled: Filled | None = None


@dataclass(frozen=True)
class _Pending:
    answers: Sequence[Grant] | None
    decided: asyncio.Future[Decision]


class Questions:
    """The questions of one connection to a page.

    Args:
        notify: Sends the page a notification.
    """

    def __init__(self, notify: Callable[[str, Params], None]) -> None:
        self._notify = notify
        self._pending: dict[str, _Pending] = {}
        self._why_nobody: str | None = "the page has not connected yet"

    @property
    def pending(self) -> int:
        """The number of questions that wait for an answer."""
        return len(self._pending)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods of the page, for `gemini.core.protocol.Connection`."""
        return {"consent/answer": validated(AnswerParams, self._answer)}

    def open(self, *, attended: bool) -> None:
        """Accept questions from now on: the page has connected.

        Args:
            attended: Whether a user uses the page.
        """
        self._why_nobody = None if attended else "nobody is at the page to answer"

    def close(self, why: str = "the page was closed") -> None:
        """Refuse pending and later questions, since the page can't be asked."""
        self._why_nobody = why
        for identifier in list(self._pending):
            self._settle(identifier, Refused(f"the user has not answered: {why}"))

    async def ask(
        self,
        kind: str,
        facts: Mapping[str, Json],
        words: Mapping[str, Json] | None = None,
        answers: Sequence[Grant] | None = None,
    ) -> Decision:
        """Ask the user, and wait for the answer. Cancelling the caller withdraws the question.

        Args:
            kind: A kind of question that the page shows (web/ui/consent/kinds), such as `host`.
            facts: What will be done, as the companion itself knows it. The page shows all of it.
            words: What Python says about it. Long text is cut.
            answers: The grants that the question accepts, besides a refusal.

        Raises:
            Refused: The user refused, can't be asked, or has too many pending questions.
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
            # It is still pending if the caller was cancelled before an answer.
            if self._pending.pop(identifier, None) is not None:
                self._notify("consent/withdrawn", {"id": identifier})

    def _require_room(self) -> None:
        if self._why_nobody is not None:
            raise Refused(
                f"this needs a person's consent, and {self._why_nobody}",
                hint="Open the surface in a browser, and try again there.",
            )
        if len(self._pending) >= MAX_PENDING:
            raise Refused(
                f"{MAX_PENDING} questions are waiting for the user, which is the limit",
                hint="Wait until some are answered.",
            )

    async def _answer(self, params: AnswerParams) -> Params:
        pending = self._pending.get(params.id)
        if pending is None:
            raise ProtocolError("no question with this id is pending")
        if params.decision == "refuse":
            self._settle(params.id, _refusal(params.until))
            return {}
        if pending.answers is not None and params.decision not in pending.answers:
            raise ProtocolError(f"this question doesn't accept the answer {params.decision!r}")
        filled = None if params.filled is None else params.filled.values
        self._settle(params.id, Decision(params.decision, params.until, params.entered, filled))
        return {}

    def _settle(self, identifier: str, outcome: Decision | Refused) -> None:
        # Removed first, so that a second answer finds nothing.
        decided = self._pending.pop(identifier).decided
        if decided.done():
            return
        if isinstance(outcome, Refused):
            decided.set_exception(outcome)
        else:
            decided.set_result(outcome)


def was_asked(refused: Refused) -> bool:
    """Return whether the user saw the question, rather than that earlier refusals decided."""
    return _UNASKED not in (refused.data or {})


def _refusal(until: float | None) -> Refused:
    if until is None:
        return Refused("the user refused", hint="Ask them how to proceed.")
    end = datetime.fromtimestamp(until / 1000, UTC).isoformat(timespec="seconds")
    message = f"the user refused; it is refused without a question until {end}"
    return Refused(message, hint="Ask them how to proceed.", data={_UNASKED: end})


def _bounded_facts(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    size = len(encode(facts))
    if size > MAX_FACTS:
        raise Refused(
            f"the question to the user would have {size:,} characters, more than can be shown",
            hint=f"Split it into parts of fewer than {MAX_FACTS:,} characters.",
        )
    return facts


def _cut_words(words: Mapping[str, Json]) -> Mapping[str, Json]:
    cut = {name[:LONGEST_WORD]: _cut(value) for name, value in words.items()}
    if len(encode(cut)) <= MAX_WORDS:
        return cut
    # Nothing depends on the words, so a cut version will do.
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
