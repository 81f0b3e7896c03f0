"""What was done here, as sources of the index: commands of terminals, code of the console, and calls of tools."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from gemini.core.encoding import encode
from gemini.search.index import Entry
from gemini.search.mirror import Source
from gemini.tools.calls import LoggedCall


class HasHistory(Protocol):
    """A terminal."""

    term_id: str
    command_history: list[str]


def commands(terminals: Callable[[], Iterable[HasHistory]]) -> Source:
    """Each command once; `about` is the terminal in which it was typed last."""
    return lambda: {
        command: partial(Entry, "command", command, "", command, terminal.term_id)
        for terminal in terminals()
        for command in terminal.command_history
    }


def inputs(typed: Callable[[], Iterable[str]]) -> Source:
    """Each piece of Python that was typed into the console, once."""
    return lambda: {code: partial(Entry, "python", code, "", code) for code in typed()}


def calls(log: Iterable[LoggedCall]) -> Source:
    """The calls of the log that have ended; the key begins with the call's number, `about` is its caller."""

    def entry(key: str, call: LoggedCall) -> Entry:
        return Entry("call", key, call.tool, f"{encode(call.arguments)}\n{call.result_preview}", call.caller)

    # Numbers come again where another log was imported.
    return lambda: {
        key: partial(entry, key, call)
        for call in log
        if call.ok is not None and (key := f"{call.id} {call.started}")
    }
