"""Read from the journal of a run its calls, and which elements the refs among the arguments were."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gemini.agents.loop.compaction import strip_delimiters
from gemini.agents.loop.controls import CONTROLS
from gemini.agents.record.journal import Entry
from gemini.automations.scripts.steps import Element
from gemini.models.interface.messages import MESSAGES, AssistantMessage, ToolMessage, UserMessage

REF = re.compile(r"e\d+")
TEXT = r'"((?:[^"\\]|\\.)*)"'
# An element in a snapshot (web/page/snapshot/text.ts): `[e12] button [10,20 80x24] "Order" states`. Cells have no box.
LISTED = re.compile(
    rf"\[(?P<ref>e\d+)\](?: (?P<role>[a-z][a-z-]*))?(?: \[[^\]]*\])?"
    rf"(?: (?P<name>{TEXT})|[^\[\n|]*?description=(?P<description>{TEXT}))?"
)
# A line that a comparison of snapshots removes.
REMOVED = re.compile(r"^- .*$", re.MULTILINE)


@dataclass(frozen=True)
class Recorded:
    """A call of a run that succeeded.

    Attributes:
        tool: The tool.
        arguments: Its arguments.
        result: Its value, as far as the model got it; None if that isn't JSON.
        elements: The elements of the refs among the arguments; None for one that no snapshot has named.
    """

    tool: str
    arguments: dict[str, Any]
    result: Any
    elements: dict[str, Element | None]

    @property
    def members(self) -> dict[str, Any]:
        """The members of the result; none if it isn't an object."""
        value: Any = self.result
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


class Pages:
    """The elements that a run has seen, by ref. Refs of one document aren't reused; a later document has its own."""

    def __init__(self) -> None:
        self._elements: dict[str, Element] = {}

    def read(self, text: str) -> None:
        """Learn the elements that a snapshot lists, or the lines of one that a comparison adds."""
        seen: dict[tuple[str, str], int] = {}
        for match in LISTED.finditer(REMOVED.sub("", text)):
            quoted = match["name"] or match["description"]
            name = "" if quoted is None else _unquote(quoted)
            # An element without its own role is found by its text.
            role = (match["role"] or "") if match["name"] else ""
            nth = seen[role, name] = seen.get((role, name), 0) + 1
            self._learn(match["ref"], role, name, nth)

    def read_value(self, value: Any) -> None:
        """Learn the elements in a tool's value: text of snapshots, and rows with ref, role and name."""
        if isinstance(value, str):
            self.read(value)
        elif isinstance(value, dict):
            row = cast("dict[str, Any]", value)
            name = row.get("name") or row.get("text")
            if isinstance(row.get("ref"), str) and isinstance(name, str):
                self._learn(row["ref"], str(row.get("role", "")), name, 1)
            for member in row.values():
                self.read_value(member)
        elif isinstance(value, list):
            for item in cast("list[Any]", value):
                self.read_value(item)

    def _learn(self, ref: str, role: str, name: str, nth: int) -> None:
        role = "" if role in ("generic", "card", "none") else role
        if name:
            self._elements[ref] = Element(role, name, nth)
        else:
            # The ref is of another document now.
            self._elements.pop(ref, None)

    def find(self, ref: str) -> Element | None:
        """Return the element of a ref; None if no snapshot has named it."""
        return self._elements.get(ref)


def recorded_calls(entries: Sequence[Entry]) -> list[Recorded]:
    """Return the successful calls of a run in order, without calls of its loop, such as `done`.

    Args:
        entries: The run's entries in the journal.
    """
    return list(_record(entries))


def _record(entries: Sequence[Entry]) -> Iterator[Recorded]:
    pages = Pages()
    wanted: dict[str, tuple[str, dict[str, Any]]] = {}
    for kind, body in entries:
        if kind != "message":
            # Messages after a compaction repeat these.
            continue
        [message] = MESSAGES.validate_python([body])
        if isinstance(message, UserMessage) and message.purpose == "observation":
            pages.read(message.text)
        elif isinstance(message, AssistantMessage):
            wanted |= {call.id: (call.name, call.arguments_or_empty()) for call in message.calls}
        elif isinstance(message, ToolMessage) and message.call_id in wanted:
            tool, arguments = wanted.pop(message.call_id)
            if message.failed or tool in CONTROLS:
                continue
            value = _value(message)
            yield Recorded(tool, arguments, value, {ref: pages.find(ref) for ref in refs_in(arguments)})
            pages.read_value(value)


def refs_in(value: Any) -> Iterator[str]:
    """Yield the refs among arguments."""
    if isinstance(value, str):
        if REF.fullmatch(value):
            yield value
    elif isinstance(value, dict):
        for member in cast("dict[str, Any]", value).values():
            yield from refs_in(member)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from refs_in(item)


def _value(message: ToolMessage) -> Any:
    text = message.text if message.origin is None else strip_delimiters(message.text)
    try:
        return json.loads(text)
    except ValueError:
        return None


def _unquote(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        return text.strip('"')
