"""The keyboard that fits a terminal's backend."""

from collections.abc import Callable, Coroutine
from typing import Any

from gemini.computer.shell.backend import Backend
from gemini.computer.terminal.completion import ShellCompletion
from gemini.computer.terminal.keyboard import Keyboard, LineKeyboard, RawKeyboard
from gemini.computer.terminal.line_editor import LineEditor
from gemini.computer.terminal.session import TerminalSession


def create_keyboard(
    backend: Backend,
    session: TerminalSession,
    draw: Callable[[str], None],
    prompt: Callable[[], str],
    history: list[str],
    size: tuple[int, int],
    run: Callable[[str], Coroutine[Any, Any, None]],
    interrupt: Callable[[], None],
) -> Keyboard:
    """Return a keyboard whose keys go to a raw session, or one that edits lines and runs them.

    Args:
        backend: The backend of the session.
        session: The session of the shell.
        draw: Draws on the terminal.
        prompt: Returns the text before a line.
        history: The commands so far, oldest first, to which the keyboard adds its own.
        size: The columns and rows.
        run: Runs a line.
        interrupt: Interrupts the running command.
    """
    if backend.raw:
        return RawKeyboard(draw, session.open_raw, session.resize)
    completion = ShellCompletion(lambda: session.opened, session.open)
    editor = LineEditor(
        draw,
        prompt,
        history,
        *size,
        complete=completion.complete,
        is_complete=backend.is_complete,
    )
    keyboard = LineKeyboard(draw, editor, run, interrupt)
    completion.completed = keyboard.completed
    return keyboard
