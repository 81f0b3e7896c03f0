"""A plan: the next steps, which the person sees and may change while they are taken."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from gemini.agents.model import ToolRow
from gemini.errors import InvalidArguments

MAX_STEPS = 5
PLAN, BLOCKED, VERDICT = "plan", "blocked", "verdict"
StepStatus = Literal["waiting", "running", "done", "failed", "skipped"]
STATUS_SYMBOLS: dict[StepStatus, str] = {
    "waiting": " ",
    "running": "…",
    "done": "x",
    "failed": "!",
    "skipped": "-",
}


class PlanStep(BaseModel):
    """One step, which becomes one call of a tool.

    Attributes:
        what: What to do, in a sentence.
        tool: With which tool, where the planner knows.
        expects: A text that is to be seen in the result, or of the surface afterwards, if the step worked.
        assumes: A text that is to be seen of the surface before; else the plan no longer fits.
        independent: Whether it only reads, and may run beside the independent steps next to it.
        why: Why it failed, or was left out.
    """

    model_config = ConfigDict(extra="forbid")

    what: str = Field(min_length=1, max_length=500)
    tool: str | None = None
    expects: str | None = None
    assumes: str | None = None
    independent: bool = False
    status: StepStatus = "waiting"
    why: str | None = None


STEPS: TypeAdapter[list[PlanStep]] = TypeAdapter(list[PlanStep])


class Plan:
    """The steps of a run, those that are over first.

    Args:
        on_change: Told whenever a step, or its status, is another than before.
    """

    def __init__(self, on_change: Callable[[], None], steps: Sequence[PlanStep] = ()) -> None:
        self.steps = list(steps)
        self._on_change = on_change

    @property
    def waiting(self) -> list[PlanStep]:
        return [step for step in self.steps if step.status == "waiting"]

    def rows(self) -> list[dict[str, Any]]:
        """As JSON holds it."""
        return STEPS.dump_python(self.steps, exclude_none=True)

    def replace_waiting(self, given: Any) -> None:
        """Put other steps in the place of those that wait: `[{what, tool?, expects?, assumes?, independent?}]`.

        Raises:
            InvalidArguments: they are no steps.
        """
        try:
            steps = STEPS.validate_python(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(piece) for piece in first["loc"])
            raise InvalidArguments(
                f"steps.{where}: {first['msg']}" if where else f"steps: {first['msg']}",
                hint="A step has what, and maybe tool, expects, assumes and independent.",
            ) from error
        fresh = [step.model_copy(update={"status": "waiting", "why": None}) for step in steps]
        self.steps = [*(step for step in self.steps if step.status != "waiting"), *fresh]
        self._on_change()

    def set_status(self, step: PlanStep, status: StepStatus, why: str | None = None) -> None:
        step.status, step.why = status, why
        self._on_change()

    def skip_waiting(self, why: str) -> None:
        """What waits doesn't fit any more."""
        for step in self.waiting:
            step.status, step.why = "skipped", why
        self._on_change()

    def text(self) -> str:
        """A line a step, with how far it is."""
        return "\n".join(
            f"[{STATUS_SYMBOLS[step.status]}] {step.what}{f' ({step.why})' if step.why else ''}"
            for step in self.steps
        )


def plan_row() -> ToolRow:
    """The planner's answer, as a tool."""
    text = {"type": "string"}
    properties = {
        "what": {**text, "description": "What to do, in a sentence."},
        "tool": {**text, "description": "The tool to do it with."},
        "expects": {**text, "description": "A text that is seen afterwards if it worked."},
        "assumes": {**text, "description": "A text that has to be there before."},
        "independent": {"type": "boolean", "description": "It only reads, and needs no other step's result."},
    }
    step = {"type": "object", "properties": properties, "required": ["what"]}
    steps = {"type": "array", "items": step, "minItems": 1, "maxItems": MAX_STEPS}
    schema = {"type": "object", "properties": {"steps": steps}, "required": ["steps"]}
    return ToolRow(PLAN, "Set the next steps.", schema)


BLOCKED_ROW = ToolRow(
    BLOCKED,
    "Say that the step can't be done as things are.",
    {"type": "object", "properties": {"reason": {"type": "string"}}, "required": ["reason"]},
)
VERDICT_ROW = ToolRow(
    VERDICT,
    "Say whether the task is done.",
    {
        "type": "object",
        "properties": {
            "done": {"type": "boolean"},
            "missing": {"type": "string", "description": "What is missing; empty if nothing is."},
        },
        "required": ["done", "missing"],
    },
)
