"""The words of tools, for searches: without their endings, and rarer ones count more.

The weight is the inverse document frequency (Spärck Jones 1972).
"""

import math
import re
from collections import Counter
from collections.abc import Mapping

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
    "mcp": "mcp server servers connector github gitlab jira slack notion database sqlite postgres",
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
# What one use counts, compared with a word.
OF_USE = 0.3


def weighed(about: Mapping[str, Mapping[str, float]], query: str, uses: Counter[str]) -> list[str]:
    """Return the names that fit a query, best first.

    Args:
        about: The weight of each word by name.
        query: Any text.
        uses: How often each name was used, which decides between similar ones.
    """
    wanted = stems(query)
    weights = {
        stem: math.log(1 + len(about) / max(1, sum(stem in each for each in about.values())))
        for stem in wanted
    }
    scores = {
        name: sum(weights[stem] * each.get(stem, 0.0) for stem in wanted) for name, each in about.items()
    }
    fitting = [name for name in about if scores[name] > 0]
    return sorted(fitting, key=lambda name: -scores[name] - OF_USE * math.log1p(uses[name]))


def stems(text: str) -> set[str]:
    """Return the words of a text, without their endings and without those that are in every text."""
    words = set(WORD.findall(text.lower())) - COMMON
    words |= {SYNONYMS[word] for word in words & SYNONYMS.keys()}
    return {DOUBLED.sub(r"\1", ENDING.sub("", word)) for word in words}
