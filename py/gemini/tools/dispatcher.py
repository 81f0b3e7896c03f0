"""The path of a tool call: arguments, consent, the tool's function, the result, and the log."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from gemini.core.encoding import encode, facts_first
from gemini.core.interrupts import stoppable
from gemini.errors import Cancelled, GeminiError
from gemini.tools.acting import acting
from gemini.tools.calls import Call, CallLog, current, origin_of_call, serving
from gemini.tools.consent import Consent, courtesy_context
from gemini.tools.declaration import Effect
from gemini.tools.failures import encode_failure, to_failure
from gemini.tools.tool import Tool
from gemini.tools.writers import PERSON, Writers

Result = tuple[Any, str]
"""A tool's value, and the value as JSON."""

# `Effect.value` would be a call.
READ = Effect.READ.value
ASKED_EFFECTS = tuple(effect for effect in Effect if effect.needs_consent)


class Dispatcher:
    """Performs calls of tools.

    Attributes:
        before_answer: Called before the answer of each call that may have changed something. A hook that raises a
            `GeminiError` makes the call fail.
    """

    def __init__(self, log: CallLog, consent: Consent, writers: Writers) -> None:
        self.before_answer: list[Callable[[], None]] = []
        self._log = log
        self._consent = consent
        self._writers = writers

    def perform(self, tool: Tool, call: Call) -> Result | Awaitable[Result]:
        """Perform a call. The end of one that succeeds is logged by the caller, after the answer is sent.

        Args:
            tool: The tool.
            call: The call, not begun.

        Returns:
            The result, or an awaitable of it if the tool or the question waits.

        Raises:
            GeminiError: The call failed.
        """
        call.clock = time.perf_counter()
        if not tool.declaration.unlogged:
            self._log.begin(call, may_wait=tool.may_wait)
        with _Attempt(self, tool, call):
            keywords = tool.keywords(call.arguments)
            if tool.declaration.reach is not None:
                call.effect = tool.effect_of(keywords).value
            if tool.asks_first and call.effect in ASKED_EFFECTS:
                return self._ask(tool, call, keywords)
            value = self._run(tool, call, keywords)
            # `isinstance` with the abstract class would take a twentieth of a trivial call.
            if not hasattr(value, "__await__"):
                return self._finish(tool, call, value)
        return self._wait(tool, call, value)

    async def _ask(self, tool: Tool, call: Call, keywords: dict[str, Any]) -> Result:
        with _Attempt(self, tool, call):
            await self._consent.ask(courtesy_context(call, call.arguments))
            value = self._run(tool, call, keywords)
            if not hasattr(value, "__await__"):
                return self._finish(tool, call, value)
        return await self._wait(tool, call, value)

    async def _wait(self, tool: Tool, call: Call, value: Awaitable[Any]) -> Result:
        with _Attempt(self, tool, call):
            with acting(call, self._writers):
                awaited = await value
            return self._finish(tool, call, awaited)

    def _run(self, tool: Tool, call: Call, keywords: dict[str, Any]) -> Any:
        if tool.declaration.untrusted:
            self._note_reading(call, keywords)
        if tool.is_async:
            return tool.function(**keywords)
        with stoppable(own=True) if call.effect == READ else acting(call, self._writers):
            value = tool.function(**keywords)
            return list(value) if hasattr(value, "__next__") else value

    def _finish(self, tool: Tool, call: Call, value: Any) -> Result:
        result = self.encode(tool, value)
        if call.effect != READ:
            for hook in self.before_answer:
                hook()
        call.duration_ms = round((time.perf_counter() - call.clock) * 1000, 3)
        return result

    def encode(self, tool: Tool, value: Any) -> Result:
        """Return a tool's value in the order that readers want, and as JSON.

        Raises:
            UnserialisableResult: JSON can't represent the value.
        """
        ordered = facts_first(value) if type(value) is dict else value
        return ordered, encode(ordered, may_hold_bytes=tool.may_return_bytes)

    def fail(self, tool: Tool, call: Call, error: BaseException) -> NoReturn:
        """Log a call that failed, and raise its error as callers get it."""
        failure = to_failure(tool, error)
        if isinstance(failure, GeminiError) and failure.quotes:
            # The error has text from outside, as results of other tools do.
            self._note_reading(call, call.arguments)
        if not tool.declaration.unlogged:
            self._log_failure(call, failure)
        raise failure from (None if failure is error else error)

    def _log_failure(self, call: Call, failure: BaseException) -> None:
        call.duration_ms = round((time.perf_counter() - call.clock) * 1000, 3)
        if isinstance(failure, asyncio.CancelledError):
            failure = Cancelled(f"the call of {call.tool} was cancelled by its caller")
        if isinstance(failure, GeminiError):
            self._log.end(call, False, encode_failure(failure))

    def _note_reading(self, call: Call, arguments: dict[str, Any]) -> None:
        """Report that the caller is about to read text from outside."""
        if call.caller != PERSON:
            self._consent.note_untrusted(call.run or call.caller, origin_of_call(call.tool, arguments))


class _Attempt(serving):
    """A context manager for a part of a call, which sets the current call, and logs and translates its error."""

    __slots__ = ("_dispatcher", "_tool")

    def __init__(self, dispatcher: Dispatcher, tool: Tool, call: Call) -> None:
        self._dispatcher, self._tool, self._call = dispatcher, tool, call

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        current.reset(self._before)
        if error is not None:
            self._dispatcher.fail(self._tool, self._call, error)
