"""Cuts Markdown to a number of characters: the passages that fit an instruction stay, in their order.

Passages are ranked by the instruction's words, rarer ones first (inverse document frequency, Spärck Jones 1972).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

LEFT_OUT = "[…]"
GAP = "\n\n"
# A mark of omission can stand on each side of a passage.
MARKS = 2 * (len(LEFT_OUT) + len(GAP))
WORD = re.compile(r"\w{3,}")
# Words that begin alike are forms of one word.
STEM = 5


def cut(markdown: str, most: int, instruction: str = "") -> tuple[str, bool]:
    """Return at most `most` characters of a text, and whether it was cut.

    Args:
        markdown: The text.
        most: The number of characters, at least 100.
        instruction: The information to look for; without one, the start stays.
    """
    if len(markdown) <= most:
        return markdown, False
    passages = _passages(markdown, most // 4)
    left, chosen = most - MARKS, set[int]()
    for index in _by_relevance(passages, _stems(instruction)):
        size = len(passages[index]) + len(GAP) + MARKS
        if size <= left:
            chosen.add(index)
            left -= size
    parts: list[str] = []
    for index, passage in enumerate(passages):
        if index in chosen:
            parts.append(passage)
        elif not parts or parts[-1] != LEFT_OUT:
            parts.append(LEFT_OUT)
    return GAP.join(parts)[:most], True


def _passages(markdown: str, longest: int) -> list[str]:
    """Split a text into paragraphs, and longer ones into pieces that fit."""
    pieces: list[str] = []
    for paragraph in re.split(r"\n{2,}", markdown):
        pieces += [paragraph[at : at + longest] for at in range(0, len(paragraph), longest)]
    return pieces


def _by_relevance(passages: Sequence[str], wanted: set[str]) -> list[int]:
    found = [wanted & _stems(passage) for passage in passages]
    weight = {
        stem: math.log(1 + len(passages) / max(1, sum(stem in each for each in found))) for stem in wanted
    }
    scores = [sum(weight[stem] for stem in each) for each in found]
    return sorted(range(len(passages)), key=lambda index: (-scores[index], index))


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in WORD.findall(text.lower())}
