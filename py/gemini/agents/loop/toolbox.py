"""The tools of one agent: a subset of the registry, whose calls return structured results."""

import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.guard.taint import Taint
from gemini.agents.loop.controls import CONTROLS
from gemini.agents.loop.result_pictures import split_pictures, text_of
from gemini.agents.loop.small_window import brief
from gemini.agents.loop.tool_choice import (
    FOUND_AT_ONCE,
    MOST_CHARACTERS,
    characters,
    chosen,
    listed,
    ranked,
    row_of,
)
from gemini.errors import GeminiError, InvalidArguments, UnknownTool, quotes_outside
from gemini.models.interface.messages import ToolCall, ToolMessage
from gemini.models.interface.model import ToolRow
from gemini.tools import Effect, Registry, declare
from gemini.tools.calls import origin_of_call
from gemini.tools.declaration import declaration_of
from gemini.tools.failures import encode_failure
from gemini.tools.tool import Tool
from gemini.tools.watching import Watch, watch
from gemini.tools.writers import AGENT

PYTHON = "python_run"
ToolSelector = str | Callable[..., Any]
"""A tool's name, a group's name, or a function that becomes a tool of this agent only."""


@dataclass(frozen=True)
class Result:
    """The result of a call.

    Attributes:
        message: The message for the model.
        text: JSON of the value or of the failure.
        failed: Whether the call failed.
        refused: Whether the user refused, or no user was there to agree.
        origins: The arguments that contain untrusted text.
        watch: The facts that the tool noted for those who watch.
    """

    message: ToolMessage
    text: str
    failed: bool
    refused: bool = False
    origins: Sequence[dict[str, str]] = ()
    watch: Watch = field(default_factory=Watch)


