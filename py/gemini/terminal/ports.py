"""Where terminals are shown: each on one MessagePort at a time."""

from collections.abc import Callable
from typing import Any

from gemini.core import ffi
from gemini.terminal.manager import TerminalManager
from gemini.terminal.view import TerminalView


class TerminalPorts:
    """The views of terminals, by the terminals' ids.

    Args:
        terminals: The terminals.
        on_typed: Called before what the person types is done.
    """

    def __init__(self, terminals: TerminalManager, on_typed: Callable[[], None]) -> None:
        self._terminals = terminals
        self._on_typed = on_typed
        self._ends: dict[str, Callable[[], None]] = {}

    def attach(self, term_id: str, port: Any) -> None:
        """Show a terminal on a MessagePort, and no longer on the one before.

        Raises:
            TerminalMissing: there is none of that id.
        """
        terminal = self._terminals.get(term_id)
        self.detach(term_id)

        def on_keys(keys: str) -> None:
            self._on_typed()
            ffi.start_eagerly(terminal.typed(keys))

        def on_answer(text: str) -> None:
            ffi.start_eagerly(terminal.answered(text))

        view = TerminalView(terminal, port.postMessage, on_keys, on_answer)
        stop_listening = ffi.listen(port, view.receive)

        def end() -> None:
            view.close()
            stop_listening()

        self._ends[term_id] = end

    def detach(self, term_id: str) -> None:
        """Show a terminal no longer."""
        end = self._ends.pop(term_id, None)
        if end is not None:
            end()
