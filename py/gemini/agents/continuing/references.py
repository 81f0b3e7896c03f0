"""Pronouns in a message whose meaning isn't in the message itself."""

import re

from gemini.agents.continuing.words import CLAUSE, COMPARATIVES, contents, names

FLAGS = re.IGNORECASE
PRONOUN = re.compile(r"\b(?:it|its|them|their|theirs|they|those|these|that|this|both|ones?|there)\b", FLAGS)
POSSESSIVE = frozenset({"its", "their", "theirs"})
# "Is it raining", "how long does it take": `it` means nothing.
EMPTY_IT = re.compile(
    r"\b(?:what (?:time|day|date|year) is it|what's it like|(?:is|was|will) it (?:be )?(?:\w+ing|cold"
    r"|hot|warm|sunny|windy|dark|possible"
    r"|true|safe|legal|allowed|better|worth|necessary|easy|hard|normal|common|in|from|to)\b|(?:does"
    r"|do|did|will|would) it"
    r" (?:take|cost|rain|snow|matter)|it (?:is|was|will be|rains|snows|takes|seems|looks like)"
    r" (?:\w+ing|cold|hot|warm|possible|true|safe|better|worth|necessary|that|raining))\b(?! (?:off"
    r"|on|up|out)\b)",
    FLAGS,
)
# "Check that …": a clause follows. "This week", "this page": it says what it means.
CLAUSE_VERBS = re.compile(
    r"\b(?:sure|check|ensure|verify|confirm|say|says|tell|know|see|think|show|prove|remember|remind|hope|mean"
    r"|explain|argue|assume|suppose|so|such|find|note|\w+s) +$",
    FLAGS,
)
HERE = re.compile(
    r"(?: *:| +(?:week|month|year|morning|afternoon|evening|weekend|time|page|tab|site|website|folder"
    r"|directory|repo|repository"
    r"|project|machine|computer|browser|is|link|url|address|sentence|text|word|poem|code|error)\b)",
    FLAGS,
)
# What comes after a `that` that stands for something.
ALONE = re.compile(
    r"(?: *[.,;!?)]| *$| +(?:in|into|to|as|with|for|on|onto|from|by|and|or|but|again|too|instead|now"
    r"|please|up|out|down|back|is|was"
    r"|one|mean|means|work|works|because|before|after|when|if|using|without)\b)",
    FLAGS,
)
ONE = re.compile(
    r"\b(?:which|another|the (?:\w+ )?(?:first|second|third|last|next|other|same|best|cheapest"
    r"|\w+est)|first|second|third|last|next|other|this|that|the"
    rf"|an? {COMPARATIVES}|a (?:\w+ )?(?:better|different|new)|any \w+|the \w+|{COMPARATIVES}) +$",
    FLAGS,
)
PLACE = re.compile(r"\b(?:in|from|over|out|everything|else|anything|stored|up) +$", FLAGS)


def refers_back(text: str) -> bool:
    """Return whether a message has a pronoun for something that it doesn't name itself."""
    plain = EMPTY_IT.sub(" ", text)
    return any(_stands_for_something(plain, match) for match in PRONOUN.finditer(plain))


def _stands_for_something(text: str, match: re.Match[str]) -> bool:
    word, before, after = match.group().casefold(), text[: match.start()], text[match.end() :]
    if word == "that" and not _is_demonstrative(before, after):
        return False
    if word in ("this", "these") and HERE.match(after):
        return False
    if word in ("one", "ones") and not ONE.search(before):
        return False
    if word == "there" and not PLACE.search(before):
        return False
    if word in ("both", "this") and re.match(r" +\w+ and ", after):
        return False
    return not _has_antecedent(word, before)


def _is_demonstrative(before: str, after: str) -> bool:
    """Return whether `that` stands for something, or before a noun, instead of beginning a clause."""
    if ALONE.match(after):
        return True
    # After a noun it begins a relative clause, after some verbs a clause.
    return (
        not CLAUSE_VERBS.search(before)
        and len(contents(CLAUSE.split(before)[-1])) <= 1
        and bool(before.strip())
    )


def _has_antecedent(word: str, before: str) -> bool:
    """Return whether an earlier clause of the message has something that a pronoun may mean.

    In its own clause, only a possessive can: "Add tests for it" doesn't mean the tests.
    """
    clauses = CLAUSE.split(before)
    earlier = clauses if word in POSSESSIVE or word in ("one", "ones") else clauses[:-1]
    return any(len(contents(clause)) >= 2 or names(clause) or re.search(r"\d", clause) for clause in earlier)
