"""One run: the handle that scripts get, and the conditions that end it."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from typing import Any

from gemini.agents.events import Status
from gemini.agents.export.formats import Format
from gemini.agents.guard.budget import Budget, BudgetSpent, Spent
from gemini.agents.loop.conversation import MessageReader
from gemini.agents.loop.plan import Plan
from gemini.agents.loop.run_setup import Ending, Reply
from gemini.agents.record.steps import ENDED, Outcome, Step
from gemini.agents.results import RunStatus
from gemini.agents.runs.events import Listener, RunEvent, StatusChanged
from gemini.agents.runs.takeover import Takeovers, Watch
from gemini.core.clock import Clock
from gemini.errors import GeminiError, PlanRefused, RunEnded, UsageProblem

# A cancelled call has this long to stop; after that the run ends without it.
GRACE_S = 0.5
SHOWN_TASK_CHARS = 200


class Run:
    """A task that an agent works on. `await run` returns its Outcome; `async for step in run` yields its steps.

    A run continues even if nothing awaits it. It ends on its own, by its budget, or by `cancel`.

    Args:
        run_id: The id of the run.
        task: The task, in plain language.
        agent: The agent's name.
        strategy: `react`, `plan` or `code`.
        budget: The limits of the run.
        spent: The run's usage so far, in an earlier session.
        clock: The clock of limits and durations.

    Attributes:
        id: The id, for `agent_status` and `resume`.
        steps: The finished steps.
        spent: The run's usage so far.
        plan: The planned steps with the strategy `plan`; None with others.
        question: The question that the user is being asked.
        outcome: The outcome; None until the run ends.
        messages: A read-only view of the conversation.
        model: The name of the model.
        continues: The id of the run that this one continues.
        team: The id of the team that the run belongs to; None without one.
        leader: The agent that answers the run's questions, or asks the user; None if the user answers them.
        began: When the run was started or resumed, in seconds since the epoch.
        busy: Whether a step is in progress. A paused run finishes that step first.
        awaits_consent: Whether a call waits for the user's consent.
        waits_for: Describes the run's current wait in words; None while it works.
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
        self.team: str | None = None
        self.leader: str | None = None
        self.exporter: Callable[[Format], Awaitable[tuple[str, str]]] | None = None
        self.began = time.time()
        self.busy = self.awaits_consent = False
        self.waits_for: Callable[[], str | None] = lambda: None
        self._last_wait: str | None = None
        self._takeovers = Takeovers()
        self._single_step = False
        self._clock = clock
        self._began = clock.now() - spent.seconds
        self._listeners: list[Listener] = []
        self._stop = asyncio.Event()
        self._go = asyncio.Event()
        self._go.set()
        self._answer: asyncio.Future[Reply] | None = None
        self._progress = asyncio.Event()
        self._task: asyncio.Task[Outcome] | None = None

    @property
    def status(self) -> Status:
        """The status, derived from the outcome, the question and the pause."""
        if self.outcome is not None:
            return self.outcome.status
        if self.question is not None:
            return "waiting"
        return "running" if self._go.is_set() else "paused"

    @property
    def taken_over(self) -> bool:
        """True while the user has taken over."""
        return self._takeovers.lasts

    @property
    def held(self) -> bool:
        """True if the next step waits for `resume`, whatever the status is."""
        return self.outcome is None and not self._go.is_set()

    def __await__(self) -> Generator[Any, None, Outcome]:
        if self._task is None:
            raise UsageProblem("the run was not started", hint="Use gemini.agents.run(…).")
        # Cancelling the awaiting task must not end the run.
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
        # Raise the error of a run that has failed without an outcome.
        await self

    async def export(self, form: Format = "markdown") -> str:
        """Return the steps of the run so far, and its outcome, as a text.

        The system prompt, instructions, memories and snapshots of pages are left out, and so is what looks like a
        password, a key or a token.

        Args:
            form: `markdown`, `json`, or `html`: one page with pictures, which has no scripts and loads nothing.

        Raises:
            InvalidArguments: There is no such format.
        """
        if self.exporter is None:
            raise UsageProblem("the run was not started", hint="Use gemini.agents.run(…).")
        return (await self.exporter(form))[1]

    def on_event(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with streamed output, steps, and changes of plan and status. Call the result to stop."""
        self._listeners = [*self._listeners, listener]

        def end() -> None:
            self._listeners = [other for other in self._listeners if other is not listener]

        return end

    def notify(self, event: RunEvent) -> None:
        """Send an event to all listeners."""
        for listener in self._listeners:
            listener(event)

    def cancel(self) -> None:
        """End the run immediately. It has no effect on a run that has ended."""
        self._stop.set()

    def pause(self) -> None:
        """Finish the current step, and start no other until `resume`."""
        if self.outcome is None and self._go.is_set():
            self._go.clear()
            self.notify(StatusChanged(self.status, self.question))

    def resume(self) -> None:
        """Continue after a pause or a takeover."""
        if self.taken_over:
            self.give_back()
        elif not self._go.is_set():
            self._go.set()
            self.notify(StatusChanged(self.status, self.question))

    def step_once(self) -> None:
        """Run one step of a paused run.

        Raises:
            UsageProblem: The run isn't paused, or the user has taken over.
        """
        if self.status != "paused" or self.taken_over or self.busy:
            raise UsageProblem(
                "a single step needs a paused run",
                hint="Pause the run, and wait until its current step ends.",
            )
        self._single_step = True
        self.resume()

    def take_over(self, watch: Watch) -> None:
        """Pause the run while the user works instead of the agent.

        Args:
            watch: Starts recording the user's actions.

        Raises:
            RunEnded: The run has ended.
        """
        self.require_running()
        if not self.taken_over:
            self._takeovers.begin(watch)
            self._go.clear()
            self.notify(StatusChanged(self.status, self.question))

    def give_back(self) -> None:
        """Continue after `take_over`: the model gets a new snapshot and a report of the user's actions.

        Raises:
            UsageProblem: The user hasn't taken over.
        """
        self._takeovers.end()
        self.resume()

    def actions_to_report(self) -> list[list[str]]:
        """Return the user's actions in each takeover since the last call."""
        return self._takeovers.report()

    def answer(self, text: str, *, sender: str | None = None, origin: str | None = None) -> None:
        """Answer the agent's question.

        Args:
            text: The answer.
            sender: The agent that answers; None for the user.
            origin: Where an agent's text from outside comes from, if it has any.

        Raises:
            UsageProblem: The agent isn't asking a question.
        """
        if self._answer is None or self._answer.done():
            raise UsageProblem("the agent isn't asking a question", hint="`run.question` has its question.")
        self._answer.set_result(Reply(text, sender, origin))

    def edit_plan(self, steps: list[dict[str, Any]]) -> None:
        """Replace the waiting steps: `[{what, tool?, expects?, assumes?, independent?}]`.

        Raises:
            PlanRefused: The run has no plan, or has ended.
            InvalidArguments: The steps are invalid.
        """
        if self.plan is None:
            raise PlanRefused(f"a run with the strategy {self.strategy!r} has no plan")
        if self.outcome is not None:
            raise PlanRefused("the run has ended", hint="Start a run that continues it.")
        self.plan.replace_waiting(steps)

    def row(self) -> RunStatus:
        """Return the row for `agent_status`."""
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
        """Add a finished step, and pause again after a single step."""
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
        """Wait until the next step may start."""
        await self._go.wait()
        self.busy = True

    async def ask_person(self, question: str) -> Reply:
        """Ask the user a question, and wait for the answer."""
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
        """Run the loop in the background until something ends it.

        Args:
            work: The loop.
            save: Saves the outcome.
            so_far: Returns the partial result, for a run that ends early.
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
            # A bug of the surface: save an outcome, then let the caller see the error.
            outcome = self._outcome("failed", f"the surface failed: {error}", so_far())
            self._finish(outcome, save)
            raise
        self._finish(outcome, save)
        return outcome

    def _finish(self, outcome: Outcome, save: Callable[[Outcome], None]) -> None:
        self.outcome = outcome
        self.busy = False
        self._takeovers.forget()
        save(outcome)
        self.notify(StatusChanged(outcome.status))
        self._wake()

    async def _until_end(self, task: asyncio.Task[Ending]) -> Status | None:
        """Wait for the loop, `cancel` or the time limit; return what ended it early, if anything."""
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
            early, self._last_wait = "budget", self.waits_for()
        finally:
            stopped.cancel()
            if not task.done():
                task.cancel()
                # A task that doesn't stop is abandoned: it can no longer write to this run's journal.
                await asyncio.wait({task}, timeout=GRACE_S)
                task.add_done_callback(_forget)
        return early

    def _ended(self, task: asyncio.Task[Ending], so_far: Callable[[], str | None]) -> Outcome:
        try:
            ending = task.result()
        except BudgetSpent as spent:
            return self._outcome("budget", str(spent), so_far())
        except GeminiError as problem:
            text = f"{problem.message.rstrip('.')}. {problem.hint}" if problem.hint else problem.message
            return self._outcome("failed", text, so_far())
        if ending.status == "done":
            return self._outcome("done", None, ending.text)
        if ending.status == "answered":
            return self._outcome("answered", "answered without acting: no tool was called", ending.text)
        return self._outcome("failed", ending.text, so_far())

    def _outcome(self, status: Status, reason: str | None, result: str | None) -> Outcome:
        self.spent.seconds = round(self._clock.now() - self._began, 3)
        if status == "cancelled":
            reason = "the run was cancelled"
        elif status == "budget" and reason is None:
            wait = "" if self._last_wait is None else f" while the run waited for {self._last_wait}"
            reason = f"the budget of {self.budget.minutes:g} minutes is used up{wait}"
        return Outcome(status=status, result=result, reason=reason, spent=self.spent.model_copy())

    def _wake(self) -> None:
        progress, self._progress = self._progress, asyncio.Event()
        progress.set()

    def require_running(self) -> None:
        """Check that the run hasn't ended.

        Raises:
            RunEnded: The run has ended.
        """
        if self.status in ENDED:
            raise RunEnded(f"the run {self.id} has ended")


def _forget(task: asyncio.Task[Ending]) -> None:
    """Retrieve the error of an abandoned task, so that asyncio doesn't log it."""
    if not task.cancelled():
        task.exception()
