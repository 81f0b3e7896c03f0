"""The composition root: has the rooms set themselves up, and serves clients."""

import asyncio
import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemini.agents.chats.setup import create_chats, rows_of
from gemini.agents.setup import create_runs
from gemini.agents.teamwork.setup import create_spending, create_teams
from gemini.automations.schedules.setup import create_schedules
from gemini.automations.scripts.setup import create_automations
from gemini.computer import servers
from gemini.computer.files import welcome
from gemini.computer.files.downloads import Downloads
from gemini.computer.files.paths import require_file, resolve
from gemini.computer.python import stdio, system
from gemini.computer.search.setup import create_search
from gemini.core import ffi, interrupts, time_zones, timers
from gemini.core.events import EventFeed, EventLog
from gemini.core.limitations import Limitations
from gemini.core.protocol import Connection
from gemini.errors import GeminiError, StorageFull, StorageProblem
from gemini.kernel.endpoint import connect, installed_version
from gemini.kernel.file_watch import FileWatch
from gemini.kernel.page import page_handlers
from gemini.kernel.rooms import SETUPS
from gemini.kernel.shown import Snapshot, shown_files
from gemini.models.providers.setup import create_embeddings
from gemini.pages.tabs.documents import Documents
from gemini.tools import Registry
from gemini.tools import registry as shared_registry
from gemini.tools.calls import LOGGED_CALLS

if TYPE_CHECKING:
    from gemini.agents.chats.chats import Chats
    from gemini.agents.feed import RunFeed
    from gemini.agents.memory.memory import Memories
    from gemini.agents.mentions.mentions import Mentions
    from gemini.agents.runs.runs import Runs
    from gemini.agents.skills.skills import Skills
    from gemini.agents.teamwork.spending import Spending
    from gemini.agents.teamwork.teams import Teams
    from gemini.automations.inbox.questions import Questions
    from gemini.automations.schedules.schedules import Schedules
    from gemini.automations.scripts.automations import Automations
    from gemini.code_mode.lazy import LazyCodeMode
    from gemini.computer.files.browser import FileBrowser
    from gemini.computer.files.opened import OpenFiles
    from gemini.computer.files.trash import Trash
    from gemini.computer.history.file_history import FileHistory
    from gemini.computer.python.console import PythonConsole
    from gemini.computer.search.search import Search
    from gemini.computer.shell.embedded import ShellBackend
    from gemini.computer.shell.host import HostBackend
    from gemini.computer.shell.linux import LinuxBackend
    from gemini.computer.source_control.source_control import SourceControl
    from gemini.computer.terminal.manager import TerminalManager
    from gemini.computer.terminal.ports import TerminalPorts
    from gemini.kernel.archive import Archive
    from gemini.kernel.switches import Switches
    from gemini.models.interface.usage import Usage
    from gemini.models.providers.embeddings import Embeddings
    from gemini.models.providers.models import Models
    from gemini.pages.mcp_servers.foreign import ForeignTools
    from gemini.pages.tabs.browser import Browser
    from gemini.pages.tabs.live_pages import LivePages
    from gemini.pages.tabs.sites import Sites
    from gemini.storage.settings import Settings
    from gemini.storage.store import Store

HOME = "/project"


@dataclass(frozen=True)
class Saved:
    """The saved state of an earlier kernel.

    Attributes:
        settings: The user's settings.
        bare: Whether terminals start without their saved variables and functions.
        imported: Whether an import has replaced the files.
    """

    settings: "Settings"
    bare: bool
    imported: bool


