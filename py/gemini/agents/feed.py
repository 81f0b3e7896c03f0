"""The feed of runs for the page: a row for each run, and the model's output as it streams.

Every page load imports this module, so it imports nothing of the runs themselves at module level.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from gemini.agents.events import RunChanged, RunForgotten, RunRow, RunStreamed, StreamRow
from gemini.models.interface.names import shown_name

if TYPE_CHECKING:
    from gemini.agents.record.journal import Journal
    from gemini.agents.runs.events import RunEvent
    from gemini.agents.runs.handle import Run
    from gemini.agents.runs.runs import Runs
    from gemini.core.events import Event
    from gemini.models.interface.model import CallDelta, ModelEvent

Row = dict[str, Any]
SHOWN_RESULT_CHARS = 2_000
# The page shows at most this much of an answer while it streams.
SHOWN_STREAM_CHARS = 20_000
# Providers send several tokens in a piece, servers that people run themselves one.
CHARS_PER_TOKEN = 4
# The start of a call's arguments that describes the call.
READ_ARGUMENTS = 2_000
# The user learns that the companion is away once its restart would be over.
AWAY_SHOWN_S = 30.0
# Of the session's ended runs, whose plans and steps are in memory. The journal has the others.
MOST_ENDED = 50
DEMO = "demo script"
"""The name of the demo's scripted model."""


def stored_row(stored: Row) -> RunRow:
    """Return the page's row of a stored run from an earlier session.

    Args:
        stored: A row of `Journal.rows`.
    """
    spec: Row = stored["row"]
    outcome: Row = stored["outcome"] or {}
    spent: Row = outcome.get("spent", {})
    usage: Row = spent.get("usage", {})
    return {
        "id": stored["id"],
        "task": spec["task"],
        "agent": spec["agent"],
        "strategy": spec["strategy"],
        "model": shown_name(spec.get("model", "")),
        "demo": spec.get("model") == DEMO,
        "continues": spec["continues"],
        "status": outcome.get("status", "unfinished"),
        "steps": stored["steps"],
        "tokens": usage.get("input", 0) + usage.get("output", 0),
        "cost": spent.get("cost"),
        "seconds": spent.get("seconds", 0.0),
        "began": stored["began"],
        "result": _cut(outcome.get("result")),
        "reason": outcome.get("reason"),
        "question": None,
        "leader": None,
        "team": spec.get("team"),
        "away_since": None,
        "plan": None,
        "busy": False,
        "held": False,
        "taken_over": False,
        "stream": None,
    }


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= SHOWN_RESULT_CHARS else f"{text[:SHOWN_RESULT_CHARS]}…"


