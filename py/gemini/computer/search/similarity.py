"""The interface for comparing passages by meaning, and the merging of ranked lists."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item", bound=Hashable)
# The constant of the paper below.
RANK_CONSTANT = 60


class Meaning(Protocol):
    """Compares passages by meaning. A room above implements it with embeddings of a provider or of the device."""

    @property
    def is_on(self) -> bool:
        """True if the user has chosen a model for embeddings."""
        ...

    @property
    def is_local(self) -> bool:
        """True if the chosen model is on the device, so that reading costs nothing and no text leaves."""
        ...

    @property
    def longest(self) -> int:
        """The characters that a passage may have, so that the model reads all of it."""
        ...

    def grant(self, caller: str, ticket: str | None) -> None:
        """Use a ticket that the user has just granted for a caller's comparisons."""
        ...

    async def compare(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """Return how similar each text is to the query, from -1 to 1; None for passages that later calls read.

        Raises:
            ModelProblem: The model can't be used.
        """
        ...

    def unread(self, texts: Sequence[str]) -> list[str]:
        """Return the texts, each once, that were never read."""
        ...

    async def read(self, texts: Sequence[str]) -> None:
        """Compute and save what is needed to compare some texts. Raises GeminiError."""
        ...


def fuse(*rankings: Iterable[Item]) -> list[Item]:
    """Merge ranked lists, best first, by reciprocal rank fusion.

    Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
    SIGIR 2009, https://doi.org/10.1145/1571941.1572114.

    Args:
        rankings: The lists, each best first and without duplicates.
    """
    scores: dict[Item, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(scores, key=lambda item: -scores[item])