class Kernel:
    """The surface's rooms, running. Each room's `setup` makes the objects below that others use.

    Args:
        registry: The registry that the rooms' tools are added to.
        home: The directory that terminals and the file browser start in.
        data_dir: The directory of the databases; None keeps them in memory.
    """

    browser: "Browser"
    code: "LazyCodeMode"
    console: "PythonConsole"
    archive: "Archive"
    files: "FileBrowser"
    foreign: "ForeignTools"
    history: "FileHistory"
    host: "HostBackend"
    linux: "LinuxBackend"
    live: "LivePages"
    memories: "Memories"
    mentions: "Mentions"
    models: "Models"
    opened: "OpenFiles"
    ports: "TerminalPorts"
    questions: "Questions"
    run_feed: "RunFeed"
    shell: "ShellBackend"
    sites: "Sites"
    skills: "Skills"
    source_control: "SourceControl"
    switches: "Switches"
    terminals: "TerminalManager"
    trash: "Trash"

    def __init__(self, registry: Registry, home: str = HOME, data_dir: Path | None = None) -> None:
        self.registry, self.home, self.data_dir = registry, home, data_dir
        self.events: EventLog = registry.events
        self.limitations = Limitations(self.events)
        self.downloads = Downloads(ffi.offer_download, ffi.withdraw_download)
        self._documents: Connection | None = None
        self._restoring: list[Callable[[Saved], object]] = []
        self._starting: list[Callable[[], object]] = []
        self._later: list[tuple[float, Callable[[], object]]] = []
        self._refreshing: list[Callable[[], object]] = []
        self._following_runs: list[Callable[[Runs], object]] = []
        for setup in SETUPS:
            setup(self)
        self._watch = FileWatch(self.events, lambda: registry.consent.attended, self.refresh_views)
        if ffi.kernel_host() is not None:
            registry.before_answer(self.commit_files)

    def on_restore(self, restore: Callable[[Saved], object]) -> None:
        """Call `restore` with what an earlier kernel has saved, if anything. It may raise a `GeminiError`."""
        self._restoring.append(restore)

    def on_start(self, act: Callable[[], object]) -> None:
        """Call `act` when this kernel becomes the one of its interpreter."""
        self._starting.append(act)

    def after_start(self, delay_s: float, act: Callable[[], object]) -> None:
        """Call `act` so many seconds after the page's start, which it would slow down."""
        self._later.append((delay_s, act))

    def on_refresh(self, refresh: Callable[[], object]) -> None:
        """Call `refresh` after calls and commands, which may have changed the files that the page shows."""
        self._refreshing.append(refresh)

    def on_runs(self, follow: "Callable[[Runs], object]") -> None:
        """Call `follow` with the agents' runs once they are loaded."""
        self._following_runs.append(follow)

    def roots(self) -> list[Path]:
        """Return the directories whose files outlive the page."""
        return ffi.persistent_roots() or [Path(self.home)]

    @cached_property
    def store(self) -> "Store":
        """The database of everything saved besides files. SQLite is loaded on first use."""
        from gemini.storage.store import Store

        return Store(
            self.data_dir,
            self.roots(),
            version=installed_version,
            most_calls=LOGGED_CALLS,
            commit=self.commit_files,
            on_problem=self.limitations.report,
        )

    @cached_property
    def runs(self) -> "Runs":
        """The agents' runs. Their modules are loaded on first use, as are the next property's."""
        return create_runs(self)

    @cached_property
    def spending(self) -> "Spending":
        """The spending of agents by day, outside of teams."""
        return create_spending(self)

    @cached_property
    def teams(self) -> "Teams":
        """The teams of agents."""
        return create_teams(self)

    @cached_property
    def automations(self) -> "Automations":
        """The automations."""
        return create_automations(self)

    @cached_property
    def schedules(self) -> "Schedules":
        """The schedules."""
        return create_schedules(self)

    @cached_property
    def chats(self) -> "Chats":
        """The chats with models."""
        return create_chats(self)

    @cached_property
    def embeddings(self) -> "Embeddings":
        """Comparing passages by meaning."""
        return create_embeddings(self)

    @cached_property
    def search(self) -> "Search":
        """The search of files, commands, inputs and calls."""
        return create_search(self)

    def save(self, name: str, value: Any) -> None:
        """Save a setting, or report that it can't be saved."""
        try:
            self.store.settings.set(name, value)
        except (StorageProblem, StorageFull) as error:
            self.limitations.report(error)

    def follow_runs(self, runs: "Runs") -> None:
        """Let the rooms follow new runs."""
        for follow in self._following_runs:
            follow(runs)

    def pay(self, model: str, usage: "Usage") -> None:
        """Count the usage of a model for the run that makes the current call."""
        from gemini.agents.runs.spending import pay

        pay(self.runs, model, usage)

    def restore(self, *, bare: bool = False) -> None:
        """Load the saved state of an earlier kernel, and save changes from now on.

        Args:
            bare: Whether terminals start without their saved variables and functions.
        """
        try:
            imported = self.store.finish_import()
            self.registry.log.restore(self.store.history.load())
            saved = Saved(self.store.settings, bare=bare, imported=imported)
            for restore in self._restoring:
                restore(saved)
        except GeminiError as error:
            self.limitations.report(error)
        self.events.subscribe(self.store.history.follow)

    def start(self) -> None:
        """Become the kernel of this interpreter, which scripts reach through the rooms' packages."""
        for act in self._starting:
            act()

    def work_later(self) -> None:
        """Begin what can wait until after the page's start."""
        loop = asyncio.get_running_loop()
        for delay_s, act in self._later:
            loop.call_later(delay_s, act)

    def close(self) -> None:
        """Write pending changes and close the database, so that another kernel can open it."""
        self.terminals.save()
        if "store" in vars(self):
            self.store.close()

    def connect(self, send: Callable[[str], None], *, attended: bool) -> Connection:
        """Serve a client that sends JSON-RPC text.

        Args:
            send: Sends a message to the client.
            attended: Whether the client is the page, where a user may be.
        """
        if not attended:
            return connect(self.registry, send, {}, ask=self.host.ask_companion)
        feed = EventFeed(self.events, lambda batch: connection.notify("events", vars(batch)))
        more, ask = page_handlers(self, feed.flush), self.host.ask_companion
        connection = connect(self.registry, send, more, interruptible=True, ask=ask)
        connection.on_close(feed.close)
        self.registry.consent.attended = True
        self.registry.consent.on_untrusted(
            lambda run, origin: connection.notify("notifications/tainted", {"run": run, "origin": origin})
        )
        if self.registry.groups.are_chosen:
            connection.notify("notifications/tools/list_changed", {})  # The build's list is a new surface's.
        return connection

    def attach_terminal(self, term_id: str, port: Any) -> None:
        """Show a terminal on a MessagePort instead of its previous one."""
        self.ports.attach(term_id, port)

    async def attach_documents(self, port: Any) -> None:
        """Use the page's documents through a MessagePort, instead of a previous page's."""
        if self._documents is not None:
            self._documents.close()
        self._documents = connection = Connection(port.postMessage, {})
        connection.on_close(ffi.listen(port, connection.receive))
        documents = Documents(connection)
        self.registry.consent.attach(documents.consent)
        await self.browser.attach(documents)
        self.live.resume()
        self.sites.surface = self.browser.origin
        self.models.refresh_soon()

    def snapshot(self) -> Snapshot:
        """Return everything that the page shows, as of event number `seq`."""
        return {
            "seq": self.events.seq,
            "terminals": self.terminals.rows(),
            "files": shown_files(self.files.path, self.files.entries),
            "editors": self.opened.row(),
            "tabs": self.browser.rows(),
            "calls": self.registry.log.rows(),
            "surface": self.limitations.row(),
            "settings": self.switches.row(),
            "console": self.console.transcript.state(),
            "models": self.models.row(),
            "runs": self.run_feed.rows(),
            "chats": rows_of(self),
            "source_control": self.source_control.view.row(),
        }

    def working_dir(self) -> str:
        """Return the directory of the caller's terminal, which relative paths start from; see `TerminalManager`."""
        return self.terminals.working_dir

    def absolute(self, path: str) -> str:
        """Return the absolute form of a path."""
        return resolve(path, self.working_dir())

    def file(self, path: str) -> Path:
        """Return the absolute path of a file.

        Raises:
            FileProblem: It is missing, or no file.
        """
        require_file(absolute := self.absolute(path))
        return Path(absolute)

    def commit_files(self) -> None:
        """Write a call's changes to disk before its answer is sent (web/kernel/durable).

        Raises:
            StorageFull: They can't be written.
        """
        host = ffi.kernel_host()
        if host is not None and (problem := ffi.attempt(host.commit)) is not None:
            raise StorageFull(
                f"the call succeeded, but its changes couldn't be saved: {problem}",
                hint="They are in memory and will be lost when the page closes. "
                "Delete files that aren't needed; the next call saves again.",
            )

    def refresh_views(self) -> None:
        """Update the files that the page shows."""
        for refresh in self._refreshing:
            refresh()


