"""What the panel of agents does for a person: on the road of all tools, but told to nobody else."""

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from gemini.agents.feed import DEMO, Row, RunFeed
from gemini.agents.tickets import Tickets, use_tickets
from gemini.errors import InvalidArguments, RunEnded, RunMissing
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # What runs consist of loads on first use.
    from gemini.agents.handle import Run, Watch
    from gemini.agents.journal import Journal
    from gemini.agents.model import Model
    from gemini.agents.runs import Runs

Action = Literal["pause", "resume", "step", "take_over", "give_back", "cancel"]


class Started(TypedDict):
    run_id: str


class Done(TypedDict):
    success: bool


class Steps(TypedDict):
    """The steps of a run after those that the page has, its plan, and its whole result."""

    steps: list[Row]
    plan: list[Row] | None
    result: str | None


class Picture(TypedDict):
    """`data` is a JPEG in base64."""

    data: str


class PanelRunTools:
    """Args:
    runs: The surface's runs, made when they are first asked for.
    journal: What is kept of runs.
    feed: What the page is told of runs.
    watch: Notes what the person does while they have taken over.
    """

    def __init__(
        self, runs: "Callable[[], Runs]", journal: "Callable[[], Journal]", feed: RunFeed, watch: "Watch"
    ) -> None:
        self._runs = runs
        self._journal = journal
        self._feed = feed
        self._watch = watch

    @declare(person_only=True, action="start_run")
    def panel_run_start(
        self,
        task: str,
        strategy: Literal["react", "plan"] = "react",
        tools: list[str] | None = None,
        budget: dict[str, float] | None = None,
        model: str | None = None,
        ticket: str | None = None,
    ) -> Started:
        """Have an agent work at a task.

        Args:
            model: The id of one that is set up; by default the agent's own, or the default one.
            tools: Names of tools and groups; all by default.
            budget: Of steps, tokens, cost (in dollars), minutes.
            ticket: What the companion gave for the press, as with the tools below.
        """
        with use_tickets(Tickets("", ticket)):
            run = self._runs().start(task, strategy=strategy, model=model, tools=tools, budget=budget)
        return {"run_id": run.id}

    @declare(person_only=True, action="start_demo")
    def panel_run_demo(self) -> Started:
        """Start the demo, whose model is a script."""
        from gemini.agents import demo

        run = self._runs().start(
            demo.TASK, strategy="plan", model=demo.demo_model(), tools=list(demo.TOOLS), agent="demo"
        )
        return {"run_id": run.id}

    @declare(person_only=True, action="control_run")
    def panel_run_control(self, run_id: str, action: Action) -> Done:
        """Pause a run, let it go on, or do a step; take over, give back; or end it."""
        run = self._find(run_id)
        if run is None:
            self._end_unfinished(run_id, action)
        elif action == "take_over":
            run.take_over(self._watch)
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
    def panel_run_answer(self, run_id: str, text: Annotated[str, Field(min_length=1)]) -> Done:
        """Answer what an agent asks."""
        self._runs().get(run_id).answer(text)
        return {"success": True}

    @declare(person_only=True, action="edit_plan")
    def panel_run_plan(self, run_id: str, steps: list[dict[str, Any]]) -> Done:
        """Put other steps in the place of those of a plan that wait."""
        self._runs().get(run_id).edit_plan(steps)
        return {"success": True}

    @declare(person_only=True, action="follow_up")
    def panel_run_follow_up(self, run_id: str, task: str, ticket: str | None = None) -> Started:
        """Go on with the conversation of a run that is over."""
        row = self._row(run_id)
        with use_tickets(Tickets("", ticket)):
            run = self._runs().start(
                task,
                strategy=row["strategy"],
                agent=row["agent"],
                model=self._model_of(row),
                tools=self._asked(run_id)["tools"],
                continues=run_id,
            )
        return {"run_id": run.id}

    @declare(person_only=True, action="go_on")
    def panel_run_go_on(self, run_id: str, ticket: str | None = None) -> Started:
        """Go on with a run whose page was closed."""
        row = self._row(run_id)
        with use_tickets(Tickets("", ticket)):
            return {"run_id": self._runs().resume(run_id, model=self._model_of(row)).id}

    @declare(person_only=True, action="forget_run")
    def panel_run_forget(self, run_id: str) -> Done:
        """Delete a run that is over, with all that it kept."""
        self._runs().forget(run_id)
        self._feed.forget(run_id)
        return {"success": True}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="run_steps")
    def panel_run_steps(self, run_id: str, after: Annotated[int, Field(ge=0)] = 0) -> Steps:
        """Read the steps of a run, without the first ones that the page has already."""
        run = self._find(run_id)
        if run is not None:
            steps = [step.model_dump() for step in run.steps[after:]]
            plan = None if run.plan is None else run.plan.rows()
            return {"steps": steps, "plan": plan, "result": run.outcome and run.outcome.result}
        self._asked(run_id)
        found = self._journal().find(run_id)
        entries = self._journal().entries(run_id)
        plans = [body for kind, body in entries if kind == "plan"]
        return {
            "steps": [body for kind, body in entries if kind == "step"][after:],
            "plan": plans[-1] if plans else None,
            "result": found[1]["result"] if found and found[1] else None,
        }

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="run_picture")
    async def panel_run_picture(self, picture: int) -> Picture:
        """Read a picture of a step."""
        data = await self._runs().pictures.get(picture)
        if data is None:
            raise InvalidArguments("the picture is gone", hint="The oldest pictures make room for new ones.")
        return {"data": base64.b64encode(data).decode()}

    def _find(self, run_id: str) -> "Run | None":
        """A run of this Python; None where it is one of an earlier Python."""
        try:
            return self._runs().get(run_id)
        except RunMissing:
            self._asked(run_id)
            return None

    def _asked(self, run_id: str) -> Row:
        found = self._journal().find(run_id)
        if found is None:
            raise RunMissing(f"there is no run {run_id[:60]!r}")
        return found[0]

    def _row(self, run_id: str) -> Row:
        self._asked(run_id)
        row = self._feed.row(run_id)
        if row is None:
            raise RunMissing(f"there is no run {run_id[:60]!r}")
        return row

    def _model_of(self, row: Row) -> "Model | None":
        """The script of a demo goes on with it; all others have the model that is set up."""
        if row["model"] != DEMO:
            return None
        from gemini.agents.demo import demo_model

        return demo_model()

    def _end_unfinished(self, run_id: str, action: Action) -> None:
        """Give up a run whose page was closed."""
        from gemini.agents.steps import Outcome

        if self._row(run_id)["status"] != "unfinished":
            raise RunEnded(f"the run {run_id} is over", hint="Start another one that continues it.")
        if action != "cancel":
            raise InvalidArguments("the run was cut off when its page was closed", hint="Let it go on first.")
        outcome = Outcome(status="cancelled", reason="it was given up after its page was closed")
        self._journal().end(run_id, outcome.model_dump())
        self._feed.changed(run_id)
