"""The registry of tools, and the path that every tool call takes."""

import asyncio
import inspect
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from gemini.core import interrupts
from gemini.core.encoding import encode, facts_first, shorten
from gemini.core.events import EventLog
from gemini.errors import Cancelled, GeminiError, SwitchedOff, ToolDeclarationError, UnknownTool
from gemini.tools.calls import (
    Call,
    CallLog,
    Client,
    LoggedCall,
    Origins,
    Progress,
    current_call,
    origin_of_call,
    serving,
)
from gemini.tools.consent import Consent, courtesy_context
from gemini.tools.content import has_media
from gemini.tools.declaration import Effect, declaration_of
from gemini.tools.events import ToolRow
from gemini.tools.failures import encode_failure, to_failure
from gemini.tools.groups import ToolGroups
from gemini.tools.prompts import Prompts
from gemini.tools.resources import Resources
from gemini.tools.tool import Tool
from gemini.tools.truncation import truncated
from gemini.tools.writers import PERSON, Writers, writing

RESULTS_FOLDER = Path("/tmp/results")
# SPEND isn't here: starting an agent changes no file; its calls do.
WRITE_EFFECTS = (Effect.WRITE, Effect.OUTSIDE)


class Registry:
    """The tools by name.

    Every caller (page tool, MCP, person, agent loop, script) uses `call` or `call_json`.

    Attributes:
        actions: The names of the tools that panels call, by action.
    """

    def __init__(self) -> None:
        self.events = EventLog()
        self.groups = ToolGroups()
        self.consent = Consent()
        self.log = CallLog(self.events)
        self.resources = Resources()
        self.prompts = Prompts()
        self.results_folder = RESULTS_FOLDER
        self.writers = Writers()
        self.actions: dict[str, str] = {}
        self._tools: dict[str, Tool] = {}
        self._builtin: set[str] = set()
        self._on_change: list[Callable[[], None]] = []
        self._before_answer: list[Callable[[], None]] = []
        self.groups.on_switch(self._changed)

    def branch(self) -> "Registry":
        """Return an empty registry that shares this one's consent, groups, events and log of calls."""
        branch = Registry()
        branch.events, branch.groups, branch.consent = self.events, self.groups, self.consent
        branch.log, branch.resources, branch.results_folder = self.log, self.resources, self.results_folder
        branch._before_answer, branch.writers = self._before_answer, self.writers
        return branch

    def add(self, function: Callable[..., Any], *, replace: bool = False) -> Tool:
        """Register a function that `declare` has marked.

        Args:
            function: The marked function.
            replace: True replaces a tool of the same name, as when a script runs again. The surface's own tools
                can't be replaced, because agents and users rely on them.

        Raises:
            ToolDeclarationError: The function isn't marked, JSON can't represent its types, or the name is taken.
        """
        declaration = declaration_of(function)
        if declaration is None:
            raise ToolDeclarationError(f"{function!r} isn't a tool", hint="Decorate it with @gemini.tool.")
        name = declaration.name
        if declaration.is_method and not inspect.ismethod(function):
            raise ToolDeclarationError(
                f"{name!r} is an unbound method",
                hint="Mark it with declare() and add the bound method of an object.",
            )
        if name in self._builtin or (name in self._tools and not replace):
            raise ToolDeclarationError(f"there is a tool {name!r} already", hint="Choose another name.")
        tool = Tool(declaration, function)
        _ = tool.input_schema
        self._tools[name] = tool
        self._changed()
        return tool

    def add_room(self, room: object) -> None:
        """Register every marked method of a room's tools object, in the order of their definitions."""
        for name, member in vars(type(room)).items():
            declaration = declaration_of(member)
            if declaration is not None:
                self._tools[declaration.name] = Tool(declaration, getattr(room, name))
                self._builtin.add(declaration.name)
                if declaration.action is not None:
                    self.actions[declaration.action] = declaration.name
        self._changed()

    def remove(self, name: str) -> None:
        """Remove a tool.

        Raises:
            UnknownTool: There is no tool with this name.
        """
        self._find(name)
        del self._tools[name]
        self._changed()

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever a tool is added, removed or switched; the returned function unsubscribes it."""
        self._on_change.append(listener)
        return lambda: self._on_change.remove(listener)

    def before_answer(self, hook: Callable[[], None]) -> None:
        """Call `hook` before each successful answer is sent.

        If it raises a `GeminiError`, the caller gets that error instead.
        """
        self._before_answer.append(hook)

    def rows(self) -> list[ToolRow]:
        """Return the tools for `tools/list`, without those that are person-only or switched off."""
        return [tool.row() for tool in self._public() if not self._is_off(tool)]

    def rows_off(self) -> list[ToolRow]:
        """Return the tools whose groups the user has switched off."""
        return [tool.row() for tool in self._public() if self._is_off(tool)]

    def is_person_only(self, name: str) -> bool:
        """Return whether only panels can call a tool."""
        tool = self._tools.get(name)
        return tool is not None and tool.declaration.person_only

    def _public(self) -> list[Tool]:
        return [tool for tool in self._tools.values() if not tool.declaration.person_only]

    def _is_off(self, tool: Tool) -> bool:
        return self.groups.is_off(tool.declaration.group)

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    async def call(
        self, name: str, arguments: Any = None, *, caller: str = "script", run: str | None = None
    ) -> Any:
        """Call a tool from Python and return its value.

        Args:
            name: The tool's name.
            arguments: The arguments, an object.
            caller: The kind of caller.
            run: The id of the agent's run that makes the call.

        Raises:
            GeminiError: The call failed.
        """
        value, _, log_end = await self._perform(name, arguments, caller, run=run)
        log_end()
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
        """Call a tool for a client outside of Python and return its value or error as JSON text.

        Nothing is raised except the `asyncio.CancelledError` of a cancelled task.

        Args:
            name: The tool's name.
            arguments: The arguments, an object.
            caller: The kind of caller: webmcp, mcp, person, agent or script.
            progress: Receives the tool's progress.
            max_chars: The maximum length. A longer result is truncated, and saved in full in a file that the truncated
                result names. Limits under 1,000 may be exceeded by the note about this.
        """
        text, log_end = await self.answer(
            name, arguments, caller=caller, progress=progress, max_chars=max_chars
        )
        log_end()
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
        """Call a tool as `call_json` does, and leave logging the end of the call to the caller.

        Args:
            name: The tool's name.
            arguments: The arguments, an object.
            caller: The kind of caller.
            progress: Receives the tool's progress.
            max_chars: The maximum length of the text.
            client: The MCP client, which the tool may ask. It gets images, sounds and documents in full, whatever
                `max_chars` is.
            origins: The untrusted sources of the arguments, shown to the user with questions.
            run: The id of the agent's run that makes the call.

        Returns:
            The JSON text, and a function that logs the end of the call; call it after sending the text.
        """
        value = None
        try:
            value, text, log_end = await self._perform(
                name, arguments, caller, progress, client, origins, run
            )
        except GeminiError as error:
            text, log_end = encode_failure(error), _nothing
        if max_chars is not None and len(text) > max_chars and not (client and has_media(value)):
            # Only the name of a registered tool is safe as a file name.
            file = f"{name if name in self._tools else 'call'}-{self.log.next_id()}.json"
            return truncated(text, max_chars, self.results_folder / file), log_end
        return text, log_end

    def require(self, name: str, caller: str) -> None:
        """Check that `caller` may call a tool. For code that does the tool's work without calling it.

        Raises:
            UnknownTool: There is no such tool for this caller.
            SwitchedOff: The user has switched off the tool's group.
        """
        self._find(name, caller)

    def may_wait(self, name: str) -> bool:
        """Return whether a call of the tool may wait for something."""
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
            outer=current_call(),
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
            cancelled = Cancelled(f"the call of {name} was cancelled by its caller")
            self.log.finished(row, time.perf_counter() - clock, False, encode_failure(cancelled))
            raise
        took = time.perf_counter() - clock
        if declared.withholds is not None:
            # The tool has revealed the argument by now, if it does.
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
            if effect.needs_consent and self._asks_first(tool):
                await self.consent.ask(courtesy_context(call, call.arguments))
            if tool.declaration.untrusted and call.caller != PERSON:
                self.consent.note_untrusted(call.run or call.caller, origin_of_call(call.tool, keywords))
            writer = call.caller if effect in WRITE_EFFECTS else None
            with interrupts.stoppable(own=effect is Effect.READ), writing(self.writers, writer):
                value = tool.function(**keywords)
                # `isinstance` with the abstract classes would take a twentieth of a trivial call.
                if hasattr(value, "__await__"):
                    value = await value
                if hasattr(value, "__next__"):
                    value = list(cast("Iterator[Any]", value))
        except BaseException as error:
            failure = to_failure(tool, error)
            self._note_quotes(call, failure)
            raise failure from (None if failure is error else error)
        value = facts_first(value)
        text = encode(value, may_hold_bytes=tool.may_return_bytes)
        if effect is not Effect.READ:
            for hook in self._before_answer:
                hook()
        return value, text

    def _note_quotes(self, call: Call, failure: BaseException) -> None:
        """Report that an error has text from outside, as results of other tools do."""
        if isinstance(failure, GeminiError) and failure.quotes and call.caller != PERSON:
            self.consent.note_untrusted(call.run or call.caller, origin_of_call(call.tool, call.arguments))

    def _asks_first(self, tool: Tool) -> bool:
        """Return whether a call asks the user first, as scripts' tools do. Owners of powers ask by themselves."""
        return tool.declaration.name not in self._builtin

    def _find(self, name: str, caller: str = PERSON) -> Tool:
        tool = self._tools.get(name)
        if tool is None or (tool.declaration.person_only and caller != PERSON):
            names = sorted(other.declaration.name for other in self._public() if not self._is_off(other))
            raise UnknownTool(
                f"there is no tool {shorten(name, 100)}",
                hint=f"The tools are: {', '.join(names) or 'none'}.",
            )
        if caller != PERSON and self.groups.is_off(tool.declaration.group, caller):
            group = tool.declaration.group
            raise SwitchedOff(
                f"the user has switched off {name} and all other tools of the group {group!r}",
                hint="Continue without it, or ask the user to switch the group on in the page's settings.",
                data={"group": group},
            )
        return tool

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()


def _nothing() -> None: ...
