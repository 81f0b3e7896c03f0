"""The Python console, and the interpreters that agents have for themselves."""

from functools import cache, partial
from typing import TYPE_CHECKING

from gemini.computer.python import environment, own, package_list
from gemini.computer.python.console import PythonConsole
from gemini.computer.python.tools import ConsoleTools
from gemini.computer.python.transcript import Transcript
from gemini.computer.shell.children import ConsolePrograms
from gemini.computer.shell.embedded import ENVIRONMENT

if TYPE_CHECKING:
    from gemini.computer.python.own.interpreters import Interpreters
    from gemini.kernel.kernel import Kernel, Saved

INPUTS = "console_inputs"
"""The setting with the input history of the Python console."""
ENTRIES = "console_entries"
"""The setting with the last entries of the console."""


def setup(kernel: "Kernel") -> None:
    """Create the console, whose code can start the shell's programs."""
    programs = ConsolePrograms(partial(kernel.shell.open_programs, kernel.home))
    # As in a terminal, so that programs are found.
    env = {
        **environment.inherited(),
        **ENVIRONMENT,
        "MPLBACKEND": "module://gemini.computer.python.matplotlib_backend",
    }
    transcript = Transcript(kernel.events, partial(kernel.save, INPUTS), partial(kernel.save, ENTRIES))
    kernel.console = PythonConsole(kernel.home, env, transcript, programs)
    kernel.registry.add_room(ConsoleTools(kernel.console, kernel.save))
    own.provide(cache(partial(_create_interpreters, kernel.home)))

    def restore(saved: "Saved") -> None:
        transcript.restore(saved.settings.get(INPUTS), saved.settings.get(ENTRIES))
        package_list.current.address = saved.settings.get(package_list.SETTING)

    kernel.on_restore(restore)


def _create_interpreters(home: str) -> "Interpreters":
    from gemini.computer.python.own.interpreters import Interpreters

    return Interpreters(home, ENVIRONMENT)
