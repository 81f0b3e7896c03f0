"""All runs of a surface: start, continue and resume them."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from gemini.agents.export.formats import Format
from gemini.agents.guard.budget import Budget, Price, Spent, budget_of
from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.guard.taint import Taint
from gemini.agents.loop.conversation import Conversation
from gemini.agents.loop.observation import Observer
from gemini.agents.loop.run_setup import Setup
from gemini.agents.loop.skill_shelf import SkillShelf, offered_skills
from gemini.agents.loop.toolbox import Toolbox, ToolSelector
from gemini.agents.memory.memory import Memories
from gemini.agents.record.journal import Entry, Journal, Kind, MemoryJournal
from gemini.agents.record.pictures import Camera, PictureStore, RunPictures
from gemini.agents.record.steps import Outcome, Step
from gemini.agents.runs.events import Streamed
from gemini.agents.runs.handle import Run
from gemini.agents.runs.partial_answer import Saying
from gemini.agents.runs.replay import interrupted_calls, last, replay
from gemini.agents.runs.spec import Fork, Prepared, RunSpec, require_strategy, require_task
from gemini.agents.runs.start import begin_conversation, partial_result, strategy_loop
from gemini.agents.runs.stored import StoredRuns
from gemini.agents.runs.supervision import Supervision, supervision_of
from gemini.computer.python.owners import own_python, python_of
from gemini.core import saved_code
from gemini.core.clock import Clock
from gemini.errors import RunEnded, RunMissing, RunProblem
from gemini.models.interface.messages import Message
from gemini.models.interface.model import Model
from gemini.models.interface.retries import RetryingModel
from gemini.models.interface.sampling import Sampling, sampling_of
from gemini.models.interface.selection import ModelSelection
from gemini.models.interface.tickets import use_tickets_for
from gemini.tools import Registry
from gemini.tools.writers import current_run

# How deep agents may start other agents.
MAX_DEPTH = 3
MAX_RUNS = 100
# Only agents with tools of this group get snapshots of pages.
OBSERVED_GROUP = "dom"

_depth: ContextVar[int] = ContextVar("gemini_agent_depth", default=0)


class Runs:
    """The runs of one surface.

    Args:
        registry: The registry that every tool call goes through.
        journal: Stores runs; by default in memory.
        observer: Takes snapshots for agents that have browser tools.
        camera: Takes pictures of pages before and after an agent acts on them.

    Attributes:
        selection: Selects the model of a run.
        pictures: The pictures of all runs.
        price: Returns what a model's usage costs.
        skills: The skills that the user has allowed; None without a surface.
        memory: The memories of agents; None without a surface.
        clock: The clock of waits and limits.
    """

    def __init__(
        self,
        registry: Registry,
        journal: Journal | None = None,
        observer: Observer | None = None,
        camera: Camera | None = None,
    ) -> None:
        self.selection = ModelSelection()
        self.price: Price | None = None
        self.memory: Memories | None = None
        self.skills: SkillShelf | None = None
        self.clock = Clock()
        self._registry = registry
        self._journal = journal or MemoryJournal()
        self._stored = StoredRuns(self._journal)
        self._observer = observer
        self._camera = camera
        self.pictures = PictureStore(self._journal)
        self._runs: dict[str, Run] = {}
        # The toolboxes of runs that are in use.
        self._toolboxes: WeakValueDictionary[str, Toolbox] = WeakValueDictionary()
        self._listeners: list[Callable[[Run], None]] = []

    @property
    def model(self) -> Model | None:
        """The model that a script has set for all runs that name none; None to use the settings."""
        return self.selection.model

    @model.setter
    def model(self, model: Model | None) -> None:
        self.selection.model = model

    def start(
        self,
        task: str,
        *,
        strategy: str = "react",
        model: Model | str | None = None,
        tools: Sequence[ToolSelector] | None = None,
        agent: str = "agent",
        budget: Budget | dict[str, Any] | None = None,
        max_steps: int | None = None,
        continues: Run | str | None = None,
        forks: Run | None = None,
        attended: bool | None = None,
        sampling: Sampling | dict[str, Any] | None = None,
        run_id: str | None = None,
        supervision: Supervision | None = None,
        by_user: bool = False,
    ) -> Run:
        """Start a run; see `gemini.agents.run`.

        Args:
            task: The task, as the other arguments described there.
            strategy: As there.
            model: As there.
            tools: As there.
            agent: As there.
            budget: As there.
            max_steps: As there.
            continues: As there.
            forks: A run, perhaps unfinished, whose conversation so far this run starts from.
            attended: As there.
            sampling: As there.
            run_id: The id of the new run, if a caller has saved it before.
            supervision: The part that a room above takes in the run.
            by_user: Whether the user began it in the page.
        """
        earlier = continues.id if isinstance(continues, Run) else continues
        before = (
            self._stored.find(forks.id)[0] if forks else self._stored.ended_spec(earlier) if earlier else None
        )
        spec = RunSpec(
            task=require_task(task),
            agent=agent,
            strategy=require_strategy(strategy),
            budget=budget_of(budget, max_steps),
            tools=None if tools is None else [name for name in tools if isinstance(name, str)],
            boundary=secrets.token_hex(8) if before is None else before.boundary,
            continues=earlier,
            fork=None if forks is None else Fork(run=forks.id, entries=len(self._journal.entries(forks.id))),
            model=self.selection.require(agent, model).name,
            choice=model if isinstance(model, str) else None,
            sampling=sampling_of(sampling),
            team=None if supervision is None else supervision.team,
            family=self.current_family() if supervision is None else supervision.family,
            python=(supervision and supervision.python) or own_python.get() or (before and before.python),
            by_user=by_user,
        )
        part = supervision_of(supervision, attended)
        prepared = self._prepare(run_id or new_run_id(), spec, model, tools, part)
        self._journal.begin(prepared.id, spec.model_dump())
        return self._launch(prepared, [])

    def resume(
        self,
        run_id: str,
        *,
        model: Model | None = None,
        tools: Sequence[ToolSelector] | None = None,
        attended: bool | None = None,
        supervision: Supervision | None = None,
    ) -> Run:
        """Resume a run from an earlier session after its last finished step.

        Args:
            run_id: The run's id.
            model: The model; defaults to the one that the run was started with.
            tools: The run's tools; required only if some of them were functions.
            attended: Whether a user can answer questions.
            supervision: The part that a room above takes in the run.

        Raises:
            RunMissing: There is no run with that id.
            RunEnded: The run has ended, or is already running.
            RunProblem: The run belongs to a team, which resumes it.
        """
        spec, ended = self._stored.find(run_id)
        if ended:
            raise RunEnded(f"the run {run_id} has ended", hint="Start a run that continues it.")
        if run_id in self._runs:
            raise RunEnded(f"the run {run_id} is already running")
        if spec.team is not None and supervision is None:
            raise RunProblem(
                f"the run {run_id} belongs to a team", hint=f"Use gemini.agents.resume_team({spec.team!r})."
            )
        part = supervision_of(supervision, attended)
        prepared = self._prepare(run_id, spec, model, spec.tools if tools is None else tools, part)
        return self._launch(prepared, self._journal.entries(run_id))

    def get(self, run_id: str) -> Run:
        """Return a run of this session. Raises RunMissing."""
        if run_id not in self._runs:
            known = ", ".join(self._runs) or "none"
            raise RunMissing(f"there is no run {run_id[:60]!r}", hint=f"The runs are: {known}.")
        return self._runs[run_id]

    def outcome(self, run_id: str) -> Outcome | None:
        """Return the outcome of a run, also of an earlier session; None if it hasn't ended. Raises RunMissing."""
        return self._stored.outcome(run_id)

    def passed_on(self, run_id: str, *, spending: bool = False) -> list[str] | None:
        """Return the names of the tools that a run may pass to anything it starts, as `Toolbox.passed_on` does.

        A caller that is no run, such as a chat, has all.
        """
        toolbox = self._toolboxes.get(run_id)
        return None if toolbox is None else toolbox.passed_on(spending=spending)

    def in_group(self, names: Sequence[str], group: str) -> list[str]:
        """Return the names of those tools that are in a group."""
        declared = [tool.declaration for tool in self._registry]
        return [each.name for each in declared if each.name in names and each.group == group]

    async def export(self, run_id: str, form: Format = "markdown") -> tuple[str, str]:
        """Return a run, also one of an earlier session, as the name and the text of a file.

        Args:
            run_id: The run's id.
            form: `markdown`, `json`, or `html`: one page with pictures, which has no scripts and loads nothing.

        Raises:
            InvalidArguments: There is no such format.
            RunMissing: There is no run with that id.
        """
        from gemini.agents.export.file import export

        return await export(self._journal, run_id, form, self.pictures.get)

    def __iter__(self) -> Iterator[Run]:
        return iter(list(self._runs.values()))

    def forget(self, run_id: str) -> None:
        """Delete a run that has ended. Raises RunMissing, or RunProblem if it hasn't ended."""
        self._stored.ended_spec(run_id)
        self._runs.pop(run_id, None)
        self._journal.forget(run_id)

    def on_start(self, listener: Callable[[Run], None]) -> None:
        """Call `listener` with each run that is started or resumed, before its first step."""
        self._listeners.append(listener)

    def note_consent(self, run_id: str, waits: bool) -> None:
        """Note whether a call of a run waits for the user's consent."""
        if run_id in self._runs:
            self._runs[run_id].awaits_consent = waits

    def current_family(self) -> str | None:
        """Return the run or team that a user began and that led to the running code; None if no run did."""
        run_id = current_run.get()
        return None if run_id is None else self._stored.family(run_id)

    def unfinished(self) -> list[str]:
        """Return the ids of runs that an earlier session left unfinished, oldest first."""
        return [run_id for run_id in self._journal.unfinished() if run_id not in self._runs]

    def _prepare(
        self,
        run_id: str,
        spec: RunSpec,
        model: Model | str | None,
        tools: Sequence[ToolSelector] | None,
        supervision: Supervision,
    ) -> Prepared:
        """Validate everything before anything is written."""
        selection = self.selection.require(spec.agent, model or spec.choice)
        depth = _depth.get() + 1 + supervision.level
        if depth > MAX_DEPTH:
            raise RunProblem(
                f"agents start agents only {MAX_DEPTH} levels deep", hint="Do the task yourself."
            )
        taint = Taint(partial(self._registry.consent.note_untrusted, run_id))
        delimiters = Delimiters(spec.boundary)
        task, code = spec.task, spec.strategy == "code"
        toolbox = Toolbox(self._registry, spec.agent, tools, delimiters, taint, run_id, task, code=code)
        self._toolboxes[run_id] = toolbox
        retrying = RetryingModel(selection, self.clock)
        return Prepared(run_id, spec, retrying, toolbox, delimiters, taint, depth, supervision)

    def _launch(self, prepared: Prepared, own: list[Entry]) -> Run:
        """Start a run, or resume it from its own journal entries."""
        # Its task, memories and skills may be saved ones.
        saved_code.use()
        spec = prepared.spec
        spent = last(own, "spent", Spent.model_validate) or Spent()
        run = Run(prepared.id, spec.task, spec.agent, spec.strategy, spec.budget, spent, self.clock)
        run.model, run.continues, run.team = prepared.model.name, spec.continues, spec.team
        run.leader = prepared.supervision.leader
        run.exporter = partial(self.export, run.id)
        before = self._stored.earlier_entries(spec)
        setup = self._setup(prepared, run, own)
        replay([*before, *own], setup.conversation, prepared.taint, prepared.toolbox)
        prepared.taint.trust(spec.task)
        part = prepared.supervision
        run.waits_for = partial(part.waits_for, run)
        if part.prompt_origin is not None:
            prepared.taint.remember(part.prompt_origin, part.prompt)
        pinned = self.memory.pinned(spec.agent) if self.memory else ""
        begin_conversation(setup, spec, self.selection.instructions(), pinned, part, own)
        run.messages = setup.conversation.reader
        run.steps = [Step.model_validate(body) for kind, body in own if kind == "step"]
        saying = Saying()
        run.on_event(saying.on_event)
        self._runs[run.id] = run
        self._forget_oldest()
        for listener in self._listeners:
            listener(run)
        token, outer = _depth.set(prepared.depth), current_run.set(run.id)
        try:
            with use_tickets_for(f"the run {run.id}: {spec.task}"), python_of(spec.python):
                run.drive(
                    strategy_loop(run, setup, own),
                    self._save_outcome(run, setup, part),
                    lambda: partial_result(run, setup, saying),
                )
        finally:
            _depth.reset(token)
            current_run.reset(outer)
        return run

    def _save_outcome(self, run: Run, setup: Setup, part: Supervision) -> Callable[[Outcome], None]:
        def save(outcome: Outcome) -> None:
            if setup.pictures is not None:
                setup.pictures.close()
            part.end(run, outcome, lambda: self._journal.end(run.id, outcome.model_dump()))

        return save

    def _setup(self, prepared: Prepared, run: Run, own: list[Entry]) -> Setup:
        part = prepared.supervision

        def write(kind: Kind, body: Any) -> None:
            # An abandoned call may finish after the run has ended.
            run.require_running()
            self._journal.write(run.id, kind, body)

        pictures = None if self._camera is None else RunPictures(self.pictures, run.id, self._camera)

        def on_add(message: Message) -> None:
            write("message", message.model_dump(mode="json"))

        async def wait_while_paused() -> None:
            # Take the picture of the last step now, before the user changes the page.
            if run.held and pictures is not None:
                await pictures.settle()
            await part.wait_while_paused(run)
            await part.before_step(run)

        def is_attended() -> bool:
            return self._registry.consent.attended if part.attended is None else part.attended

        return Setup(
            task=run.task,
            model=prepared.model,
            toolbox=prepared.toolbox,
            conversation=Conversation(on_add),
            delimiters=prepared.delimiters,
            taint=prepared.taint,
            budget=run.budget,
            spent=run.spent,
            write=write,
            ask_person=partial(part.ask, run),
            is_attended=is_attended,
            on_step=run.step_ended,
            on_event=lambda event: run.notify(Streamed(event)),
            wait_while_paused=wait_while_paused,
            actions_to_report=run.actions_to_report,
            deliver=partial(part.deliver, run),
            pictures=pictures,
            skills=offered_skills(self.skills, part.skills),
            observer=self._observer if prepared.toolbox.has_group(OBSERVED_GROUP) else None,
            price=self.price,
            sampling=prepared.spec.sampling,
            clock=self.clock,
            interrupted_calls=interrupted_calls(own),
        )

    def _forget_oldest(self) -> None:
        over = [run_id for run_id, run in self._runs.items() if run.outcome is not None]
        for run_id in over[: max(0, len(self._runs) - MAX_RUNS)]:
            del self._runs[run_id]


def new_run_id() -> str:
    """Return an id for a new run."""
    return f"run-{secrets.token_hex(5)}"
