"""A control surface for AI agents: terminals, files, browser, agents and tools, in its page or in any Pyodide.

    import gemini
    surface = await gemini.start()
    result = await surface.terminals.get().execute("ls -l")

In the page it has started, and these work at once:

    gemini.terminals        the terminals by id; gemini.create_terminal(), await gemini.run_command("ls -l")
    gemini.file_browser     files: await gemini.file_browser.read_file(path), gemini.find_file("*.py")
    gemini.browser          the tabs and the pages in them
    gemini.agents           agents, their tasks and teams; gemini.schedule, gemini.automations
    gemini.tool             @gemini.tool makes a function a tool of agents
    gemini.display          shows a figure, a table or HTML in the console

They are shortcuts to the running surface. `help(gemini.NAME)` describes one. Other names are loaded on first use.
Every error is a `GeminiError`, and an attribute of this module; `help("gemini.errors")` lists them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gemini.errors import *  # noqa: F403 - each error is an attribute of this module
from gemini.errors import GeminiError, NotStarted

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import ModuleType

    from gemini import agents as agents
    from gemini import automations as automations
    from gemini.automations.schedules.api import schedule
    from gemini.computer.files.browser import FileBrowser
    from gemini.computer.files.info import FileInfo
    from gemini.computer.network.secrets import secret, secret_async, secrets
    from gemini.computer.python.showing import display
    from gemini.computer.python.values import HTML, SVG, Latex, Markdown
    from gemini.computer.shell.linux_machines import Machines
    from gemini.computer.terminal.manager import TerminalManager
    from gemini.computer.terminal.result import CommandResult
    from gemini.computer.terminal.terminal import MapTerminal
    from gemini.kernel.clients import serve
    from gemini.kernel.kernel import Kernel
    from gemini.kernel.surface import Surface, start
    from gemini.pages.tabs.browser import Browser
    from gemini.storage.exchange import Exported, Imported
    from gemini.tools import (
        Effect,
        current_call,
        prompt,
        registry,
        report_message,
        report_progress,
        resource,
        tool,
    )
    from gemini.tools.client import ask_caller, ask_model, ask_roots
    from gemini.tools.content import Audio, Content, Document, Image
    from gemini.tools.resources import Resources

    terminal_manager: TerminalManager
    terminals: dict[str, MapTerminal]
    active_terminal: MapTerminal | None
    file_browser: FileBrowser
    browser: Browser
    linux: Machines
    resources: Resources

# What one uses, the most used first: completion and the documents follow this order. Errors are in `dir(gemini)`.
__all__ = [
    "terminals",
    "active_terminal",
    "create_terminal",
    "run_command",
    "file_browser",
    "list_files",
    "find_file",
    "browser",
    "agents",
    "automations",
    "schedule",
    "tool",
    "secret",
    "secrets",
    "display",
    "ask_caller",
    "ask_model",
    "ask_roots",
    "current_call",
    "export_all",
    "import_all",
    "linux",
    "prompt",
    "registry",
    "report_message",
    "report_progress",
    "resource",
    "resources",
    "secret_async",
    "serve",
    "start",
    "terminal_manager",
    "Audio",
    "CommandResult",
    "Content",
    "Document",
    "Effect",
    "FileBrowser",
    "FileInfo",
    "HTML",
    "Image",
    "Latex",
    "MapTerminal",
    "Markdown",
    "SVG",
    "Surface",
    "TerminalManager",
]

_MODULES = {
    "Audio": "gemini.tools.content",
    "HTML": "gemini.computer.python.values",
    "Latex": "gemini.computer.python.values",
    "Markdown": "gemini.computer.python.values",
    "SVG": "gemini.computer.python.values",
    "display": "gemini.computer.python.showing",
    "CommandResult": "gemini.computer.terminal.result",
    "Content": "gemini.tools.content",
    "Document": "gemini.tools.content",
    "Effect": "gemini.tools",
    "FileBrowser": "gemini.computer.files.browser",
    "FileInfo": "gemini.computer.files.info",
    "Image": "gemini.tools.content",
    "MapTerminal": "gemini.computer.terminal.terminal",
    "TerminalManager": "gemini.computer.terminal.manager",
    "ask_caller": "gemini.tools.client",
    "ask_model": "gemini.tools.client",
    "ask_roots": "gemini.tools.client",
    "current_call": "gemini.tools",
    "prompt": "gemini.tools",
    "registry": "gemini.tools",
    "report_message": "gemini.tools",
    "report_progress": "gemini.tools",
    "schedule": "gemini.automations.schedules.api",
    "secret": "gemini.computer.network.secrets",
    "secret_async": "gemini.computer.network.secrets",
    "secrets": "gemini.computer.network.secrets",
    "resource": "gemini.tools",
    "Surface": "gemini.kernel.surface",
    "serve": "gemini.kernel.clients",
    "start": "gemini.kernel.surface",
    "tool": "gemini.tools",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(_module(_MODULES[name]), name)
    if name in ("agents", "automations", "files"):
        return _module(f"gemini.{name}")
    if name == "terminal_manager":
        return _kernel().terminals
    if name == "terminals":
        return _kernel().terminals.terminals
    if name == "active_terminal":
        return _kernel().terminals.active_terminal
    if name == "file_browser":
        return _kernel().files
    if name == "browser":
        return _kernel().browser
    if name == "linux":
        return _kernel().linux.machines
    if name == "resources":
        return import_module("gemini.tools").registry.resources
    raise AttributeError(f"module 'gemini' has no attribute {name!r}")


def _module(name: str) -> "ModuleType":
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("gemini"):
            raise
        # The published package has what runs outside of the page (builder/wheel_hook.py).
        raise NotStarted(
            "this installation has the companion, not the surface's Python",
            hint="In a Pyodide, install the wheel of `control-surface pyodide-dist DIR`.",
        ) from missing


def __dir__() -> list[str]:
    return [*__all__, *(name for name, value in globals().items() if _is_error(value))]


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, GeminiError)


async def run_command(command: str, terminal_id: str | None = None) -> "CommandResult":
    """Run a shell command in a terminal and return its result. The default is the active terminal."""
    return await _kernel().terminals.run_command(command, terminal_id)


def create_terminal(x: int = 100, y: int = 100, backend: str | None = None) -> "MapTerminal":
    """Open a terminal at (x, y) on the map, in pixels, and return it.

    Raises:
        CapabilityMissing: The backend (`shell`, `linux` or `host`; the first by default) doesn't exist or isn't
            available. `linux:NAME` is a machine of `gemini.linux`.
    """
    return _kernel().terminals.create(x, y, backend=backend)


def list_files(path: str) -> "list[FileInfo]":
    """Return the entries of a directory, directories first, sorted by name."""
    return _kernel().files.list(path)


def find_file(pattern: str, root: str = "/") -> "list[FileInfo]":
    """Return the files below `root` that match a glob: by path if it has a slash, otherwise by name."""
    return _kernel().files.find_files(pattern, root)


def export_all(path: str) -> "Exported":
    """Export all files and the database to one archive, for `import_all` here or elsewhere.

    Raises:
        UsageProblem: The archive would contain itself.
        StorageProblem: The archive can't be written.
        StorageFull: There is no space left.
    """
    return _kernel().archive.export(path)


def import_all(path: str, take: "Collection[str]" = ()) -> "Imported":
    """Replace all files and the database with an export, or change nothing if that fails.

    The current data is exported first. Open terminals continue but are no longer saved; reload the page to open those
    of the export.

    Args:
        path: The archive that `export_all` wrote.
        take: Settings to import as well: "models" (the models, their addresses and instructions) and "tools" (the
            groups that are switched off). Other settings stay as they are.

    Raises:
        FileMissing: There is no file at `path`.
        ArchiveRefused: The file isn't an export, or is incomplete or unsafe; nothing was changed.
        StorageProblem: The export can't be saved; nothing was changed.
        StorageFull: There is no space left; nothing was changed.
    """
    return _kernel().archive.replace(path, take)


def _kernel() -> "Kernel":
    running = _module("gemini.kernel.kernel").kernel
    if running is None:
        raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
    return running
