"""make's text functions: words, patterns, file names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

SPACE = " \t\n\r\f\v"


def words(text: str) -> list[str]:
    """Split at ASCII white space."""
    return re.findall(r"[^ \t\n\r\f\v]+", text)


@dataclass(frozen=True)
class Pattern:
    """A word with at most one %, which stands for the stem.

    Attributes:
        prefix: The text before %.
        suffix: The text after %; None if the word has no %.
    """

    prefix: str
    suffix: str | None = None

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Parse a pattern; a backslash escapes %."""
        match = re.search(r"(?<!\\)(?:\\\\)*%", text)
        if match is None:
            return cls(text.replace("\\%", "%"))
        return cls(text[: match.end() - 1].replace("\\%", "%").replace("\\\\", "\\"), text[match.end() :])

    @property
    def text(self) -> str:
        """The pattern as text."""
        return self.prefix if self.suffix is None else f"{self.prefix}%{self.suffix}"

    def stem(self, word: str) -> str | None:
        """Return the stem of a matching word ("" for a pattern without %), or None."""
        if self.suffix is None:
            return "" if word == self.prefix else None
        if len(word) < len(self.prefix) + len(self.suffix):
            return None
        if word.startswith(self.prefix) and word.endswith(self.suffix):
            return word[len(self.prefix) : len(word) - len(self.suffix)]
        return None

    def fill(self, stem: str) -> str:
        """Replace % with `stem`."""
        return self.prefix if self.suffix is None else self.prefix + stem + self.suffix


def patsubst(pattern: str, replacement: str, text: str) -> str:
    """Replace the words that match the pattern."""
    wanted, new = Pattern.of(pattern), Pattern.of(replacement)
    if wanted.suffix is None:
        new = Pattern(replacement)
    changed: list[str] = []
    for word in words(text):
        stem = wanted.stem(word)
        changed.append(word if stem is None else new.fill(stem))
    return " ".join(changed)


def substitute(reference: str, text: str) -> str:
    """Apply the `a=b` of `$(name:a=b)`."""
    old, _, new = reference.partition("=")
    if "%" in old:
        return patsubst(old, new, text)
    return patsubst("%" + old, "%" + new.replace("%", "\\%"), text) if old or new else text


def filtered(patterns: str, text: str, keep: bool) -> str:
    """Keep, or remove, the words that match any of the patterns."""
    wanted = [Pattern.of(pattern) for pattern in words(patterns)]
    return " ".join(word for word in words(text) if any(one.stem(word) is not None for one in wanted) == keep)


def sort(text: str) -> str:
    """Sort the words by their bytes and remove duplicates."""
    return " ".join(sorted(set(words(text)), key=lambda word: word.encode("utf-8", "surrogateescape")))


def directory_part(name: str) -> str:
    """Return a name up to its last slash, or "./"."""
    return name[: name.rfind("/") + 1] or "./"


def file_part(name: str) -> str:
    """Return a name after its last slash."""
    return name[name.rfind("/") + 1 :]


def suffix_of(name: str) -> str:
    """Return a file name's suffix with its dot, or ""."""
    base = file_part(name)
    return base[base.rfind(".") :] if "." in base else ""


def without_suffix(name: str) -> str:
    """Return a name without its suffix."""
    suffix = suffix_of(name)
    return name[: len(name) - len(suffix)] if suffix else name


def _each(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: " ".join(changed for word in words(text) if (changed := change(word)))


def _join(first: str, second: str) -> str:
    left, right = words(first), words(second)
    count = max(len(left), len(right))
    left += [""] * (count - len(left))
    right += [""] * (count - len(right))
    return " ".join(one + other for one, other in zip(left, right, strict=True))


def _number(text: str, place: str, function: str) -> int:
    if not re.fullmatch(r"[0-9]+", text.strip(SPACE)):
        raise ValueError(f"non-numeric {place} argument to '{function}' function: '{text}'")
    return int(text)


def _word(number: str, text: str) -> str:
    index = _number(number, "first", "word")
    if index == 0:
        raise ValueError("first argument to 'word' function must be greater than 0")
    return "".join(words(text)[index - 1 : index])


def _wordlist(first: str, last: str, text: str) -> str:
    start, end = _number(first, "first", "wordlist"), _number(last, "second", "wordlist")
    if start == 0:
        raise ValueError(f"invalid first argument to 'wordlist' function: '{start}'")
    return " ".join(words(text)[start - 1 : end])


@dataclass(frozen=True)
class TextFunction:
    """A text function.

    Attributes:
        count: The number of arguments; the last one may contain commas.
        call: The function of expanded arguments. It raises ValueError with GNU make's message for an invalid one.
    """

    count: int
    call: Callable[[list[str]], str]


def _one(function: Callable[[str], str]) -> TextFunction:
    return TextFunction(1, lambda given: function(given[0]))


def _two(function: Callable[[str, str], str]) -> TextFunction:
    return TextFunction(2, lambda given: function(given[0], given[1]))


def _three(function: Callable[[str, str, str], str]) -> TextFunction:
    return TextFunction(3, lambda given: function(given[0], given[1], given[2]))


FUNCTIONS = {
    "subst": _three(lambda old, new, text: text.replace(old, new) if old else text + new),
    "patsubst": _three(patsubst),
    "strip": _one(lambda text: " ".join(words(text))),
    "findstring": _two(lambda wanted, text: wanted if wanted in text else ""),
    "filter": _two(lambda patterns, text: filtered(patterns, text, keep=True)),
    "filter-out": _two(lambda patterns, text: filtered(patterns, text, keep=False)),
    "sort": _one(sort),
    "word": _two(_word),
    "wordlist": _three(_wordlist),
    "words": _one(lambda text: str(len(words(text)))),
    "firstword": _one(lambda text: "".join(words(text)[:1])),
    "lastword": _one(lambda text: "".join(words(text)[-1:])),
    "dir": _one(_each(directory_part)),
    "notdir": _one(_each(file_part)),
    "suffix": _one(_each(suffix_of)),
    "basename": _one(_each(without_suffix)),
    "addsuffix": _two(lambda suffix, text: " ".join(word + suffix for word in words(text))),
    "addprefix": _two(lambda prefix, text: " ".join(prefix + word for word in words(text))),
    "join": _two(_join),
}
