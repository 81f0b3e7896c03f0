"""All terminals of the surface, and the focus."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, replace
from pathlib import Path

from gemini.computer.shell.backend import Backend
from gemini.computer.terminal import saved
from gemini.computer.terminal.events import TerminalChanged, TerminalClosed, TerminalCreated, TerminalRow
from gemini.computer.terminal.owners import Owner, owner_now
from gemini.computer.terminal.result import CommandResult
from gemini.computer.terminal.saved import SavedTerminal, TerminalStorage
from gemini.computer.terminal.saved_screens import SavedScreens
from gemini.computer.terminal.terminal import MapTerminal
from gemini.core.delayed import Delayed
from gemini.core.events import EventLog
from gemini.errors import CapabilityMissing, TerminalMissing

FIRST_X, FIRST_Y = 100, 100
# A command changes its terminal at its start and at its end; with the delay, short commands are saved once.
SAVE_DELAY_S = 0.05


def _no_others(_: str) -> None: ...


def _do_nothing(_: str) -> None: ...


def _do_not_save(_: MapTerminal) -> None: ...


def _none_is_live(_: str) -> bool:
    return False


class TerminalManager:
    """The terminals by id.

    Args:
        backends: The backends by name; the first is the default.
        events: The log that terminal events are published to.
        directory: Returns the absolute path of a caller's directory, relative to the second argument, or raises a
            `FileProblem`.
        home: The working directory of a new terminal.
        named: Returns a backend by a name that isn't among `backends`, such as `linux:work`.

    Attributes:
        screens: Saves what the terminals show.
        on_close: Called with the id of a terminal that closes.
        is_live: Returns whether an agent's run hasn't ended, by its id.
    """

    def __init__(
        self,
        backends: Mapping[str, Backend],
        events: EventLog,
        directory: Callable[[str, str], str],
        home: str = "/project",
        named: Callable[[str], Backend | None] = _no_others,
    ) -> None:
        self.terminals: dict[str, MapTerminal] = {}
        self.home = home
        self.on_close: Callable[[str], None] = _do_nothing
        self.is_live: Callable[[str], bool] = _none_is_live
        self._backends = backends
        self._named = named
        self._absolute_directory = directory
        self._events = events
        self._storage: TerminalStorage | None = None
        self.screens = SavedScreens()
        self._unsaved: dict[str, MapTerminal] = {}
        self._saving = Delayed(self._save_unsaved, SAVE_DELAY_S)
        self._last = 0
        # The terminals that agents and other clients chose last.
        self._chosen: dict[Owner, str] = {}

    @property
    def active_terminal(self) -> MapTerminal | None:
        """The focused terminal."""
        return next((terminal for terminal in self.terminals.values() if terminal.focused), None)

    @property
    def working_dir(self) -> str:
        """The base of relative paths of files: the directory of the caller's terminal, or the home for host terminals.

        The user's terminal is the focused one. An agent that has used none starts from the home.
        """
        owner = owner_now()
        terminal = self.active_terminal if owner is None else self._of(owner)
        return self.home if terminal is None or terminal.backend.outside else terminal.working_dir

    def create(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        backend: str | None = None,
        working_dir: str | None = None,
    ) -> MapTerminal:
        """Create and focus a terminal: floating at (x, y), or docked with the others without a position.

        Raises:
            CapabilityMissing: The backend isn't available.
            FileProblem: The working directory is missing or not a directory.
        """
        kind = self.backend(backend)
        floating = x is not None or y is not None
        neighbor = None if floating else next((t for t in self.terminals.values() if not t.floating), None)
        terminal = self._add(
            self._last + 1,
            backend,
            FIRST_X if x is None else x,
            FIRST_Y if y is None else y,
            # The other machine checks its own directories.
            (working_dir or "") if kind.outside else self._directory(working_dir),
            floating=floating,
        )
        if neighbor is not None:
            terminal.place(neighbor.x, neighbor.y, neighbor.width, neighbor.height, floating=False)
        terminal.owner = owner_now()
        self.focus(terminal.term_id)
        return terminal

    def restore(self, storage: TerminalStorage, *, bare: bool = False) -> None:
        """Open the terminals that were open when the previous kernel ended, and save all terminals from now on.

        Args:
            storage: The saved terminals.
            bare: Whether they start without their saved variables and functions, which are code.
        """
        focused = None
        for terminal_id, row in storage.load():
            state, number = saved.read(row), terminal_id.removeprefix("term-")
            if (
                state is None
                or (kind := self._find(state.backend)) is None
                or kind.outside
                or not number.isdecimal()
            ):
                # Invalid, or of a backend that no longer exists.
                storage.forget(terminal_id)
                continue
            directory = state.working_dir if Path(state.working_dir).is_dir() else self._directory(None)
            self._add(
                int(number), state.backend, state.x, state.y, directory, floating=state.floating
            ).restore(replace(state, shell=None) if bare else state)
            if state.owner is not None:
                self.terminals[terminal_id].owner = Owner(state.owner, state.run)
            self._chosen |= {Owner(*chosen): terminal_id for chosen in state.chosen_by}
            if state.focused:
                focused = terminal_id
        self._storage = self.screens.storage = storage
        if self.terminals:
            self.focus(focused or next(reversed(self.terminals)))

    def create_from(self, state: SavedTerminal | None, number: int | None, backend: str) -> int:
        """Open a terminal as another one was, and return its number.

        Args:
            state: The other's state; None for a new terminal.
            number: Its number; by default the next one.
            backend: Its backend.
        """
        directory = self.home if state is None or not Path(state.working_dir).is_dir() else state.working_dir
        x, y, floating = (FIRST_X, FIRST_Y, False) if state is None else (state.x, state.y, state.floating)
        number = self._last + 1 if number is None else number
        terminal = self._add(number, backend, x, y, directory, floating=floating)
        if state is not None:
            terminal.restore(replace(state, shell=None, running=None))
        self._changed(terminal)
        return number

    def stop_saving(self) -> None:
        """Stop saving, so that the next start restores the terminals as they were saved last."""
        self._storage = self.screens.storage = None

    def _add(
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
            before_program=self._save_all,
            # Sessions on another machine end with the page.
            on_draw=_do_not_save if self.backend(backend).outside else self.screens.changed,
        )
        self.terminals[terminal.term_id] = terminal
        self._events.publish(TerminalCreated(terminal.get_state()))
        return terminal

    def _changed(self, terminal: MapTerminal) -> None:
        self._events.publish(TerminalChanged(terminal.get_state()))
        self._save_soon(terminal)

    def _save_soon(self, terminal: MapTerminal) -> None:
        # Sessions on another machine end with the page.
        if self._storage is not None and not terminal.backend.outside:
            self._unsaved[terminal.term_id] = terminal
            self._saving.request()

    def _save_all(self) -> None:
        self.save()
        self.screens.save()

    def save(self) -> None:
        """Save the changed terminals now, without the delay."""
        self._saving.now()

    def _save_unsaved(self) -> None:
        unsaved, self._unsaved = self._unsaved, {}
        for terminal in unsaved.values():
            if self._storage is not None and not terminal.closed:
                state = replace(terminal.saved_state(), chosen_by=self._choosers(terminal))
                self._storage.save(terminal.term_id, vars(state))

    def get(self, terminal_id: str | None = None) -> MapTerminal:
        """Return the terminal with that id; without an id, the focused terminal, or a new one if none is open.

        Raises:
            TerminalMissing: No open terminal has that id.
        """
        if terminal_id is None:
            return self.active_terminal or self.create()
        terminal = self.terminals.get(terminal_id)
        if terminal is None:
            open_ids = ", ".join(self.terminals) or "none; call terminal_create"
            raise TerminalMissing(
                f"there is no open terminal {terminal_id!r}", hint=f"Open terminals: {open_ids}."
            )
        return terminal

    def for_command(self, terminal_id: str | None = None) -> MapTerminal:
        """Return the terminal for a command, without an id the caller's.

        The user and their scripts have the focused terminal, an agent or another client its own, which is created for
        its first command. If a program that the user started runs there, the command goes to a free terminal of the
        caller with the same backend, or to a new one; the focus stays.

        Raises:
            TerminalMissing: No open terminal has that id.
        """
        if terminal_id is not None:
            return self.get(terminal_id)
        owner = owner_now()
        usual = self.get() if owner is None else self._of(owner)
        # A terminal outside of the page is the user's to open.
        if usual is not None and (usual.backend.outside or not _runs_typed(usual)):
            return usual
        kind = self.backend(None) if usual is None else usual.backend
        free = (each for each in self._owned_by(owner) if each.backend is kind and not each.busy)
        terminal = next(free, None) or self._create_behind(usual)
        if owner is not None:
            terminal.owner = owner
            self._choose(owner, terminal)
        return terminal

    def _of(self, owner: Owner) -> MapTerminal | None:
        """Return the terminal that an agent or client uses; None if it has none."""
        chosen = self.terminals.get(self._chosen.get(owner, ""))
        return chosen or next((each for each in self.terminals.values() if each.owner == owner), None)

    def _owned_by(self, owner: Owner | None) -> Iterator[MapTerminal]:
        """Yield the terminals that are free for an owner's commands: its own, and those of its runs that have ended."""
        for terminal in self.terminals.values():
            other = terminal.owner
            if other == owner or (
                owner is not None
                and other is not None
                and other.caller == owner.caller
                and other.run is not None
                and not self.is_live(other.run)
            ):
                yield terminal

    def _create_behind(self, like: MapTerminal | None) -> MapTerminal:
        """Create a terminal with another's backend and directory, and leave the focus where it is."""
        front = self.active_terminal
        if like is None:
            created = self.create()
        else:
            kind = like.backend
            name = next((name for name, backend in self._backends.items() if backend is kind), kind.name)
            created = self.create(backend=name, working_dir=like.working_dir)
        if front is not None:
            self.focus(front.term_id)
        return created

    def _choose(self, owner: Owner, terminal: MapTerminal) -> None:
        """Run an owner's next commands in a terminal, also after a restart."""
        before = self.terminals.get(self._chosen.get(owner, ""))
        self._chosen[owner] = terminal.term_id
        for changed in (before, terminal):
            if changed is not None:
                self._save_soon(changed)

    def _choosers(self, terminal: MapTerminal) -> tuple[tuple[str, str | None], ...]:
        """Return the callers and runs whose commands run in a terminal, without runs that have ended."""
        found = (owner for owner, chosen in self._chosen.items() if chosen == terminal.term_id)
        return tuple(astuple(owner) for owner in found if owner.run is None or self.is_live(owner.run))

    def focus(self, terminal_id: str) -> None:
        """Focus a terminal. Commands of an agent that does this run there from now on."""
        selected = self.get(terminal_id)
        owner = owner_now()
        if owner is not None:
            self._choose(owner, selected)
        for terminal in self.terminals.values():
            focused = terminal is selected
            if terminal.focused != focused:
                terminal.focused = focused
                self._changed(terminal)

    async def close(self, terminal_id: str) -> None:
        """Close a terminal and end its commands; focus the last of the others."""
        terminal = self.get(terminal_id)
        del self.terminals[terminal_id]
        self._chosen = {owner: chosen for owner, chosen in self._chosen.items() if chosen != terminal_id}
        self._events.publish(TerminalClosed(terminal_id))
        self.on_close(terminal_id)
        if self._storage is not None and not terminal.backend.outside:
            self._unsaved.pop(terminal_id, None)
            self.screens.forget(terminal_id)
            self._storage.forget(terminal_id)
        # Before the first await, so that no command opens a new terminal in the meantime.
        if terminal.focused and self.terminals:
            self.focus(next(reversed(self.terminals)))
        await terminal.close()

    async def run_command(self, command: str, terminal_id: str | None = None) -> CommandResult:
        """Run a command in a terminal, by default as `for_command` selects it."""
        return await self.for_command(terminal_id).execute(command)

    def rows(self) -> list[TerminalRow]:
        """Return the states of all terminals, as `terminal_list` does."""
        return [terminal.get_state() for terminal in self.terminals.values()]

    def backend(self, name: str | None) -> Backend:
        """Return a backend, by default the first.

        Raises:
            CapabilityMissing: The backend doesn't exist or isn't available now.
        """
        if name is None:
            return next(iter(self._backends.values()))
        kind = self._find(name)
        if kind is None:
            available = ", ".join(self._backends)
            raise CapabilityMissing(
                f"the {name!r} backend doesn't exist", hint=f"Available backends: {available}."
            )
        kind.require()
        return kind

    def _find(self, name: str) -> Backend | None:
        return self._backends.get(name) or self._named(name)

    def _directory(self, path: str | None) -> str:
        if path is None:
            return self.home if Path(self.home).is_dir() else "/"
        return self._absolute_directory(path, self.home)


def _runs_typed(terminal: MapTerminal) -> bool:
    row = terminal.get_state()
    return row["running"] is not None and row["caller"] is None
