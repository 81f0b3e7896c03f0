"""Functions that create each room's objects and register its tools, for `Kernel`.

Heavy objects are passed as functions that return them, and are loaded on the first call.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemini import manual, servers
from gemini.code.panel_tools import CodeTools
from gemini.core import ffi
from gemini.core.meaning import Meaning
from gemini.dom.browser import Browser
from gemini.dom.extra_tools import ExtraBrowserTools
from gemini.dom.live_pages import LivePages
from gemini.dom.page_tools import PageTools
from gemini.dom.panel_tools import PanelBrowserTools
from gemini.dom.resources import offer_pages
from gemini.dom.sites import Sites
from gemini.dom.tools import BrowserTools
from gemini.errors import GeminiError, StorageProblem
from gemini.files import welcome
from gemini.files.browser import FileBrowser
from gemini.files.downloads import Downloads
from gemini.files.events import EditorsChanged
from gemini.files.info import FileInfo
from gemini.files.opened import OpenFiles
from gemini.files.panel_tools import PanelFileTools
from gemini.files.paths import require_directory, resolve
from gemini.files.pdf import read_pages
from gemini.files.search_panel_tools import ReplaceTools
from gemini.files.tools import FileTools
from gemini.files.trash import Trash
from gemini.history.setup import FileHistory
from gemini.python import own
from gemini.python.console import PythonConsole
from gemini.python.tools import ConsoleTools
from gemini.python.transcript import Transcript
from gemini.search.panel_tools import SearchTools
from gemini.shell.children import ConsolePrograms
from gemini.shell.embedded import ENVIRONMENT, ShellBackend
from gemini.shell.host import HostBackend
from gemini.shell.linux import LinuxBackend
from gemini.source_control.git import EmbeddedGit
from gemini.source_control.panel_tools import SourceControlTools
from gemini.source_control.source_control import SourceControl
from gemini.storage.panel_tools import StorageTools
from gemini.terminal.manager import TerminalManager
from gemini.terminal.panel_tools import PanelTerminalTools
from gemini.terminal.tools import TerminalTools
from gemini.tools import Registry
from gemini.tools.panel_tools import ToolGroupTools
from gemini.tools.resources import Resource
from gemini.web.tools import WebTools

if TYPE_CHECKING:
    from gemini.python.own.interpreters import Interpreters
    from gemini.search.search import Search
    from gemini.storage.settings import Settings
    from gemini.storage.store import Store
    from gemini.terminal.machines import MachineTerminals

# The path of the Trash specification, below a root whose files outlive the page.
TRASH = Path(ENVIRONMENT["HOME"], ".local/share/Trash")

# The setting with the text of the manual that a start has written.
MANUAL = "manual"
INPUTS = "console_inputs"
"""The setting with the input history of the Python console."""
Save = Callable[[Any], None]
"""A function that saves a setting's value."""


def wire_files(
    registry: Registry,
    home: str,
    working_dir: Callable[[], str],
    on_shown: Callable[[str, list[FileInfo]], None],
    save: Save,
) -> tuple[FileBrowser, OpenFiles, Downloads]:
    """Create the file browser, the editor's open files and the downloads."""
    files = FileBrowser(home, working_dir=working_dir, on_shown=on_shown)
    opened = OpenFiles(lambda: registry.events.publish(EditorsChanged(opened.row())), save)
    downloads = Downloads(ffi.offer_download, ffi.withdraw_download)
    registry.add_room(FileTools(files))
    registry.add_room(PanelFileTools(files, opened, Trash(TRASH), downloads, ffi.fetch_upload))

    def refresh() -> None:
        files.refresh()
        opened.refresh()

    registry.add_room(ReplaceTools(files, refresh))
    return files, opened, downloads


def wire_terminals(
    registry: Registry,
    home: str,
    find: Callable[[str], list[str]],
    show: Callable[[list[str]], None],
) -> tuple[TerminalManager, HostBackend, ShellBackend, LinuxBackend]:
    """Create the terminals with their backends."""
    host = HostBackend()
    linux = LinuxBackend()
    shell = ShellBackend()
    shell.linux = linux.run_program
    terminals = TerminalManager(
        {"shell": shell, "linux": linux, "host": host},
        registry.events,
        lambda path, of: require_directory(resolve(path, of)),
        home,
        named=linux.named,
    )

    def terminals_of_machines() -> "MachineTerminals":
        from gemini.terminal.machines import MachineTerminals

        return MachineTerminals(terminals)

    linux.terminals = terminals_of_machines
    registry.add_room(TerminalTools(terminals, find, show))
    registry.add_room(PanelTerminalTools(terminals, host))
    return terminals, host, shell, linux


