"""The composition root: creates the rooms, connects them and serves clients."""

import asyncio
import gc
import os
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemini import agents, automations, schedules, servers, team
from gemini.core import ffi, interrupts, time_zones, timers
from gemini.core.events import Event, EventFeed, EventLog
from gemini.core.limitations import Limitations
from gemini.core.protocol import Connection
from gemini.dom.documents import Documents
from gemini.errors import GeminiError, StorageFull
from gemini.files import welcome
from gemini.files.events import FilesShown
from gemini.files.info import FileInfo
from gemini.files.paths import require_file, resolve
from gemini.models import setup as models
from gemini.python import package_list, stdio, system
from gemini.server import agent_wiring, wiring
from gemini.server.endpoint import connect, installed_version
from gemini.server.everything import Everything
from gemini.server.file_watch import FileWatch
from gemini.server.page import page_handlers
from gemini.server.shown import Snapshot, shown_files
from gemini.server.switches import FOLLOW_AGENTS, Switches
from gemini.shell.linux import LIMIT
from gemini.shell.machine_panel_tools import PanelMachineTools
from gemini.team.agent_panel_tools import PanelAgentTools
from gemini.team.panel_tools import PanelTeamTools
from gemini.terminal.events import TerminalClosed
from gemini.terminal.ports import TerminalPorts
from gemini.tools import Registry
from gemini.tools import registry as shared_registry
from gemini.tools.calls import LOGGED_CALLS
from gemini.tools.groups import GROUPS_OFF, GROUPS_ON

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs
    from gemini.automations.automations import Automations
    from gemini.chats.chats import Chats
    from gemini.models.embeddings import Embeddings
    from gemini.schedules.schedules import Schedules
    from gemini.search.search import Search
    from gemini.storage.store import Store
    from gemini.team.spending import Spending
    from gemini.team.teams import Teams

HOME = "/project"
# The setting with the files open in the editor.
OPEN_FILES = "open_files"


