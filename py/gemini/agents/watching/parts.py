"""The parts of sentences about calls: the call, the words for a tool, and functions that read a call."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from gemini.agents.watching.words import brief, counted, quoted, short_path
from gemini.tools.watching import FileChange

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A call as a sentence needs it.

    Attributes:
        arguments: As far as they are known.
        result: The value, as far as it is stored; None if there is none.
        changes: The files that the call changed.
        element: The name of the element that it acted on.
    """

    arguments: Arguments
    result: Any = None
    changes: list[FileChange] = field(default_factory=list[FileChange])
    element: str = ""

    def get(self, name: str) -> str:
        """Return an argument as text; empty if it is missing."""
        value = self.arguments.get(name)
        return "" if value is None else str(value)

    def items(self, name: str) -> list[Any]:
        """Return an argument that is a list; an empty one if it isn't."""
        value = self.arguments.get(name)
        return cast("list[Any]", value) if isinstance(value, list) else []

    def found(self, name: str) -> Any:
        """Return a member of the result; None if it has none."""
        return member(self.result, name)


def member(value: Any, name: str) -> Any:
    """Return a member of a JSON value; None if it has none."""
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


Part = Callable[[Said], str]


def nothing(_: Said) -> str:
    """Return no text."""
    return ""


@dataclass(frozen=True)
class Sentence:
    """The words for the calls of one tool.

    Attributes:
        done: The verb of a call that is done: "Wrote".
        do: The verb after "Couldn't": "write".
        doing: The verb of a running call: "Writing".
        object: Returns the call's object.
        facts: Returns what came of it.
    """

    done: str
    do: str
    doing: str
    object: Part = nothing
    facts: Part = nothing


def argument(*names: str) -> Part:
    """Return a part that is the first of some arguments that isn't empty."""
    return lambda call: next((text for name in names if (text := call.get(name))), "")


def path_of(name: str = "path", missing: str = "") -> Part:
    """Return a part that is a path, or `missing` without one."""
    return lambda call: short_path(call.get(name)) or missing


def quoted_argument(name: str) -> Part:
    """Return a part that is an argument in quotation marks."""
    return lambda call: quoted(call.get(name))


def element_of(call: Said) -> str:
    """Return the element that a call acts on."""
    if call.element:
        return call.element
    if "x" in call.arguments and call.arguments.get("ref") is None:
        return f"at {call.get('x')}, {call.get('y')}"
    return call.get("selector") or (f"element {call.get('ref')}" if call.get("ref") else "the page")


def typed_of(call: Said) -> str:
    """Return what a call types, and where."""
    return (
        f"{quoted(call.get('text'), 40)} into {element_of(call)}"
        if call.element
        else quoted(call.get("text"), 60)
    )


def lines_of(call: Said) -> str:
    """Return the changed lines of a file."""
    if not call.changes:
        return ""
    [*_, change] = call.changes
    if change["added"] is None:
        return ""
    if change["created"]:
        return f"new, {counted(change['added'], 'line')}"
    return f"+{change['added']} −{change['removed']}"


def exit_of(call: Said) -> str:
    """Return how a command ended."""
    if call.found("timed_out"):
        return "stopped after its time"
    if call.found("waiting_for_input") is not None:
        return "waits for input"
    code = call.found("exit_code")
    return "" if code is None else f"exit {code}"


def count_of(noun: str, member: str | None = None, plural: str | None = None) -> Part:
    """Return a part that counts the entries of the result, or of a member of it."""

    def facts(call: Said) -> str:
        entries = call.result if member is None else call.found(member)
        return counted(len(cast("list[Any]", entries)), noun, plural) if isinstance(entries, list) else ""

    return facts


def address_of(call: Said) -> str:
    """Return the address that a call opens."""
    url = call.get("url")
    return short_path(url) if url.startswith("/") else url.removeprefix("https://")


def console_of(call: Said) -> str:
    """Return the number of errors in a console, or else of messages."""
    found = call.found("messages")
    if not isinstance(found, list):
        return ""
    levels = [member(row, "level") for row in cast("list[Any]", found)]
    errors = levels.count("error")
    return counted(errors, "error") if errors else counted(len(levels), "message")


def member_of(name: str, before: str = "") -> Part:
    """Return a part that is a member of the result."""
    return lambda call: (
        "" if call.found(name) in (None, "") else f"{before}{brief(str(call.found(name)), 60)}"
    )


def verdict_of(call: Said) -> str:
    """Return what a check found."""
    return "done" if call.arguments.get("done") else call.get("missing")


def steps_of(call: Said) -> str:
    """Return the number of planned steps."""
    return counted(len(call.items("steps")), "step")
