"""The omnibar's search of files, commands, inputs and calls."""

from typing import TYPE_CHECKING

from gemini.computer.search.panel_tools import SearchTools

if TYPE_CHECKING:
    from gemini.computer.search.search import Search
    from gemini.kernel.kernel import Kernel

# Indexing begins after the start and the first calls, with pauses for other work.
FIRST_INDEX_S = 10.0
INDEX_PAUSE_S = 0.02


def setup(kernel: "Kernel") -> None:
    """Register the search."""
    kernel.registry.add_room(SearchTools(lambda: kernel.search, kernel.absolute, lambda: kernel.embeddings))
    kernel.after_start(FIRST_INDEX_S, lambda: kernel.search.refresh(INDEX_PAUSE_S))


def create_search(kernel: "Kernel") -> "Search":
    """Create the search. SQLite is loaded with it."""
    from gemini.computer.search import histories
    from gemini.computer.search.search import Search

    commands = histories.commands(kernel.terminals.terminals.values)
    typed = histories.inputs(lambda: kernel.console.transcript.inputs)
    calls = histories.calls(kernel.registry.log)
    return Search(kernel.roots(), {"command": commands, "python": typed, "call": calls})
