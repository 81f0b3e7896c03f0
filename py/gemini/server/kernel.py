"""The composition root: makes the rooms, wires them together, and answers whoever connects."""

import asyncio
import gc
import os
from collections.abc import Callable, Collection
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemini import agents, network
from gemini.core import ffi, interrupts
from gemini.core.events import Event, EventFeed, EventLog
from gemini.core.limitations import Limitations
from gemini.core.protocol import Connection
from gemini.dom.documents import Documents
from gemini.errors import GeminiError, StorageFull, StorageProblem
from gemini.files import welcome
from gemini.files.events import FilesShown
from gemini.files.info import FileInfo
from gemini.files.paths import require_file, resolve
from gemini.models import setup as models
from gemini.python import stdio
from gemini.server import wiring
from gemini.server.endpoint import connect, installed_version
from gemini.server.file_watch import FileWatch
from gemini.server.page import page_handlers
from gemini.server.warmup import practise
from gemini.terminal.events import TerminalClosed
from gemini.terminal.ports import TerminalPorts
from gemini.tools import Registry
from gemini.tools import registry as shared_registry
from gemini.tools.calls import LOGGED_CALLS
from gemini.tools.groups import GROUPS_OFF
from gemini.tools.events import SettingsChanged
from gemini.tools.consent import current_request_context

if TYPE_CHECKING:
    from gemini.agents.runs import Runs
    from gemini.chats.chats import Chats
    from gemini.search.search import Search
    from gemini.storage.exchange import Exported, Imported, Looked
    from gemini.storage.store import Store

HOME = "/project"
# The setting that has what is open in the editor.
OPEN_FILES = "open_files"
# The setting that keeps what was typed in the Python console.
INPUTS = "console_inputs"
# A page draws so many rows without a pause; the rest is found by navigating or file_find.
MOST_ENTRIES_SHOWN = 2_000
# The first look at all files begins when a start and the first calls are over, and leaves time for others.
FIRST_LOOK_S = 10.0
LEISURE_S = 0.02


