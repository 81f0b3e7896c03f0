"""One answer, from the question to its end: what the model streams becomes a message."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from gemini.agents.budget import Budget, BudgetSpent, Spent
from gemini.agents.compaction import Gauge, bare
from gemini.agents.conversation import Conversation
from gemini.agents.journal import Entry
from gemini.agents.marks import Marks
from gemini.agents.messages import AssistantMessage, Message, ToolMessage
from gemini.agents.model import ModelEvent, Retried, TextDelta, ThoughtDelta
from gemini.agents.replay import replay
from gemini.agents.retries import RetryingModel
from gemini.agents.runs import Runs
from gemini.agents.setup import Setup
from gemini.agents.taint import Taint
from gemini.agents.toolbox import Toolbox
from gemini.agents.turns import Turns
from gemini.agents.usage import Usage
from gemini.chats import history
from gemini.chats.messages import AGENT, Called, Chat, ChatMessage, Part, Problem, Status
from gemini.errors import GeminiError, ModelRefused
from gemini.tools import Registry

# The first words are told at once; those that follow wait for each other.
TELL_S = 0.04
# So much of an answer may be lost with a killed tab.
KEEP_S = 1.0
SHOWN_OF_RESULT = 2_000
STEPS = 30


@dataclass(frozen=True)
class Teller:
    """Who is told of an answer.

    Attributes:
        streamed: Of text at its end.
        changed: Of any other change.
        keep: To be kept as it is now.
        ended: That it is over.
    """

    streamed: Callable[[ChatMessage, str], None]
    changed: Callable[[ChatMessage], None]
    keep: Callable[[ChatMessage], None]
    ended: Callable[[ChatMessage], None]


class Answering:
    """An answer while it comes. It goes on by itself until it is done, failed or stopped."""

    def __init__(self, message: ChatMessage, teller: Teller) -> None:
        self.message = message
        self._teller = teller
        self._untold = ""
        self._telling: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._kept = self._loop.time()
        self._task: asyncio.Task[None] | None = None

    def begin(self, registry: Registry, runs: Runs, chat: Chat) -> None:
        """Ask the model of `runs`."""
        self._task = self._loop.create_task(self._drive(registry, runs, chat))

    def stop(self) -> None:
        """End it now, with what has come."""
        if self._task is not None:
            self._task.cancel()
        self._end("stopped")

    async def _drive(self, registry: Registry, runs: Runs, chat: Chat) -> None:
        try:
            why = await _converse(Turns(_setup(self, registry, runs, chat)))
            self._end("failed" if why else "done", why)
        except BudgetSpent as spent:
            self._end("failed", Problem(message=str(spent)))
        except GeminiError as problem:
            self._end("failed", Problem(message=problem.message, hint=problem.hint))
        except Exception as error:
            # Otherwise nobody would learn that it came to its end.
            self._end("failed", Problem(message=f"the surface failed: {error}"))
            raise

    @property
    def _is_over(self) -> bool:
        return self.message.status != "streaming"

    def _end(self, status: Status, error: Problem | None = None) -> None:
        if self._is_over:
            return
        self._tell()
        self.message.status, self.message.error = status, error
        self._teller.keep(self.message)
        self._teller.ended(self.message)

    def take(self, event: ModelEvent) -> None:
        """What the model streams. What comes after a stop counts no longer."""
        if self._is_over:
            return
        match event:
            case TextDelta(text):
                self.message.grow(text)
                self._untold += text
                if self._telling is None:
                    self._tell()
            case ThoughtDelta(text):
                self.message.thought += text
            case Usage():
                self.message.usage += event
            case Retried():
                self.message.take_back()
                self._untold = ""
                self._teller.changed(self.message)
            case _:
                pass

    def add(self, added: Message) -> None:
        """A message of the conversation, whole."""
        if self._is_over:
            return
        self.message.said.append(added.model_dump(mode="json"))
        self._tell()
        if isinstance(added, AssistantMessage):
            self.message.draft = ""
            for call in added.calls:
                called = Called(id=call.id, tool=call.name, arguments=call.arguments)
                self.message.parts.append(Part(call=called))
        elif isinstance(added, ToolMessage):
            self._fill(added)
        self._teller.changed(self.message)
        self._keep()

    def _fill(self, result: ToolMessage) -> None:
        text = result.text if result.origin is None else bare(result.text)
        for part in self.message.parts:
            if part.call is not None and part.call.id == result.call_id:
                part.call.result, part.call.failed = text[:SHOWN_OF_RESULT], result.failed

    def _tell(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        if not self._untold:
            return
        self._teller.streamed(self.message, self._untold)
        self._untold = ""
        self._telling = self._loop.call_later(TELL_S, self._tell)
        if self._loop.time() - self._kept > KEEP_S:
            self._keep()

    def _keep(self) -> None:
        self._kept = self._loop.time()
        self._teller.keep(self.message)


async def _converse(turns: Turns) -> Problem | None:
    """Have the model answer, and make the calls that it asks for; why the answer isn't whole."""
    while True:
        await turns.begin_step()
        message = await turns.ask(turns.tools())
        ending = await turns.perform(message.calls) if message.calls else None
        if ending is None and message.calls and (loop := turns.watch(message.calls)):
            ending = turns.mend(loop)
        turns.end_step()
        if ending is not None:
            return Problem(message=ending.text)
        if message.stop == "refusal":
            raise ModelRefused(
                "the model refused to answer", hint="Say it in other words, or use another model."
            )
        if message.stop == "length":
            return Problem(message="the answer was cut: it is too long", hint="Ask the model to go on.")
        if not message.calls:
            empty = not message.text.strip()
            return Problem(message="the model said nothing", hint="Try again.") if empty else None


def _setup(answering: Answering, registry: Registry, runs: Runs, chat: Chat) -> Setup:
    model = RetryingModel(runs.chosen.require(AGENT), runs.clock)
    marks = Marks(chat.boundary)
    taint = Taint(partial(registry.consent.note_untrusted, chat.id))
    toolbox = Toolbox(registry, AGENT, None if chat.tools else [], marks, taint, chat.id)
    room = model.context_tokens * history.SHARE
    if Gauge().tokens([], toolbox.rows()) > room:
        # A small model that was told of all tools could read nothing else.
        toolbox = Toolbox(registry, AGENT, [], marks, taint, chat.id)
    path = chat.path(answering.message.parent)
    messages = history.told(
        path, marks, room, with_tools=bool(toolbox.rows()), instructions=runs.chosen.instructions()
    )
    history.learn(path, taint)
    conversation = Conversation(answering.add)
    replay(_entries(messages), conversation, taint)
    return Setup(
        task=path[-1].text,
        model=model,
        toolbox=toolbox,
        conversation=conversation,
        marks=marks,
        taint=taint,
        budget=Budget(steps=STEPS),
        spent=Spent(),
        tell=answering.take,
        price=runs.price,
        clock=runs.clock,
    )


def _entries(messages: Sequence[Message]) -> list[Entry]:
    return [("message", message.model_dump(mode="json")) for message in messages]
