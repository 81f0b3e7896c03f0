"""The words of a message: the things it names, and those it refers to without a name. English only."""

import re
from collections.abc import Iterable

URL = re.compile(r"https?://\S+|\b(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|example)\b\S*", re.IGNORECASE)
PATH = re.compile(r"(?:~|\.{1,2})?/[\w.~-]+(?:/[\w.~-]+)*/?|\b[\w-]+(?:/[\w.-]+)*\.[A-Za-z]\w{0,5}\b")
QUOTED = re.compile(r"[\"“«‘']([^\"“”«»‘’']{2,80})[\"”»’'](?!\w)|`([^`]+)`")
IDENTIFIER = re.compile(r"\b\w*(?:_\w|[a-z][A-Z])\w*\b|@[\w-]+")
NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w-]+\b")
WORD = re.compile(r"[^\W\d_][\w'’-]*")
CLAUSE = re.compile(r"[.;:?!]\s|,|\b(?:and|then|but|or|so that)\b", re.IGNORECASE)

# Names that many tasks share, whatever they are about.
COMMON = (
    "python javascript typescript java html css json csv xml yaml sql svg pdf gif png markdown git linux english"
    " german french spanish italian japanese chinese todo i web monday tuesday wednesday thursday friday saturday"
    " sunday january february march april may june july august september october november december"
)
COMMON_NAMES = frozenset(COMMON.split())
# Words that are no object of their own.
GRAMMAR = (
    "a an the this that these those my our your its his her their it them they he she we i you me us him one ones both"
    " and or but so then also too now please just only even still again more less most very much many some any all"
    " every each no not never always maybe perhaps here there of in on at by for from with without into onto to as"
    " about over under up down out off back between per than if when while where which who whom whose what why how"
    " is are was were be been being am do does did done have has had can could will would shall should may might must"
    " let lets let's want need like sure ok okay yes thanks thank well first second third last next other same such"
    " i'd i'm it's that's don't doesn't didn't can't isn't aren't"
)
EMPTY = frozenset(GRAMMAR.split())
# Spelled out, since `er` alone would also find "order".
COMPARATIVES = (
    r"(?:more|less|fewer|(?:short|long|simpl|bigg|small|larg|bett|fast|slow|dark|light|wid|narrow|high|low|nic|cheap|new|old|lat|earli"
    r"|clean|clear|soft|loud|strong|tight|warm|cool|bright|easi|hard|clos|furth|deep|thick|thinn|young|quick|friendli|funni|bold"
    r"|plain|dens|neat|rich|fresh|safe|smart|calm|sharp|round|heavi|firm|brief|tall)er)"
)
# Verbs that most tasks begin with, so that two tasks share them by chance.
USUAL = (
    "add analyze analyse build calculate change check clean collect compare compute convert copy count create delete"
    " describe download draft draw edit explain extract fetch find fix generate get give go help install list log look"
    " make move open plan play plot print put read refactor remove rename remind replace run save search see set show"
    " sort start stop summarize summarise take tell test translate try turn update use visit watch work write"
)
VERBS = frozenset(USUAL.split())


def names(text: str) -> set[str]:
    """Return what a text names on its own, in lower case: addresses, paths, quoted words, identifiers and names."""
    found = {match.group().rstrip(".,;:!?)") for match in URL.finditer(text)}
    rest = URL.sub(" ", text)
    found |= {match.group() for match in PATH.finditer(rest)}
    rest = PATH.sub(" ", rest)
    found |= {first or second for first, second in QUOTED.findall(rest)}
    found |= {match.group() for match in IDENTIFIER.finditer(rest)}
    found |= {match.group() for match in NAME.finditer(rest)}
    return {name.casefold() for name in found} - COMMON_NAMES


def stems(found: Iterable[str]) -> set[str]:
    """Return the names of files without folders and endings: `budget` of `data/budget.csv`."""
    return {name.rpartition("/")[2].partition(".")[0] for name in found if PATH.fullmatch(name)} - {""}


def contents(text: str) -> list[str]:
    """Return the words of a text that have a meaning of their own, in lower case and in order."""
    plain = PATH.sub(" ", URL.sub(" ", text))
    words = [word.casefold().replace("’", "'") for word in WORD.findall(plain)]
    return [word for word in words if word not in EMPTY]


def objects(text: str) -> list[str]:
    """Return the content words of a text that aren't usual verbs."""
    return [word for word in contents(text) if word not in VERBS and word not in COMMON_NAMES]


def is_related(word: str, others: Iterable[str]) -> bool:
    """Return whether one of the other words is the same or of the same stem (`summary`, `summarize`)."""
    return any(_same_stem(word, other) for other in others)


def _same_stem(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if longer in (shorter, f"{shorter}s", f"{shorter}es"):
        return True
    same = 0
    while same < len(shorter) and shorter[same] == longer[same]:
        same += 1
    return same >= max(5, len(shorter) - 3) and len(longer) - same <= 5
