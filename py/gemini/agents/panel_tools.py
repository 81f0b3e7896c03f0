"""The actions of the agent panel. They go through the registry as all tools do, but only the user can call them."""

import base64
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from gemini.agents.events import DemoExample, PlanStepRow, RunRow, RunStepRow
from gemini.agents.export.formats import Format
from gemini.agents.feed import DEMO, Row, RunFeed
from gemini.computer.python.owners import python_of
from gemini.errors import InvalidArguments, RunEnded, RunMissing, RunProblem
from gemini.models.interface.tickets import Tickets, use_tickets
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # The modules of runs load on first use.
    from gemini.agents.record.journal import Journal
    from gemini.agents.runs.handle import Run
    from gemini.agents.runs.runs import Runs
    from gemini.agents.runs.takeover import EndWatch
    from gemini.models.interface.model import Model

Action = Literal["pause", "resume", "step", "take_over", "give_back", "cancel"]


class Started(TypedDict):
    """The id of a run that was started."""

    run_id: str


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class Steps(TypedDict):
    """The steps of a run that the page doesn't have yet, its plan, and its complete result."""

    steps: list[RunStepRow]
    plan: list[PlanStepRow] | None
    result: str | None


class Exported(TypedDict):
    """A download: the id of its bytes, its file name, and its size."""

    blob: str
    name: str
    bytes: int


class Picture(TypedDict):
    """A picture; `data` is a JPEG in base64."""

    data: str


