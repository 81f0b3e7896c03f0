"""Search by words and by meaning, merged by rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from gemini.computer.search.found import Found
from gemini.computer.search.grades import CONTENT
from gemini.computer.search.highlight import snippet, split_pieces
from gemini.computer.search.index import Index, Passage
from gemini.computer.search.similarity import Meaning, fuse

# The passages that are compared in all, from the files nearest to the top first.
MOST = 2_000
# Entries of each of the two rankings.
RANKED = 50


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
    passages = list(islice(index.passages(kinds), MOST + 1))
    cut, passages = len(passages) > MOST, passages[:MOST]
    alike = await meaning.compare(text, [each.text for each in passages])
    compared = [(cosine, each) for cosine, each in zip(alike, passages, strict=True) if cosine is not None]
    best: dict[tuple[str, str], Found] = {}
    for cosine, passage in sorted(compared, key=lambda pair: -pair[0]):
        if len(best) == RANKED:
            break
        best.setdefault((passage.kind, passage.key), _find(passage, cosine))
    by_words = {(each.kind, each.key): each for each in index.find(text, kinds, RANKED, any_of_them=True)}
    # A match of words shows them.
    found = {**best, **by_words}
    results = [found[entry] for entry in fuse(by_words, best)[:limit]]
    return FoundByMeaning(results, len(compared), len(passages), cut)


def _find(passage: Passage, cosine: float) -> Found:
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
