"""The rules by which a message continues a finished run. The first that applies decides; docs/agents.md lists them.

They read only the user's own text: the message, and the tasks of the run. A run's results may hold an
attacker's text, which must not choose the conversation in which a message is answered.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from gemini.agents.continuing.references import refers_back
from gemini.agents.continuing.words import COMPARATIVES, VERBS, contents, is_related, names, objects, stems

FLAGS = re.IGNORECASE
SAYS_NEW = re.compile(
    r"^\W*(?:ok(?:ay)?\W+|now\W+)?(?:(?:a |one |the )?(?:new|next|another|different|separate)"
    r" (?:task|topic|question|subject|thing|project)\b|(?:something|a thing) (?:else|different|new)\b"
    r"|start(?:ing)?"
    r" (?:over|afresh|fresh|from scratch)\b|unrelated\b|change of (?:topic|subject)\b"
    r"|forget (?:everything|all)\b"
    r"|independent(?:ly)? of (?:that|this)\b|separately\b)",
    FLAGS,
)
SAYS_MORE = re.compile(
    r"^\W*(?:please\W+)?(?:continue|go on|go ahead|carry on|keep (?:going|on|it|the|that)|proceed"
    r"|resume|try (?:it )?again|again|retry|redo"
    r"|undo|revert|roll back|and|but|also|so|yes|yep|no|nope|ok|okay|thanks|thank you|great|good|nice"
    r"|perfect|hmm|wait|actually"
    r"|sorry|instead|rather|what about|how about|what if|what else|anything else|same|are you sure"
    r"|how sure)\b(?! is| are)",
    FLAGS,
)
TO_THE_AGENT = re.compile(
    r"^you\b(?! (?:are|can|should|will) )|\byou(?:'ve| have)? (?:just |also )?(?:did|made|wrote|found"
    r"|said|used|use|created|chose|choose|forgot|missed|put|g[ai]ve"
    r"|mentioned|removed|deleted|changed|added|left|skipped|wrote)\b|\b(?:did|didn't|have|haven't"
    r"|were|are|how did|why did)"
    r" you\b|\byour (?:last|previous|first|own|answer|result|summary|list|table|code|script|query"
    r"|draft|plan|text|work"
    r"|solution|version|suggestion|changes?|idea|translation|report)\b",
    FLAGS,
)
AGAIN = re.compile(
    r"\b(?:again|too|as well|instead|as before|like before|as last time)(?=\W*$)|\b(?:again|instead)\b(?! of)"
    r"|\bthe same (?:for|with|in|to|on|thing|way|again|but)\b|\bstill\b|\bas (?:before|above)\b"
    r"|\b(?:previous|earlier|above) \w+",
    FLAGS,
)
RESULT = re.compile(
    r"\b(?:the|all) (?:\w+ )?(?:results?|outputs?|answers?|changes|draft|last (?:step|change|version"
    r"|one|part|sentence|line)"
    r"|(?:first|last|other|next|remaining|top) (?:one|two|three|four|five|ten)|rest"
    r"|others)\b(?! (?:of|from|in|at) )",
    FLAGS,
)
FRAGMENT = re.compile(
    r"^\W*(?:(?:much|a bit|a little|even|in|as|with|without|only|just|not|to|using|sorted|grouped|any"
    r"|tomorrow|today|who|which|where"
    r"|when|how|why|really|another|one|two|three|four|five|ten|some|leave out|use|\d+)\b|(?:more|less"
    rf"|fewer|{COMPARATIVES})\b)",
    FLAGS,
)
COMPARATIVE = re.compile(
    r"^\W*(?:(?:much |a bit |a little |even )?(?:more|less|fewer|shorter|longer|simpler|bigger"
    rf"|smaller)|(?:some|any)thing {COMPARATIVES}|only|without|accept|reject)\b",
    FLAGS,
)
REMARK = re.compile(
    r"^(?:the|there|some|all|nothing|one|two|three|it|this|that) (?:[\w'-]+ ){0,4}?(?:is|are|was|were"
    r"|has|have|had|looks?|should|must|needs?"
    r"|fails?|failed|works?|\w+n't)\b[^?]*$"
    r"|^I (?!want|need|would|wish|like to|am looking|will|have a\b|'d)[^,.;:?]*$",
    FLAGS,
)
EDIT = re.compile(
    r"^(?:please )?(?:change|move|replace|rename|remove|delete|fix|correct|adjust|increase|reduce"
    r"|swap|drop|cut|leave out|include|exclude|mention"
    r"|insert|put|use|keep|shorten|extend) (?:(?:the|this|that|all|both) (?:[\w'-]+ ){0,2}?[\w'-]+"
    r"|[a-z]+ \d+)(?: (?:to|by|with|before|after|below|above|first)\b.*)?\W*$",
    FLAGS,
)
QUESTION = re.compile(r"^\W*(?:who|where|when|which|how|why|what)\W+\w+\W+\w+\W+\w+", FLAGS)
COMPARED = re.compile(
    rf"\b(?:make|keep|set) (?:the )?\w+(?: \w+)? {COMPARATIVES}\b|\btoo (?!much |many )\w+\W*$"
    r"|\b(?:more|less) \w+\W*$",
    FLAGS,
)
OWN = re.compile(r"\b(?:an?|all|every|each|my|our|some|\d[\d,.]*%?)\s+\w+", FLAGS)
DEFINITE = re.compile(r"\b(?:the|that|those|these)\s+((?:[\w'’-]+\s+){0,2}?[\w'’-]+)", FLAGS)
COMPLEMENT = re.compile(
    r"^\s*(?:at|from|of|about|called|named|in|on|for|between|when|that|who|which)\b(.*)", FLAGS | re.DOTALL
)
MOST_CHARS = 2_000
MOST_FRAGMENT = 5
LEAST_WHOLE = 5


class Guess(NamedTuple):
    """An answer whether a message continues a run.

    Attributes:
        continues: The answer.
        why: The reason, for the user.
        sure: Whether a rule decided; otherwise a model may.
    """

    continues: bool
    why: str
    sure: bool = True


def guess(message: str, tasks: Sequence[str]) -> Guess:
    """Return whether a message continues a run.

    Args:
        message: The user's text.
        tasks: The user's tasks of the run and of those that it continues, oldest first.
    """
    text = message[:MOST_CHARS].replace("’", "'").strip()
    for applies, found in RULES:
        if applies(text, tasks):
            return found
    shared = _objects_of(tasks).intersection(objects(text))
    if not shared and not _open_reference(text) and len(text.split()) >= LEAST_WHOLE:
        return Guess(False, "It shares nothing with the last run.")
    return Guess(False, "It may belong to the last run.", sure=False)


def _says_new(text: str, tasks: Sequence[str]) -> bool:
    return SAYS_NEW.search(text) is not None


def _says_more(text: str, tasks: Sequence[str]) -> bool:
    return any(pattern.search(text) for pattern in (SAYS_MORE, TO_THE_AGENT, AGAIN))


def _refers_back(text: str, tasks: Sequence[str]) -> bool:
    return refers_back(text) or RESULT.search(text) is not None


def _names_the_same(text: str, tasks: Sequence[str]) -> bool:
    before = {name for task in tasks for name in names(task)}
    return bool(names(text) & before) or bool(stems(names(text)) & stems(before))


def _means_the_same(text: str, tasks: Sequence[str]) -> bool:
    """Return whether the text has "the report" after a task about a report, and doesn't say which one on its own."""
    before = _objects_of(tasks) | {word for task in tasks for word in contents(task)}
    for match in DEFINITE.finditer(text):
        phrase = [word.casefold() for word in match.group(1).split()]
        if not any(is_related(word, before) for word in phrase if word not in VERBS or word == phrase[0]):
            continue
        complement = COMPLEMENT.match(text[match.end() :])
        own = [] if complement is None else [*names(complement.group(1)), *objects(complement.group(1))]
        if all(is_related(word, before) for word in own):
            return True
    return False