class PanelRunTools:
    """The actions of the agent panel.

    Args:
        runs: Returns the surface's runs, which are created on first use.
        journal: Returns the journal of stored runs.
        feed: Publishes runs to the page.
        watch: Starts recording the user's actions during a takeover of a run, by its id.
        resume_team: Resumes a team, by its id.
        offer: Offers bytes as a file with a name.
        noted: Returns a task or an answer with the meaning of its mentions.
    """

    def __init__(
        self,
        runs: "Callable[[], Runs]",
        journal: "Callable[[], Journal]",
        feed: RunFeed,
        watch: "Callable[[str], EndWatch]",
        resume_team: Callable[[str], object],
        offer: Callable[[str, bytes], Exported],
        noted: Callable[[str], Awaitable[str]],
    ) -> None:
        self._runs = runs
        self._journal = journal
        self._feed = feed
        self._watch = watch
        self._resume_team = resume_team
        self._offer = offer
        self._noted = noted

    @declare(person_only=True, action="start_run")
    async def panel_run_start(
        self,
        task: str,
        strategy: Literal["react", "plan", "code"] = "react",
        tools: list[str] | None = None,
        budget: dict[str, float] | None = None,
        model: str | None = None,
        ticket: str | None = None,
    ) -> Started:
        """Start an agent on a task.

        Args:
            task: The task.
            strategy: `react`, `plan` or `code`.
            tools: Names of tools and groups; all by default.
            budget: Limits: steps, tokens, cost (in dollars), minutes.
            model: The id of a model in the settings; by default the agent's own, or the default one.
            ticket: The ticket that the companion issued when the user pressed the button, as in the other actions.
        """
        text = await self._noted(task)
        with use_tickets(Tickets("", ticket)):
            run = self._runs().start(
                text, strategy=strategy, model=model, tools=tools, budget=budget, by_user=True
            )
        return {"run_id": run.id}

    @declare(person_only=True, action="start_demo")
    def panel_run_demo(self, held: bool = False, example: DemoExample | None = None) -> Started:
        """Start the demo with its scripted model.

        Args:
            held: Whether each step waits for the user.
            example: Another example of the start page instead.
        """
        from gemini.agents import demo, demo_examples

        task, strategy = (demo.TASK, "plan") if example is None else (demo_examples.TASKS[example], "react")
        run = self._runs().start(
            task, strategy=strategy, model=demo.DemoModel(), tools=list(demo.TOOLS), agent="demo"
        )
        demo.answer_later(run)
        if held:
            run.pause()
        return {"run_id": run.id}

    @declare(person_only=True, action="control_run")
    def panel_run_control(self, run_id: str, action: Action) -> Done:
        """Pause or resume a run, run one step, take over or give back, or cancel the run."""
        run = self._find(run_id)
        if run is None:
            self._end_unfinished(run_id, action)
        elif action == "take_over":
            run.take_over(lambda: self._watch(run_id))
        else:
            {
                "pause": run.pause,
                "resume": run.resume,
                "step": run.step_once,
                "give_back": run.give_back,
                "cancel": run.cancel,
            }[action]()
        return {"success": True}

    @declare(person_only=True, action="answer_run")
    async def panel_run_answer(self, run_id: str, text: Annotated[str, Field(min_length=1)]) -> Done:
        """Answer an agent's question."""
        self._runs().get(run_id).answer(await self._noted(text))
        return {"success": True}

    @declare(person_only=True, action="edit_plan")
    def panel_run_plan(self, run_id: str, steps: list[dict[str, Any]]) -> Done:
        """Replace the waiting steps of a plan."""
        self._runs().get(run_id).edit_plan(steps)
        return {"success": True}

    @declare(person_only=True, action="follow_up")
    async def panel_run_follow_up(self, run_id: str, task: str, ticket: str | None = None) -> Started:
        """Continue the conversation of a run that has ended."""
        row = self._row(run_id)
        text = await self._noted(task)
        with use_tickets(Tickets("", ticket)):
            run = self._runs().start(
                text,
                strategy=row["strategy"],
                agent=row["agent"],
                model=self._model_of(row),
                tools=self._spec(run_id)["tools"],
                continues=run_id,
                by_user=True,
            )
        return {"run_id": run.id}

    @declare(person_only=True, action="retry_run")
    def panel_run_retry(self, run_id: str, ticket: str | None = None) -> Started:
        """Start the task of a run that has ended again, in the same way; what the run has done stays done."""
        row, spec = self._row(run_id), self._spec(run_id)
        if self._runs().outcome(run_id) is None:
            raise RunProblem(f"the run {run_id} hasn't ended", hint="Cancel it, or wait until it ends.")
        if spec.get("team") is not None or spec.get("fork") is not None:
            raise RunProblem(f"the run {run_id} is a part of another's work", hint="Retry that.")
        with use_tickets(Tickets("", ticket)), python_of(spec.get("python")):
            run = self._runs().start(
                spec["task"],
                strategy=spec["strategy"],
                agent=spec["agent"],
                model=self._model_of(row) or spec.get("choice"),
                tools=spec["tools"],
                budget=spec["budget"],
                sampling=spec.get("sampling"),
                continues=spec["continues"],
                # An agent may have written the task.
                by_user=spec.get("by_user", False),
            )
        return {"run_id": run.id}

    @declare(person_only=True, action="go_on")
    def panel_run_go_on(self, run_id: str, ticket: str | None = None) -> Started:
        """Resume a run that was interrupted when its page was closed; a run of a team with its whole team."""
        row = self._row(run_id)
        team = self._spec(run_id).get("team")
        with use_tickets(Tickets("", ticket)):
            if team is not None:
                self._resume_team(team)
                return {"run_id": run_id}
            return {"run_id": self._runs().resume(run_id, model=self._model_of(row)).id}

    @declare(person_only=True, action="forget_run")
    def panel_run_forget(self, run_id: str) -> Done:
        """Delete a run that has ended, with everything stored about it."""
        self._runs().forget(run_id)
        self._feed.forget(run_id)
        return {"success": True}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="run_steps")
    def panel_run_steps(self, run_id: str, after: Annotated[int, Field(ge=0)] = 0) -> Steps:
        """Read the steps of a run, skipping the first `after` steps."""
        from gemini.agents.watching.views import rows_of_steps

        run = self._find(run_id)
        if run is not None:
            steps = rows_of_steps([step.model_dump() for step in run.steps[after:]])
            plan = None if run.plan is None else run.plan.rows()
            return {"steps": steps, "plan": plan, "result": run.outcome and run.outcome.result}
        self._spec(run_id)
        found = self._journal().find(run_id)
        entries = self._journal().entries(run_id)
        plans = [body for kind, body in entries if kind == "plan"]
        return {
            "steps": rows_of_steps([body for kind, body in entries if kind == "step"][after:]),
            "plan": plans[-1] if plans else None,
            "result": found[1]["result"] if found and found[1] else None,
        }

    @declare(effect=Effect.READ, person_only=True, action="export_run")
    async def panel_run_export(self, run_id: str, format: Format) -> Exported:  # noqa: A002 - the word for it
        """Offer a run as a download: as Markdown, as JSON, or as a page to share."""
        name, text = await self._runs().export(run_id, format)
        return self._offer(name, text.encode())

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="run_picture")
    async def panel_run_picture(self, picture: int) -> Picture:
        """Read a picture of a step."""
        data = await self._runs().pictures.get(picture)
        if data is None:
            raise InvalidArguments(
                f"there is no picture {picture}", hint="The oldest pictures are deleted to make room."
            )
        return {"data": base64.b64encode(data).decode()}

    def _find(self, run_id: str) -> "Run | None":
        """Return a run of this session; None if it is from an earlier one."""
        try:
            return self._runs().get(run_id)
        except RunMissing:
            self._spec(run_id)
            return None

    def _spec(self, run_id: str) -> Row:
        found = self._journal().find(run_id)
        if found is None:
            raise RunMissing(f"there is no run {run_id[:60]!r}")
        return found[0]

    def _row(self, run_id: str) -> RunRow:
        self._spec(run_id)
        row = self._feed.row(run_id)
        if row is None:
            raise RunMissing(f"there is no run {run_id[:60]!r}")
        return row

    def _model_of(self, row: RunRow) -> "Model | None":
        """Return the scripted model for a demo; None, the configured model, for any other run."""
        if row["model"] != DEMO:
            return None
        from gemini.agents.demo import DemoModel

        return DemoModel()

    def _end_unfinished(self, run_id: str, action: Action) -> None:
        """Cancel a run that was interrupted when its page was closed."""
        from gemini.agents.record.steps import Outcome

        if self._row(run_id)["status"] != "unfinished":
            raise RunEnded(f"the run {run_id} has ended", hint="Start a run that continues it.")
        if action != "cancel":
            raise InvalidArguments(
                "the run was interrupted when its page was closed", hint="Resume the run first."
            )
        outcome = Outcome(status="cancelled", reason="the run was cancelled after its page was closed")
        self._journal().end(run_id, outcome.model_dump())
        self._feed.changed(run_id)
