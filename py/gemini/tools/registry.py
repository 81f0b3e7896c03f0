"""The registry of tools."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from gemini.core.encoding import encode, fit, shorten
from gemini.core.events import EventLog
from gemini.core.protocol import Encoded, nothing
from gemini.core.spill import make_room
from gemini.errors import GeminiError, SwitchedOff, ToolDeclarationError, UnknownTool
from gemini.tools.calls import Call, CallLog, Client, Origins, Progress, Provenance, current, origin_of_call
from gemini.tools.consent import Consent
from gemini.tools.content import has_media
from gemini.tools.declaration import declaration_of
from gemini.tools.dispatcher import Dispatcher, Result
from gemini.tools.events import ToolRow
from gemini.tools.failures import encode_failure
from gemini.tools.groups import ToolGroups
from gemini.tools.prompts import Prompts
from gemini.tools.resources import Resources
from gemini.tools.tool import Tool
from gemini.tools.writers import PERSON, SCRIPT, Writers

RESULTS_FOLDER = Path("/tmp/results")
# The least number of characters of a value in a truncated result.
MIN_CUT = 100


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
        self._dispatcher = Dispatcher(self.log, self.consent, self.writers)
        self.groups.on_switch(self._changed)

    def branch(self) -> "Registry":
        """Return an empty registry that shares this one's consent, groups, events and log of calls."""
        branch = Registry()
        branch.events, branch.groups, branch.consent = self.events, self.groups, self.consent
        branch.log, branch.resources, branch.results_folder = self.log, self.resources, self.results_folder
        branch._dispatcher, branch.writers = self._dispatcher, self.writers
        return branch

    def add(self, function: Callable[..., Any], *, replace: bool = False, asks_first: bool = True) -> Tool:
        """Register a function that `declare` has marked.

        Args:
            function: The marked function.
            replace: True replaces a tool of the same name, as when a script runs again. The surface's own tools
                can't be replaced, because agents and users rely on them.
            asks_first: See `Tool`; false if the owner of its power asks.

        Raises:
            ToolDeclarationError: The function isn't marked, JSON can't represent its types, or the name is taken.
        """
        declaration = declaration_of(function)
        if declaration is None:
            raise ToolDeclarationError(f"{function!r} isn't a tool", hint="Decorate it with @gemini.tool.")
        name = declaration.name
        if declaration.signature.is_method and not inspect.ismethod(function):
            raise ToolDeclarationError(
                f"{name!r} is an unbound method",
                hint="Mark it with declare() and add the bound method of an object.",
            )
        if name in self._builtin or (name in self._tools and not replace):
            raise ToolDeclarationError(f"there is a tool {name!r} already", hint="Choose another name.")
        tool = Tool(declaration, function, asks_first=asks_first)
        _ = tool.input_schema
        self._tools[name] = tool
        self._changed()
        return tool

    def add_room(self, room: object) -> None:
        """Register every marked method of a room's tools object, in the order of their definitions."""
        for name, member in vars(type(room)).items():
            declaration = declaration_of(member)
            if declaration is not None:
                self._tools[declaration.name] = Tool(declaration, getattr(room, name), asks_first=False)
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
        self._dispatcher.before_answer.append(hook)

    def rows(self) -> list[ToolRow]:
        """Return the tools for `tools/list`, without those that are person-only or switched off."""
        return [tool.row() for tool in self._public() if not self._is_off(tool)]

    def tools_off(self) -> list[Tool]:
        """Return the tools of groups that are switched off."""
        return [tool for tool in self._public() if self._is_off(tool)]

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
        tool = self._find(name, caller)
        call = self._call(tool, arguments, caller, run=run)
        result = self._dispatcher.perform(tool, call)
        value, text = result if isinstance(result, tuple) else await result
        if not tool.declaration.unlogged:
            self.log.end(call, True, text)
        return value

    def call_within(self, name: str, arguments: dict[str, Any], outer: Call | None) -> Any:
        """Call a tool for the code that another call runs: as its caller, with its client, run and limits.

        Args:
            name: The tool's name.
            arguments: The arguments.
            outer: The call whose code makes this one; None for a script's, as is one of the user.

        Returns:
            The value, or an awaitable of it if the tool waits.

        Raises:
            GeminiError: The call failed, or the run of `outer` may not call the tool.
        """
        if outer is None or outer.caller == PERSON:
            outer, caller = None, SCRIPT
        else:
            caller = outer.caller
        tool = self._find(name, caller)
        provenance = None if outer is None else outer.provenance
        if provenance is not None and not provenance.allows(name):
            raise UnknownTool(f"this agent has no tool {name}", hint="Continue without it.")
        call = self._call(tool, arguments, caller)
        if outer is not None:
            call.client, call.run, call.provenance = outer.client, outer.run, provenance
            call.origins = outer.origins if provenance is None else provenance.find(arguments)
        result = self._dispatcher.perform(tool, call)
        return (
            self._end_within(tool, call, result)
            if isinstance(result, tuple)
            else self._wait_within(tool, call, result)
        )

    async def _wait_within(self, tool: Tool, call: Call, result: Awaitable[Result]) -> Any:
        return self._end_within(tool, call, await result)

    def _end_within(self, tool: Tool, call: Call, result: Result) -> Any:
        value, text = result
        self.log.end(call, True, text)
        if tool.declaration.untrusted and call.provenance is not None:
            call.provenance.remember_json(origin_of_call(tool.declaration.name, call.arguments), text)
        return value

    async def call_json(
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
        provenance: Provenance | None = None,
    ) -> str:
        """Call a tool for a client outside of Python and return its value or error as JSON text.

        Takes the arguments of `answer`. Nothing is raised except the `asyncio.CancelledError` of a cancelled task.
        """
        answer = self.answer(
            name,
            arguments,
            caller=caller,
            progress=progress,
            max_chars=max_chars,
            client=client,
            origins=origins,
            run=run,
            provenance=provenance,
        )
        encoded = answer if isinstance(answer, Encoded) else await answer
        encoded.then()
        return encoded.text

    def answer(
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
        provenance: Provenance | None = None,
    ) -> Encoded | Awaitable[Encoded]:
        """Call a tool for a client outside of Python. Only the tools that wait cost a coroutine.

        Args:
            name: The tool's name.
            arguments: The arguments, an object.
            caller: The kind of caller: webmcp, mcp, person, agent or script.
            progress: Receives the tool's progress.
            max_chars: The maximum length of the text. A longer result is truncated, and saved in full in a file that
                the truncated result names. Limits under 1,000 may be exceeded by the note about this.
            client: The MCP client, which the tool may ask. It gets images, sounds and documents in full, whatever
                `max_chars` is.
            origins: The untrusted sources of the arguments, shown to the user with questions.
            run: The id of the agent's run that makes the call.
            provenance: The rules for the calls that the tool's code makes, by the run.

        Returns:
            The value or the error as JSON, or an awaitable of it. `then` logs the end of the call: call it after the
            text is sent.
        """
        try:
            tool = self._find(name, caller)
            call = self._call(tool, arguments, caller, progress, client, origins, run)
            call.provenance = provenance
            result = self._dispatcher.perform(tool, call)
        except GeminiError as error:
            return self._failure(name, error, max_chars)
        if isinstance(result, tuple):
            return self._encode(tool, call, result, max_chars)
        return self._answer_later(tool, call, result, max_chars)

    async def _answer_later(
        self, tool: Tool, call: Call, result: Awaitable[Result], max_chars: int | None
    ) -> Encoded:
        try:
            awaited = await result
        except GeminiError as error:
            return self._failure(call.tool, error, max_chars)
        return self._encode(tool, call, awaited, max_chars)

    def _encode(self, tool: Tool, call: Call, result: Result, max_chars: int | None) -> Encoded:
        value, text = result
        then = nothing if tool.declaration.unlogged else partial(self.log.end, call, True, text)
        if max_chars is not None and len(text) > max_chars and not (call.takes_pictures and has_media(value)):
            text = self._truncate(call.tool, text, max_chars)
        return Encoded(text, then)

    def _failure(self, name: str, error: GeminiError, max_chars: int | None) -> Encoded:
        text = encode_failure(error)
        if max_chars is not None and len(text) > max_chars:
            text = self._truncate(name, text, max_chars)
        return Encoded(text)

    def _call(
        self,
        tool: Tool,
        arguments: Any,
        caller: str,
        progress: Progress | None = None,
        client: Client | None = None,
        origins: Origins = (),
        run: str | None = None,
    ) -> Call:
        return Call(
            self.log.next_id(),
            tool.declaration.name,
            caller,
            tool.effect,
            {} if arguments is None else arguments,
            progress,
            client,
            withheld=tool.declaration.withholds,
            run=run,
            origins=origins,
            outer=current.get(),
        )

    def require(self, name: str, caller: str) -> None:
        """Check that `caller` may call a tool. For code that does the tool's work without calling it.

        Raises:
            UnknownTool: There is no such tool for this caller.
            SwitchedOff: The user has switched off the tool's group.
        """
        self._find(name, caller)

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

    def _truncate(self, name: str, text: str, max_chars: int) -> str:
        """Return as much of a JSON text as fits, with a note that names the file with all of it."""
        note = {"total_chars": len(text), **self._save_result(name, text)}
        try:
            value = json.loads(text)
        except ValueError:
            # Python refuses integers of thousands of digits.
            value = text
        # JSON escapes take more characters than the text they encode, so shrink until it fits.
        budget = max_chars - len(encode(note))
        while True:
            budget = max(budget, MIN_CUT)
            part = fit(value, budget)
            short = encode({"cut": note, **(part if isinstance(part, dict) else {"value": part})})
            if len(short) <= max_chars or budget == MIN_CUT:
                return short
            budget = budget * 3 // 4

    def _save_result(self, name: str, text: str) -> dict[str, str]:
        """Write a result that is too long for its caller to a file, and return the note about it."""
        # Only the name of a registered tool is safe as a file name.
        path = self.results_folder / f"{name if name in self._tools else 'call'}-{self.log.next_id()}.json"
        try:
            make_room(self.results_folder)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            return {"hint": f"The rest is lost: {path} couldn't be written ({error.strerror})."}
        hint = f"The full result is in {path} as JSON; read it in parts with file_read and its offset."
        return {"full_result": str(path), "hint": hint}
