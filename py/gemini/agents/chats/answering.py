"""Answering: run the model for one message, and turn its stream into that message."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from gemini.agents.chats import history
from gemini.agents.chats.messages import AGENT, Chat, ChatCall, ChatMessage, Part, Problem, Status, Voice
from gemini.agents.guard.budget import Budget, BudgetSpent, Spent
from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.guard.taint import Taint
from gemini.agents.loop.compaction import Gauge, strip_delimiters
from gemini.agents.loop.controls import FIND
from gemini.agents.loop.conversation import Conversation
from gemini.agents.loop.run_setup import Setup
from gemini.agents.loop.toolbox import Toolbox
from gemini.agents.loop.turns import Turns
from gemini.agents.record.journal import Entry
from gemini.agents.runs.replay import replay
from gemini.agents.runs.runs import Runs
from gemini.computer.python.owners import own_python
from gemini.core import saved_code
from gemini.errors import GeminiError, ModelRefused
from gemini.models.interface.messages import AssistantMessage, Message, ToolMessage
from gemini.models.interface.model import ModelEvent, PromptRead, Retried, TextDelta, ThoughtDelta, wait_of
from gemini.models.interface.names import shown_name
from gemini.models.interface.retries import RetryingModel
from gemini.models.interface.usage import Usage
from gemini.tools import Effect, Registry

# The first words are sent at once; later ones are batched.
STREAM_INTERVAL_S = 0.04
# A killed tab loses at most this much of an answer.
SAVE_INTERVAL_S = 1.0
SHOWN_RESULT_CHARS = 2_000
STEPS = 30


@dataclass(frozen=True)
class AnswerCallbacks:
    """The callbacks of an answer.

    Attributes:
        streamed: Called with the text that was appended.
        changed: Called after any other change.
        save: Called to save the message in its current state.
        ended: Called when the answer has ended.
        spent: Called at the end with the mentioned agent's name, and what its answer has spent.
    """

    streamed: Callable[[ChatMessage, str], None]
    changed: Callable[[ChatMessage], None]
    save: Callable[[ChatMessage], None]
    ended: Callable[[ChatMessage], None]
    spent: Callable[[str, Spent], None]


class Answering:
    """An answer in progress. It continues on its own until it is done, has failed or is stopped.

    Args:
        message: The message that the answer is written to.
        callbacks: The callbacks.
    """

    def __init__(self, message: ChatMessage, callbacks: AnswerCallbacks) -> None:
        self.message = message
        self._callbacks = callbacks
        self._unsent = ""
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._saved_at = self._loop.time()
        self._task: asyncio.Task[None] | None = None

    def begin(self, registry: Registry, runs: Runs, chat: Chat, voice: "Awaitable[Voice] | None") -> None:
        """Start asking the model that `runs` selects, or the agent that the question mentions."""
        saved_code.use()
        self._task = self._loop.create_task(self._run(registry, runs, chat, voice))

    def stop(self) -> None:
        """End the answer now, and save what has been streamed."""
        if self._task is not None:
            self._task.cancel()
        self._end("stopped")

    async def _run(
        self, registry: Registry, runs: Runs, chat: Chat, voice: "Awaitable[Voice] | None"
    ) -> None:
        try:
            asked = None if voice is None else await voice
            if asked is not None and asked.python:
                own_python.set(asked.name)
            setup = _setup(self, registry, runs, chat, asked)
            try:
                problem = await _converse(Turns(setup), self._conclude)
            finally:
                if asked is not None:
                    self._callbacks.spent(asked.name, setup.spent)
            self._end("failed" if problem else "done", problem)
        except BudgetSpent as spent:
            self._end("failed", Problem(message=str(spent)))
        except GeminiError as problem:
            self._end("failed", Problem(message=problem.message, hint=problem.hint))
        except Exception as error:
            # End the answer, so that the page doesn't wait for it forever.
            self._end("failed", Problem(message=f"the surface failed: {error}"))
            raise

    def _conclude(self, text: str) -> None:
        """Show the result of a model that ends its answer as a run does, by a call."""
        if text.strip() not in self.message.text:
            self.on_event(TextDelta(text))

    @property
    def _is_over(self) -> bool:
        return self.message.status != "streaming"

    def _end(self, status: Status, error: Problem | None = None) -> None:
        if self._is_over:
            return
        self._send()
        self.message.status, self.message.error, self.message.retry = status, error, ""
        self._callbacks.save(self.message)
        self._callbacks.ended(self.message)

    def on_event(self, event: ModelEvent) -> None:
        """Handle an event that the model streams; events after a stop are ignored."""
        if self._is_over:
            return
        if self.message.retry and not isinstance(event, Retried | PromptRead):
            self.message.retry = ""
            self._callbacks.changed(self.message)
        match event:
            case TextDelta(text):
                self.message.append_text(text)
                self._unsent += text
                if self._timer is None:
                    self._send()
            case ThoughtDelta(text):
                self.message.thought += text
            case Usage():
                self.message.usage += event
            case Retried() | PromptRead():
                if isinstance(event, Retried):
                    self.message.discard_draft()
                    self._unsent = ""
                self.message.retry = wait_of(event)
                self._callbacks.changed(self.message)
            case _:
                pass

    def on_message(self, added: Message) -> None:
        """Handle a complete message of the conversation."""
        if self._is_over:
            return
        self.message.said.append(added.model_dump(mode="json"))
        self._send()
        if isinstance(added, AssistantMessage):
            self.message.draft = ""
            for call in added.calls:
                called = ChatCall(id=call.id, tool=call.name, arguments=call.arguments)
                self.message.parts.append(Part(call=called))
        elif isinstance(added, ToolMessage):
            self._set_result(added)
        self._callbacks.changed(self.message)
        self._save()

    def _set_result(self, result: ToolMessage) -> None:
        text = result.text if result.origin is None else strip_delimiters(result.text)
        for part in self.message.parts:
            if part.call is not None and part.call.id == result.call_id:
                part.call.result, part.call.failed = text[:SHOWN_RESULT_CHARS], result.failed

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._unsent:
            return
        self._callbacks.streamed(self.message, self._unsent)
        self._unsent = ""
        self._timer = self._loop.call_later(STREAM_INTERVAL_S, self._send)
        if self._loop.time() - self._saved_at > SAVE_INTERVAL_S:
            self._save()

    def _save(self) -> None:
        self._saved_at = self._loop.time()
        self._callbacks.save(self.message)


async def _converse(turns: Turns, conclude: Callable[[str], None]) -> Problem | None:
    """Have the model answer and make its calls; return the problem with the answer, if any.

    Args:
        turns: The turns of the conversation.
        conclude: Called with the result of a model that calls `done`, which chats don't offer.
    """
    await turns.prepare()
    while True:
        await turns.begin_step()
        message = await turns.ask(turns.tools(FIND))
        ending = await turns.perform(message.calls) if message.calls else None
        if ending is None and message.calls and (loop := turns.detect_loop(message.calls)):
            ending = turns.break_loop(loop)
        turns.end_step()
        if ending is not None and ending.status == "done":
            conclude(ending.text)
            return None
        if ending is not None:
            return Problem(message=ending.text)
        if message.stop == "refusal":
            raise ModelRefused(
                "the model refused to answer", hint="Rephrase the question, or use another model."
            )
        if message.stop == "length":
            return Problem(
                message="the answer was cut off because it is too long", hint="Ask the model to continue."
            )
        if not message.calls:
            empty = not message.text.strip()
            return Problem(message="the model's answer is empty", hint="Try again.") if empty else None


def _setup(answering: Answering, registry: Registry, runs: Runs, chat: Chat, voice: Voice | None) -> Setup:
    name = AGENT if voice is None else voice.name
    selected = runs.selection.require(name, None if voice is None else voice.model)
    if voice is not None:
        answering.message.model = f"{voice.name}, {shown_name(selected.name)}"
    model = RetryingModel(selected, runs.clock)
    delimiters = Delimiters(chat.boundary)
    taint = Taint(partial(registry.consent.note_untrusted, chat.id))
    path = chat.path(answering.message.parent)
    toolbox = _toolbox(registry, name, chat, voice, delimiters, taint, history.questions(path))
    room = model.context_tokens * history.SHARE
    if Gauge().tokens([], toolbox.rows()) > room:
        # The tools would fill the context of a small model.
        toolbox = Toolbox(registry, name, [], delimiters, taint, chat.id)
    messages = history.conversation(
        path,
        delimiters,
        room,
        with_tools=bool(toolbox.rows()),
        instructions=runs.selection.instructions(),
        voice=voice,
    )
    history.remember_attachments(path, taint)
    if voice is not None and voice.prompt_origin is not None:
        taint.remember(voice.prompt_origin, voice.prompt)
    conversation = Conversation(answering.on_message)
    replay(_entries(messages, path), conversation, taint, toolbox)
    return Setup(
        task=path[-1].text,
        model=model,
        toolbox=toolbox,
        conversation=conversation,
        delimiters=delimiters,
        taint=taint,
        budget=Budget(steps=STEPS),
        spent=Spent(),
        on_event=answering.on_event,
        price=runs.price,
        clock=runs.clock,
    )


def _toolbox(
    registry: Registry,
    name: str,
    chat: Chat,
    voice: Voice | None,
    delimiters: Delimiters,
    taint: Taint,
    task: str,
) -> Toolbox:
    """Return the tools of an answer, chosen for a task among those that the agent's file names.

    A file can't grant an agent tools that spend money.
    """
    own = None if voice is None or voice.tools is None else list(voice.tools)
    spending = {tool.declaration.name for tool in registry if tool.declaration.effect is Effect.SPEND}
    tools = own if own is None else [each for each in own if each not in spending]
    if not chat.tools:
        return Toolbox(registry, name, [], delimiters, taint, chat.id)
    return Toolbox(registry, name, tools, delimiters, taint, chat.id, task)


def _entries(messages: Sequence[Message], path: Sequence[ChatMessage]) -> list[Entry]:
    """Return what an answer continues: the messages, and the tools that earlier answers called or found."""
    said: list[Entry] = [("message", message.model_dump(mode="json")) for message in messages]
    return [("tools", history.known_tools(path)), *said]