def _is_fragment(text: str, tasks: Sequence[str]) -> bool:
    words = text.split()
    if REMARK.match(text) and not names(text):
        return True
    if COMPARED.search(text) or COMPARATIVE.match(text):
        return True
    if QUESTION.match(text) or names(text) or OWN.search(text):
        return False
    if len(words) <= 2 and text.endswith("?"):
        return True
    return len(words) <= MOST_FRAGMENT and FRAGMENT.match(text) is not None


def _edits(text: str, tasks: Sequence[str]) -> bool:
    return EDIT.match(text) is not None


def _is_whole(text: str, tasks: Sequence[str]) -> bool:
    """Return whether the text names its own object, and nothing in it is of the run."""
    own = bool(names(text)) or OWN.search(text) is not None
    return own and not any(is_related(word, _objects_of(tasks)) for word in objects(text))


def _objects_of(tasks: Sequence[str]) -> set[str]:
    return {word for task in tasks for word in objects(task)}


def _open_reference(text: str) -> bool:
    """Return whether the text has "the …" without saying which one."""
    return any(COMPLEMENT.match(text[match.end() :]) is None for match in DEFINITE.finditer(text))


RULES: Sequence[tuple[Callable[[str, Sequence[str]], bool], Guess]] = (
    (_says_new, Guess(False, "It says that it is something new.")),
    (_says_more, Guess(True, "It says that the last run goes on.")),
    (_refers_back, Guess(True, "It refers to something that it doesn't name.")),
    (_names_the_same, Guess(True, "It names something that the last run is about.")),
    (_means_the_same, Guess(True, "It means something that the last run is about.")),
    (_is_fragment, Guess(True, "It isn't a complete task.")),
    (_edits, Guess(True, "It changes something that it doesn't name.", sure=False)),
    (_is_whole, Guess(False, "It is a complete task.")),
)