class Toolbox:
    """The tools that one agent may call.

    Args:
        registry: The registry that every call goes through.
        agent: The agent's name; it calls as `agent:<name>`.
        selectors: The tools; None means all that don't spend money, such as by starting other agents.
        delimiters: Wrap untrusted results.
        taint: Records untrusted results.
        run: The id of the run that the calls belong to.
        task: The task by whose words the tools are chosen that the model has at first, if they are many; without one,
            it has all.
        code: Whether the agent also has the tools of code mode, if it may run Python.

    Raises:
        UnknownTool: There is no tool or group with a given name, or `code` needs one that the agent doesn't have.
    """

    def __init__(
        self,
        registry: Registry,
        agent: str,
        selectors: Sequence[ToolSelector] | None,
        delimiters: Delimiters,
        taint: Taint,
        run: str | None = None,
        task: str | None = None,
        *,
        code: bool = False,
    ) -> None:
        self.caller = f"{AGENT}{agent}"
        self._run = run
        self._delimiters = delimiters
        self._taint = taint
        self._registry = registry
        self._own = registry.branch()
        self._code = code
        self._uses = Counter[str]()
        self._names = (
            None if selectors is None else {name for selector in selectors for name in self._named(selector)}
        )
        # The names of tools and groups that a skill allows; None for all.
        self._only: frozenset[str] | None = None
        if code and PYTHON in registry and PYTHON not in self._tools():
            raise UnknownTool(
                f"the strategy code needs {PYTHON}, which this agent doesn't have",
                hint="Add it to the agent's tools, or use the strategy react.",
            )
        room = MOST_CHARACTERS - characters(CONTROLS.values())
        named = [selector for selector in selectors or () if isinstance(selector, str)]
        own = [tool.declaration.name for tool in self._own]
        self._choose = partial(chosen, task=task or "", first=own, named=named)
        # The declared tools; None for all. The others can be found, and called by name.
        self._loaded = None if task is None or code else self._choose(self._tools(), room=room)
        self._is_brief = False

    def _named(self, selector: ToolSelector) -> set[str]:
        """Return the names of the shared tools that are selected; a function is added to the agent's own tools."""
        if callable(selector):
            declared = selector if declaration_of(selector) else declare()(selector)
            self._own.add(declared, replace=True)
            return set()
        tools = {tool.declaration.name: tool.declaration.group for tool in self._shared()}
        # A group doesn't include tools that spend money; they must be named.
        unpaid = {
            tool.declaration.name for tool in self._shared() if tool.declaration.effect is not Effect.SPEND
        }
        names = {
            name
            for name, group in tools.items()
            if selector == name or (selector == group and name in unpaid)
        }
        if not names:
            known = [*tools, *dict.fromkeys(tools.values())]
            raise UnknownTool(
                f"there is no tool or group {selector!r} for an agent",
                hint=f"{_guess(selector, known)}The groups are: {', '.join(dict.fromkeys(tools.values()))}.",
            )
        return names

    def _shared(self) -> list[Tool]:
        return [tool for tool in self._registry if not tool.declaration.person_only]

    def _tools(self) -> dict[str, Tool]:
        """Return the tools that are available now: scripts add tools, and the user switches groups off."""
        off = self._registry.groups.is_off
        shared = {
            tool.declaration.name: tool
            for tool in self._shared()
            if not off(tool.declaration.group, self.caller) and self._is_given(tool)
        }
        tools = {**shared, **{tool.declaration.name: tool for tool in self._own}}
        only = self._only
        if only is None:
            return tools
        return {name: tool for name, tool in tools.items() if only & {name, tool.declaration.group}}

    def _is_given(self, tool: Tool) -> bool:
        if tool.declaration.code:
            return self._code
        if self._names is None:
            return tool.declaration.effect is not Effect.SPEND
        return tool.declaration.name in self._names

    def __contains__(self, name: str) -> bool:
        return name in self._tools()

    def offers_group(self, group: str) -> bool:
        """Return whether the model has any tool of a group without looking for it."""
        return any(
            self._is_loaded(name) for name, tool in self._tools().items() if tool.declaration.group == group
        )

    def has_group(self, group: str) -> bool:
        """Return whether the agent has any tool of a group."""
        return any(tool.declaration.group == group for tool in self._tools().values())

    def group_of(self, name: str) -> str | None:
        """Return the group of a tool; None if the agent has no such tool."""
        tool = self._tools().get(name)
        return None if tool is None else tool.declaration.group

    def rows(self, without: frozenset[str] = frozenset()) -> list[ToolRow]:
        """Return the tools as a model gets them, without those that it would have to find first.

        One that writes code gets those of code mode only.
        """
        rows = [
            row_of(tool)
            for name, tool in self._tools().items()
            if name not in without and (tool.declaration.code if self._code else self._is_loaded(name))
        ]
        return [brief(row) for row in rows] if self._is_brief else rows

    def shrink(self, room: int, *, may_code: bool = False) -> None:
        """Describe the tools briefly, and those only that fit into so many characters. The others can be found.

        Args:
            room: The characters.
            may_code: Whether the agent gets the two tools of code mode instead, if not all tools fit, and if it may
                run Python.
        """
        self._is_brief = True
        self._loaded = self._choose(
            self._tools(), room=room, size=lambda tool: characters([brief(row_of(tool))])
        )
        has_code = any(tool.declaration.code for tool in self._shared())
        self._code = self._code or (may_code and self.has_more and has_code and PYTHON in self)

    @property
    def writes_code(self) -> bool:
        """Return whether the agent has the tools of code mode."""
        return self._code

    @property
    def names(self) -> list[str]:
        """The names of all tools, those included that the model would have to find first."""
        return list(self._tools())

    @property
    def has_more(self) -> bool:
        """Return whether the model could find further tools."""
        return not self._code and not all(map(self._is_loaded, self._tools()))

    def load(self, names: Iterable[str]) -> list[str]:
        """Have the model get tools from the next request on; return the names of those that are new to it."""
        if self._loaded is None:
            return []
        tools = self._tools()
        new = [name for name in names if name in tools and name not in self._loaded]
        self._loaded.update(new)
        return new

    def find(self, query: str) -> dict[str, Any]:
        """Find tools by words, or one by its name.

        Returns:
            The answer for the model, `{tools: [{name, description}]}`; if nothing fits, with the names of the `others`.
        """
        tools = self._tools()
        best = [query] if query in tools else ranked(tools, query, self._uses)[:FOUND_AT_ONCE]
        others = [] if best else [name for name in tools if not self._is_loaded(name)]
        return {"tools": listed(best, tools), **({"others": others} if others else {})}

    def passed_on(self, *, spending: bool = False) -> list[str] | None:
        """Return the names of the shared tools that what this agent starts may have; None for all.

        Args:
            spending: Whether those that spend money are among them.
        """
        if self._names is None and self._only is None:
            return None
        return [
            name
            for name, tool in self._tools().items()
            if name not in self._own and (spending or tool.declaration.effect is not Effect.SPEND)
        ]

    def narrow(self, selectors: Iterable[str]) -> None:
        """Take away all tools but those that are named, or whose group is. Nothing is added."""
        self._only = frozenset(selectors)

    def _is_loaded(self, name: str) -> bool:
        return self._loaded is None or name in self._loaded

    def reads_only(self, name: str) -> bool:
        """Return whether the tool changes nothing, so that a call can run in parallel with others."""
        tool = self._tools().get(name)
        return tool is None or tool.declaration.effect is Effect.READ

    def is_repeatable(self, name: str) -> bool:
        """Return whether a call of the tool can be repeated after an interruption."""
        tool = self._tools().get(name)
        return self.reads_only(name) or (tool is not None and tool.declaration.repeatable)

    async def call(self, call: ToolCall, max_chars: int) -> Result:
        """Make a call. Any failure becomes a result; only CancelledError is raised."""
        tools = self._tools()
        tool = tools.get(call.name)
        if tool is None:
            return failure(call, _unknown(call.name, list(tools)))
        try:
            arguments = call.parsed()
        except InvalidArguments as error:
            return failure(call, error)
        origins = self._taint.find(arguments)
        registry = self._own if call.name in self._own else self._registry
        self._uses[call.name] += 1
        watched = Watch()
        token = watch.set(watched)
        try:
            text = await registry.call_json(
                call.name,
                arguments,
                caller=self.caller,
                max_chars=max_chars,
                origins=origins,
                run=self._run,
                provenance=_Rules(self, self._taint),
            )
        finally:
            watch.reset(token)
        return replace(self._result(call, tool, arguments, text, origins), watch=watched)

    def _result(
        self, call: ToolCall, tool: Tool, arguments: dict[str, Any], text: str, origins: list[dict[str, str]]
    ) -> Result:
        error = failure_in(text)
        text, images = split_pictures(text)
        if tool.declaration.code:
            text = text_of(text)
        if not origins:
            self._taint.trust(arguments)
        elif error is None and tool.declaration.effect is not Effect.READ:
            self._taint.taint_outputs(arguments, origins)
        origin = None
        if tool.declaration.untrusted or (error is not None and quotes_outside(str(error.get("type")))):
            origin = origin_of_call(call.name, arguments)
            self._taint.remember_json(origin, text)
        wrapped = text if origin is None else self._delimiters.wrap(text, origin)
        message = ToolMessage(
            call_id=call.id,
            tool=call.name,
            text=wrapped,
            failed=error is not None,
            origin=origin,
            images=images,
        )
        refused = error is not None and error.get("type") == "Refused"
        return Result(message, text, error is not None, refused, origins)


class _Rules:
    """A `Provenance` of an agent's code: the tools that it may call, and the text from outside that it reads."""

    def __init__(self, toolbox: Toolbox, taint: Taint) -> None:
        self._toolbox = toolbox
        self.find, self.remember_json = taint.find, taint.remember_json

    def allows(self, tool: str) -> bool:
        return tool in self._toolbox


def _unknown(name: str, known: list[str]) -> UnknownTool:
    return UnknownTool(
        f"you have no tool {name[:100]!r}",
        hint=f"{_guess(name, known)}Your tools are: {', '.join(sorted(known)) or 'none'}.",
    )


def failure(call: ToolCall, error: GeminiError) -> Result:
    """Return the result of a call that was not made, with the reason."""
    text = encode_failure(error)
    return Result(ToolMessage(call_id=call.id, tool=call.name, text=text, failed=True), text, True)


def failure_in(text: str) -> dict[str, Any] | None:
    """Return the error in a result: `{type, message, hint?, data?}`; None if the result is a value."""
    if not text.startswith('{"isError":true'):
        return None
    value = _value(text)
    return cast("dict[str, Any]", value).get("error") if isinstance(value, dict) else None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _guess(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name[:100], known, n=1)
    return f"Did you mean {close[0]}? " if close else ""
