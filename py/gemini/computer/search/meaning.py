"""Search by words and by meaning, merged by rank."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from gemini.computer.search.found import Found
from gemini.computer.search.grades import CONTENT
from gemini.computer.search.highlight import snippet, split_pieces
from gemini.computer.search.index import Index, Passage
from gemini.computer.search.similarity import Meaning, fuse

# The passages that are compared in all, from the files nearest to the top first.
MOST = 2_000
# Entries of each of the two rankings.
RANKED = 50
# Files of keys and passwords, by their names. They may lie anywhere, and a provider's model would get their text.
SECRET_NAMES = re.compile(
    r"id_(rsa|dsa|ecdsa|ed25519)|credentials?|secrets?|passwords?"
    r"|(credentials?|secrets?|passwords?|service[-_]account)\.(json|ya?ml|toml|ini|txt|csv)"
    r"|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|gpg|ppk|env)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class FoundByMeaning:
    """The results, best first. `read` of the `passages` have been compared; later searches read the others.

    If `cut`, there is more text than is compared.
    """

    results: list[Found]
    read: int
    passages: int
    cut: bool


async def find_by_meaning(
    index: Index, meaning: Meaning, text: str, kinds: Sequence[str], limit: int
) -> FoundByMeaning:
    """Return the entries that share words with a text, or mean the same.

    Raises:
        ModelProblem: The model for embeddings can't be used.
    """
    passages = list(islice(readable(index, kinds, meaning.longest), MOST + 1))
    cut, passages = len(passages) > MOST, passages[:MOST]
    alike = await meaning.compare(text, [each.text for each in passages])
    compared = [(cosine, each) for cosine, each in zip(alike, passages, strict=True) if cosine is not None]
    best: dict[tuple[str, str], Found] = {}
    for cosine, passage in sorted(compared, key=lambda pair: -pair[0]):
        if len(best) == RANKED:
            break
        best.setdefault((passage.kind, passage.key), _found(passage, cosine))
    by_words = {(each.kind, each.key): each for each in index.find(text, kinds, RANKED, any_of_them=True)}
    # The passage that means the same is more often the one that was asked for than the line with the most words
    # (docs/search.md).
    found = {**by_words, **best}
    results = [found[entry] for entry in fuse(by_words, best)[:limit]]
    return FoundByMeaning(results, len(compared), len(passages), cut)


def readable(index: Index, kinds: Sequence[str], length: int) -> Iterator[Passage]:
    """Yield the passages that a model may read: all but those of hidden files and of files of keys and passwords.

    Their words still find them.
    """
    return (
        each for each in index.passages(kinds, length) if each.kind != "file" or not is_private(each.name)
    )


def is_private(path: str) -> bool:
    """Return whether a file, by its path below a root, is hidden or for keys and passwords."""
    parts = PurePath(path).parts
    return any(part.startswith(".") for part in parts) or bool(parts and SECRET_NAMES.fullmatch(parts[-1]))


def _found(passage: Passage, cosine: float) -> Found:
    lines = passage.text.split("\n")
    # Rules and front matter begin with lines that say nothing.
    filled = [number for number, line in enumerate(lines) if line.strip()]
    first = next((number for number in filled if any(map(str.isalnum, lines[number]))), filled[0])
    return Found(
        passage.kind,
        passage.key,
        passage.about,
        split_pieces(passage.name),
        passage.line + first,
        snippet(lines[first]),
        cosine,
        CONTENT,
    )
