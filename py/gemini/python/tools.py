"""The tools of the Python console."""

from functools import partial

from gemini import tools
from gemini.python.console import ConsoleResult, PythonConsole
from gemini.tools import Effect, current_call
from gemini.tools.registry import PERSON

# A script in the console reaches what a terminal does, so the person switches them together.
declare = partial(tools.declare, group="terminals")


class ConsoleTools:
    """Runs code, and serves the console's panel."""

    def __init__(self, console: PythonConsole) -> None:
        self._console = console

    @declare(effect=Effect.WRITE, untrusted=True, action="run_python")
    async def python_run(self, code: str) -> ConsoleResult:
        """Run Python in the console's namespace, where `gemini` is at hand. Top-level await works.

        Args:
            code: The value of a last expression is the result.
        """
        call = current_call()
        caller = "script" if call is None else call.caller
        return await self._console.run(code, caller=caller, typed=caller == PERSON)

    @declare(effect=Effect.READ, person_only=True, untrusted=True, action="whole_value")
    def python_whole(self, entry_id: int) -> str:
        """Give all of a value's text, of which the console shows a part.

        Args:
            entry_id: Of the console's.
        """
        return self._console.transcript.whole(entry_id)

    @declare(person_only=True, action="clear_console")
    def python_clear(self) -> None:
        """Forget what the console shows; names and what was typed stay."""
        self._console.transcript.clear()
