"""The tools of the Python console."""

from collections.abc import Callable
from functools import partial

from typing_extensions import TypedDict

from gemini import tools
from gemini.computer.python import own, package_list
from gemini.computer.python.cell_outputs import CellRun
from gemini.computer.python.console import ConsoleResult, PythonConsole
from gemini.computer.python.owners import own_python
from gemini.tools import Effect, current_call
from gemini.tools.registry import PERSON

# Console code can do what a terminal can, so the user enables both with one switch.
declare = partial(tools.declare, group="terminals")


class PackageList(TypedDict):
    """The URL of the lock file in which pip looks first; None for the list that came with the page."""

    address: str | None


class ConsoleTools:
    """The tool that runs code, and the actions of the console panel and of the settings of Python.

    Args:
        console: The console that runs the code.
        save: Saves a setting's value by name.
    """

    def __init__(self, console: PythonConsole, save: Callable[[str, str | None], None]) -> None:
        self._console = console
        self._save = save

    @declare(effect=Effect.WRITE, untrusted=True, action="run_python", lean=True)
    async def python_run(self, code: str) -> ConsoleResult:
        """Run Python in the console's namespace, with `gemini` and top-level await.

        Args:
            code: The value of a last expression is the result.
        """
        if (owner := own_python.get()) is not None:
            return await own.current().run(owner, code)
        call = current_call()
        caller = "script" if call is None else call.caller
        return await self._console.run(code, caller=caller, typed=caller == PERSON)

    @declare(effect=Effect.WRITE, person_only=True, untrusted=True, action="run_cell")
    async def python_cell(self, code: str, cell: str) -> CellRun:
        """Run a notebook's cell in the console's namespace. Return its outputs as the notebook's file stores them.

        Args:
            code: The cell's source.
            cell: The cell's name, which the console's entry has.
        """
        return await self._console.run_cell(code, cell)

    @declare(effect=Effect.READ, person_only=True, untrusted=True, action="stopped_cell")
    async def python_stopped_cell(self, cell: str) -> CellRun:
        """Return the outputs of the cell that ran last and was stopped.

        Args:
            cell: The cell's name.
        """
        return await self._console.stopped_cell(cell)

    @declare(effect=Effect.READ, person_only=True, untrusted=True, action="whole_value")
    def python_whole(self, entry_id: int) -> str:
        """Return the full text of a value that the console shows cut.

        Args:
            entry_id: The id of the console entry.
        """
        return self._console.transcript.full_text(entry_id)

    @declare(person_only=True, action="answer_code")
    def python_answer(self, entry_id: int, line: str | None) -> None:
        """Answer code in the console that reads a line.

        Args:
            entry_id: The id of the console entry.
            line: The line; None ends the input.
        """
        self._console.transcript.answer(entry_id, line)

    @declare(person_only=True, action="clear_console")
    def python_clear(self) -> None:
        """Clear the console's entries. Names and the input history stay."""
        self._console.transcript.clear()

    @declare(effect=Effect.WRITE, person_only=True, untrusted=True, action="install_missing")
    async def python_install(self, entry_id: int) -> None:
        """Install the package that an entry's code failed to import, and run the code again.

        Args:
            entry_id: The id of the console entry.
        """
        await self._console.install_missing(entry_id)

    @declare(person_only=True, action="package_list")
    def python_package_list(self, address: str | None = None) -> PackageList:
        """Return the lock file in which pip looks first, after a change if an address is given.

        Args:
            address: The URL of a lock file of Pyodide's packages; empty for the list that came with the page.
        """
        if address is not None:
            package_list.current.address = package_list.validate(address)
            self._save(package_list.SETTING, package_list.current.address)
        return {"address": package_list.current.address}