class Kernel:
    """The surface's rooms, running.

    Args:
        registry: The registry that the rooms' tools are added to.
        home: The directory that terminals and the file browser start in.
        data_dir: The directory of the databases; None keeps them in memory.
    """

    def __init__(self, registry: Registry, home: str = HOME, data_dir: Path | None = None) -> None:
        self.registry = registry
        self._data_dir = data_dir
        self.events: EventLog = registry.events
        self.limitations = Limitations(self.events)
        self._documents: Connection | None = None
        self.switches = Switches(registry, lambda: self.browser, lambda: self.store, self.limitations.report)
        save, report = self.switches.save, self.limitations.report
        # Tools are listed in this order. `files` and `opened` don't exist yet, hence the lambdas.
        self.terminals, self.host, shell, self.linux = wiring.wire_terminals(
            registry,
            home,
            lambda pattern: self.files.find_paths(pattern, home),
            lambda paths: self.opened.open_found(paths),  # noqa: PLW0108 - it doesn't exist yet
        )
        self.linux.save_limit = partial(save, LIMIT)
        self.console = wiring.wire_python(registry, home, save, shell)
        self.files, self.opened, downloads = wiring.wire_files(
            registry, home, self._working_dir, self._on_files_shown, partial(save, OPEN_FILES)
        )
        registry.add_room(PanelMachineTools(self.linux, downloads.offer, ffi.fetch_upload))
        shell.edit = self.opened.edit
        self.browser, self.sites, self._live = wiring.wire_browser(
            registry, home, self._absolute, self._file, self.switches.follow_agents
        )
        self.models = models.set_up(registry, self.events, self.host, self.browser, save)
        self.mentions = agent_wiring.wire_mentions(
            registry, lambda: self.teams, lambda: self.search, self.browser, home
        )
        rooms = (lambda: self.runs, lambda: self.teams, lambda: self.schedules)
        self.run_feed = agent_wiring.wire_agents(
            registry, self.terminals, rooms, lambda: self.store.runs, downloads, self.mentions
        )
        registry.add_room(PanelTeamTools(lambda: self.teams, self.mentions))
        registry.add_room(PanelAgentTools(lambda: self.teams, registry))
        self.memories = agent_wiring.wire_memory(registry, lambda: self.store, lambda: self.embeddings)
        self.skills = agent_wiring.wire_skills(registry, lambda: self.store, home)
        agent_wiring.wire_automations(registry, lambda: self.automations)
        agent_wiring.wire_eyes(registry, self.browser, self.host, lambda: self.runs, self._file)
        self.questions = agent_wiring.wire_schedules(
            registry, lambda: self.store, self.memories, rooms, self.run_feed
        )
        wiring.wire_web(registry, self.host)
        agent_wiring.wire_chats(registry, lambda: self.chats, downloads, self.mentions)
        wiring.wire_search(registry, lambda: self.search, self._absolute, lambda: self.embeddings)
        wiring.wire_storage(registry, lambda: self.store)
        wiring.offer_manual(registry)
        wiring.wire_code(registry, self._absolute, self._refresh_views)
        self.source_control = wiring.wire_source_control(
            registry, shell, lambda: self.files.path, self._working_dir, home, self._refresh_views
        )
        self.history = wiring.wire_history(
            registry, lambda: self.store, self._roots(), self._absolute, self._refresh_views, report
        )
        self.everything = Everything(
            lambda: self.store,
            self.history,
            self.terminals,
            registry.log,
            self._absolute,
            self.files.refresh,
            self._commit_files,
        )
        self._ports = TerminalPorts(self.terminals, registry.writers.person_acts)
        self._watch = FileWatch(self.events, lambda: registry.consent.attended, self._refresh_views)
        self.events.subscribe(self._on_event)
        registry.groups.on_change(self.switches.save_groups)
        registry.before_answer(self.terminals.save)
        if ffi.kernel_host() is not None:
            registry.before_answer(self._commit_files)

    def _roots(self) -> list[Path]:
        """Return the directories whose files outlive the page."""
        return ffi.persistent_roots() or [Path(self.terminals.home)]

    @cached_property
    def store(self) -> "Store":
        """The database of everything saved besides files. SQLite is loaded on first use."""
        from gemini.storage.store import Store

        return Store(
            self._data_dir,
            self._roots(),
            version=installed_version,
            most_calls=LOGGED_CALLS,
            commit=self._commit_files,
            on_problem=self.limitations.report,
        )

    @cached_property
    def runs(self) -> "Runs":
        """The agents' runs. Their modules are loaded on first use."""
        from gemini.agents.runs.runs import Runs

        runs = Runs(self.registry, self.store.runs, self.browser.snapshot, self.browser.screenshot)
        runs.memory, runs.skills = self.memories, self.skills
        agent_wiring.give_tabs(runs, self.browser)
        runs.on_start(lambda run: self.spending.follow(run))  # noqa: PLW0108 - it loads with the first run
        runs.on_start(lambda run: self.questions.forget(run.id))
        self.questions.on_wait(runs.note_consent)
        return self.run_feed.follow(models.serve(self.models, runs))

    @cached_property
    def spending(self) -> "Spending":
        """The spending of agents by day, outside of teams."""
        from gemini.team.spending import Spending

        return Spending(self.store.team.spending, self.runs.clock)

    @cached_property
    def teams(self) -> "Teams":
        """The teams of agents. Their modules are loaded on first use."""
        return agent_wiring.create_teams(
            self.runs, self.registry, self.store.team, self.terminals.home, self.questions
        )

    @cached_property
    def automations(self) -> "Automations":
        """The automations. Their modules are loaded on first use."""
        return agent_wiring.create_automations(
            self.registry, self.browser, lambda: self.runs, lambda: self.store.runs, self.terminals.home
        )

    @cached_property
    def schedules(self) -> "Schedules":
        """The schedules. Their modules are loaded on first use."""
        return agent_wiring.create_schedules(self.store, self.teams, self.runs, self.registry, self.questions)

    @cached_property
    def chats(self) -> "Chats":
        """The chats with models. SQLite, which stores them, is loaded on first use."""
        from gemini.chats.chats import Chats

        chats = Chats(
            self.store.chats, self.events, self.registry, lambda: self.runs, self.limitations.report
        )
        chats.spent = lambda agent, spent: self.spending.add(agent, spent)  # noqa: PLW0108 - it loads on use
        chats.voice = partial(agent_wiring.voice_of, lambda: self.teams)
        return chats

    @cached_property
    def embeddings(self) -> "Embeddings":
        """Comparing texts by meaning. Its modules are loaded on first use."""
        return agent_wiring.create_embeddings(self.models, lambda: self.store, lambda: self.runs)

    @cached_property
    def search(self) -> "Search":
        """The search of files, commands, inputs and calls. SQLite is loaded on first use."""
        return wiring.create_search(self._roots(), self.terminals, self.console, self.registry)

    def restore(self, *, bare: bool = False) -> None:
        """Load the saved state of an earlier kernel, and save changes from now on.

        Args:
            bare: Whether terminals start without their saved variables and functions.
        """
        try:
            imported = self.store.finish_import()
            settings = self.store.settings
            self.registry.groups.restore({name: settings.get(name) for name in (GROUPS_OFF, GROUPS_ON)})
            self.console.transcript.restore(settings.get(wiring.INPUTS))
            package_list.current.address = settings.get(package_list.SETTING)
            self.registry.log.restore(self.store.history.load())
            self.terminals.restore(self.store.terminals, bare=bare)
            self.models.restore(settings.get(models.SETTING))
            self.linux.limit = settings.get(LIMIT, self.linux.limit)
            self.browser.follows = settings.get(FOLLOW_AGENTS) is True
            # Before the history, which would take it for the user's.
            wiring.write_manual(settings, self.limitations.report)
            self.history.restore(imported=imported)
            if open_files := settings.get(OPEN_FILES):
                self.opened.restore(open_files)
        except GeminiError as error:
            self.limitations.report(error)
        self.events.subscribe(self.store.history.follow)

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
                # The page has registered all tools from the build.
                connection.notify("notifications/tools/list_changed", {})
        return connection

    def attach_terminal(self, term_id: str, port: Any) -> None:
        """Show a terminal on a MessagePort instead of its previous one."""
        self._ports.attach(term_id, port)

    async def attach_documents(self, port: Any) -> None:
        """Use the page's documents through a MessagePort, instead of those of a previous page."""
        if self._documents is not None:
            self._documents.close()
        self._documents = connection = Connection(port.postMessage, {})
        connection.on_close(ffi.listen(port, connection.receive))
        documents = Documents(connection)
        self.registry.consent.attach(documents.consent)
        await self.browser.attach(documents)
        self._live.resume()
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
            "chats": self.chats.rows(),
            "source_control": self.source_control.view.row(),
        }

    def _working_dir(self) -> str:
        """Return the focused terminal's directory, which relative paths start from."""
        return self.terminals.working_dir

    def _absolute(self, path: str) -> str:
        return resolve(path, self._working_dir())

    def _file(self, path: str) -> Path:
        absolute = self._absolute(path)
        require_file(absolute)
        return Path(absolute)

    def _on_files_shown(self, path: str, entries: list[FileInfo]) -> None:
        self.events.publish(FilesShown(**shown_files(path, entries)))

    def _commit_files(self) -> None:
        """Write a call's changes to disk before its answer is sent (web/kernel/durable)."""
        host = ffi.kernel_host()
        problem = None if host is None else ffi.attempt(host.commit)
        if problem is not None:
            raise StorageFull(
                f"the call succeeded, but its changes couldn't be saved: {problem}",
                hint="They are in memory and will be lost when the page closes. "
                "Delete files that aren't needed; the next call saves again.",
            )

    def _on_event(self, _: int, event: Event) -> None:
        if isinstance(event, TerminalClosed):
            self._ports.detach(event.terminal_id)

    def _refresh_views(self) -> None:
        self.files.refresh()
        self.opened.refresh()
        self._live.refresh()
        self.source_control.refresh_soon()


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
        kernel = running = Kernel(shared_registry, home, data_dir)
        if data_dir is not None:
            kernel.restore(bare=bare)
        else:
            wiring.write_manual(None, kernel.limitations.report)
            if problem is not None:
                kernel.limitations.report_no_storage(problem)
        kernel.files.navigate(home)
        agents.provide(lambda: running.runs)
        team.provide(lambda: running.teams)
        automations.provide(lambda: running.automations)
        schedules.provide(lambda: running.schedules)
        host = ffi.kernel_host()
        if host is not None and host.signals:
            interrupts.install(host.signals)
        # Otherwise each script's end would search all modules for garbage.
        gc.freeze()
    return kernel
