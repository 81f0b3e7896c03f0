"""Linux machines in the page, `gemini.linux`: pauses, saves, copies and deletes them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gemini.computer.python import process
from gemini.computer.shell.linux_machine import Machine, SavedMachine
from gemini.computer.shell.linux_machine_info import MachineInfo, ProcessRow
from gemini.computer.shell.linux_machine_names import MAIN, backend_of, require_name
from gemini.computer.shell.linux_machine_ports import SHARED, Host, Settings, Terminals
from gemini.computer.shell.linux_machine_problems import full, problems
from gemini.errors import (
    InvalidArguments,
    MachineExists,
    MachineLimit,
    MachineMissing,
    MachineProblem,
    MachineStopped,
    MachineUnsaved,
    ShellUnavailable,
)

MOST = 8


class Machines:
    """The machines: `gemini.linux`. The machine "main" starts with the first terminal; `fork` makes others.

    Every method raises InvalidArguments for a name that no machine can have, MachineMissing if there is none of that
    name, MachineStopped if it must run and doesn't, and MachineProblem if the browser refuses.

    Args:
        host: Starts them.
        settings: The settings, which the backend of "main" has.
    """

    def __init__(self, host: Host, settings: Settings) -> None:
        self._host = host
        self._settings = settings
        self._starting: dict[str, asyncio.Task[Machine]] = {}
        self._running: dict[str, Machine] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def limit(self) -> int:
        """The number of machines that may be in memory at once, 1 to 8; each takes 200 MB and more. It is saved."""
        return self._settings.limit

    @limit.setter
    def limit(self, most: int) -> None:
        if not 1 <= most <= MOST:
            raise InvalidArguments(
                f"the limit of machines can't be {most!r}", hint=f"Use a whole number from 1 to {MOST}."
            )
        self._settings.limit = most
        self._settings.save_limit(most)

    async def list(self) -> list[MachineInfo]:
        """List all machines, running or not; "main" is among them once it has run."""
        for name in list(self._running):
            self._forget_ended(name)
        with problems("list the machines"):
            stored = {each["name"]: each for each in await self._host.stored()}
        names = sorted({*stored, *self._starting}, key=lambda name: (name != MAIN, name))
        return [await self._info(name, stored.get(name, {})) for name in names]

    async def processes(self, name: str = MAIN) -> list[ProcessRow]:
        """List a machine's processes: `{pid, command, seconds, memory}`; none while it is paused."""
        return await self._get(name).processes()

    async def pause(self, name: str = MAIN) -> None:
        """Stop a machine's processor until `resume`. Its programs don't notice the time."""
        with problems(f"pause the machine {name!r}"):
            await self._get(name).pause()

    async def resume(self, name: str = MAIN) -> None:
        """Continue a paused machine."""
        with problems(f"resume the machine {name!r}"):
            await self._get(name).resume()

    async def save(self, name: str = MAIN, *, stop: bool = False) -> None:
        """Save a machine with its running processes in the browser's storage, instead of what was saved before.

        After a reload its first terminal continues the saved state, with all its terminals, unless its system disk has
        changed since. `restore` returns to it in any case. Files of /project aren't part of it.

        Args:
            name: The machine.
            stop: Stop it then, so that nothing changes until it continues.

        Raises:
            StorageFull: The browser's storage is full; nothing is saved then.
        """
        machine = self._get(name)
        with problems(f"save the machine {name!r}"):
            await machine.save(self._terminals().describe, json.dumps)
        if stop:
            self._end(name)

    async def restore(self, name: str = MAIN) -> None:
        """Return to a machine's saved state: processes, terminals and its system disk, which loses later changes.

        Raises:
            MachineUnsaved: Nothing is saved, or by another build of the page.
        """
        await self._require_saved(name)
        with problems(f"restore the machine {name!r}"):
            self._end(name)
            await self._host.roll_back(name)
        machine = await self.started(name)
        if machine.older:
            raise MachineUnsaved(
                f"the saved state of the machine {name!r} is of another build of the page, or damaged",
                hint="It has started with the disk of that state. `await gemini.linux.save()` saves it again.",
            )
        await self._bring_back(machine)

    async def fork(self, name: str, source: str = MAIN) -> MachineInfo:
        """Start a second machine from the state of another; from then on both continue separately.

        It has copies of the other's processes, disk and terminals. Connections to servers end in it, and so do files
        of /project that are open but deleted. /project itself is the same for both.

        Args:
            name: The new machine's name: lower-case letters, digits and hyphens.
            source: The machine to copy.

        Raises:
            MachineExists: There is a machine of that name.
            MachineLimit: As many machines as `limit` are in memory.
        """
        require_name(name)
        original = self._get(source)
        if name == MAIN or name in self._starting or name in await self._stored_names():
            raise MachineExists(
                f"there is a machine {name!r} already",
                hint=f"Use another name, or delete it by `await gemini.linux.throw_away({name!r})`.",
            )
        self._require_room()
        machine = await self._start(name, self._fork(name, original))
        await self._bring_back(machine)
        return await self._info(name, {})

    async def stop(self, name: str = MAIN) -> None:
        """End a machine's processes. Its disk stays, and its next terminal starts it again."""
        machine = self._get(name)
        await self.resume(name)
        await machine.flush()
        self._end(name)

    async def reset(self, name: str = MAIN) -> None:
        """Delete a machine's saved state and all changes of its system disk, such as installed packages.

        Its processes end, and its next terminal starts with the first disk. /project is not on that disk.
        """
        await self._delete(name, entirely=False)

    async def export_disk(self, path: str, name: str = MAIN) -> None:
        """Write the changes of a machine's disk to a file, for `import_disk` here or elsewhere.

        Raises:
            MachineProblem: They are larger than 512 MB.
            StorageFull: The browser's storage doesn't have all changes.
        """
        from gemini.computer.shell.linux_machine_disk import pack

        await self._require_stored(name)
        with problems(f"export the disk of the machine {name!r}"), TemporaryDirectory() as folder:
            disk = Path(folder, "disk")
            running = None if name not in self._starting else await self._ready(name)
            if running is None:
                await self._host.export_disk(name, str(disk))
            else:
                await running.while_still(lambda: self._host.export_disk(name, str(disk)))
            pack(disk, Path(path), self._settings.folder().rstrip("/").rpartition("/")[2])

    async def import_disk(self, path: str, name: str = MAIN) -> None:
        """Replace a machine's disk by one that `export_disk` wrote.

        Its processes end, and its saved state is deleted. Programs on the disk run with its next terminal, so import
        only files of authors that you trust.

        Raises:
            FileMissing: There is no file at `path`.
            ArchiveRefused: The file isn't the export of a disk, or is damaged; nothing was changed.
        """
        from gemini.computer.shell.linux_machine_disk import unpack

        self._settings.require()
        if name != MAIN:
            await self._require_stored(name)
        with problems(f"import the disk of the machine {name!r}"), TemporaryDirectory() as folder:
            disk = Path(folder, "disk")
            unpack(Path(path), disk)
            if name in self._starting:
                await self._ready(name)
            self._end(name)
            await self._host.import_disk(name, str(disk))

    async def throw_away(self, name: str) -> None:
        """Delete a machine: its processes, its terminals, its disk and its saved state."""
        if name not in self._starting:
            await self._require_stored(name)
        if self._settings.terminals is not None:
            await self._terminals().close_all(backend_of(name))
        await self._delete(name, entirely=True)

    async def erase(self) -> None:
        """Delete all machines. Their terminals stay, and start the machine "main" again."""
        names = {*self._starting, *await self._stored_names()}
        for name in names:
            await self._delete(name, entirely=True)

    async def started(self, name: str) -> Machine:
        """Return a machine, and start it if it doesn't run.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
            ShellUnavailable: It could not be started.
        """
        self._settings.require()
        self._forget_ended(name)
        if name not in self._starting:
            if name != MAIN:
                await self._require_stored(name)
            if name not in self._starting:
                self._require_room()
                return await self._start(name, self._from_disk(name))
        return await self._ready(name)

    async def _start(self, name: str, starting: Coroutine[Any, Any, Machine]) -> Machine:
        # The machine outlives the call that starts it.
        task = asyncio.get_running_loop().create_task(starting, context=process.detached())
        self._starting[name] = task
        return await self._ready(name)

    async def _ready(self, name: str) -> Machine:
        task = self._starting[name]
        try:
            machine = await asyncio.shield(task)
        except OSError as error:
            # The next terminal tries again.
            if self._starting.get(name) is task:
                del self._starting[name]
            if error.errno == ENOSPC:
                raise full(f"start the machine {name!r}") from error
            raise ShellUnavailable(
                f"the Linux could not be started: {error.strerror}",
                hint="Check the connection to the page's server and try again, or use the 'shell' backend.",
            ) from error
        return machine

    async def _from_disk(self, name: str) -> Machine:
        started = await self._host.start(self._settings.folder(), SHARED, name)
        details = str(started.details)
        saved: SavedMachine | None = json.loads(details) if details else None
        machine = self._running[name] = Machine(name, started, saved, self._host.ask)
        if machine.waiting and self._settings.terminals is not None:
            task = asyncio.get_running_loop().create_task(self._bring_back(machine))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return machine

    async def _fork(self, name: str, original: Machine) -> Machine:
        try:
            copy, saved = await original.copy(name, self._terminals().describe)
            started = await self._host.start(self._settings.folder(), SHARED, name, copy)
        except OSError:
            await self._host.delete(name, entirely=True)
            raise
        machine = self._running[name] = Machine(name, started, saved, self._host.ask)
        # Its terminals get numbers of their own.
        waiting = list(machine.waiting.values())
        machine.waiting.clear()
        for each in waiting:
            number = self._terminals().place(None, backend_of(name), each["terminal"])
            machine.waiting[number] = each
        return machine

    async def _bring_back(self, machine: Machine) -> None:
        """Open the terminals of a saved machine."""
        terminals = self._terminals()
        for number, saved in list(machine.waiting.items()):
            placed = terminals.place(number, backend_of(machine.name), saved["terminal"])
            if number in machine.waiting:
                machine.waiting[placed] = machine.waiting.pop(number)
            await terminals.ready(placed)

    def _end(self, name: str) -> None:
        task = self._starting.pop(name, None)
        if task is not None:
            task.cancel()
        machine = self._running.pop(name, None)
        if machine is not None:
            machine.close()

    async def _delete(self, name: str, *, entirely: bool) -> None:
        self._settings.require()
        require_name(name)
        if (task := self._starting.get(name)) is not None:
            # One that didn't start can't be ended.
            with suppress(OSError):
                await asyncio.shield(task)
        elif name != MAIN:
            await self._require_stored(name)
        self._end(name)
        with problems(f"{'throw away' if entirely else 'reset'} the machine {name!r}"):
            await self._host.delete(name, entirely=entirely)

    async def _info(self, name: str, stored: dict[str, Any]) -> MachineInfo:
        machine = self._running.get(name)
        if machine is None:
            state = "starting" if name in self._starting else "stopped"
        else:
            state = "paused" if machine.paused else "running"
        with problems("list the machines"):
            changes = stored.get("changes", 0) if machine is None else await machine.changes()
        saved_at = stored.get("savedAt")
        return MachineInfo(
            name=name,
            state=state,
            memory=0 if machine is None else machine.memory,
            changes=int(changes),
            saved_at=saved_at / 1000 if saved_at else None,
            saved_size=int(stored.get("savedBytes", 0)),
            terminals=[] if machine is None else [f"term-{number}" for number in machine.terminals],
        )

    def _forget_ended(self, name: str) -> None:
        machine = self._running.get(name)
        if machine is not None and machine.ended:
            self._end(name)

    def _get(self, name: str) -> Machine:
        require_name(name)
        self._forget_ended(name)
        machine = self._running.get(name)
        if machine is None:
            raise MachineStopped(
                f"no machine {name!r} runs",
                hint=f'`gemini.create_terminal(backend="{backend_of(name)}")` starts it; '
                "`await gemini.linux.list()` lists all machines.",
                data={"machine": name, "running": list(self._running)},
            )
        return machine

    def _require_room(self) -> None:
        if len(self._starting) >= self.limit:
            raise MachineLimit(
                f"{len(self._starting)} machines are in memory, which is the limit",
                hint="End one with `await gemini.linux.stop(name)`, or raise `gemini.linux.limit`.",
                data={"machines": list(self._starting), "limit": self.limit},
            )

    async def _stored_names(self) -> set[str]:
        with problems("list the machines"):
            return {each["name"] for each in await self._host.stored()}

    async def _require_stored(self, name: str) -> None:
        require_name(name)
        names = await self._stored_names()
        if name not in names:
            raise MachineMissing(
                f"there is no machine {name!r}",
                hint=f"Machines: {', '.join(sorted(names | {MAIN}))}. `await gemini.linux.fork({name!r})` makes it.",
                data={"machine": name},
            )

    async def _require_saved(self, name: str) -> None:
        self._settings.require()
        require_name(name)
        with problems("list the machines"):
            stored = {each["name"]: each for each in await self._host.stored()}
        if not stored.get(name, {}).get("savedAt"):
            raise MachineUnsaved(
                f"no state of the machine {name!r} is saved",
                hint=f"`await gemini.linux.save({name!r})` saves one.",
                data={"machine": name},
            )

    def _terminals(self) -> Terminals:
        if self._settings.terminals is None:
            raise MachineProblem("these machines have no terminals", hint="Use `gemini.linux`.")
        terminals: Terminals = self._settings.terminals()
        return terminals
