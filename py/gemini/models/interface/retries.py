"""Retrying a model's requests where that may help.

Exponential backoff with jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), but after
a second at the earliest, and never earlier than the provider's Retry-After says (RFC 9110, section 10.2.3).
"""

import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, cast

from gemini.core.clock import Clock
from gemini.errors import (
    ModelAway,
    ModelDisconnected,
    ModelLoading,
    ModelProblem,
    ModelSilent,
    ModelUnavailable,
)
from gemini.models.interface.model import (
    Held,
    Model,
    ModelEvent,
    Prepares,
    PromptRead,
    Request,
    Retried,
    Stopped,
)
from gemini.models.interface.repetition import RepetitionGuard
from gemini.models.interface.window import LARGER

MAX_RETRIES = 5
FIRST_WAIT_S = 1.0
MAX_WAIT_S = 60.0
# If Retry-After is longer than this, fail with the provider's error instead of waiting.
MAX_RETRY_AFTER_S = 300.0
# A local model may load for a minute before its first word.
FIRST_EVENT_S = 120.0
SILENCE_S = 60.0
# The wait between two attempts while the companion isn't connected.
AWAY_S = 2.0
# The wait between two attempts while the server loads the model, and for how long it may load.
LOADING_WAIT_S = 1.0
LOADING_S = 600.0
RETRYABLE = (ModelUnavailable, ModelDisconnected, ModelSilent)


class RetryingModel:
    """A model that is retried up to five times when it is overloaded, disconnects or times out.

    While the companion is away, attempts don't count: it was stopped or is starting again, and nothing was sent.

    Args:
        model: The model to ask.
        clock: The clock for waits and timeouts.
        jitter: Returns a number from 0 to 1.
    """

    def __init__(
        self, model: Model, clock: Clock | None = None, jitter: Callable[[], float] = random.random
    ) -> None:
        self._model = model
        self._clock = clock or Clock()
        self._jitter = jitter

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def context_tokens(self) -> int:
        """The model's context in tokens."""
        return self._model.context_tokens

    @property
    def forgets_tools(self) -> bool:
        """True if the model may forget its tools; see `Prepares`."""
        return isinstance(self._model, Prepares) and self._model.forgets_tools

    @property
    def window_hint(self) -> str:
        """The way to get a larger context; see `Prepares`."""
        return self._model.window_hint if isinstance(self._model, Prepares) else LARGER

    async def prepare(self) -> None:
        """Have the model find out its context; see `Prepares`."""
        if isinstance(self._model, Prepares):
            await self._model.prepare()

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer, with a `Retried` event before the wait for each retry.

        Raises:
            ModelProblem: The retries are used up, or the error can't be retried.
        """
        attempts = retries = 0
        away_s = loaded_for_s = 0.0
        while True:
            attempts += 1
            try:
                async with aclosing(self._attempt(request)) as events:
                    async for event in events:
                        yield event
                return
            except ModelAway as problem:
                yield Retried(attempts + 1, problem.message, AWAY_S, away_s)
                await self._clock.sleep(AWAY_S)
                away_s += AWAY_S
            except ModelLoading as problem:
                loaded_for_s += LOADING_WAIT_S
                if loaded_for_s > LOADING_S:
                    raise
                yield Retried(attempts + 1, problem.message, LOADING_WAIT_S, loads=True)
                await self._clock.sleep(LOADING_WAIT_S)
            except RETRYABLE as problem:
                retries, away_s = retries + 1, 0.0
                wait_s = self._wait(problem, retries)
                yield Retried(attempts + 1, problem.message, wait_s)
                await self._clock.sleep(wait_s)

    async def _attempt(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream one attempt; silence and an incomplete answer are errors."""
        complete = False
        guard = RepetitionGuard(self.context_tokens)
        patience_s: float | None = FIRST_EVENT_S
        async with aclosing(self._model.stream(request)) as events:
            while True:
                event = await self._next(events, patience_s)
                if event is None:
                    break
                if isinstance(event, Held):
                    patience_s = FIRST_EVENT_S if event.over else None
                    continue
                guard.watch(event)
                complete = complete or isinstance(event, Stopped)
                # The next part of a long prompt may take as long as the first.
                patience_s = FIRST_EVENT_S if isinstance(event, PromptRead) else SILENCE_S
                yield event
        if not complete:
            raise ModelDisconnected("the model's answer ended before it was complete")

    async def _next(self, events: AsyncGenerator[ModelEvent], patience_s: float | None) -> ModelEvent | None:
        limit = None
        try:
            async with self._clock.limit(patience_s) as limit:
                return await anext(events, None)
        except TimeoutError as error:
            if limit is None or not limit.expired():
                raise
            raise ModelSilent(f"the model sent nothing for {patience_s:g} s") from error

    def _wait(self, problem: ModelProblem, retries: int) -> float:
        """Return the wait before the next attempt in seconds; raise the error if there must be none."""
        facts: Any = problem.data
        data = cast("dict[str, Any]", facts) if isinstance(facts, dict) else {}
        retry_after_s = float(data.get("retry_after_s") or 0)
        if retries > MAX_RETRIES:
            raise type(problem)(
                f"{problem.message.removesuffix('.')}, after {MAX_RETRIES} retries",
                hint="Try later, or use another model.",
                data=facts,
            ) from problem
        if retry_after_s > MAX_RETRY_AFTER_S:
            raise type(problem)(
                f"{problem.message.removesuffix('.')}, and must not be retried for {retry_after_s:,.0f} s",
                hint="Run the task again later, or use another model.",
                data=facts,
            ) from problem
        most_s = min(MAX_WAIT_S, FIRST_WAIT_S * 2**retries)
        return retry_after_s + FIRST_WAIT_S + (most_s - FIRST_WAIT_S) * self._jitter()
