"""The events of agents."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from gemini.core.events import Event

StepStatus = Literal["waiting", "running", "done", "failed", "skipped"]
Status = Literal["running", "waiting", "paused", "done", "answered", "failed", "budget", "cancelled"]
"""`waiting` means for the user's answer; `budget` means that a limit ended the run with a partial result."""
DemoExample = Literal["errors", "chart"]
"""Tasks of the start page besides the demo's own; see `gemini.agents.demo_examples`."""


class PlanStepRow(TypedDict):
    """A step of a plan; see `gemini.agents.loop.plan.PlanStep`."""

    what: str
    tool: NotRequired[str]
    expects: NotRequired[str]
    assumes: NotRequired[str]
    independent: NotRequired[bool]
    status: StepStatus
    why: NotRequired[str]


class SaidRow(TypedDict):
    """A call as a sentence: "Wrote", "shop/main.py", "+12 −3". All three may hold text from outside."""

    verb: str
    object: str
    facts: str


class StreamRow(TypedDict):
    """The model's output so far. `retry`: what it waits for, such as another attempt; empty if it doesn't.

    `doing` describes the call that runs, or whose arguments are being written. `tokens`: of the answer so far, about;
    the run's own tokens don't have them yet.
    """

    thought: str
    text: str
    calls: str
    retry: str
    doing: SaidRow | None
    tokens: int


ShownRunStatus = TypeAliasType("ShownRunStatus", Literal[Status, "unfinished"])


class RunRow(TypedDict):
    """A run in the list.

    `demo`: a script plays the model. `continues` is the id of the previous run. `unfinished`: the page was closed while
    it ran. `steps` counts the finished ones. `cost` is in US dollars; `began`, and `away_since` if the run has waited
    long for the companion, are in seconds since the epoch. `result` is shortened. `team`: the id of the team that it
    belongs to. `leader`: the agent that answers its
    questions, or asks the user. `held`: the next step waits until the run is resumed.
    """

    id: str
    task: str
    agent: str
    strategy: str
    model: str
    demo: bool
    continues: str | None
    status: ShownRunStatus
    steps: int
    tokens: int
    cost: float | None
    seconds: float
    began: float
    result: str | None
    reason: str | None
    question: str | None
    leader: str | None
    team: str | None
    away_since: float | None
    plan: list[PlanStepRow] | None
    busy: bool
    held: bool
    taken_over: bool
    stream: StreamRow | None


class OriginRow(TypedDict):
    """An argument with untrusted text, and where that comes from."""

    argument: str
    text: str
    origin: str


class ShownRow(TypedDict):
    """A part of what a call opens to: plain text, or the lines of a `difference`."""

    kind: Literal["text", "words", "difference", "problem"]
    title: str
    text: str


class SeenRow(TypedDict):
    """A call as people see it: a sentence, and what it opens to."""

    said: SaidRow
    shown: list[ShownRow]


class RunCallRow(TypedDict):
    """A call in a step. `arguments` and `result` are JSON text. `terminal`: the terminal that it ran a command in."""

    id: str
    tool: str
    arguments: str
    result: str
    failed: bool
    refused: bool
    origins: list[OriginRow]
    seconds: float
    said: SaidRow
    shown: list[ShownRow]
    terminal: str | None


class UsageRow(TypedDict):
    """The usage of requests in tokens; `input` includes `cached`. `cost` is in US dollars, if the model knows it."""

    input: int
    output: int
    cached: int
    cost: float | None


class RunStepRow(TypedDict):
    """A step of a run; see `gemini.agents.record.steps.Step`. `before` and `after` are numbers of pictures.

    `first_s`: until the model's first word; `speed`: tokens a second from then on. None if they aren't known.
    """

    number: int
    thought: str
    text: str
    seen: str
    calls: list[RunCallRow]
    notes: list[str]
    usage: UsageRow
    cost: float | None
    started: str
    seconds: float
    first_s: float | None
    speed: float | None
    before: int | None
    after: int | None


@dataclass(frozen=True)
class RunChanged(Event):
    """A run was started or changed; `run` is its row in the list."""

    type: ClassVar[str] = "run_changed"
    run: RunRow


@dataclass(frozen=True)
class RunStreamed(Event):
    """The model of a run streamed some output: `text` is appended to this `part` of the answer.

    `tokens`: of the whole answer so far, about.
    """

    type: ClassVar[str] = "run_streamed"
    run_id: str
    part: Literal["thought", "text", "calls"]
    text: str
    tokens: int

    def merged(self, later: Event) -> Event | None:
        """Join two consecutive pieces of the same part of a run's answer."""
        if not isinstance(later, RunStreamed) or (self.run_id, self.part) != (later.run_id, later.part):
            return None
        return replace(later, text=self.text + later.text)


@dataclass(frozen=True)
class RunForgotten(Event):
    """A run was deleted."""

    type: ClassVar[str] = "run_forgotten"
    run_id: str