class RunFeed:
    """Lists runs, and publishes their changes to the page.

    Args:
        publish: Publishes an event.
        journal: Returns the journal of stored runs.
    """

    def __init__(self, publish: Callable[[Event], None], journal: Callable[[], Journal]) -> None:
        self._publish = publish
        self._journal = journal
        self._live: dict[str, Run] = {}
        self._streams: dict[str, StreamRow] = {}
        # The call that each run's model writes: the tool's name, and the arguments so far.
        self._written: dict[str, tuple[str, str]] = {}
        self._counts: dict[str, _Count] = {}
        # Since when runs wait for the companion.
        self._away: dict[str, float] = {}

    def follow(self, runs: Runs) -> Runs:
        """Publish changes of each run that starts from now on; return `runs`."""
        runs.on_start(self._begin)
        return runs

    def rows(self) -> list[RunRow]:
        """Return a row for each run, oldest first."""
        rows = {stored["id"]: stored_row(stored) for stored in self._journal().rows()}
        live = {run.id: self._row(run) for run in self._live.values()}
        return sorted({**rows, **live}.values(), key=lambda row: row["began"])

    def row(self, run_id: str) -> RunRow | None:
        """Return the row of a run; None if there is no such run."""
        if run_id in self._live:
            return self._row(self._live[run_id])
        return next((row for row in self.rows() if row["id"] == run_id), None)

    def is_live(self, run_id: str) -> bool:
        """Return whether a run of this session hasn't ended."""
        run = self._live.get(run_id)
        return run is not None and run.outcome is None

    def away(self) -> list[RunRow]:
        """Return the runs that have waited for the companion for long, oldest first."""
        return [self._row(run) for run in self._live.values() if run.id in self._away]

    def forget(self, run_id: str) -> None:
        """Remove a run from the list, and publish that."""
        self._live.pop(run_id, None)
        self._publish(RunForgotten(run_id))

    def changed(self, run_id: str) -> None:
        """Publish the current row of a run."""
        row = self.row(run_id)
        if row is not None:
            self._publish(RunChanged(row))

    def _begin(self, run: Run) -> None:
        ended = [other.id for other in self._live.values() if other.outcome is not None]
        for oldest in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self._live[oldest]
        self._live[run.id] = run
        self._streams[run.id] = _empty_stream()
        run.on_event(lambda event: self._on_event(run, event))
        self._publish(RunChanged(self._row(run)))

    def _on_event(self, run: Run, event: RunEvent) -> None:
        from gemini.agents.record.steps import Step
        from gemini.agents.runs.events import Streamed
        from gemini.models.interface.model import Retried

        away_s = event.event.away_s if isinstance(event, Streamed) and isinstance(event.event, Retried) else 0
        if away_s >= AWAY_SHOWN_S:
            self._away.setdefault(run.id, time.time() - away_s)
        elif self._away.pop(run.id, None) is not None:
            self._publish(RunChanged(self._row(run)))
        match event:
            case Streamed(streamed):
                self._on_streamed(run, streamed)
            case Step():
                self._begin_stream(run)
            case _:
                if run.outcome is not None:
                    self._streams.pop(run.id, None)
                    self._written.pop(run.id, None)
                    self._counts.pop(run.id, None)
                self._publish(RunChanged(self._row(run)))

    def _on_streamed(self, run: Run, event: ModelEvent) -> None:
        from gemini.models.interface.model import (
            CallDelta,
            HeldText,
            PromptRead,
            Retried,
            TextDelta,
            ThoughtDelta,
            wait_of,
        )
        from gemini.models.interface.usage import Usage

        match event:
            case ThoughtDelta(text):
                self._say(run, "thought", text)
            case TextDelta(text):
                self._say(run, "text", text)
            case CallDelta() as part:
                self._say(run, "calls", f"{part.name} {part.arguments}" if part.name else part.arguments)
                self._note_call(run, part)
            case HeldText(text):
                self._say(run, "calls", "", len(text))
            case Retried() | PromptRead():
                self._begin_stream(run, wait_of(event))
            case Usage() if run.id in self._counts:
                self._counts[run.id].is_over = True
            case _:
                pass

    def _begin_stream(self, run: Run, retry: str = "") -> StreamRow:
        self._counts.pop(run.id, None)
        stream = self._streams[run.id] = {**_empty_stream(), "retry": retry}
        self._publish(RunChanged(self._row(run)))
        return stream

    def _say(
        self, run: Run, part: Literal["thought", "text", "calls"], text: str, held_chars: int = 0
    ) -> None:
        stream = self._streams.setdefault(run.id, _empty_stream())
        if stream["retry"]:
            stream = self._begin_stream(run)
        new_chars = len(text) + held_chars
        if new_chars == 0:
            return
        count = self._counts.get(run.id)
        if count is None or count.before != run.spent.usage.total:
            count = self._counts[run.id] = _Count(run.spent.usage.total)
        stream["tokens"] = count.add(new_chars)
        shown = text if len(stream[part]) < SHOWN_STREAM_CHARS else ""
        stream[part] += shown
        self._publish(RunStreamed(run.id, part, shown, stream["tokens"]))

    def _note_call(self, run: Run, part: CallDelta) -> None:
        """Publish a description of the call that the model writes, once it is known."""
        from gemini.agents.watching.sentences import doing
        from gemini.agents.watching.views import parsed

        name, arguments = (part.name, "") if part.name else self._written.get(run.id, ("", ""))
        if name == "" or len(arguments) > READ_ARGUMENTS:
            return
        arguments += part.arguments
        self._written[run.id] = (name, arguments)
        value = parsed(arguments)
        now = doing(name, cast("Row", value) if isinstance(value, dict) else {})
        stream = self._streams[run.id]
        if stream["doing"] != now:
            stream["doing"] = now
            self._publish(RunChanged(self._row(run)))

    def _row(self, run: Run) -> RunRow:
        outcome, stream = run.outcome, self._streams.get(run.id)
        return {
            "id": run.id,
            "task": run.task,
            "agent": run.agent,
            "strategy": run.strategy,
            "model": shown_name(run.model),
            "demo": run.model == DEMO,
            "continues": run.continues,
            "status": run.status,
            "steps": len(run.steps),
            "tokens": run.spent.usage.total,
            "cost": run.spent.cost,
            "seconds": run.spent.seconds,
            "began": run.began,
            "result": None if outcome is None else _cut(outcome.result),
            "reason": None if outcome is None else outcome.reason,
            "question": run.question,
            "leader": run.leader,
            "team": run.team,
            "away_since": self._away.get(run.id),
            "plan": None if run.plan is None else run.plan.rows(),
            "busy": run.busy,
            "held": run.held,
            "taken_over": run.taken_over,
            # Later output must not change an event that still waits to be sent.
            "stream": None if stream is None else {**stream, "tokens": self._uncounted(run, stream)},
        }

    def _uncounted(self, run: Run, stream: StreamRow) -> int:
        """Return the tokens of the answer that the run's own tokens don't have yet."""
        count = self._counts.get(run.id)
        return stream["tokens"] if count is not None and count.before == run.spent.usage.total else 0


@dataclass
class _Count:
    """The size of an answer so far; `before` are the run's tokens when it began, and `is_over` ends it."""

    before: int
    pieces: int = 0
    chars: int = 0
    is_over: bool = False

    def add(self, chars: int) -> int:
        """Add a piece; return the tokens of the answer, about."""
        if not self.is_over:
            self.pieces, self.chars = self.pieces + 1, self.chars + chars
        return max(self.pieces, self.chars // CHARS_PER_TOKEN)


def _empty_stream() -> StreamRow:
    return {"thought": "", "text": "", "calls": "", "retry": "", "doing": None, "tokens": 0}
