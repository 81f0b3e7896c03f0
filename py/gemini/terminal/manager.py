"""All terminals of the surface, and which of them is the active one."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from gemini.core.events import EventLog
from gemini.errors import CapabilityMissing, TerminalMissing
from gemini.shell.backend import Backend
from gemini.terminal import saved
from gemini.terminal.events import TerminalChanged, TerminalClosed, TerminalCreated, TerminalRow
from gemini.terminal.result import CommandResult
from gemini.terminal.saved import TerminalKeeper
from gemini.terminal.terminal import MapTerminal

# Backends that other parts of the surface bring, so that asking for one that isn't here gets a true answer.
KNOWN_ELSEWHERE = {
    "linux": "an in-page Linux, which this version doesn't have yet",
}


FIRST_X, FIRST_Y = 100, 100
# A command changes its terminal at its start and end; short ones are saved once.
SAVE_DELAY_S = 0.05


class TerminalManager:
    """Terminals by id.

    Args:
        backends: The kinds of terminal there are; the first is the ordinary one.
        events: Told of terminals that come, change and go.
        directory: Gives the absolute path of a directory as a caller wrote it, or raises a `FileProblem`.
        home: The working directory of a new terminal.
    """

    def __init__(
        self,
        backends: Mapping[str, Backend],
        events: EventLog,
        directory: Callable[[str, str], str],
        home: str = "/project",
    ) -> None:
        self.terminals: dict[str, MapTerminal] = {}
        self.home = home
        self._backends = backends
        self._absolute_directory = directory
        self._events = events
        self._keeper: TerminalKeeper | None = None
        self._unsaved: dict[str, MapTerminal] = {}
        self._saving: asyncio.TimerHandle | None = None
        self._last = 0

    @property
    def active_terminal(self) -> MapTerminal | None:
        """The focused terminal."""
        return next((terminal for terminal in self.terminals.values() if terminal.focused), None)

    @property
    def working_dir(self) -> str:
        """Where relative paths of the surface's files start: the focused terminal's directory, if it is one of them."""
        terminal = self.active_terminal
        return self.home if terminal is None or terminal.backend.outside else terminal.working_dir

    def create(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        backend: str | None = None,
        working_dir: str | None = None,
    ) -> MapTerminal:
        """A new terminal, focused: floating at (x, y), or docked with the others where no place is asked for.

        Raises:
            CapabilityMissing: there is no such backend here.
            FileProblem: the working directory isn't one.
        """
        kind = self.backend(backend)
        floating = x is not None or y is not None
        beside = None if floating else next((t for t in self.terminals.values() if not t.floating), None)
        terminal = self._make(
            self._last + 1,
            backend,
            FIRST_X if x is None else x,
            FIRST_Y if y is None else y,
            # The directories of another machine are its own to check.
            (working_dir or "") if kind.outside else self._directory(working_dir),
            floating=floating,
        )
        if beside is not None:
            terminal.place(beside.x, beside.y, beside.width, beside.height, floating=False)
        self.focus(terminal.term_id)
        return terminal

    def restore(self, keeper: TerminalKeeper) -> None:
        """Open the terminals that were open when the kernel before this one ended, and keep all from now on."""
        focused = None
        for term_id, row in keeper.load():
            was, number = saved.read(row), term_id.removeprefix("term-")
            if (
                was is None
                or was.backend not in self._backends
                or self._backends[was.backend].outside
                or not number.isdecimal()
            ):
                # Damaged, or of a backend that isn't here any more.
                keeper.forget(term_id)
                continue
            directory = was.working_dir if Path(was.working_dir).is_dir() else self._directory(None)
            self._make(int(number), was.backend, was.x, was.y, directory, floating=was.floating).restore(was)
            if was.focused:
                focused = term_id
        self._keeper = keeper
        if self.terminals:
            self.focus(focused or next(reversed(self.terminals)))

    def stop_saving(self) -> None:
        """Leave the saved terminals as they are, for the next start; the open ones go on unsaved."""
        self._keeper = None

    def _make(
        self, number: int, backend: str | None, x: int, y: int, working_dir: str, *, floating: bool
    ) -> MapTerminal:
        self._last = max(self._last, number)
        terminal = MapTerminal(
            number,
            self.backend(backend),
            x=x,
            y=y,
            working_dir=working_dir,
            floating=floating,
            on_change=self._changed,
            before_program=self.save,
        )
        self.terminals[terminal.term_id] = terminal
        self._events.publish(TerminalCreated(terminal.get_state()))
        return terminal

    def _changed(self, terminal: MapTerminal) -> None:
        self._events.publish(TerminalChanged(terminal.get_state()))
        # What runs on another machine ends with the page.
        if self._keeper is not None and not terminal.backend.outside:
            self._unsaved[terminal.term_id] = terminal
            if self._saving is None:
                self._saving = asyncio.get_running_loop().call_later(SAVE_DELAY_S, self.save)

    def save(self) -> None:
        """Save the terminals that have changed, now instead of a moment later."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        unsaved, self._unsaved = self._unsaved, {}
        for terminal in unsaved.values():
            if self._keeper is not None and not terminal.closed:
                self._keeper.save(terminal.term_id, vars(terminal.kept()))

    def get(self, term_id: str | None = None) -> MapTerminal:
        """The terminal of that id; without one the active terminal, or a new one where none is open.

        Raises:
            TerminalMissing: no terminal has, or had and kept, that id.
        """
        if term_id is None:
            return self.active_terminal or self.create()
        terminal = self.terminals.get(term_id)
        if terminal is None:
            open_ids = ", ".join(self.terminals) or "none; terminal_create makes one"
            raise TerminalMissing(
                f"there is no open terminal {term_id!r}", hint=f"Open terminals: {open_ids}."
            )
        return terminal

    def focus(self, term_id: str) -> None:
        """Make a terminal the active one."""
        chosen = self.get(term_id)
        for terminal in self.terminals.values():
            focused = terminal is chosen
            if terminal.focused != focused:
                terminal.focused = focused
                self._changed(terminal)

    async def close(self, term_id: str) -> None:
        """End a terminal and what runs in it; the last of the others gets the focus."""
        terminal = self.get(term_id)
        del self.terminals[term_id]
        self._events.publish(TerminalClosed(term_id))
        if self._keeper is not None and not terminal.backend.outside:
            self._unsaved.pop(term_id, None)
            self._keeper.forget(term_id)
        # Before anything waits, so that no command goes to a terminal of its own meanwhile.
        if terminal.focused and self.terminals:
            self.focus(next(reversed(self.terminals)))
        await terminal.close()

    async def run_command(self, cmd: str, term_id: str | None = None) -> CommandResult:
        """Run a command in a terminal, the active one unless told otherwise."""
        return await self.get(term_id).execute(cmd)

    def rows(self) -> list[TerminalRow]:
        """Every terminal as `terminal_list` tells it."""
        return [terminal.get_state() for terminal in self.terminals.values()]

    def backend(self, name: str | None) -> Backend:
        """A kind of terminal; the ordinary one without a name.

        Raises:
            CapabilityMissing: it isn't here, or not now.
        """
        if name is None:
            return next(iter(self._backends.values()))
        if name not in self._backends:
            needs = KNOWN_ELSEWHERE.get(name, "a backend that doesn't exist")
            here = ", ".join(self._backends)
            raise CapabilityMissing(f"the {name!r} backend needs {needs}", hint=f"Here there is: {here}.")
        kind = self._backends[name]
        kind.require()
        return kind

    def _directory(self, path: str | None) -> str:
        if path is None:
            return self.home if Path(self.home).is_dir() else "/"
        return self._absolute_directory(path, self.home)
