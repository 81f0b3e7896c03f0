"""The two tools of code mode."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from gemini import tools
from gemini.computer.python.owners import own_python
from gemini.errors import UnknownTool
from gemini.tools import Effect
from gemini.tools.content import Content

if TYPE_CHECKING:
    from gemini.code_mode.code_mode import CodeMode

# Code can do what a terminal can, so the user enables both with one switch.
declare = partial(tools.declare, group="terminals", code=True)
USUAL_S = 300.0
Seconds = Annotated[float, Field(gt=0, le=3600)]


class CodeTools:
    """The tools that run code and find functions.

    Args:
        code_mode: Returns the modules and sessions, which are loaded on first use.
    """

    def __init__(self, code_mode: "Callable[[], CodeMode]") -> None:
        self._code_mode = code_mode

    @declare(effect=Effect.WRITE, untrusted=True)
    async def run(self, code: str, timeout_s: Seconds = USUAL_S) -> Content:
        """Run Python in your session; its names last.

        Modules: files (read(path).content, write(path, content), edit(path, old, new)), terminal
        (execute(command).output), browser (navigate(url or path), snapshot(): lines [e5] button [box] "Save",
        click(ref), type(text, ref), execute_js('return …').result), web, agents, site (pages' tools), mcp (other
        servers); `find` has the rest. No await. You get prints, the last value, pictures. Print little; a file has
        what is cut.
        """
        if own_python.get() is not None:
            raise UnknownTool(
                "an agent with its own Python has no code mode", hint="Use python_run, and the other tools."
            )
        return await self._code_mode().run(code, timeout_s)

    @declare(effect=Effect.READ, untrusted=True)
    async def find(self, query: str = "") -> Content:
        """Find functions for `run` by words or a name, such as "click a button". Without a query, list modules."""
        return Content(await self._code_mode().find(query))
