"""One run: what a script holds in its hand, and what ends it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from dataclasses import dataclass
from typing import Any

from gemini.agents.budget import Budget, BudgetSpent, Spent
from gemini.agents.clock import Clock
from gemini.agents.conversation import MessageReader
from gemini.agents.model import ModelEvent
from gemini.agents.plan import Plan
from gemini.agents.results import RunStatus
from gemini.agents.setup import Ending
from gemini.agents.steps import ENDED, Outcome, Status, Step
from gemini.errors import GeminiError, PlanRefused, RunEnded, UsageProblem

# How long a call that is cancelled may take to let go; then the run ends without it.
GRACE_S = 0.5
SHOWN_TASK_CHARS = 200


@dataclass(frozen=True)
class Streamed:
    """A part of the model's answer, as it comes."""

    event: ModelEvent


@dataclass(frozen=True)
class PlanChanged:
    plan: list[dict[str, Any]]


@dataclass(frozen=True)
class StatusChanged:
    """`question` is what the person is asked, where the run waits for their answer."""

    status: Status
    question: str | None = None


RunEvent = Streamed | Step | PlanChanged | StatusChanged
Listener = Callable[[RunEvent], None]
EndWatch = Callable[[], list[str]]
"""Tells what the person has done since, a line a action, and watches no longer."""
Watch = Callable[[], EndWatch]


