"""Comparing passages by meaning: by the cosine of their embeddings, which the chosen model computes once."""

from __future__ import annotations

import asyncio
import hashlib
import math
import operator
import struct
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, cast
from weakref import WeakSet

from gemini.errors import ModelMissing, ModelRefused, ModelUnavailable, TicketRefused
from gemini.models.interface.tickets import Tickets, current_tickets, has_tickets, use_tickets
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.packages import load_packages
from gemini.tools.calls import acting_call

if TYPE_CHECKING:
    from gemini.models.interface.usage import Usage
    from gemini.storage.embeddings import EmbeddingStore

# Passages in a request; Google takes 100.
BATCH = 96
# Requests of one comparison. The rest is read by the next, so that each answers soon.
BATCHES = 6
# Longer passages are cut: small models read 512 tokens.
LONGEST = 2_000
# Of a passage of files; 512 tokens.
PASSAGE = 1_500
ATTEMPTS = 3
# A longer wait fails with the provider's error.
MAX_WAIT_S = 60.0
PURPOSE = "comparing texts by meaning"
OFF = "No model for embeddings is chosen."
# Cosines between pauses, so that other work can run: a few milliseconds of the page's Python.
SLICE = 25
PAUSE_S = 0.001


class Model(Protocol):
    """A model for embeddings: a provider's (`Embedder`), or the device's.

    Attributes:
        id: The name that its vectors are saved under.
        name: Its name.
        is_local: Whether it is on the device.
        longest: The characters of a passage.
        batch: The passages in a request.
        most: The passages that one comparison reads at most.
        within_s: The seconds after which a comparison makes no further request.
    """

    id: str
    name: str
    is_local: bool
    longest: int
    batch: int
    most: int
    within_s: float

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """Return the embedding of each text, and the usage. Raises ModelProblem."""
        ...


class Embedder:
    """A provider's model for embeddings.

    Args:
        id: The name that its vectors are saved under.
        name: The provider's name for the model.
        endpoint: Returns the endpoint for each request.
    """

    is_local = False
    longest = PASSAGE
    batch = BATCH
    most = BATCH * BATCHES
    within_s = math.inf

    def __init__(self, id: str, name: str, endpoint: Callable[[], Awaitable[Endpoint]]) -> None:
        self.id = id
        self.name = name
        self._endpoint = endpoint
        # Of those, the user has refused to let it be asked.
        self._refused: WeakSet[Tickets] = WeakSet()

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """Return the embedding of each text, and the usage.

        Raises:
            ModelProblem: The model can't be asked, or the user refused it to this run or chat before.
        """
        if current_tickets() in self._refused:
            raise ModelRefused(f"{self.id} was refused before")
        for attempt in range(1, ATTEMPTS + 1):
            endpoint = await self._connect()
            await load_packages(endpoint.api)
            from gemini.models.providers.wire.embedding import embed

            try:
                return await embed(endpoint, self.name, texts)
            except TicketRefused as problem:
                if attempt > 1 or endpoint.ticket is None:
                    raise
                # It is used up: ask the user for another one.
                current_tickets().discard(endpoint.ticket, problem)
            except ModelUnavailable as problem:
                wait_s = _wait(problem, attempt)
                if attempt == ATTEMPTS or wait_s > MAX_WAIT_S:
                    raise
                await asyncio.sleep(wait_s)
        raise ModelUnavailable(f"{self.id} can't answer now")

    async def _connect(self) -> Endpoint:
        try:
            return await self._endpoint()
        except ModelRefused:
            self._refused.add(current_tickets())
            raise


def _wait(problem: ModelUnavailable, attempt: int) -> float:
    facts: Any = problem.data
    data = cast("dict[str, Any]", facts) if isinstance(facts, dict) else {}
    return float(data.get("retry_after_s") or attempt)


