"""The part that the queue takes in the run of a task: its lease, its slot, its budget, its questions, its end."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from gemini.agents.guard.budget import Budget
from gemini.agents.loop.run_setup import Deliver, Reply
from gemini.agents.record.steps import Outcome
from gemini.agents.runs.handle import Run
from gemini.agents.runs.supervision import Supervision
from gemini.agents.teamwork.budgets import require_day, require_rest
from gemini.agents.teamwork.definitions import Definition
from gemini.agents.teamwork.queue import FAMILY, ORIGIN, Queue, Sources
from gemini.agents.teamwork.waits import Waits
from gemini.models.interface.messages import AssistantMessage, ToolMessage, UserMessage
from gemini.storage.team import Task, TaskWait

# The sender of the brief of a team's first task, if that has text from outside.
SCHEDULE = "the schedule"


class Slots(Protocol):
    """The workers, as a part uses them."""

    @property
    def queue(self) -> Queue:
        """The queue."""
        ...

    def sources(self, run: Run) -> Sources:
        """Return the sources of a run's result."""
        ...

    def changed(self, task_id: str) -> None:
        """Notify listeners that a task has changed, and let the queue continue."""
        ...

    async def take_slot(self, task_id: str) -> None:
        """Wait until a task that was parked has a slot again."""
        ...


class TaskPart(Supervision):
    """The part that the queue takes in one run.

    Args:
        task: The task.
        definition: Its agent.
        limits: The limits of the team.
        slots: The workers.
        prompt: Text added to the system prompt.
        prompt_origin: Where the prompt comes from, unless it is the surface's own.
    """

    def __init__(
        self,
        task: Task,
        definition: Definition,
        limits: Budget,
        slots: Slots,
        prompt: str,
        prompt_origin: str | None,
    ) -> None:
        self.task, self.team = task, task.team
        self.family = slots.queue.task(task.team).options.get(FAMILY, task.team)
        self.prompt, self.prompt_origin = prompt, prompt_origin
        self.skills = definition.skills
        self.python = definition.name if definition.python == "own" else None
        self.is_first = task.parent is None
        self.level = 0 if self.is_first else 1
        # The agent that assigned the task answers, or asks the user.
        self.leader = None if task.parent is None else slots.queue.task(task.parent).agent
        self.attended = task.options.get("attended") if self.is_first else True
        self._definition = definition
        self._limits = limits
        self._slots = slots
        self._queue = slots.queue
        self._waits = 0

    async def wait_while_paused(self, run: Run) -> None:
        """Wait while the user has paused the run; the slot is free meanwhile."""
        if run.held:
            async with self.parked("pause"):
                await run.wait_while_paused()
        else:
            await run.wait_while_paused()

    async def before_step(self, run: Run) -> None:
        """Renew the lease, and check the budgets. Raises BudgetSpent, or TaskRefused if the lease is lost."""
        if self._queue.task(self.task.id).status == "parked":
            # A call that waited was cancelled, or the user was asked for consent.
            await self._slots.take_slot(self.task.id)
        # One transaction, since each waits for the disk.
        with self._queue.store.transaction():
            self._queue.renew(self.task.id)
            self._spend(run)
            if not _has_pending_calls(run):
                # The journal has the answer to the last question.
                self._queue.forget_question(self.task.id)
        require_rest(self._limits, self._queue.store.tasks(self.task.team))
        name = self.task.agent
        require_day(name, self._definition.budgets.day, self._queue.spent_today(name))

    def deliver(self, run: Run, deliver: Deliver) -> None:
        """Deliver a brief that quotes text from outside, and waiting messages, in one transaction with the journal."""
        messages = self._queue.messages(self.task)
        origin = self.task.options.get(ORIGIN)
        needs_brief = origin is not None and not any(
            isinstance(message, UserMessage) and message.purpose == "message" for message in run.messages
        )
        if not messages and not needs_brief:
            return
        with self._queue.store.transaction():
            if needs_brief:
                deliver(self._sender(), brief_text(self.task), origin)
            for message in messages:
                deliver(message.sender, message.body, message.origin)
            self._queue.store.delivered(messages, run.id)

    def _sender(self) -> str:
        return SCHEDULE if self.is_first else f"the {self._queue.task(self.task.team).agent}"

    async def ask(self, run: Run, question: str) -> Reply:
        """Ask the agent that assigned the task, or the user; the slot is free meanwhile."""
        before = self._queue.ask(self.task.id, question)
        if before is not None:
            return before
        async with self.parked("question"):
            return await run.ask_person(question)

    def waits_for(self, run: Run) -> str | None:
        """Describe the current wait of the run's task; None if it works."""
        return Waits(self._queue, self._queue.store.tasks(self.task.team)).of(self._queue.task(self.task.id))

    @asynccontextmanager
    async def parked(self, waits: TaskWait) -> AsyncGenerator[None]:
        """Free the slot of the task during the block, and take one again after it."""
        self._waits += 1
        if self._waits == 1:
            self._queue.park(self.task.id, waits)
        self._slots.changed(self.task.id)
        try:
            yield
        finally:
            self._waits -= 1
        if self._waits == 0:
            await self._slots.take_slot(self.task.id)

    def end(self, run: Run, outcome: Outcome, save: Callable[[], None]) -> None:
        """Save the outcome of the run and the end of the task in one transaction."""
        if not self._queue.is_ours(self.task.id):
            # Another surface has taken over the task with its run.
            return
        with self._queue.store.transaction():
            save()
            self._spend(run)
            settle(self._queue, self.task, outcome, self._slots.sources(run))
        self._slots.changed(self.task.id)

    def _spend(self, run: Run) -> None:
        self._queue.spend(self.task.id, run.spent.usage.total, run.spent.cost or 0.0)


def _has_pending_calls(run: Run) -> bool:
    """Return whether calls of the last answer have no result yet, as after an interruption."""
    answered = {message.call_id for message in run.messages if isinstance(message, ToolMessage)}
    answers = [message for message in run.messages if isinstance(message, AssistantMessage)]
    return bool(answers) and any(call.id not in answered for call in answers[-1].calls)


def settle(queue: Queue, task: Task, outcome: Outcome, sources: Sources) -> None:
    """Save the end of a task by the outcome of its run."""
    reason = outcome.reason or ""
    if outcome.status in ("done", "answered"):
        queue.end(task, "done", outcome.result, None, sources)
    elif outcome.status == "cancelled":
        queue.end(task, "cancelled", outcome.result, reason, sources)
    elif outcome.status == "budget":
        # Another run would reach the same limit.
        queue.end(task, "dead", outcome.result, reason, sources)
    else:
        queue.fail(task, outcome.result, reason, sources)


def brief_text(task: Task) -> str:
    """Return a task's brief with its expectations and files."""
    parts = [task.brief]
    if task.expects:
        parts.append(f"The result will be judged by this: {task.expects}")
    if task.files:
        parts.append("Files: " + ", ".join(task.files))
    return "\n\n".join(parts)