def wire_python(
    registry: Registry, home: str, save: Callable[[str, Any], None], shell: ShellBackend
) -> PythonConsole:
    """Create the Python console, whose code can start the shell's programs."""
    programs = ConsolePrograms(lambda: shell.open_programs(home))
    # As in a terminal, so that programs are found.
    env = {**os.environ, **ENVIRONMENT, "MPLBACKEND": "module://gemini.python.matplotlib_backend"}
    console = PythonConsole(home, env, Transcript(registry.events, partial(save, INPUTS)), programs)
    registry.add_room(ConsoleTools(console, save))
    own.provide(cache(partial(_create_interpreters, home)))
    return console


def _create_interpreters(home: str) -> "Interpreters":
    from gemini.python.own.interpreters import Interpreters

    return Interpreters(home, ENVIRONMENT)


def wire_browser(
    registry: Registry,
    home: str,
    absolute: Callable[[str], str],
    file: Callable[[str], Path],
    follow_agents: Callable[[bool], None],
) -> tuple[Browser, Sites, LivePages]:
    """Create the tabs, the sites of files that they show, and the preview."""
    sites = Sites(home=home)
    browser = Browser(registry.events, absolute, sites, servers.listens)
    live = LivePages(browser, sites)
    sites.on_served = live.on_served
    registry.add_room(BrowserTools(browser, file, read_pages))
    registry.add_room(PageTools(browser))
    registry.add_room(ExtraBrowserTools(browser, file))
    registry.add_room(PanelBrowserTools(browser, live, follow_agents))
    offer_pages(registry.resources, browser, registry.events)
    return browser, sites, live


def create_search(
    roots: list[Path], terminals: TerminalManager, console: PythonConsole, registry: Registry
) -> "Search":
    """Create the search of files, commands, inputs and calls. SQLite is loaded with it."""
    from gemini.search import histories
    from gemini.search.search import Search

    commands = histories.commands(terminals.terminals.values)
    typed = histories.inputs(lambda: console.transcript.inputs)
    return Search(roots, {"command": commands, "python": typed, "call": histories.calls(registry.log)})


def wire_search(
    registry: Registry,
    search: "Callable[[], Search]",
    absolute: Callable[[str], str],
    meaning: Callable[[], Meaning],
) -> None:
    """Register the omnibar's search."""
    registry.add_room(SearchTools(search, absolute, meaning))


def wire_source_control(
    registry: Registry,
    shell: ShellBackend,
    folder: Callable[[], str],
    working_dir: Callable[[], str],
    projects: str,
    on_change: Callable[[], None],
) -> SourceControl:
    """Create Source Control, which calls the git of the embedded shell."""
    git = EmbeddedGit(shell.open)
    control = SourceControl(git, registry.events, folder, working_dir, projects)
    registry.add_room(SourceControlTools(control, git, Trash(TRASH).put, on_change))
    return control


def wire_web(registry: Registry, host: HostBackend) -> None:
    """Register the tools for the web, which the companion serves."""
    registry.add_room(WebTools(host.ask_companion))


def offer_manual(registry: Registry) -> None:
    """Add the manual for agents to the resources."""
    about = (manual.URI, manual.NAME, manual.ABOUT)
    registry.resources.add(Resource(*about, "text/markdown", lambda: manual.TEXT))


def write_manual(settings: "Settings | None", report: Callable[[GeminiError], None]) -> None:
    """Write the manual into the home directory of the page's shell; see `welcome.offer_manual`.

    Args:
        settings: The saved settings; None if nothing is saved.
        report: Receives a failure.
    """
    if ffi.kernel_host() is None:
        return
    written = settings.get(MANUAL) if settings else None
    try:
        text = welcome.offer_manual(Path(manual.FILE), written)
    except (OSError, ValueError) as error:
        report(StorageProblem(f"{manual.FILE} can't be written: {error}"))
        return
    if settings and text != written:
        settings.set(MANUAL, text)


def wire_storage(registry: Registry, store: "Callable[[], Store]") -> None:
    """Register the actions of the settings panel."""
    registry.add_room(ToolGroupTools(registry))
    registry.add_room(StorageTools(store))


def wire_code(registry: Registry, absolute: Callable[[str], str], on_change: Callable[[], None]) -> None:
    """Register the actions of the editor that change code."""
    registry.add_room(CodeTools(absolute, on_change))


def wire_history(
    registry: Registry,
    store: "Callable[[], Store]",
    roots: Sequence[Path],
    absolute: Callable[[str], str],
    refresh: Callable[[], None],
    report: Callable[[GeminiError], None],
) -> FileHistory:
    """Create the history of files, which registers its own tools."""
    return FileHistory(registry, store, list(roots), absolute, refresh, report)