class Embeddings:
    """Compares passages by meaning; `gemini.computer.search.similarity.Meaning` is its interface.

    Args:
        model: Returns the chosen model; None if there is none.
        store: Returns the saved vectors. It loads SQLite on first use.
        pay: Counts the usage of a model for the run that calls.
    """

    def __init__(
        self,
        model: Callable[[], Model | None],
        store: Callable[[], EmbeddingStore],
        pay: Callable[[str, Usage], None],
    ) -> None:
        self._model = model
        self._store = store
        self._pay = pay
        # Of callers outside of runs and chats.
        self._tickets: dict[str, Tickets] = {}
        # Comparisons at the same time would pay twice for the same passages.
        self._lock = asyncio.Lock()

    @property
    def is_on(self) -> bool:
        """True if the user has chosen a model for embeddings."""
        return self._model() is not None

    @property
    def is_local(self) -> bool:
        """True if the chosen model is on the device."""
        model = self._model()
        return model is not None and model.is_local

    @property
    def longest(self) -> int:
        """The characters that a passage may have, so that the model reads all of it."""
        model = self._model()
        return PASSAGE if model is None else model.longest

    def unread(self, texts: Sequence[str]) -> list[str]:
        """Return the texts, each once, whose vectors aren't saved."""
        model = self._require()
        hashes = {_hash(text): text for text in texts}
        known = self._store().find(model.id, list(hashes))
        return [text for key, text in hashes.items() if key not in known]

    async def read(self, texts: Sequence[str]) -> None:
        """Compute and save the vectors of texts.

        Raises:
            ModelMissing: No model for embeddings is chosen.
            ModelProblem: The model can't be used.
            StorageProblem: The vectors can't be saved.
        """
        model = self._require()
        async with self._lock:
            await self._vectors(model, texts)

    def _require(self) -> Model:
        model = self._model()
        if model is None:
            raise ModelMissing(OFF, hint="The user chooses one in Settings, under Language models.")
        return model

    def grant(self, caller: str, ticket: str | None) -> None:
        """Use a ticket that the user has just granted for a caller's comparisons."""
        self._tickets_of(caller).add(ticket)

    async def compare(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """Return the cosine of each text with the query; None for passages that later calls read.

        The model reads the query and the first of the passages, as many as its limits allow; vectors from earlier calls
        are saved.

        Raises:
            ModelMissing: No model for embeddings is chosen.
            ModelProblem: The model can't be used.
        """
        model = self._require()
        call = acting_call()
        caller = "" if call is None else call.caller
        with nullcontext() if has_tickets() else use_tickets(self._tickets_of(caller)):
            async with self._lock:
                vectors = await self._vectors(model, [query, *texts])
        first, *others = vectors
        return await _cosines(first or b"", others)

    def _tickets_of(self, caller: str) -> Tickets:
        return self._tickets.setdefault(caller, Tickets(PURPOSE))

    async def _vectors(self, model: Model, texts: Sequence[str]) -> list[bytes | None]:
        """Return the saved vectors of passages, after computing the first missing ones."""
        hashes = [_hash(text) for text in texts]
        known = self._store().find(model.id, list(dict.fromkeys(hashes)))
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in known}
        waiting = list(missing.items())[: model.most]
        until = monotonic() + model.within_s
        for start in range(0, len(waiting), model.batch):
            if start and monotonic() > until:
                break
            some = dict(waiting[start : start + model.batch])
            computed, usage = await model.embed([text[:LONGEST] or " " for text in some.values()])
            if not model.is_local:
                self._pay(model.name, usage)
            made = {key: _pack(vector) for key, vector in zip(some, computed, strict=True)}
            self._store().add(model.id, made)
            known |= made
        return [known.get(key) for key in hashes]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _pack(vector: Sequence[float]) -> bytes:
    """Return a vector of length 1 in half precision, which changes a cosine by less than a thousandth."""
    length = math.sqrt(sum(number * number for number in vector)) or 1.0
    return struct.pack(f"<{len(vector)}e", *(number / length for number in vector))


def _unpack(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 2}e", vector)


async def _cosines(query: bytes, vectors: Sequence[bytes | None]) -> list[float | None]:
    of_query = _unpack(query)
    found: list[float | None] = []
    for number, vector in enumerate(vectors, 1):
        # A server may have put another model behind the same name.
        is_comparable = vector is not None and len(vector) == len(query)
        found.append(sum(map(operator.mul, of_query, _unpack(vector or b""))) if is_comparable else None)
        if number % SLICE == 0:
            await asyncio.sleep(PAUSE_S)
    return found
