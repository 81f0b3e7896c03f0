"""The tools that a run begins with, chosen by the words of its task, and the search for others.

Every declared tool costs every request.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gemini.models.interface.model import ToolRow
from gemini.tools.tool import Tool
from gemini.tools.words import SUBJECTS, stems, weighed

# The characters of the tools in a run's first request, with the controls (docs/agents.md).
MOST_CHARACTERS = 6_000
FOUND_AT_ONCE = 6
FEW = 2
# In every run, as far as they exist: nearly all tasks need the first ones, and many the others.
CORE = ("terminal_execute", "file_read")
MORE_CORE = ("file_write", "file_edit", "file_find", "python_run", "web_search", "web_fetch")
# A word in a tool's name says more than one in its description, or one about its group.
IN_NAME, IN_GROUP, IN_DESCRIPTION = 3.0, 1.5, 1.0


def characters(rows: Iterable[ToolRow]) -> int:
    """Return the length of tools as OpenAI's API gets them, as JSON without spaces."""
    return sum(map(_size, rows))


def _size(row: ToolRow) -> int:
    function = {"name": row.name, "description": row.description, "parameters": row.schema}
    return len(
        json.dumps({"type": "function", "function": function}, ensure_ascii=False, separators=(",", ":"))
    )


def row_of(tool: Tool) -> ToolRow:
    """Return a tool as a model gets it."""
    return ToolRow(tool.declaration.name, tool.declaration.description, tool.input_schema)


def chosen(
    tools: Mapping[str, Tool],
    *,
    task: str,
    room: int,
    first: Collection[str] = (),
    named: Collection[str] = (),
    size: Callable[[Tool], int] = lambda tool: _size(row_of(tool)),
) -> set[str] | None:
    """Return the names of the tools to begin a task with; None if all of them fit.

    Args:
        tools: The tools by name.
        task: The task.
        room: The most characters of the chosen tools.
        first: The names of the tools that come before all others.
        named: The names of tools and groups that were asked for; tools come before groups.
        size: Returns the characters of a tool.
    """
    sizes = {name: size(tool) for name, tool in tools.items()}
    if sum(sizes.values()) <= room:
        return None
    wanted = stems(task)
    needed = [*CORE, *_named(tools, wanted), *_of_groups(tools, wanted), *MORE_CORE]
    # What has an own name was asked for more than the rest of a group.
    asked = [*(name for name in needed if name in named), *(name for name in named if name in tools)]
    rest = [name for group in named for name, tool in tools.items() if tool.declaration.group == group]
    taken = set[str]()
    for name in dict.fromkeys([*first, *asked, *needed, *rest]):
        if name in tools and sizes[name] <= room:
            taken.add(name)
            room -= sizes[name]
    return taken


def _named(tools: Mapping[str, Tool], wanted: set[str]) -> list[str]:
    """Return the names of the tools that a task's words name, by a word that few of the tools have in their names."""
    names = {name: stems(name.replace("_", " ")) for name in tools}
    counts = Counter(stem for each in names.values() for stem in each)
    return [name for name, own in names.items() if any(counts[stem] <= FEW for stem in own & wanted)]


def _of_groups(tools: Mapping[str, Tool], wanted: set[str]) -> list[str]:
    """Return the names of the tools of the groups that a task's words are about, the group with most of them first."""
    scores = {group: len(wanted & stems(words)) for group, words in SUBJECTS.items()}

    def order(name: str) -> tuple[float, bool]:
        declared = tools[name].declaration
        # A script's tools are there because the user wants them used.
        score = scores.get(declared.group, math.inf)
        # The tools that clients with short lists get come first.
        return -score, not declared.lean

    return [name for name in sorted(tools, key=order) if order(name)[0] < 0]


def ranked(tools: Mapping[str, Tool], query: str, uses: Counter[str] | None = None) -> list[str]:
    """Return the names of the tools that fit a text, best first, by words and by how often each was used."""
    return weighed({name: _about(tool) for name, tool in tools.items()}, query, uses or Counter())


def _about(tool: Tool) -> dict[str, float]:
    declared = tool.declaration
    about = dict.fromkeys(stems(declared.description), IN_DESCRIPTION)
    about |= dict.fromkeys(stems(SUBJECTS.get(declared.group, declared.group)), IN_GROUP)
    return about | dict.fromkeys(stems(declared.name.replace("_", " ")), IN_NAME)


def listed(names: Sequence[str], tools: Mapping[str, Tool]) -> list[dict[str, str]]:
    """Return `{name, description}` of each tool."""
    return [{"name": name, "description": tools[name].declaration.description} for name in names]