class Kernel:
    """The surface's rooms, running.

    Args:
        registry: Where its tools go.
        home: The directory that terminals and the file browser start in.
        kept: The directory of what is kept beside files; None keeps it in memory.
    """

    def __init__(self, registry: Registry, home: str = HOME, kept: Path | None = None) -> None:
        self.registry = registry
        self._kept = kept
        self.events: EventLog = registry.events
        self.limitations = Limitations(self.events)
        self._documents: Connection | None = None
        save = self._keep_setting
        # Tools are listed in this order; what terminals need of files is called later.
        self.terminals, self.host = wiring.wire_terminals(
            registry,
            home,
            lambda pattern: self.files.find_paths(pattern, home),
            lambda paths: self.opened.open_found(paths),  # noqa: PLW0108 - it isn't there yet
        )
        self.console = wiring.wire_python(registry, home, partial(save, INPUTS))
        self.files, self.opened, downloads = wiring.wire_files(
            registry, home, self._working_dir, self._on_files_shown, partial(save, OPEN_FILES)
        )
        self.browser, self.sites = wiring.wire_browser(registry, home, self._absolute, self._file)
        self.models = models.set_up(registry, self.events, self.host, self.browser, save)
        self.run_feed = wiring.wire_agents(
            registry, self.terminals, lambda: self.runs, lambda: self.store.runs
        )
        wiring.wire_chats(registry, lambda: self.chats, downloads)
        wiring.wire_search(registry, lambda: self.search, self._absolute)
        wiring.wire_storage(registry, lambda: self.store)
        self.history = wiring.wire_history(
            registry, lambda: self.store, self._roots(), self._absolute, self._look, self.limitations.tell
        )
        self._ports = TerminalPorts(self.terminals, registry.writers.person_acts)
        self._watch = FileWatch(self.events, lambda: registry.consent.attended, self._look)
        self.practising: asyncio.Future[int] | None = None
        self.events.subscribe(self._follow)
        registry.groups.on_change(self._keep_choices)
        registry.before_answer(self.terminals.save)
        if ffi.kernel_host() is not None:
            registry.before_answer(self._commit_files)

    def _roots(self) -> list[Path]:
        """Return the directories whose files outlive the page."""
        return ffi.kept_roots() or [Path(self.terminals.home)]

    @cached_property
    def store(self) -> "Store":
        """What is kept beside files. SQLite loads on first use."""
        from gemini.storage.store import Store

        return Store(
            self._kept,
            self._roots(),
            version=installed_version,
            most_calls=LOGGED_CALLS,
            commit=self._commit_files,
            on_problem=self.limitations.tell,
        )

    @cached_property
    def runs(self) -> "Runs":
        """Agents' runs. What they consist of loads on first use."""
        from gemini.agents.runs import Runs

        browser = self.browser
        runs = Runs(self.registry, self.store.runs, browser.look, browser.photograph)
        return self.run_feed.follow(models.serve(self.models, runs))

    @cached_property
    def chats(self) -> "Chats":
        """Chats with models. They are kept in SQLite, which loads on first use."""
        from gemini.chats.chats import Chats

        return Chats(self.store.chats, self.events, self.registry, lambda: self.runs, self.limitations.tell)

    @cached_property
    def search(self) -> "Search":
        """What a person looks for is found here. SQLite loads on first use."""
        from gemini.search import histories
        from gemini.search.search import Search

        commands = histories.commands(self.terminals.terminals.values)
        typed = histories.inputs(lambda: self.console.transcript.inputs)
        calls = histories.calls(self.registry.log)
        return Search(self._roots(), {"command": commands, "python": typed, "call": calls})

    def restore(self) -> None:
        """Bring back what an earlier kernel kept, and keep what comes."""
        try:
            imported = self.store.finish_import()
            settings = self.store.settings
            self.registry.groups.restore({GROUPS_OFF: settings.get(GROUPS_OFF)})
            self.console.transcript.restore(settings.get(INPUTS))
            self.registry.log.restore(self.store.history.load())
            self.terminals.restore(self.store.terminals)
            self.models.restore(settings.get(models.SETTING))
            self.history.restore(imported=imported)
            if open_files := settings.get(OPEN_FILES):
                self.opened.restore(open_files)
        except GeminiError as problem:
            self.limitations.tell(problem)
        self.events.subscribe(self.store.history.follow)

    def close(self) -> None:
        """Write what waits, and let go of what is kept: another kernel takes it over."""
        self.terminals.save()
        if "store" in vars(self):
            self.store.close()

    def export_all(self, path: str) -> "Exported":
        """See `gemini.export_all`."""
        self.terminals.save()
        self.store.history.flush()
        return self.store.exchange.export_all(Path(self._absolute(path)))

    def look_at_export(self, path: str) -> "Looked":
        """See `gemini.storage.exchange.Exchange.look`."""
        return self.store.exchange.look(Path(self._absolute(path)))

    def import_all(self, path: str, take: Collection[str] = ()) -> "Imported":
        """See `gemini.import_all`."""
        with self.history.unfollowed():
            imported = self.store.exchange.import_all(Path(self._absolute(path)), take)
        # A terminal that is open here would write itself over that of the export.
        self.terminals.stop_saving()
        self.store.history.forget()
        self.registry.log.restore(self.store.history.load())
        self.files.refresh()
        return imported

    def reset_all(self) -> "Imported":
        """Begin anew, with nothing but what a first visit has; the kernel is to be started again.

        Raises:
            StorageProblem, StorageFull: it can't be done, and everything is as before.
        """
        with self.history.unfollowed():
            done = self.store.exchange.reset()
        self.terminals.stop_saving()
        self.store.history.forget()
        welcome.prepare(self.terminals.home, fresh=True)
        self._commit_files()
        return done

    def connect(self, send: Callable[[str], None], *, attended: bool) -> Connection:
        """Answer a client that sends JSON-RPC text.

        Args:
            send: Takes each message for the client.
            attended: Whether this is the page, where a person may be.
        """
        more = page_handlers(self) if attended else {}
        connection = connect(self.registry, send, more, interruptible=attended, ask=self.host.ask_companion)
        if attended:
            self.registry.consent.attended = True
            self.registry.consent.on_untrusted(
                lambda run, origin: connection.notify("notifications/tainted", {"run": run, "origin": origin})
            )
            feed = EventFeed(self.events, lambda batch: connection.notify("events", vars(batch)))
            connection.on_close(feed.close)
            if self.registry.rows_off():
                # The page has registered every tool of the build.
                connection.notify("notifications/tools/list_changed", {})
        return connection

    def attach_terminal(self, term_id: str, port: Any) -> None:
        """Show a terminal on a MessagePort, and no longer on the one before."""
        self._ports.attach(term_id, port)

    async def attach_documents(self, port: Any) -> None:
        """Reach the page's documents through a MessagePort, and no longer those of a page before."""
        if self._documents is not None:
            self._documents.close()
        self._documents = connection = Connection(port.postMessage, {})
        connection.on_close(ffi.listen(port, connection.receive))
        documents = Documents(connection)
        self.registry.consent.attach(documents.consent)
        await self.browser.attach(documents)
        self.sites.surface = self.browser.origin
        self.models.refresh_soon()

    def snapshot(self) -> dict[str, Any]:
        """All that a page draws, as of event number `seq`."""
        return {
            "seq": self.events.seq,
            "terminals": self.terminals.rows(),
            "files": _files_row(self.files.path, self.files.entries),
            "editors": self.opened.row(),
            "tabs": self.browser.rows(),
            "calls": self.registry.log.rows(),
            "surface": self.limitations.row(),
            "settings": self._settings(),
            "console": self.console.transcript.state(),
            "models": self.models.row(),
            "runs": self.run_feed.rows(),
            "chats": self.chats.rows(),
        }

    def _settings(self) -> dict[str, Any]:
        return {**self.registry.groups.rows(), "tools_off": self.registry.rows_off()}

    def _keep_choices(self) -> None:
        """What the person decided holds and is shown, even where it can't be kept."""
        self.events.publish(SettingsChanged(self._settings()))
        for name, value in self.registry.groups.rows().items():
            self._keep_setting(name, value)

    def _keep_setting(self, name: str, value: Any) -> None:
        try:
            self.store.settings.set(name, value)
        except (StorageProblem, StorageFull) as problem:
            self.limitations.tell(problem)

    def _working_dir(self) -> str:
        """Relative paths start where the focused terminal is."""
        return self.terminals.working_dir

    def _absolute(self, path: str) -> str:
        return resolve(path, self._working_dir())

    def _file(self, path: str) -> Path:
        found = self._absolute(path)
        require_file(found)
        return Path(found)

    def _on_files_shown(self, path: str, entries: list[FileInfo]) -> None:
        self.events.publish(FilesShown(**_files_row(path, entries)))

    def _commit_files(self) -> None:
        """What a call changed is on disk before its answer leaves (web/kernel/durable)."""
        host = ffi.kernel_host()
        problem = None if host is None else ffi.attempt(host.commit)
        if problem is not None:
            raise StorageFull(
                f"the call is done, but its changes could not be saved: {problem}",
                hint="They are in memory and lost with the page. "
                "Delete what isn't needed; the next call saves again.",
            )

    def _follow(self, _: int, event: Event) -> None:
        if isinstance(event, TerminalClosed):
            self._ports.detach(event.terminal_id)

    def _look(self) -> None:
        self.files.refresh()
        self.opened.refresh()


