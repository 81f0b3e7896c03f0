"""What the loops have in common: asking the model, making its calls, and writing down both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gemini.agents import prompts
from gemini.agents.budget import BudgetSpent, require_step, require_within, warning
from gemini.agents.compaction import AIM, FULL, Gauge, compact
from gemini.agents.controls import ASK, CONTROLS, DONE, FAIL, NOTE, controls_of, said
from gemini.agents.conversation import reading
from gemini.agents.loops import Loop, LoopWatch
from gemini.agents.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from gemini.agents.model import Answer, Request, ToolRow, collect
from gemini.agents.observation import Look, Observation
from gemini.agents.setup import Ending, Setup
from gemini.agents.steps import Step, StepCall
from gemini.agents.toolbox import Result, failure, failure_in
from gemini.agents.usage import Usage
from gemini.core.encoding import encode
from gemini.errors import Cancelled, ContextExceeded, GeminiError, InvalidArguments, Refused, UnknownTool

# Of the context, for one result; and its bounds in characters.
SHARE_OF_RESULT = 0.4
FEWEST_CHARS, MOST_CHARS = 1_000, 20_000
SHOWN_OF_RESULT = 2_000
# Whoever acts on a page is shown before and after.
PICTURED_GROUP = "dom"
# For how many steps the tools of a circle are taken away.
WITHHELD_STEPS = 3


Handler = Callable[[dict[str, Any]], Any]
"""Answers a call that is no tool's from its arguments; it may raise a GeminiError, which the model is told."""
NO_HANDLERS: Mapping[str, Handler] = {}


@dataclass
class _Draft:
    """A step while it is made."""

    started: str
    clock: float
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    thought: str = ""
    text: str = ""
    seen: str = ""
    calls: list[StepCall] = field(default_factory=list[StepCall])
    notes: list[str] = field(default_factory=list[str])
    before: int | None = None
    acted: bool = False
    after: int | None = None