kernel: Kernel | None = None
"""The kernel of this interpreter, after `start`."""


async def start(*, home: str = HOME, fresh_files: bool = False, bare: bool = False) -> Kernel:
    """Start the kernel, if it isn't running yet, and register its tools.

    Args:
        home: The directory that terminals and the file browser start in. Created if it doesn't exist.
        fresh_files: True on a first visit: writes the welcome files if `home` is empty.
        bare: See `Kernel.restore`.
    """
    global kernel  # noqa: PLW0603 - an interpreter has one kernel, which scripts find here
    if kernel is None:
        home = os.path.abspath(home)
        if ffi.IN_BROWSER:
            timers.install(type(asyncio.get_running_loop()))
        stdio.install()
        system.install()
        time_zones.install()
        servers.install()
        welcome.prepare(home, fresh=fresh_files)
        data_dir, problem = ffi.data_folder()
        kernel = Kernel(shared_registry, home, data_dir)
        if data_dir is not None:
            kernel.restore(bare=bare)
        elif problem is not None:
            kernel.limitations.report_no_storage(problem)
        kernel.start()
        if (host := ffi.kernel_host()) is not None and host.signals:
            interrupts.install(host.signals)
        # Otherwise each script's end would search all modules for garbage.
        gc.freeze()
    return kernel
