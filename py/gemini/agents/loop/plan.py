"""A plan: the next steps, which the user sees and may change during the run."""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from gemini.agents.events import PlanStepRow, StepStatus
from gemini.errors import InvalidArguments
from gemini.models.interface.model import ToolRow

MAX_STEPS = 5
PLAN, BLOCKED, VERDICT = "plan", "blocked", "verdict"
STATUS_SYMBOLS: dict[StepStatus, str] = {
    "waiting": " ",
    "running": "…",
    "done": "x",
    "failed": "!",
    "skipped": "-",
}


class PlanStep(BaseModel):
    """One step, which becomes one tool call.

    Attributes:
        what: What to do, in a sentence.
        tool: The tool to use, if the planner knows it.
        expects: A text that must appear in the result or in the next snapshot if the step worked.
        assumes: A text that must be in the snapshot before the step; otherwise the plan no longer fits.
        independent: Whether the step only reads, and may run in parallel with adjacent independent steps.
        why: Why the step failed or was skipped.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    what: str = Field(min_length=1, max_length=500)
    tool: str | None = None
    expects: str | None = None
    assumes: str | None = None
    independent: bool = False
    status: StepStatus = "waiting"
    why: str | None = None


STEPS: TypeAdapter[list[PlanStep]] = TypeAdapter(list[PlanStep], config=ConfigDict(defer_build=True))


class Plan:
    """The steps of a run, finished ones first.

    Args:
        on_change: Called when a step or its status changes.
        steps: The initial steps.
    """

    def __init__(self, on_change: Callable[[], None], steps: Sequence[PlanStep] = ()) -> None:
        self.steps = list(steps)
        self._on_change = on_change

    @property
    def waiting(self) -> list[PlanStep]:
        """The steps that haven't started."""
        return [step for step in self.steps if step.status == "waiting"]

    def rows(self) -> list[PlanStepRow]:
        """Return the steps as JSON."""
        return STEPS.dump_python(self.steps, exclude_none=True)

    def replace_waiting(self, value: Any) -> None:
        """Replace the waiting steps: `[{what, tool?, expects?, assumes?, independent?}]`.

        Raises:
            InvalidArguments: The steps are invalid.
        """
        try:
            steps = STEPS.validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(piece) for piece in first["loc"])
            raise InvalidArguments(
                f"steps.{where}: {first['msg']}" if where else f"steps: {first['msg']}",
                hint="A step has `what`, and optionally tool, expects, assumes and independent.",
            ) from error
        fresh = [step.model_copy(update={"status": "waiting", "why": None}) for step in steps]
        self.steps = [*(step for step in self.steps if step.status != "waiting"), *fresh]
        self._on_change()

    def set_status(self, step: PlanStep, status: StepStatus, why: str | None = None) -> None:
        """Set a step's status, with the reason if it failed."""
        step.status, step.why = status, why
        self._on_change()

    def skip_waiting(self, why: str) -> None:
        """Skip all waiting steps, because the plan no longer fits."""
        for step in self.waiting:
            step.status, step.why = "skipped", why
        self._on_change()

    def text(self) -> str:
        """Return the plan as text: one line for each step, with its status."""
        return "\n".join(
            f"[{STATUS_SYMBOLS[step.status]}] {step.what}{f' ({step.why})' if step.why else ''}"
            for step in self.steps
        )


def plan_row() -> ToolRow:
    """Return the tool with which the planner submits its plan."""
    text = {"type": "string"}
    properties = {
        "what": {**text, "description": "What to do, in a sentence."},
        "tool": {**text, "description": "The tool to do it with."},
        "expects": {**text, "description": "A text that appears afterwards if the step worked."},
        "assumes": {**text, "description": "A text that must be visible before the step."},
        "independent": {"type": "boolean", "description": "It only reads, and needs no other step's result."},
    }
    step = {"type": "object", "properties": properties, "required": ["what"]}
    steps = {"type": "array", "items": step, "minItems": 1, "maxItems": MAX_STEPS}
    schema = {"type": "object", "properties": {"steps": steps}, "required": ["steps"]}
    return ToolRow(PLAN, "Set the next steps.", schema)


BLOCKED_ROW = ToolRow(
    BLOCKED,
    "Report that the step can't be done in the current state.",
    {"type": "object", "properties": {"reason": {"type": "string"}}, "required": ["reason"]},
)
VERDICT_ROW = ToolRow(
    VERDICT,
    "Report whether the task is done.",
    {
        "type": "object",
        "properties": {
            "done": {"type": "boolean"},
            "missing": {"type": "string", "description": "What is missing; empty if nothing is."},
        },
        "required": ["done", "missing"],
    },
)
