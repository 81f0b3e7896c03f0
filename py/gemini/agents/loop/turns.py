"""The turns of a loop: ask the model, make its calls, and write both to the journal."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gemini.agents.guard.budget import BudgetSpent, require_step, require_within, warning
from gemini.agents.guard.loop_detection import Loop, LoopDetector
from gemini.agents.loop import prompts, small_window
from gemini.agents.loop.compaction import COMPACT_ABOVE, COMPACT_TO, Gauge, characters_of, compact
from gemini.agents.loop.controller import Controller, Handler, handled
from gemini.agents.loop.controls import CONTROLS, FIND, SKILL, controls_of
from gemini.agents.loop.conversation import reading
from gemini.agents.loop.draft import STORED_RESULT_CHARS, Draft
from gemini.agents.loop.observation import Snapshot, SnapshotTracker
from gemini.agents.loop.run_setup import Ending, Setup
from gemini.agents.loop.toolbox import Result, failure
from gemini.agents.record.steps import StepCall
from gemini.errors import Cancelled, ContextExceeded, InvalidArguments, UnknownTool
from gemini.models.interface.messages import AssistantMessage, Message, ToolCall, UserMessage
from gemini.models.interface.model import Answer, ModelEvent, Prepares, Request, ToolRow, collect
from gemini.models.interface.usage import Usage
from gemini.models.providers.written import attempted_call, written_calls

# The share of the context that one result may take, and its limits in characters.
RESULT_SHARE = 0.4
MIN_RESULT_CHARS, MAX_RESULT_CHARS = 1_000, 20_000
# Steps that use tools of this group get pictures before and after.
PICTURE_GROUP = "dom"
FAILED_COMMAND = re.compile(r'"exit_code":\s?[1-9]')
# The tools of a loop are withheld for this many steps.
WITHHELD_STEPS = 3

NO_HANDLERS: Mapping[str, Handler] = {}


class Turns:
    """The turns of one run, with its dependencies in `setup`."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.conversation = setup.conversation
        self.toolbox = setup.toolbox
        self.snapshot: Snapshot | None = None
        self.controller = Controller(setup)
        self._gauge = Gauge()
        self._snapshots = SnapshotTracker()
        self._loops = LoopDetector()
        self._withheld: frozenset[str] = frozenset()
        self._withheld_until = 0
        # Whether the answer whose calls are made was cut off at the model's limit.
        self._is_cut = False
        self._draft = Draft(self.setup.clock.now())
        self._is_small = False
        # Whether the model may get the tools of code mode in a small context, which all tools don't fit.
        self.may_code = False
        # Whether the model has made any call, in this run or in those that it continues.
        self.has_called = any(
            isinstance(message, AssistantMessage) and message.calls for message in self.conversation.messages
        )

    async def prepare(self) -> None:
        """Find out the model's context, and have a small one filled by less. It may turn out after the first answer."""
        model = self.setup.model
        if isinstance(model, Prepares):
            await model.prepare()
        if self._is_small or not small_window.is_small(model.context_tokens):
            return
        self._is_small = True
        self.toolbox.shrink(small_window.tool_room(model.context_tokens), may_code=self.may_code)
        small_window.shorten_prompt(
            self.conversation, self.setup.delimiters.rule, code=self.toolbox.writes_code
        )

    @property
    def must_act(self) -> bool:
        """True if a text alone isn't the result: nothing was called, and the model is one that forgets its tools."""
        model = self.setup.model
        forgets = isinstance(model, Prepares) and model.forgets_tools
        return forgets and not self.has_called and bool(self.toolbox.names)

    def wrong_call_in(self, text: str) -> str | None:
        """Return the note about a call that stands in a text, but isn't made; None if there is none."""
        known = [*self.toolbox.names, *CONTROLS]
        calls, _ = written_calls(text, known)
        if calls:
            return prompts.CALL_IN_PROSE.format(tool=calls[0].name)
        # Others may write about calls: only a model that has done nothing is reminded of this.
        if self.must_act and attempted_call(text, known):
            return prompts.CALL_BROKEN.format(tools=", ".join(row.name for row in self.tools(*CONTROLS)))
        return None

    @property
    def _max_chars(self) -> int:
        # The first request may have found out the model's context.
        context = self.setup.model.context_tokens
        return min(MAX_RESULT_CHARS, max(MIN_RESULT_CHARS, int(context * RESULT_SHARE)))

    async def begin_step(self) -> None:
        """Begin a step, after waiting while the run is paused. Raises BudgetSpent if no step is left."""
        await self.setup.wait_while_paused()
        await self.prepare()
        require_step(self.setup.budget, self.setup.spent)
        self._draft = Draft(self.setup.clock.now())
        for actions in self.setup.actions_to_report():
            self._report_person_actions(actions)
        self.setup.deliver(self._add_message)
        if text := warning(self.setup.budget, self.setup.spent):
            self.note(text)

    def end_step(self) -> None:
        """Save the finished step, and notify the listener."""
        draft, spent = self._draft, self.setup.spent
        spent.steps += 1
        step = draft.finished(spent.steps, self.setup.clock.now())
        self.setup.write("step", step.model_dump())
        self.setup.write("spent", spent.model_dump())
        self.setup.on_step(step)

    def instruct(self, text: str) -> None:
        """Tell the model what to do now."""
        self.conversation.add(UserMessage(text=text, purpose="note"))

    def _report_person_actions(self, actions: Sequence[str]) -> None:
        """Report the user's actions to the model, and make its next snapshot a full one."""
        text = "\n".join(actions) or "(nothing that was recorded)"
        # Addresses and commands may contain untrusted text.
        self.setup.taint.remember(prompts.PERSON_ACTIONS, text)
        self.instruct(f"{prompts.GIVEN_BACK}\n{self.setup.delimiters.wrap(text, prompts.PERSON_ACTIONS)}")
        self._draft.notes.append(f"{prompts.GIVEN_BACK}\n{text}")
        self._snapshots.forget()

    def _add_message(self, sender: str, text: str, origin: str | None) -> None:
        """Add a message from another agent."""
        heading = prompts.MESSAGE.format(sender=sender)
        self._draft.notes.append(f"{heading}\n{text}")
        if origin is not None:
            self.setup.taint.remember(origin, text)
            text = self.setup.delimiters.wrap(text, origin)
        self.conversation.add(UserMessage(text=f"{heading}\n{text}", purpose="message", origin=origin))

    def note(self, text: str) -> None:
        """Tell the model something that the step also shows to the user."""
        self.instruct(text)
        self._draft.notes.append(text)

    async def observe(self) -> None:
        """Take a snapshot of the surface, and show the model what changed."""
        if self.setup.observer is None or (self._is_small and not self.toolbox.offers_group(PICTURE_GROUP)):
            return
        seen = await self.setup.observer(self._max_chars)
        self.snapshot = None if seen is None else Snapshot(*seen)
        change = None if self.snapshot is None else self._snapshots.update(self.snapshot)
        if change is None:
            return
        self.setup.taint.remember(change.origin, change.text)
        heading = "The current state:" if change.whole else "Changes since the last snapshot:"
        text = f"{heading}\n{self.setup.delimiters.wrap(change.text, change.origin)}"
        self._draft.seen = change.text
        self.conversation.add_observation(UserMessage(text=text, purpose="observation"), whole=change.whole)

    def tools(self, *controls: str) -> list[ToolRow]:
        """Return the tools that the model has now, with these controls."""
        withheld = self._withheld if self.setup.spent.steps < self._withheld_until else frozenset[str]()
        return [*self.toolbox.rows(withheld | frozenset(controls)), *self.controls(*controls)]

    def controls(self, *names: str) -> list[ToolRow]:
        """Return these controls, without those that have nothing to offer."""
        absent = {FIND: not self.toolbox.has_more, SKILL: not self.setup.skills}
        offered = [name for name in names if not absent.get(name)]
        return (
            [small_window.brief(row) for row in controls_of(*small_window.few(offered))]
            if self._is_small
            else controls_of(*offered)
        )

    def load_tools(self, names: Iterable[str]) -> None:
        """Have the model get these tools from now on, also in a later session."""
        self.controller.load_tools(names)

    async def ask(
        self,
        tools: Sequence[ToolRow],
        *,
        must_call: bool = False,
        read: Callable[[AssistantMessage], AssistantMessage] = lambda message: message,
    ) -> AssistantMessage:
        """Ask the model to continue, and add its answer to the conversation, as `read` returns it.

        Raises:
            BudgetSpent: The budget allows no request.
            ModelProblem: The model can't answer.
        """
        message = read(await self.consult((), tools, must_call=must_call))
        self.conversation.add(message)
        self._is_cut = message.stop == "length"
        self._draft.thought += message.thought
        self._draft.text += message.text
        return message

    async def consult(
        self, more: Sequence[Message], tools: Sequence[ToolRow], *, must_call: bool = False
    ) -> AssistantMessage:
        """Return the model's answer to the conversation plus `more`, without adding either to the conversation."""
        require_within(self.setup.budget, self.setup.spent)
        context = self.setup.model.context_tokens
        if self._gauge.tokens([*self.conversation.messages, *more], tools) > COMPACT_ABOVE * context:
            self._compact(COMPACT_TO * context)
        try:
            return await self._request(more, tools, must_call)
        except ContextExceeded as problem:
            # The provider counts tokens better than the estimate does, and may have started again with another context.
            await self.prepare()
            before, taken = self.conversation.messages, self._gauge.tokens(self.conversation.messages)
            self._compact(min(COMPACT_TO / 2 * self.setup.model.context_tokens, taken / 2))
            if self.conversation.messages == before:
                raise small_window.no_room(
                    self.setup.model, taken + self._gauge.tokens(more, tools), problem
                ) from problem
            return await self._request(more, tools, must_call)

    async def _request(
        self, more: Sequence[Message], tools: Sequence[ToolRow], must_call: bool
    ) -> AssistantMessage:
        messages = [*self.conversation.messages, *more]
        small_window.require_room(self.setup.model, characters_of(messages, tools))
        request = Request(messages, tools, must_call, self._room(messages, tools), self.setup.sampling)
        answer = Answer()
        if self.setup.pictures is not None:
            self.setup.pictures.take()
        try:
            self._draft.pace.begin(self.setup.clock.now())
            await collect(self.setup.model, request, answer, self._on_event)
        finally:
            self._draft.pace.end(answer.usage.output)
            self._pay(answer.usage)
        self._gauge.learn(messages, tools, answer.usage.input)
        return answer.message()

    def _on_event(self, event: ModelEvent) -> None:
        self._draft.pace.note(event, self.setup.clock.now())
        self.setup.on_event(event)

    def _room(self, messages: Sequence[Message], tools: Sequence[ToolRow]) -> int | None:
        """Return the most tokens that an answer may have; None for no limit."""
        limit, taken = self.setup.budget.tokens, self._gauge.tokens(messages, tools)
        fits = small_window.room_for_answer(self.setup.model.context_tokens, taken)
        if limit is None:
            return fits
        left = limit - self.setup.spent.usage.total - taken
        if left <= 0:
            raise BudgetSpent(f"the budget of {limit:,} tokens leaves no room for another request")
        return left if fits is None else min(left, fits)

    def _pay(self, usage: Usage) -> None:
        price = self.setup.price
        cost = usage.cost if price is None else price(self.setup.model.name, usage)
        self.setup.spent.add(usage, cost)
        self._draft.usage += usage
        if cost is not None:
            self._draft.cost = (self._draft.cost or 0.0) + cost
        self.setup.write("spent", self.setup.spent.model_dump())

    def _compact(self, target_tokens: float) -> None:
        self.conversation.replace(
            compact(self.conversation, self._gauge, self.setup.delimiters, target_tokens)
        )
        self.setup.write(
            "messages", [message.model_dump(mode="json") for message in self.conversation.messages]
        )
        self._snapshots.forget()

    async def perform(
        self, calls: Sequence[ToolCall], own: Mapping[str, Handler] = NO_HANDLERS, *, tools: bool = True
    ) -> Ending | None:
        """Make the calls of an answer in order; return the ending if one of them ends the run.

        Args:
            calls: The calls.
            own: Handlers of the strategy's own calls, by name.
            tools: Whether tools may be called, too.
        """
        ending: Ending | None = None
        failed, self.has_called = False, True
        for call in calls:
            if ending is not None:
                result = failure(call, Cancelled("the run had ended by then"))
            elif self._is_cut and call is calls[-1] and not call.is_complete:
                result = failure(call, InvalidArguments(prompts.CALL_CUT, hint=prompts.CALL_CUT_HINT))
                self._record(call, result, 0)
            elif call.name in own:
                result = handled(call, own[call.name])
                self._record(call, result, 0)
            elif call.name in CONTROLS:
                result, ending = await self.controller.call(call, failed_before=failed)
                self._record(call, result, 0)
            elif not tools:
                known = ", ".join([*own, *CONTROLS])
                result = failure(call, UnknownTool("no tool is available now", hint=f"Call one of {known}."))
                self._record(call, result, 0)
            else:
                result, took_s = await self._call(call)
                self._record(call, result, took_s)
                failed = failed or result.failed
            self.conversation.add(result.message)
        if (pictures := self.setup.pictures) is not None:
            self._draft.after = pictures.after() if self._draft.acted else None
            if ending is not None:
                await pictures.settle()
        return ending

    async def call_in_parallel(self, calls: Sequence[ToolCall]) -> None:
        """Make read-only calls in parallel, and add their results to the conversation in order."""
        answered = await asyncio.gather(*(self._call(call) for call in calls))
        for call, (result, took_s) in zip(calls, answered, strict=True):
            self._record(call, result, took_s)
            self.conversation.add(result.message)

    async def _call(self, call: ToolCall) -> tuple[Result, float]:
        """Make a call; return its result and its duration in seconds."""
        before = self.setup.clock.now()
        # A model may know a tool from its results, from a plan or from an earlier conversation.
        self.load_tools([call.name])
        if call.id in self.setup.interrupted_calls and not self.toolbox.is_repeatable(call.name):
            result = failure(call, Cancelled(prompts.INTERRUPTED, hint=prompts.INTERRUPTED_HINT))
        else:
            if not self.toolbox.is_repeatable(call.name):
                # Written before the call: an intent without a result means that the call may have been made.
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
        if pictures is None or self._draft.acted or self.toolbox.group_of(call.name) != PICTURE_GROUP:
            return
        self._draft.acted = True
        self._draft.before = await pictures.before()

    def _record(self, call: ToolCall, result: Result, took_s: float) -> None:
        self._draft.calls.append(
            StepCall(
                id=call.id,
                tool=call.name,
                arguments=call.arguments,
                result=result.text[:STORED_RESULT_CHARS],
                failed=result.failed,
                refused=result.refused,
                origins=list(result.origins),
                seconds=round(took_s, 3),
                changes=result.watch.changes,
                element=result.watch.element,
            )
        )

    def step_calls(self) -> list[StepCall]:
        """Return the calls of this step."""
        return list(self._draft.calls)

    def detect_loop(self, calls: Sequence[ToolCall]) -> Loop | None:
        """Record the calls and results of this step; return the loop that they complete, if any."""
        called = [(call.name, _arguments(call)) for call in calls]
        results = [call.result for call in self._draft.calls]
        waited_s = sum(call.seconds for call in self._draft.calls)
        seen = [*results, self.snapshot.text if self.snapshot is not None else ""]
        return self._loops.add_step(
            called,
            seen,
            waited_s,
            reads=all(self.toolbox.reads_only(call.name) for call in calls),
            failed=any(call.failed or FAILED_COMMAND.search(call.result) for call in self._draft.calls),
        )

    def break_loop(self, loop: Loop) -> Ending | None:
        """Warn the model of a loop, withhold its tools, or end the run, depending on the loop's level."""
        tools = ", ".join(loop.tools) or "the same text"
        if loop.level == 1:
            self.note(prompts.LOOP_WARNING.format(times=loop.times, tools=tools, period=loop.period))
        elif loop.level == 2:
            self._withheld = frozenset(loop.tools)
            self._withheld_until = self.setup.spent.steps + 1 + WITHHELD_STEPS
            self.note(prompts.LOOP_TOOLS_WITHHELD.format(steps=WITHHELD_STEPS, tools=tools))
        else:
            return Ending("failed", prompts.LOOP_STOPPED.format(tools=tools, times=loop.times))
        return None


def _arguments(call: ToolCall) -> dict[str, Any]:
    try:
        return call.parsed()
    except InvalidArguments:
        return {"": call.arguments}
