"""Terminals shown through MessagePorts, each on one port at a time."""

from collections.abc import Callable
from typing import Any

from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.view import TerminalView
from gemini.core import ffi


class TerminalPorts:
    """The attached views by terminal id.

    Args:
        terminals: The terminals.
        on_typed: Called before typed keys are handled.
    """

    def __init__(self, terminals: TerminalManager, on_typed: Callable[[], None]) -> None:
        self._terminals = terminals
        self._on_typed = on_typed
        self._detachers: dict[str, Callable[[], None]] = {}

    def attach(self, term_id: str, port: Any) -> None:
        """Show a terminal on a MessagePort, and no longer on the previous one.

        Raises:
            TerminalMissing: No terminal has that id.
        """
        terminal = self._terminals.get(term_id)
        self.detach(term_id)

        def on_keys(keys: str, stop: int = 0) -> None:
            self._on_typed()
            ffi.start_eagerly(terminal.typed(keys, stop))
            if stop:
                port.postMessage(ffi.to_js_object({"heard": stop}))

        def on_answer(text: str) -> None:
            ffi.start_eagerly(terminal.answered(text))

        port.postMessage(ffi.to_js_object({"secret": terminal.secret}))
        view = TerminalView(terminal, port.postMessage, on_keys, on_answer)
        stop_listening = ffi.listen(port, view.receive)

        def end() -> None:
            view.close()
            stop_listening()

        self._detachers[term_id] = end

    def detach(self, term_id: str) -> None:
        """Stop showing a terminal."""
        end = self._detachers.pop(term_id, None)
        if end is not None:
            end()
