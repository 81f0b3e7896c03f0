"""The omnibar's search of files, commands, inputs and calls."""

from functools import cache, partial
from typing import TYPE_CHECKING

from gemini.computer.search.panel_tools import KINDS_BY_MEANING, SearchTools

if TYPE_CHECKING:
    from gemini.computer.search.reading import Reading
    from gemini.computer.search.search import Search
    from gemini.kernel.kernel import Kernel

# Indexing begins after the start and the first calls, with pauses for other work.
FIRST_INDEX_S = 10.0
INDEX_PAUSE_S = 0.02


def setup(kernel: "Kernel") -> None:
    """Register the search. The reading begins when its model is chosen, and after each start."""
    reading = cache(partial(create_reading, kernel))
    tools = SearchTools(lambda: kernel.search, kernel.absolute, lambda: kernel.embeddings, reading)
    kernel.registry.add_room(tools)
    kernel.models.on_embedding = lambda: reading().begin()

    def index() -> object:
        indexing = kernel.search.refresh(INDEX_PAUSE_S)
        return reading().begin() if kernel.models.is_on_device else indexing

    kernel.after_start(FIRST_INDEX_S, index)


def create_reading(kernel: "Kernel") -> "Reading":
    """Create the reading of passages for a model on the device."""
    from gemini.computer.search.reading import Reading

    async def passages(length: int) -> list[str]:
        return await kernel.search.passages(KINDS_BY_MEANING, length)

    return Reading(passages, lambda: kernel.embeddings, kernel.models.set_reading)


def create_search(kernel: "Kernel") -> "Search":
    """Create the search. SQLite is loaded with it."""
    from gemini.computer.search import histories
    from gemini.computer.search.search import Search

    commands = histories.commands(kernel.terminals.terminals.values)
    typed = histories.inputs(lambda: kernel.console.transcript.inputs)
    calls = histories.calls(kernel.registry.log)
    return Search(kernel.roots(), {"command": commands, "python": typed, "call": calls})
