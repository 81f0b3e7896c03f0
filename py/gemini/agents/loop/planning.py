"""The strategy `plan`: plan a few steps, run each against the current state, and replan when a step doesn't work out.

After Wang et al., Plan-and-Solve (https://arxiv.org/abs/2305.04091), with short plans, and a check of the result
before the run ends.
"""

import asyncio
from typing import Any

from gemini.agents.loop import prompts
from gemini.agents.loop.controller import Handler
from gemini.agents.loop.controls import ASK, DONE, FAIL, NOTE, SKILL
from gemini.agents.loop.plan import (
    BLOCKED,
    BLOCKED_ROW,
    MAX_STEPS,
    PLAN,
    VERDICT_ROW,
    Plan,
    PlanStep,
    plan_row,
)
from gemini.agents.loop.run_setup import Ending
from gemini.agents.loop.toolbox import failure
from gemini.agents.loop.turns import Turns
from gemini.errors import InvalidArguments
from gemini.models.interface.messages import AssistantMessage, ToolCall, UserMessage

# How many results may be rejected, and how many times in a row the planner may return no plan.
MAX_REJECTED = 3
MAX_IDLE = 3
MAX_PARALLEL = 4
UNCLEAR = "the check returned no verdict"


class Planning:
    """The strategy `plan`.

    Args:
        turns: The turns of the run.
        plan: The plan, which the user sees.
    """

    def __init__(self, turns: Turns, plan: Plan) -> None:
        self._turns = turns
        self._plan = plan
        self._why = ""
        self._rejected = 0
        self._idle = 0

    async def run(self) -> Ending:
        """Run until the task is done or has failed.

        Raises:
            BudgetSpent: A limit was reached.
            ModelProblem: The model can't continue.
        """
        await self._turns.prepare()
        ending = await self._finish_interrupted()
        while ending is None:
            await self._turns.begin_step()
            await self._turns.observe()
            ending = await (self._run_next() if self._plan.waiting else self._plan_next())
            self._turns.end_step()
        return ending

    async def _finish_interrupted(self) -> Ending | None:
        """Perform the calls that were left over when the page was closed."""
        left = self._turns.conversation.unfinished_answer()
        running = [step for step in self._plan.steps if step.status == "running"]
        if left is None or not left.calls:
            for step in running:
                self._plan.set_status(step, "waiting")
            return None
        await self._turns.begin_step()
        ending = await self._perform(left, tools=bool(running))
        if running:
            await self._check_results(running)
        self._turns.end_step()
        return ending

    async def _plan_next(self) -> Ending | None:
        why = f"\n{self._why}" if self._why else ""
        tools = ", ".join(self._turns.toolbox.names)
        self._turns.instruct(prompts.PLAN_NEXT.format(tools=tools, why=why))
        self._why = ""
        rows = [plan_row(), *self._turns.controls(DONE, FAIL, ASK, NOTE, SKILL)]
        message = await self._turns.ask(rows, must_call=True)
        if message.stop == "refusal":
            return Ending("failed", f"the model refused: {message.text or 'without a reason'}")
        ending = await self._perform(message)
        # A rejected result counts as progress, too.
        self._idle = 0 if self._plan.waiting or ending or self._why else self._idle + 1
        if self._idle >= MAX_IDLE:
            return Ending("failed", f"the planner returned no plan, {self._idle} times in a row")
        return ending

    async def _perform(self, message: AssistantMessage, *, tools: bool = True) -> Ending | None:
        own: dict[str, Handler] = {PLAN: self._set_plan, BLOCKED: self._blocked}
        ending = await self._turns.perform(message.calls, own, tools=tools)
        if ending is not None and ending.status == "done":
            return await self._check(ending)
        return ending

    def _set_plan(self, arguments: dict[str, Any]) -> dict[str, Any]:
        steps: Any = arguments.get("steps")
        if not steps:
            raise InvalidArguments(
                "steps: a plan needs at least one", hint="Add a step, or call done or fail."
            )
        self._plan.replace_waiting(steps[:MAX_STEPS] if isinstance(steps, list) else steps)
        return {"planned": len(self._plan.waiting)}

    def _blocked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self._why = f"A step can't be done: {arguments.get('reason') or 'no reason was given'}"
        return {"accepted": True}

    async def _check(self, ending: Ending) -> Ending | None:
        """Return the ending if a check confirms that the task is done, else None."""
        task = self._turns.setup.task
        question = UserMessage(text=prompts.CHECK_DONE.format(task=task, result=ending.text))
        message = await self._turns.consult([question], [VERDICT_ROW], must_call=True)
        missing = _missing(message)
        if missing is None:
            return ending
        self._rejected += 1
        note = prompts.NOT_DONE.format(missing=missing)
        if self._rejected > MAX_REJECTED:
            return Ending("failed", f"{note} The task was reported as done {self._rejected} times.")
        self._turns.note(note)
        self._why = note
        return None

    async def _run_next(self) -> Ending | None:
        """Run the next step, or several independent ones in parallel."""
        batch = self._batch()
        if broken := self._broken_assumption(batch):
            self._replan(broken)
            return None
        for step in batch:
            self._plan.set_status(step, "running")
        if len(batch) > 1:
            return await self._run_in_parallel(batch)
        [step] = batch
        self._turns.load_tools([step.tool] if step.tool else [])
        self._turns.instruct(prompts.STEP_NOW.format(step=_describe(step)))
        message = await self._turns.ask([*self._turns.tools(ASK, NOTE), BLOCKED_ROW], must_call=True)
        return await self._do(step, message)

    def _batch(self) -> list[PlanStep]:
        waiting = self._plan.waiting
        parallel: list[PlanStep] = []
        for step in waiting[:MAX_PARALLEL]:
            if not step.independent:
                break
            parallel.append(step)
        return parallel if len(parallel) > 1 else waiting[:1]

    def _broken_assumption(self, batch: list[PlanStep]) -> str | None:
        snapshot = self._turns.snapshot
        for step in batch:
            if snapshot is not None and step.assumes and not _contains(snapshot.text, step.assumes):
                return (
                    f"The plan assumed that {step.assumes!r} is visible before {step.what!r}, and it isn't."
                )
        return None

    async def _do(self, step: PlanStep, message: AssistantMessage) -> Ending | None:
        if message.stop == "refusal":
            return Ending("failed", f"the model refused: {message.text or 'without a reason'}")
        if not message.calls:
            self._plan.set_status(step, "failed", message.text[:200] or "no call was made")
            self._replan(f"No call was made for the step {step.what!r}.")
            return None
        first, *others = message.calls
        ending = await self._perform(message.model_copy(update={"calls": (first,)}))
        for call in others:
            error = InvalidArguments("a step takes one call: this one was ignored")
            self._turns.conversation.add(failure(call, error).message)
        await self._check_results([step])
        if ending is None and (loop := self._turns.detect_loop([first])):
            ending = self._turns.break_loop(loop)
            self._replan("The run is in a loop.")
        return ending

    async def _run_in_parallel(self, batch: list[PlanStep]) -> Ending | None:
        """Choose the calls of independent steps, and run them in parallel if they only read."""
        self._turns.load_tools(step.tool for step in batch if step.tool)
        rows = [*self._turns.tools(), BLOCKED_ROW]
        questions = [UserMessage(text=prompts.STEP_NOW.format(step=_describe(step))) for step in batch]
        answers = await asyncio.gather(
            *(self._turns.consult([question], rows, must_call=True) for question in questions)
        )
        calls = [message.calls[0] for message in answers if len(message.calls) == 1]
        together = len(calls) == len(batch) and all(self._reads(call) for call in calls)
        if not together:
            # At least one call would change something, so run the steps in order.
            for step in batch:
                step.independent = False
                self._plan.set_status(step, "waiting")
            return None
        steps = "\n".join(f"- {_describe(step)}" for step in batch)
        self._turns.instruct(prompts.STEP_NOW.format(step=steps))
        text = "\n".join(message.text for message in answers if message.text)
        self._turns.conversation.add(AssistantMessage(text=text, calls=tuple(calls), stop="calls"))
        await self._turns.call_in_parallel(calls)
        await self._check_results(batch)
        return None

    def _reads(self, call: ToolCall) -> bool:
        return call.name in self._turns.toolbox and self._turns.toolbox.reads_only(call.name)

    async def _check_results(self, steps: list[PlanStep]) -> None:
        """Set the status of steps by the results of their calls and by what they expect."""
        step_calls = self._turns.step_calls()
        results = step_calls[len(step_calls) - len(steps) :] if len(step_calls) >= len(steps) else []
        if not results:
            for step in steps:
                self._plan.set_status(step, "failed", "it was not run")
            self._replan(self._why or "A step was not run.")
            return
        for step, call in zip(steps, results, strict=True):
            if call.tool == BLOCKED or call.failed:
                why = "the step can't be done" if call.tool == BLOCKED else call.result[:200]
                self._plan.set_status(step, "failed", why)
                self._replan(self._why or f"The step {step.what!r} failed.")
            elif step.expects and not await self._shows(step.expects, call.result):
                self._plan.set_status(step, "failed", f"{step.expects!r} didn't appear")
                self._replan(f"After {step.what!r}, {step.expects!r} was expected, and it didn't appear.")
            else:
                self._plan.set_status(step, "done")

    async def _shows(self, expected: str, result: str) -> bool:
        if _contains(result, expected):
            return True
        await self._turns.observe()
        return self._turns.snapshot is not None and _contains(self._turns.snapshot.text, expected)

    def _replan(self, why: str) -> None:
        self._why = why
        self._plan.skip_waiting("the plan was replaced")
        self._turns.note(why)


def _describe(step: PlanStep) -> str:
    return f"{step.what} (with {step.tool})" if step.tool else step.what


def _contains(text: str, part: str) -> bool:
    """Return whether a text contains a part, ignoring case, whitespace and JSON escapes."""
    plain = " ".join(text.replace("\\n", " ").replace('\\"', '"').split()).casefold()
    return " ".join(part.split()).casefold() in plain


def _missing(message: AssistantMessage) -> str | None:
    """Return what a check found missing; None if the task is done."""
    for call in message.calls[:1]:
        try:
            verdict = call.parsed()
        except InvalidArguments:
            return UNCLEAR
        if verdict.get("done") is True:
            return None
        return str(verdict.get("missing") or "no details were given")
    return UNCLEAR
