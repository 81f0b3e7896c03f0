"""The tools that a run begins with, chosen by the words of its task, and the search for others.

Every declared tool costs every request. Words are compared without their endings, and rarer ones count more (inverse
document frequency, Spärck Jones 1972).
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gemini.models.interface.model import ToolRow
from gemini.tools.tool import Tool

# The characters of the tools in a run's first request, with the controls (docs/agents.md).
MOST_CHARACTERS = 6_000
FOUND_AT_ONCE = 6
FEW = 2
# In every run, as far as they exist: nearly all tasks need the first ones, and many the others.
CORE = ("terminal_execute", "file_read")
MORE_CORE = ("file_write", "file_edit", "file_find", "python_run", "web_search", "web_fetch")
# Words of tasks that a group of tools is for.
SUBJECTS = {
    "dom": "browser page website site tab url http www com click button link form field login log navigate open scroll"
    " screenshot look shop order book drag select type",
    "dom_extra": "form field fill table row column upload dialog alert",
    "files": "file folder directory path document rename history restore version undo csv json markdown",
    "terminals": "run command terminal shell bash git commit install pip script program test build process server"
    " compile fix bug code",
    "web": "search web internet online news latest current research source article compare price website weather today"
    " url http www",
    "agents": "agent delegate parallel",
    "personal": "share mail email message sms draft clipboard copy location photo picture send"
    " calendar event appointment meeting contact address phone birthday reminder sync",
    "eyes": "screen picture image photo see look window desktop monitor watch tap",
    "schedules": "schedule every daily weekly monthly hourly cron remind later tomorrow morning evening",
    "automations": "automation automate automatic repeat again macro routine",
}
WORD = re.compile(r"[a-z0-9]{3,}")
COMMON = frozenset(
    [
        "and", "any", "are", "but", "can", "for", "from", "get", "give", "had", "has", "have", "her", "here", "him",
        "his", "how", "into", "its", "let", "make", "more", "most", "new", "not", "now", "off", "one", "other", "our",
        "out", "over", "per", "please", "show", "some", "take", "than", "that", "the", "their", "them", "then",
        "there", "these", "they", "this", "those", "use", "user", "using", "was", "were", "what", "when", "where",
        "which", "who", "why", "will", "with", "you", "your",
    ]
)  # fmt: skip
# Words that stand in no description, and one that does.
SYNONYMS = {
    "picture": "screenshot", "image": "screenshot", "photo": "screenshot", "stop": "interrupt", "kill": "interrupt",
    "undo": "restore", "revert": "restore", "keyboard": "key", "internet": "web", "google": "search",
}  # fmt: skip
# Forms of one word differ in these endings, and in a doubled consonant before them.
ENDING = re.compile(r"(?<=\w{3})(ing|ed|es|s|e)$")
DOUBLED = re.compile(r"([bdgmnprt])\1$")
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


def ranked(tools: Mapping[str, Tool], query: str) -> list[str]:
    """Return the names of the tools that fit a text, best first."""
    wanted = stems(query)
    about = {name: _about(tool) for name, tool in tools.items()}
    weights = {
        stem: math.log(1 + len(tools) / max(1, sum(stem in each for each in about.values())))
        for stem in wanted
    }
    scores = {
        name: sum(weights[stem] * each.get(stem, 0.0) for stem in wanted) for name, each in about.items()
    }
    return sorted((name for name in tools if scores[name] > 0), key=lambda name: -scores[name])


def _about(tool: Tool) -> dict[str, float]:
    declared = tool.declaration
    about = dict.fromkeys(stems(declared.description), IN_DESCRIPTION)
    about |= dict.fromkeys(stems(SUBJECTS.get(declared.group, declared.group)), IN_GROUP)
    return about | dict.fromkeys(stems(declared.name.replace("_", " ")), IN_NAME)


def stems(text: str) -> set[str]:
    """Return the words of a text, without their endings and without those that are in every text."""
    words = set(WORD.findall(text.lower())) - COMMON
    words |= {SYNONYMS[word] for word in words & SYNONYMS.keys()}
    return {DOUBLED.sub(r"\1", ENDING.sub("", word)) for word in words}


def listed(names: Sequence[str], tools: Mapping[str, Tool]) -> list[dict[str, str]]:
    """Return `{name, description}` of each tool."""
    return [{"name": name, "description": tools[name].declaration.description} for name in names]