def _files_row(path: str, entries: list[FileInfo]) -> dict[str, Any]:
    shown = entries[:MOST_ENTRIES_SHOWN]
    return {"path": path, "entries": [file.row() for file in shown], "truncated": len(entries) > len(shown)}


kernel: Kernel | None = None
"""The running surface of this interpreter, once `start` has been called."""


async def start(*, home: str = HOME, fresh_files: bool = False) -> Kernel:
    """Make the surface, if it isn't there yet: files, and the tools in the registry.

    Args:
        home: The directory that terminals and the file browser start in; made if it isn't there.
        fresh_files: True where nobody worked yet, so that an empty /project is no one's wish.
    """
    global kernel  # noqa: PLW0603 - there is one surface in an interpreter, which scripts find here
    if kernel is None:
        home = os.path.abspath(home)
        stdio.install()
        welcome.prepare(home, fresh=fresh_files)
        kept, problem = ffi.kept_folder()
        kernel = running = Kernel(shared_registry, home, kept)
        if kept is not None:
            kernel.restore()
        elif problem is not None:
            kernel.limitations.do_without(problem)
        kernel.files.navigate(home)
        agents.provide(lambda: running.runs)
        host = ffi.kernel_host()
        if host is not None and host.signals:
            interrupts.install(host.signals)
        # What is there by now stays; without this, each script's end would search all of it for garbage.
        gc.freeze()
    return kernel


def serve(port: Any, registry: Registry = shared_registry) -> Connection:
    """Answer tool calls on a JavaScript MessagePort, as `webmcp_bridge.js` makes them."""
    connection = connect(registry, port.postMessage, {})
    ffi.listen(port, connection.receive)
    return connection


async def start_for_page(send: Callable[[str], None], fresh_files: bool) -> tuple[Kernel, Connection]:
    """What the page's worker calls: make the surface with a terminal in it, and connect the page.

    Args:
        send: Takes each message for the page.
        fresh_files: See `start`.
    """
    ffi.describe_caller_by(current_request_context)
    network.install()
    running = await start(fresh_files=fresh_files)
    if not running.terminals.terminals:
        running.terminals.create()
    running.practising = asyncio.ensure_future(practise())
    asyncio.get_running_loop().call_later(FIRST_LOOK_S, lambda: running.search.look(LEISURE_S))
    return running, running.connect(send, attended=True)