class Turns:
    """The turns of one run."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.conversation = setup.conversation
        self.toolbox = setup.toolbox
        self.look: Look | None = None
        self._gauge = Gauge()
        self._observation = Observation()
        self._watch = LoopWatch()
        self._withheld: frozenset[str] = frozenset()
        self._withheld_until = 0
        self._draft = self._new_draft()
        share = int(setup.model.context_tokens * SHARE_OF_RESULT)
        self._max_chars = min(MOST_CHARS, max(FEWEST_CHARS, share))

    def _new_draft(self) -> _Draft:
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        return _Draft(started, self.setup.clock.now())

    async def begin_step(self) -> None:
        """Begin a step, once the person lets the run go on.

        Raises:
            BudgetSpent: there is to be none.
        """
        await self.setup.pass_gate()
        require_step(self.setup.budget, self.setup.spent)
        self._draft = self._new_draft()
        for actions in self.setup.actions_to_report():
            self._report_actions(actions)
        if told := warning(self.setup.budget, self.setup.spent):
            self.note(told)

    def end_step(self) -> None:
        """Tell of the step that was made."""
        draft, spent = self._draft, self.setup.spent
        spent.steps += 1
        step = Step(
            number=spent.steps,
            thought=draft.thought,
            text=draft.text,
            seen=draft.seen[:SHOWN_OF_RESULT],
            calls=draft.calls,
            notes=draft.notes,
            usage=draft.usage,
            cost=draft.cost,
            started=draft.started,
            seconds=round(self.setup.clock.now() - draft.clock, 3),
            before=draft.before,
            after=draft.after,
        )
        self.setup.write("step", step.model_dump())
        self.setup.write("spent", spent.model_dump())
        self.setup.on_step(step)

    def say(self, text: str) -> None:
        """Tell the model what to do now."""
        self.conversation.add(UserMessage(text=text, purpose="note"))

    def _report_actions(self, actions: Sequence[str]) -> None:
        """Say that the person acted, and have all looked at anew."""
        text = "\n".join(actions) or "(nothing that could be seen)"
        # Addresses and commands may have others' words in them.
        self.setup.taint.remember(prompts.DEEDS, text)
        self.say(f"{prompts.GIVEN_BACK}\n{self.setup.marks.wrap(text, prompts.DEEDS)}")
        self._draft.notes.append(f"{prompts.GIVEN_BACK}\n{text}")
        self._observation.forget()

    def note(self, text: str) -> None:
        """Tell the model something that the person is to read in the step, too."""
        self.say(text)
        self._draft.notes.append(text)

    async def observe(self) -> None:
        """Look at the surface, and show the model what is new there."""
        if self.setup.observer is None:
            return
        seen = await self.setup.observer(self._max_chars)
        self.look = None if seen is None else Look(*seen)
        change = None if self.look is None else self._observation.tell(self.look)
        if change is None:
            return
        self.setup.taint.remember(change.origin, change.text)
        told = "What can be seen now:" if change.whole else "What changed since you looked:"
        text = f"{told}\n{self.setup.marks.wrap(change.text, change.origin)}"
        self._draft.seen = change.text
        self.conversation.see(UserMessage(text=text, purpose="observation"), whole=change.whole)

    def tools(self, *controls: str) -> list[ToolRow]:
        """The tools that the model has now, with these controls."""
        withheld = self._withheld if self.setup.spent.steps < self._withheld_until else frozenset[str]()
        return [*self.toolbox.rows(withheld | frozenset(controls)), *controls_of(*controls)]

    async def ask(self, tools: Sequence[ToolRow], *, must_call: bool = False) -> AssistantMessage:
        """Ask the model to go on; its answer joins the conversation.

        Raises:
            BudgetSpent: nothing is left for it.
            ModelProblem: it can't answer.
        """
        message = await self.consult((), tools, must_call=must_call)
        self.conversation.add(message)
        self._draft.thought += message.thought
        self._draft.text += message.text
        return message

    async def consult(
        self, more: Sequence[Message], tools: Sequence[ToolRow], *, must_call: bool = False
    ) -> AssistantMessage:
        """What the model says to the conversation and `more`, neither of which stays in it."""
        require_within(self.setup.budget, self.setup.spent)
        context = self.setup.model.context_tokens
        if self._gauge.tokens([*self.conversation.messages, *more], tools) > FULL * context:
            self._compact(AIM * context)
        try:
            return await self._request(more, tools, must_call)
        except ContextExceeded:
            # It knows better than the estimate how much that was.
            self._compact(AIM / 2 * context)
            return await self._request(more, tools, must_call)

    async def _request(
        self, more: Sequence[Message], tools: Sequence[ToolRow], must_call: bool
    ) -> AssistantMessage:
        messages = [*self.conversation.messages, *more]
        request = Request(messages, tools, must_call, self._room(messages, tools))
        answer = Answer()
        if self.setup.pictures is not None:
            self.setup.pictures.look()
        try:
            await collect(self.setup.model, request, answer, self.setup.tell)
        finally:
            self._pay(answer.usage)
        self._gauge.learn(messages, tools, answer.usage.input)
        return answer.message()

    def _room(self, messages: Sequence[Message], tools: Sequence[ToolRow]) -> int | None:
        """How many tokens an answer may have."""
        most = self.setup.budget.tokens
        if most is None:
            return None
        left = most - self.setup.spent.usage.total - self._gauge.tokens(messages, tools)
        if left <= 0:
            raise BudgetSpent(f"the budget of {most:,} tokens has no room for another request")
        return left

    def _pay(self, usage: Usage) -> None:
        price = self.setup.price
        cost = usage.cost if price is None else price(self.setup.model.name, usage)
        self.setup.spent.add(usage, cost)
        self._draft.usage += usage
        if cost is not None:
            self._draft.cost = (self._draft.cost or 0.0) + cost
        self.setup.write("spent", self.setup.spent.model_dump())

    def _compact(self, aim_tokens: float) -> None:
        self.conversation.replace(compact(self.conversation, self._gauge, self.setup.marks, aim_tokens))
        self.setup.write(
            "messages", [message.model_dump(mode="json") for message in self.conversation.messages]
        )
        self._observation.forget()

    async def perform(
        self, calls: Sequence[ToolCall], own: Mapping[str, Handler] = NO_HANDLERS, *, tools: bool = True
    ) -> Ending | None:
        """Make the calls of an answer, one after the other; how the run ends by them, if it does.

        Args:
            own: What answers calls of the strategy's own by their names.
            tools: Whether tools may be called, too.
        """
        ending: Ending | None = None
        failed = False
        for call in calls:
            if ending is not None:
                result = failure(call, Cancelled("the run had ended by then"))
            elif call.name in own:
                result = _answer(call, own[call.name])
                self._record(call, result, 0)
            elif call.name in CONTROLS:
                result, ending = await self._control(call, failed)
                self._record(call, result, 0)
            elif not tools:
                known = ", ".join([*own, *CONTROLS])
                result = failure(call, UnknownTool("no tool can be called now", hint=f"Call one of {known}."))
                self._record(call, result, 0)
            else:
                result, took_s = await self._make(call)
                self._record(call, result, took_s)
                failed = failed or result.failed
            self.conversation.add(result.message)
        if (pictures := self.setup.pictures) is not None:
            self._draft.after = pictures.after() if self._draft.acted else None
            if ending is not None:
                await pictures.settle()
        return ending

    async def make_side_by_side(self, calls: Sequence[ToolCall]) -> None:
        """Make calls that only read at the same time; their results join the conversation in order."""
        made = await asyncio.gather(*(self._make(call) for call in calls))
        for call, (result, took_s) in zip(calls, made, strict=True):
            self._record(call, result, took_s)
            self.conversation.add(result.message)

    async def _make(self, call: ToolCall) -> tuple[Result, float]:
        """What a call gives, and how many seconds it took."""
        before = self.setup.clock.now()
        if call.id in self.setup.begun and not self.toolbox.reads_only(call.name):
            result = failure(call, Cancelled(prompts.INTERRUPTED, hint=prompts.INTERRUPTED_HINT))
        else:
            if not self.toolbox.reads_only(call.name):
                # Before the call: who finds this and no result knows that it may have been made.
                await self._picture_before(call)
                self.setup.write("intent", {"call_id": call.id, "tool": call.name})
            token = reading.set(self.conversation.reader)
            try:
                result = await self.toolbox.call(call, self._max_chars)
            finally:
                reading.reset(token)
        return result, self.setup.clock.now() - before

    async def _picture_before(self, call: ToolCall) -> None:
        pictures = self.setup.pictures
        if pictures is None or self._draft.acted or self.toolbox.group_of(call.name) != PICTURED_GROUP:
            return
        self._draft.acted = True
        self._draft.before = await pictures.before()

    def _record(self, call: ToolCall, result: Result, took_s: float) -> None:
        self._draft.calls.append(
            StepCall(
                id=call.id,
                tool=call.name,
                arguments=call.arguments,
                result=result.text[:SHOWN_OF_RESULT],
                failed=result.failed,
                refused=result.refused,
                origins=list(result.origins),
                seconds=round(took_s, 3),
            )
        )

    async def _control(self, call: ToolCall, failed_before: bool) -> tuple[Result, Ending | None]:
        try:
            text = said(call.name, call.parsed())
        except InvalidArguments as error:
            return failure(call, error), None
        if not text.strip():
            return failure(call, InvalidArguments(f"{call.name} needs its argument, in words")), None
        if call.name == DONE and failed_before:
            return failure(call, Refused(prompts.DONE_TOO_EARLY)), None
        ending = None
        answer: dict[str, Any] = {"accepted": True}
        if call.name == DONE:
            ending = Ending("done", text)
        elif call.name == FAIL:
            ending = Ending("failed", text)
        elif call.name == NOTE:
            self.keep_fact(text)
        elif call.name == ASK:
            answer = await self._ask_person(text)
        return _answered(call, answer), ending

    def unacted(self) -> AssistantMessage | None:
        """The last answer, where an earlier kernel didn't come to do all that it says."""
        # What came before the task belongs to a run that is over.
        messages = self.conversation.since_task()
        last = next((found for found in reversed(messages) if isinstance(found, AssistantMessage)), None)
        if last is None or (not last.calls and messages[-1] is not last):
            return None
        pending = {call.id for call in self.conversation.pending()}
        calls = tuple(call for call in last.calls if call.id in pending or self._ended_by(call))
        return last.model_copy(update={"calls": calls}) if calls or not last.calls else None

    def _ended_by(self, call: ToolCall) -> bool:
        """Whether the run was ended by a call, and nobody came to write that down."""
        results = (found for found in self.conversation.messages if isinstance(found, ToolMessage))
        return call.name in (DONE, FAIL) and any(
            found.call_id == call.id and not found.failed for found in results
        )

    def keep_fact(self, text: str) -> None:
        """Keep what outlives the messages that it is in."""
        self.conversation.facts.append(text)
        self.setup.write("fact", {"text": text})

    async def _ask_person(self, question: str) -> dict[str, Any]:
        if not self.setup.is_attended():
            return Refused(prompts.NOBODY_TO_ASK, hint=prompts.NOBODY_TO_ASK_HINT).as_json()
        answer = str(await self.setup.ask_person(question))
        self.setup.taint.trust(answer)
        self.keep_fact(f"Asked {question!r}, the person answered: {answer}")
        return {"answer": answer}

    def made(self) -> list[StepCall]:
        """The calls of this step."""
        return list(self._draft.calls)

    def watch(self, calls: Sequence[ToolCall]) -> Loop | None:
        """Note what was done and seen in this step; the circle that it closes, if it does."""
        made = [(call.name, _arguments(call)) for call in calls]
        results = [call.result for call in self._draft.calls]
        waited_s = sum(call.seconds for call in self._draft.calls)
        seen = [*results, self.look.text if self.look is not None else ""]
        return self._watch.see(made, seen, waited_s)

    def mend(self, loop: Loop) -> Ending | None:
        """Tell the model of a circle, help it out of it, or end the run."""
        tools = ", ".join(loop.tools) or "the same words"
        if loop.level == 1:
            self.note(prompts.LOOP_TOLD.format(times=loop.times, tools=tools, period=loop.period))
        elif loop.level == 2:
            self._withheld = frozenset(loop.tools)
            self._withheld_until = self.setup.spent.steps + 1 + WITHHELD_STEPS
            self.note(prompts.LOOP_HELPED.format(steps=WITHHELD_STEPS, tools=tools))
        else:
            return Ending("failed", prompts.LOOP_STOPPED.format(tools=tools, times=loop.times))
        return None


def _answer(call: ToolCall, handler: Handler) -> Result:
    try:
        return _answered(call, handler(call.parsed()))
    except GeminiError as error:
        return failure(call, error)


def _answered(call: ToolCall, value: Any) -> Result:
    text = encode(value)
    failed = failure_in(text) is not None
    return Result(ToolMessage(call_id=call.id, tool=call.name, text=text, failed=failed), text, failed)


def _arguments(call: ToolCall) -> dict[str, Any]:
    try:
        return call.parsed()
    except InvalidArguments:
        return {"": call.arguments}
