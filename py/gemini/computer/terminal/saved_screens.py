"""The screens of terminals, which are saved for the next kernel as text."""

import re
import time
from collections.abc import Sequence
from typing import Protocol

from gemini.core.delayed import Delayed

# The last lines of a screen that are saved, and the characters of each.
SAVED_LINES = 200
SAVED_COLUMNS = 1_000
SAVE_DELAY_S = 0.3
# The interpretation of much output takes a while: this many times that passes until the next one.
REST = 10
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
ENDED = "The lines above are from before the reload. Their programs have ended."


class Screened(Protocol):
    """A terminal whose screen can be saved."""

    term_id: str
    closed: bool

    def screen_to_save(self) -> list[str]:
        """Return the lines that the next kernel shows."""
        ...


class ScreenStorage(Protocol):
    """A store of screens by the id of the terminal."""

    def save_screen(self, terminal_id: str, lines: list[str]) -> None:
        """Save the lines of a terminal that is saved."""
        ...


class SavedScreens:
    """Saves the screens of terminals a moment after they have changed."""

    def __init__(self) -> None:
        self.storage: ScreenStorage | None = None
        self._changed: dict[str, Screened] = {}
        self._saving = Delayed(self._save_changed, SAVE_DELAY_S)

    def changed(self, terminal: Screened) -> None:
        """Save the screen of a terminal soon."""
        if self.storage is not None:
            self._changed[terminal.term_id] = terminal
            self._saving.request()

    def forget(self, terminal_id: str) -> None:
        """Don't save the screen of a terminal that closes."""
        self._changed.pop(terminal_id, None)

    def save(self) -> None:
        """Save the changed screens now."""
        self._saving.now()

    def _save_changed(self) -> None:
        began = time.perf_counter()
        changed, self._changed = self._changed, {}
        for terminal in changed.values():
            if self.storage is not None and not terminal.closed:
                self.storage.save_screen(terminal.term_id, terminal.screen_to_save())
        self._saving.delay_s = max(SAVE_DELAY_S, REST * (time.perf_counter() - began))


def lines_to_save(lines: list[str], prompt: str, notes: Sequence[str]) -> list[str]:
    """Return the last lines of a screen without secrets, the waiting prompt and the notes of an earlier reload.

    Args:
        lines: Those of the screen and its scrollback, oldest first.
        prompt: The prompt as text.
        notes: The notes that restored terminals show.
    """
    # Loaded here, because its patterns take a while to compile.
    from gemini.core.secret_words import without_secrets

    ours = {f"[{note}]" for note in (*notes, ENDED)}
    shown = lines[:-1] if lines and lines[-1].rstrip() == prompt.rstrip() else lines
    last = [line for line in shown[-2 * SAVED_LINES :] if line not in ours][-SAVED_LINES:]
    return without_secrets("\n".join(line[:SAVED_COLUMNS] for line in last)).split("\n") if last else []


def shown_again(lines: list[str]) -> str:
    """Return saved lines as dim text for a terminal. An import may hold anything, so controls are left out."""
    shown = [CONTROLS.sub("", line)[:SAVED_COLUMNS] for line in lines[-SAVED_LINES:]]
    return "\n".join(f"\x1b[2m{line}\x1b[0m" for line in shown)
