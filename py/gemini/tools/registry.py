"""The tools that exist, and the one road by which each is called."""

import asyncio
import inspect
import json
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from gemini.core import interrupts
from gemini.core.encoding import encode, fit, shorten
from gemini.core.events import EventLog
from gemini.core.spill import make_room
from gemini.errors import (
    Cancelled,
    GeminiError,
    SwitchedOff,
    ToolDeclarationError,
    ToolFailed,
    UnknownTool,
)
from gemini.tools.calls import Call, CallLog, Client, LoggedCall, Origins, Progress, origin_of_call, serving
from gemini.tools.choices import Choices
from gemini.tools.consent import Consent, courtesy_words
from gemini.tools.content import Content
from gemini.tools.declaration import Effect, declaration_of
from gemini.tools.prompts import Prompts
from gemini.tools.resources import Resources
from gemini.tools.tool import Tool
from gemini.tools.writers import PERSON, Writers, writing

RESULTS_FOLDER = Path("/tmp/results")
# Characters that a cut result keeps of the value at least.
SMALLEST_CUT = 100
# Starting an agent changes no file; what it does, it does by calls of its own.
WRITERS = (Effect.WRITE, Effect.OUTSIDE)


class Registry:
    """Tools by name.

    Every caller (page tool, MCP, person, agent loop, script) goes through `call` or `call_json`.
    """

    def __init__(self) -> None:
        self.events = EventLog()
        self.choices = Choices()
        self.consent = Consent()
        self.log = CallLog(self.events)
        self.resources = Resources()
        self.prompts = Prompts()
        self.results_folder = RESULTS_FOLDER
        self.writers = Writers()
        self.actions: dict[str, str] = {}
        """The tools that panels of the page call, by the names of their actions."""
        self._tools: dict[str, Tool] = {}
        self._own: set[str] = set()
        self._on_change: list[Callable[[], None]] = []
        self._before_answer: list[Callable[[], None]] = []
        self.choices.on_switch(self._changed)

    def branch(self) -> "Registry":
        """An empty registry on the same road: consent, choices, events and the log of calls are shared."""
        branch = Registry()
        branch.events, branch.choices, branch.consent = self.events, self.choices, self.consent
        branch.log, branch.resources, branch.results_folder = self.log, self.resources, self.results_folder
        branch._before_answer, branch.writers = self._before_answer, self.writers
        return branch

    def add(self, function: Callable[..., Any], *, replace: bool = False) -> Tool:
        """Register a function that `declare` has marked, once its types have proved to fit JSON.

        Args:
            function: The marked function.
            replace: True takes the place of a tool added before, as when a script is run again. The surface's
                own tools can't be replaced: agents and people rely on what they do.

        Raises:
            ToolDeclarationError: it isn't marked, its types don't fit JSON, or the name is taken.
        """
        declaration = declaration_of(function)
        if declaration is None:
            raise ToolDeclarationError(f"{function!r} isn't a tool", hint="Decorate it with @gemini.tool.")
        name = declaration.name
        if declaration.is_method and not inspect.ismethod(function):
            raise ToolDeclarationError(
                f"{name!r} is a method without its object",
                hint="Mark it with declare(), and add the bound method of an object to the registry.",
            )
        if name in self._own or (name in self._tools and not replace):
            raise ToolDeclarationError(f"there is a tool {name!r} already", hint="Choose another name.")
        tool = Tool(declaration, function)
        _ = tool.input_schema
        self._tools[name] = tool
        self._changed()
        return tool

    def add_room(self, room: object) -> None:
        """Register every marked method of a room's tools object, in the order in which they are written."""
        for name, member in vars(type(room)).items():
            declaration = declaration_of(member)
            if declaration is not None:
                self._tools[declaration.name] = Tool(declaration, getattr(room, name))
                self._own.add(declaration.name)
                if declaration.action is not None:
                    self.actions[declaration.action] = declaration.name
        self._changed()

    def remove(self, name: str) -> None:
        """Take a tool out.

        Raises:
            UnknownTool: there is none of that name.
        """
        self._find(name)
        del self._tools[name]
        self._changed()

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever a tool came or went; the returned function ends that."""
        self._on_change.append(listener)
        return lambda: self._on_change.remove(listener)

    def before_answer(self, hook: Callable[[], None]) -> None:
        """Call `hook` before each successful answer leaves.

        A `GeminiError` that it raises is answered instead.
        """
        self._before_answer.append(hook)

    def rows(self) -> list[dict[str, Any]]:
        """Every tool as `tools/list` tells it, without those for the person alone and those that are off."""
        return [tool.row() for tool in self._told() if not self._is_off(tool)]

    def rows_off(self) -> list[dict[str, Any]]:
        """The tools that the person switched off, by their groups."""
        return [tool.row() for tool in self._told() if self._is_off(tool)]

    def is_person_only(self, name: str) -> bool:
        """Whether a tool is there for the panels alone."""
        tool = self._tools.get(name)
        return tool is not None and tool.declaration.person_only

    def _told(self) -> list[Tool]:
        return [tool for tool in self._tools.values() if not tool.declaration.person_only]

    def _is_off(self, tool: Tool) -> bool:
        return self.choices.is_off(tool.declaration.group)

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    async def call(self, name: str, arguments: Any = None, *, caller: str = "script") -> Any:
        """Call a tool from Python and get its value.

        Raises:
            GeminiError: of whatever kind went wrong.
        """
        value, _, note = await self._perform(name, arguments, caller)
        note()
        return value

    async def call_json(
        self,
        name: str,
        arguments: Any,
        *,
        caller: str,
        progress: Progress | None = None,
        max_chars: int | None = None,
    ) -> str:
        """Call a tool for somebody outside of Python: JSON text of its value or of its failure.

        It raises nothing but the `asyncio.CancelledError` of a cancelled task.

        Args:
            name: The tool's name.
            arguments: Its arguments, an object.
            caller: Who calls: webmcp, mcp, person, agent or script.
            progress: Told about progress, where given.
            max_chars: A longer result is cut, and kept whole in a file that the cut result names. Under a
                thousand, the note about that may take more.
        """
        text, note = await self.answer(name, arguments, caller=caller, progress=progress, max_chars=max_chars)
        note()
        return text

    async def answer(
        self,
        name: str,
        arguments: Any,
        *,
        caller: str,
        progress: Progress | None = None,
        max_chars: int | None = None,
        client: Client | None = None,
        origins: Origins = (),
        run: str | None = None,
    ) -> tuple[str, Callable[[], None]]:
        """What `call_json` gives, and what notes in the log that it was given: the caller needn't wait for that.

        Args:
            client: Of MCP, whom the tool may ask, and who gets pictures, sounds and documents whole, whatever
                `max_chars` is.
            origins: What of the arguments came from text that nobody vouches for: the person is shown it where
                they are asked.
            run: The agent's run that calls.
        """
        value = None
        try:
            value, text, note = await self._perform(name, arguments, caller, progress, client, origins, run)
        except GeminiError as error:
            text, note = encode_failure(error), _nothing
        whole = client is not None and isinstance(value, Content) and value.has_media
        if max_chars is not None and len(text) > max_chars and not whole:
            return self._cut(name, text, max_chars), note
        return text, note

    def require(self, name: str, caller: str) -> None:
        """Make sure that `caller` may call a tool, for who does the same by another way.

        Raises:
            UnknownTool, SwitchedOff: it may not.
        """
        self._find(name, caller)

    def may_wait(self, name: str) -> bool:
        """Whether a call of the tool may wait for something."""
        tool = self._tools.get(name)
        return tool is not None and tool.may_wait

    async def _perform(
        self,
        name: str,
        arguments: Any,
        caller: str,
        progress: Progress | None = None,
        client: Client | None = None,
        origins: Origins = (),
        run: str | None = None,
    ) -> tuple[Any, str, Callable[[], None]]:
        tool = self._find(name, caller)
        arguments = {} if arguments is None else arguments
        declared = tool.declaration
        call = Call(
            self.log.next_id(),
            name,
            caller,
            declared.effect.value,
            arguments,
            progress,
            client,
            withheld=declared.withholds,
            run=run,
            origins=origins,
        )
        if declared.unlogged:
            with serving(call):
                value, text = await self._answer(tool, call, None)
            return value, text, _nothing
        clock = time.perf_counter()
        row = self.log.started(call, may_wait=tool.may_wait)
        try:
            with serving(call):
                value, text = await self._answer(tool, call, row)
        except GeminiError as error:
            self.log.finished(row, time.perf_counter() - clock, False, encode_failure(error))
            raise
        except asyncio.CancelledError:
            gone = Cancelled(f"the call of {name} was cancelled by its caller")
            self.log.finished(row, time.perf_counter() - clock, False, encode_failure(gone))
            raise
        took = time.perf_counter() - clock
        if declared.withholds is not None:
            # By now the tool has said whether it may stand in the log.
            row.arguments = call.arguments_to_log()
        return value, text, lambda: self.log.finished(row, took, True, text)

    async def _answer(self, tool: Tool, call: Call, row: LoggedCall | None) -> tuple[Any, str]:
        effect = tool.declaration.effect
        try:
            keywords = tool.keywords(call.arguments)
            if tool.declaration.reach is not None:
                effect = tool.effect_of(keywords)
                call.effect = effect.value
                if row is not None:
                    row.effect = effect.value
            if effect.needs_consent and self._is_courteous(tool):
                await self.consent.ask(courtesy_words(call, call.arguments))
            if tool.declaration.untrusted and call.caller != PERSON:
                self.consent.note_untrusted(call.run or call.caller, origin_of_call(call.tool, keywords))
            writer = call.caller if effect in WRITERS else None
            with interrupts.stoppable(own=effect is Effect.READ), writing(self.writers, writer):
                value = tool.function(**keywords)
                # Asking the abstract classes would take a twentieth of a trivial call.
                if hasattr(value, "__await__"):
                    value = await value
                if hasattr(value, "__next__"):
                    value = list(cast("Iterator[Any]", value))
        except BaseException as error:
            failure = own_failure(tool, error)
            raise failure from (None if failure is error else error)
        text = encode(value)
        if effect is not Effect.READ:
            for hook in self._before_answer:
                hook()
        return value, text

    def _is_courteous(self, tool: Tool) -> bool:
        """Whether a call asks before it goes on, as those of scripts' tools do. Powers have owners who ask."""
        return tool.declaration.name not in self._own

    def _find(self, name: str, caller: str = PERSON) -> Tool:
        tool = self._tools.get(name)
        if tool is None or (tool.declaration.person_only and caller != PERSON):
            told = sorted(other.declaration.name for other in self._told() if not self._is_off(other))
            raise UnknownTool(
                f"there is no tool {shorten(name, 100)}",
                hint=f"The tools are: {', '.join(told) or 'none'}.",
            )
        if caller != PERSON and self._is_off(tool):
            group = tool.declaration.group
            raise SwitchedOff(
                f"the person switched {name} off, with all tools of the group {group!r}",
                hint="Do without it, or ask them to switch the group on in the page's settings.",
                data={"group": group},
            )
        return tool

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()

    def _cut(self, name: str, text: str, max_chars: int) -> str:
        """What fits of a JSON text, with a note that says where the whole is."""
        note = {"total_chars": len(text), **self._keep(name, text)}
        try:
            value = json.loads(text)
        except ValueError:
            # Python reads no integer of thousands of digits.
            value = text
        # Escapes make JSON text longer than the characters that it stands for, so shrink until it fits.
        budget = max_chars - len(encode(note))
        while True:
            budget = max(budget, SMALLEST_CUT)
            kept = fit(value, budget)
            short = encode({**kept, "cut": note} if isinstance(kept, dict) else {"value": kept, "cut": note})
            if len(short) <= max_chars or budget == SMALLEST_CUT:
                return short
            budget = budget * 3 // 4

    def _keep(self, name: str, text: str) -> dict[str, str]:
        """Write a result that is too long for its caller to a file, and say where it is."""
        # Only a name that was declared is fit to be a file's.
        path = self.results_folder / f"{name if name in self._tools else 'call'}-{self.log.next_id()}.json"
        try:
            make_room(self.results_folder)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            return {"hint": f"The rest is lost: {path} could not be written ({error.strerror})."}
        hint = f"The whole result is JSON in {path}; read it in parts with file_read and its offset."
        return {"full_result": str(path), "hint": hint}


def _nothing() -> None: ...


def own_failure(tool: Tool, error: BaseException) -> BaseException:
    """What is told of an exception from a tool: here, at the edge, one of its own becomes a `ToolFailed`."""
    if isinstance(error, GeminiError):
        return error
    if isinstance(error, KeyboardInterrupt) and interrupts.is_request_cancelled():
        return Cancelled(f"the call of {tool.declaration.name} was interrupted")
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is None or task.cancelling():
            return error
    return _failed(tool, error)


def _failed(tool: Tool, error: BaseException) -> ToolFailed:
    frames = traceback.format_exception(error)
    return ToolFailed(
        f"{tool.declaration.name} raised {type(error).__name__}: {error}",
        hint="This is an error in the tool itself; other arguments may avoid it.",
        data={"traceback": "".join(frames)[-4_000:]},
    )


def encode_failure(error: GeminiError) -> str:
    """The failure as JSON text; facts that JSON can't hold are told as text."""
    try:
        return encode(error.as_json())
    except GeminiError:
        error.data = str(error.data)
        return json.dumps(error.as_json())