class Run:
    """A task that an agent works at. `await run` gives its Outcome, `async for step in run` its steps as they end.

    A run goes on whether or not anybody awaits it. It ends by itself, by its budget, or by `cancel`.

    Attributes:
        id: For `agent_status` and `resume`.
        steps: Those that have ended.
        spent: What was taken so far.
        plan: The steps ahead, with the strategy `plan`; None with others.
        question: What the person is asked now.
        outcome: How it ended; None while it goes on.
        messages: The conversation, to read.
        model: The name of what is asked.
        continues: The id of the run before.
        began: When it began, or went on after its page was closed, in seconds of the epoch.
        busy: Whether a step is under way: a run that is paused comes to the end of it.
        taken_over: Whether the person works in its place.
    """

    def __init__(
        self, run_id: str, task: str, agent: str, strategy: str, budget: Budget, spent: Spent, clock: Clock
    ) -> None:
        self.id, self.task, self.agent, self.strategy = run_id, task, agent, strategy
        self.budget, self.spent = budget, spent
        self.steps: list[Step] = []
        self.plan: Plan | None = None
        self.question: str | None = None
        self.outcome: Outcome | None = None
        self.messages: MessageReader = MessageReader(list)
        self.model = ""
        self.continues: str | None = None
        self.began = time.time()
        self.busy = False
        self.taken_over = False
        self._end_watch: EndWatch | None = None
        self._unreported_actions: list[list[str]] = []
        self._single_step = False
        self._clock = clock
        self._began = clock.now() - spent.seconds
        self._listeners: list[Listener] = []
        self._stop = asyncio.Event()
        self._go = asyncio.Event()
        self._go.set()
        self._answer: asyncio.Future[str] | None = None
        self._progress = asyncio.Event()
        self._task: asyncio.Task[Outcome] | None = None

    @property
    def status(self) -> Status:
        if self.outcome is not None:
            return self.outcome.status
        if self.question is not None:
            return "waiting"
        return "running" if self._go.is_set() else "paused"

    @property
    def held(self) -> bool:
        """Whether no other step begins until the run is let go on, whatever its status."""
        return self.outcome is None and not self._go.is_set()

    def __await__(self) -> Generator[Any, None, Outcome]:
        if self._task is None:
            raise UsageProblem("the run was not started", hint="Use gemini.agents.run(…).")
        # Whoever waits may give up without ending the run.
        return asyncio.shield(self._task).__await__()

    async def __aiter__(self) -> AsyncIterator[Step]:
        sent = 0
        while True:
            progress = self._progress
            while sent < len(self.steps):
                sent += 1
                yield self.steps[sent - 1]
            if self.outcome is not None:
                break
            await progress.wait()
        # What ended it otherwise than by an outcome is raised here.
        await self

    def on_event(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with what the model streams, each step, each change of the plan and of the status.

        The returned function ends that.
        """
        self._listeners = [*self._listeners, listener]

        def end() -> None:
            self._listeners = [other for other in self._listeners if other is not listener]

        return end

    def notify(self, event: RunEvent) -> None:
        for listener in self._listeners:
            listener(event)

    def cancel(self) -> None:
        """End the run, now; one that has ended stays as it is."""
        self._stop.set()

    def pause(self) -> None:
        """Let the step that runs come to its end, and begin no other."""
        if self.outcome is None and self._go.is_set():
            self._go.clear()
            self.notify(StatusChanged(self.status, self.question))

    def resume(self) -> None:
        """Go on after a pause."""
        if self.taken_over:
            self.give_back()
        elif not self._go.is_set():
            self._go.set()
            self.notify(StatusChanged(self.status, self.question))

    def step_once(self) -> None:
        """Do one step of a run that is paused.

        Raises:
            UsageProblem: it isn't paused, or the person has taken over.
        """
        if self.status != "paused" or self.taken_over or self.busy:
            raise UsageProblem(
                "only a run that is paused does a single step",
                hint="Pause it, and wait for the end of its step.",
            )
        self._single_step = True
        self.resume()

    def take_over(self, watch: Watch) -> None:
        """Pause, since the person goes on by hand.

        Args:
            watch: Begins to note what the person does, and gives what tells it.

        Raises:
            RunEnded: the run is over.
        """
        self.require_running()
        if not self.taken_over:
            self.taken_over, self._end_watch = True, watch()
            self._go.clear()
            self.notify(StatusChanged(self.status, self.question))

    def give_back(self) -> None:
        """Go on after `take_over`: the model looks anew, and is told what the person did.

        Raises:
            UsageProblem: nobody has taken over.
        """
        if self._end_watch is None:
            raise UsageProblem("nobody has taken this run over")
        self._unreported_actions.append(self._end_watch())
        self.taken_over, self._end_watch = False, None
        self.resume()

    def actions_to_report(self) -> list[list[str]]:
        """What the person did, each time they gave the run back since this was last asked."""
        actions, self._unreported_actions = self._unreported_actions, []
        return actions

    def answer(self, text: str) -> None:
        """Answer the question that the agent asks.

        Raises:
            UsageProblem: it asks nothing.
        """
        if self._answer is None or self._answer.done():
            raise UsageProblem("the agent asks nothing now", hint="`run.question` has what it asks.")
        self._answer.set_result(text)

    def edit_plan(self, steps: list[dict[str, Any]]) -> None:
        """Put other steps in the place of those that wait: `[{what, tool?, expects?, assumes?, independent?}]`.

        Raises:
            PlanRefused: the run has no plan, or is over.
            InvalidArguments: they are no steps.
        """
        if self.plan is None:
            raise PlanRefused(f"a run with the strategy {self.strategy!r} has no plan")
        if self.outcome is not None:
            raise PlanRefused("the run is over", hint="Start another one that continues it.")
        self.plan.replace_waiting(steps)

    def row(self) -> RunStatus:
        """For `agent_status`: `{run_id, task, agent, strategy, status, steps, tokens, cost, …}`."""
        row: RunStatus = {
            "run_id": self.id,
            "task": self.task[:SHOWN_TASK_CHARS],
            "agent": self.agent,
            "strategy": self.strategy,
            "status": self.status,
            "steps": len(self.steps),
            "tokens": self.spent.usage.total,
            "cost": self.spent.cost,
        }
        if self.question is not None:
            row["question"] = self.question
        if self.plan is not None:
            row["plan"] = self.plan.rows()
        if self.outcome is not None:
            row["result"], row["reason"] = self.outcome.result, self.outcome.reason
        return row

    def step_ended(self, step: Step) -> None:
        self.spent.seconds = round(self._clock.now() - self._began, 3)
        self.steps.append(step)
        self.busy = False
        if self._single_step:
            self._single_step = False
            self._go.clear()
        self.notify(step)
        if not self._go.is_set():
            self.notify(StatusChanged(self.status))
        self._wake()

    async def wait_while_paused(self) -> None:
        await self._go.wait()
        self.busy = True

    async def ask_person(self, question: str) -> str:
        self.question = question
        self._answer = asyncio.get_running_loop().create_future()
        self.notify(StatusChanged("waiting", question))
        try:
            return await self._answer
        finally:
            self.question = self._answer = None
            self.notify(StatusChanged(self.status))

    def drive(
        self,
        work: Coroutine[Any, Any, Ending],
        save: Callable[[Outcome], None],
        so_far: Callable[[], str | None],
    ) -> None:
        """Do the work until something ends it.

        Args:
            work: The loop.
            keep: Keeps how it ended.
            so_far: What there is of a result, where it ends before its time.
        """
        self._task = asyncio.create_task(self._drive(work, save, so_far))

    async def _drive(
        self,
        work: Coroutine[Any, Any, Ending],
        save: Callable[[Outcome], None],
        so_far: Callable[[], str | None],
    ) -> Outcome:
        task = asyncio.create_task(work)
        try:
            early = await self._until_end(task)
            outcome = self._outcome(early, None, so_far()) if early else self._ended(task, so_far)
        except Exception as error:
            # A fault of the surface's own is no outcome that a model or a person could have brought about.
            outcome = self._outcome("failed", f"the surface failed: {error}", so_far())
            self._finish(outcome, save)
            raise
        self._finish(outcome, save)
        return outcome

    def _finish(self, outcome: Outcome, save: Callable[[Outcome], None]) -> None:
        self.outcome = outcome
        self.busy = self.taken_over = False
        save(outcome)
        self.notify(StatusChanged(outcome.status))
        self._wake()

    async def _until_end(self, task: asyncio.Task[Ending]) -> Status | None:
        """Wait for the work, a cancel, or the end of its time; what ended it before it was done."""
        minutes = self.budget.minutes
        left_s = None if minutes is None else max(0.0, minutes * 60 - self.spent.seconds)
        stopped = asyncio.create_task(self._stop.wait())
        early: Status | None = None
        limit = None
        try:
            async with self._clock.limit(left_s) as limit:
                await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
            early = None if task.done() else "cancelled"
        except TimeoutError:
            if limit is None or not limit.expired():
                raise
            early = "budget"
        finally:
            stopped.cancel()
            if not task.done():
                task.cancel()
                # What doesn't let go is left behind: it can write nothing of this run any more.
                await asyncio.wait({task}, timeout=GRACE_S)
                task.add_done_callback(_forget)
        return early

    def _ended(self, task: asyncio.Task[Ending], so_far: Callable[[], str | None]) -> Outcome:
        try:
            ending = task.result()
        except BudgetSpent as spent:
            return self._outcome("budget", str(spent), so_far())
        except GeminiError as problem:
            hint = f" {problem.hint}" if problem.hint else ""
            return self._outcome("failed", f"{problem.message}{hint}", so_far())
        if ending.status == "done":
            return self._outcome("done", None, ending.text)
        return self._outcome("failed", ending.text, so_far())

    def _outcome(self, status: Status, reason: str | None, result: str | None) -> Outcome:
        self.spent.seconds = round(self._clock.now() - self._began, 3)
        if status == "cancelled":
            reason = "it was cancelled"
        elif status == "budget" and reason is None:
            reason = f"the budget of {self.budget.minutes:g} minutes is used up"
        return Outcome(status=status, result=result, reason=reason, spent=self.spent.model_copy())

    def _wake(self) -> None:
        progress, self._progress = self._progress, asyncio.Event()
        progress.set()

    def require_running(self) -> None:
        """Raises RunEnded where the run is over."""
        if self.status in ENDED:
            raise RunEnded(f"the run {self.id} is over")


def _forget(task: asyncio.Task[Ending]) -> None:
    """Take note of an error that nobody needs any more."""
    if not task.cancelled():
        task.exception()
