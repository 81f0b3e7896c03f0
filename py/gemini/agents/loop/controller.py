"""Handles the controls that a model calls: it ends its run, asks, notes a fact, finds tools or opens a skill."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from gemini.agents.loop import prompts
from gemini.agents.loop.controls import ASK, DONE, FAIL, FILE, FIND, NOTE, SKILL, control_argument
from gemini.agents.loop.run_setup import Ending, Setup
from gemini.agents.loop.toolbox import Result, failure, failure_in
from gemini.core.encoding import encode
from gemini.errors import GeminiError, InvalidArguments, Refused
from gemini.models.interface.messages import ToolCall, ToolMessage

Handler = Callable[[dict[str, Any]], Any]
"""Handles a call of the strategy's own, by its arguments; the model gets the GeminiError that it raises."""


class Controller:
    """The controls of one run, with its dependencies in `setup`."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    async def call(self, call: ToolCall, *, failed_before: bool) -> tuple[Result, Ending | None]:
        """Handle a control, and return its result, and the run's ending if it ends the run.

        Args:
            call: The call.
            failed_before: Whether an earlier call of the same answer failed.
        """
        try:
            arguments = call.parsed()
            text = control_argument(call.name, arguments)
            if not text.strip():
                raise InvalidArguments(f"{call.name} needs its argument, as text")
            if call.name == DONE and failed_before:
                raise Refused(prompts.DONE_TOO_EARLY)
            if call.name in (DONE, FAIL):
                ending = Ending("done" if call.name == DONE else "failed", text)
                return answered(call, {"accepted": True}), ending
            return await self._result(call, text, arguments), None
        except GeminiError as error:
            return failure(call, error), None

    async def _result(self, call: ToolCall, text: str, arguments: dict[str, Any]) -> Result:
        if call.name == ASK:
            return await self._ask(call, text)
        answer: dict[str, Any] = {"accepted": True}
        if call.name == NOTE:
            self.add_fact(text)
        elif call.name == FIND:
            answer = self.setup.toolbox.find(text)
            self.load_tools(tool["name"] for tool in answer["tools"])
        elif call.name == SKILL:
            answer = self._open_skill(text, str(arguments.get(FILE) or "") or None)
        return answered(call, answer)

    def add_fact(self, text: str) -> None:
        """Save a fact that outlives the messages that it came from."""
        self.setup.conversation.facts.append(text)
        self.setup.write("fact", {"text": text})

    def load_tools(self, names: Iterable[str]) -> None:
        """Have the model get these tools from now on, also in a later session."""
        if new := self.setup.toolbox.load(names):
            self.setup.write("tools", new)

    def _open_skill(self, name: str, file: str | None) -> dict[str, Any]:
        """Return a skill's text or one of its files; the run's tools become those that the skill allows."""
        if self.setup.skills is None:
            raise InvalidArguments(f"you have no skill {name[:60]!r}", hint="Do the task without one.")
        opened = self.setup.skills.open(name, file)
        if opened.tools is not None:
            self.setup.toolbox.narrow(opened.tools)
            self.setup.write("narrowed", list(opened.tools))
        return opened.as_json()

    async def _ask(self, call: ToolCall, question: str) -> Result:
        """Ask the user, or the agent that assigned the task."""
        if not self.setup.is_attended():
            raise Refused(prompts.NO_USER, hint=prompts.NO_USER_HINT)
        reply = await self.setup.ask_person(question)
        if reply.sender is None:
            self.setup.taint.trust(reply.text)
            self.add_fact(f"Asked {question!r}, the user answered: {reply.text}")
            return answered(call, {"answer": reply.text})
        result = answered(call, {"answer": reply.text, "from": reply.sender})
        if reply.origin is None:
            return result
        self.setup.taint.remember(reply.origin, reply.text)
        wrapped = self.setup.delimiters.wrap(result.text, reply.origin)
        message = result.message.model_copy(update={"text": wrapped, "origin": reply.origin})
        return replace(result, message=message)


def handled(call: ToolCall, handler: Handler) -> Result:
    """Return the result of a call of the strategy's own."""
    try:
        return answered(call, handler(call.parsed()))
    except GeminiError as error:
        return failure(call, error)


def answered(call: ToolCall, value: Any) -> Result:
    """Return the result of a call with a value, which may be a failure as JSON."""
    text = encode(value)
    failed = failure_in(text) is not None
    return Result(ToolMessage(call_id=call.id, tool=call.name, text=text, failed=failed), text, failed)
