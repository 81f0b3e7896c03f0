"""The terminals, their tools, and their connections to the page."""

from functools import partial
from typing import TYPE_CHECKING

from gemini.computer.files.paths import require_directory, resolve
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.panel_tools import PanelTerminalTools
from gemini.computer.terminal.ports import TerminalPorts
from gemini.computer.terminal.tools import TerminalTools

if TYPE_CHECKING:
    from gemini.computer.terminal.machines import MachineTerminals
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the terminals, which are saved before each answer."""
    kernel.terminals = terminals = TerminalManager(
        {"shell": kernel.shell, "linux": kernel.linux, "host": kernel.host},
        kernel.events,
        _directory,
        kernel.home,
        named=kernel.linux.named,
    )
    kernel.linux.terminals = partial(_terminals_of_machines, terminals)
    _add_tools(kernel)
    kernel.ports = TerminalPorts(terminals, kernel.registry.writers.person_acts)
    terminals.on_close = kernel.ports.detach
    kernel.registry.before_answer(terminals.save)
    kernel.on_restore(lambda saved: terminals.restore(kernel.store.terminals, bare=saved.bare))


def _add_tools(kernel: "Kernel") -> None:
    def find(pattern: str) -> list[str]:
        return kernel.files.find_paths(pattern, kernel.home)

    def show(paths: list[str]) -> None:
        kernel.opened.open_found(paths)

    kernel.registry.add_room(TerminalTools(kernel.terminals, find, show))
    kernel.registry.add_room(PanelTerminalTools(kernel.terminals, kernel.host))


def _directory(path: str, of: str) -> str:
    return require_directory(resolve(path, of))


def _terminals_of_machines(terminals: TerminalManager) -> "MachineTerminals":
    from gemini.computer.terminal.machines import MachineTerminals

    return MachineTerminals(terminals)
