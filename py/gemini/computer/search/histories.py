"""Sources of the index: commands of terminals, inputs of the Python console, and tool calls."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from gemini.computer.search.index import Entry
from gemini.computer.search.mirror import Source
from gemini.core.encoding import encode
from gemini.tools.calls import Call


class HasHistory(Protocol):
    """A terminal with the commands that were run in it."""

    term_id: str
    command_history: list[str]


def commands(terminals: Callable[[], Iterable[HasHistory]]) -> Source:
    """Return each command once; `about` is the terminal that ran it last."""
    return lambda: {
        command: partial(Entry, "command", command, "", command, terminal.term_id)
        for terminal in terminals()
        for command in terminal.command_history
    }


def inputs(typed: Callable[[], Iterable[str]]) -> Source:
    """Return each input of the Python console once."""
    return lambda: {code: partial(Entry, "python", code, "", code) for code in typed()}


def calls(log: Iterable[Call]) -> Source:
    """Return the finished calls of the log. The key starts with the call's number; `about` is its caller."""

    def entry(key: str, call: Call) -> Entry:
        return Entry("call", key, call.tool, f"{encode(call.arguments)}\n{call.result_preview}", call.caller)

    # An imported log may use the same numbers.
    return lambda: {
        key: partial(entry, key, call)
        for call in log
        if call.ok is not None and (key := f"{call.id} {call.started}")
    }
