"""Find a phrase among the words that were read in a picture."""

import re
from collections.abc import Iterator

from gemini.pages.vision.reading import Line, Reading, Word

# A press needs surer words than a reader.
SURE = 60
QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
EDGES = re.compile(r"^\W+|\W+$")


def place_of(description: str, reading: Reading) -> tuple[float, float] | None:
    """Return the center of the only place that has a description's words, in pixels; None if none or several have them.

    A line that is the phrase comes before a line that contains it. Of a description with a quoted part, such as the
    button "Start", that part is the phrase.
    """
    quoted = QUOTED.findall(description)
    phrase = _plain((quoted[0] if len(quoted) == 1 else description).split())
    if not phrase:
        return None
    found = [words for line in reading["lines"] for words in _matches(line, phrase)]
    whole = [words for words, is_line in found if is_line]
    places = whole or [words for words, _ in found]
    return _center(places[0]) if len(places) == 1 else None


def _matches(line: Line, phrase: list[str]) -> Iterator[tuple[list[Word], bool]]:
    words = [word for word in line.get("words", []) if _plain([word["text"]])]
    plain = _plain([word["text"] for word in words])
    for start in range(len(words) - len(phrase) + 1):
        part = words[start : start + len(phrase)]
        if plain[start : start + len(phrase)] == phrase and min(word["confidence"] for word in part) >= SURE:
            yield part, len(plain) == len(phrase)


def _plain(words: list[str]) -> list[str]:
    return [plain for word in words if (plain := EDGES.sub("", word).casefold())]


def _center(words: list[Word]) -> tuple[float, float]:
    left, top = min(word["x"] for word in words), min(word["y"] for word in words)
    right = max(word["x"] + word["width"] for word in words)
    bottom = max(word["y"] + word["height"] for word in words)
    return (left + right) / 2, (top + bottom) / 2
