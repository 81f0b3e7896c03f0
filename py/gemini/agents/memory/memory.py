"""The memories of all agents.

A memory is written only when an agent, a script or the user asks for it; nothing is gathered in the background. What a
run writes after it has read text from outside waits until the user approves it, so that no page can plant
instructions that later runs would follow. Only approved memories are found.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeGuard

from typing_extensions import TypedDict

from gemini.agents.memory.events import MemoriesChanged
from gemini.computer.search.similarity import Meaning, fuse
from gemini.core.events import EventLog
from gemini.core.words import plain_words
from gemini.errors import InvalidArguments, MemoryMissing, MemoryProblem, ModelProblem, Refused
from gemini.tools.calls import Call, acting_call
from gemini.tools.consent import Consent
from gemini.tools.writers import AGENT, PERSON, SCRIPT

if TYPE_CHECKING:
    from gemini.storage.memories import MemoryStore

# Characters of a memory: a fact, not a document.
LONGEST = 500
# Memories of one agent.
MOST = 1_000
# Bytes of a pinned text, which every request of the agent has.
MOST_PINNED = 2_048
FOUND = 8
USER = "user"
# The name of agents that have none of their own.
ANYBODY = "agent"
OWN = "memory_read"


class MemoryRow(TypedDict):
    """A memory. `source` says where it is from, `at` when it was written, in ISO 8601."""

    id: int
    agent: str
    text: str
    source: str
    approved: bool
    at: str


class Memories:
    """Memories by agent.

    Args:
        store: Returns the saved memories; it loads SQLite on first use.
        consent: Reports the runs that read text from outside.
        events: Receives `MemoriesChanged`.
        meaning: Returns what compares passages by meaning.
    """

    def __init__(
        self,
        store: "Callable[[], MemoryStore]",
        consent: Consent,
        events: EventLog,
        meaning: Callable[[], Meaning],
    ) -> None:
        self._store = store
        self._events = events
        self._meaning = meaning
        # The first text from outside that a run, or a caller without one, has read.
        self._read: dict[str, str] = {}
        consent.on_each_untrusted(self._note)

    def _note(self, run: str, origin: str) -> None:
        # What memories say was written by a run that had read nothing, or was approved.
        if not origin.startswith(OWN):
            self._read.setdefault(run, origin)

    def remember(self, agent: str, text: str) -> MemoryRow:
        """Save a fact for an agent, or return the memory that has the same words.

        Raises:
            InvalidArguments: The text has no words, or is longer than 500 characters.
            MemoryProblem: The agent has 1,000 memories.
        """
        text = " ".join(text.split())
        if not plain_words(text):
            raise InvalidArguments("text: it has no words", hint="Write one fact, in a sentence.")
        if len(text) > LONGEST:
            raise InvalidArguments(
                f"text: it has {len(text)} characters; a memory has at most {LONGEST}",
                hint="Write one fact, in a sentence; save longer text in a file and remember its path.",
            )
        store, call = self._store(), acting_call()
        if store.count(agent) >= MOST:
            raise MemoryProblem(
                f"{agent} has {MOST} memories, which is the limit",
                hint="Ask the user to forget some in the Memory panel.",
            )
        outside = self._outside(call, agent)
        number, is_new = store.add(agent, text, _source(call, outside), approved=outside is None)
        if is_new or outside is None:
            self._events.publish(MemoriesChanged())
        [row] = [row for row in store.all() if row["id"] == number]
        return _describe(row)

    def _outside(self, call: Call | None, agent: str) -> str | None:
        """Return the reason to ask the user first: the text from outside that the caller read. None without one."""
        if not _is_agent(call):
            return None
        if call.origins:
            return call.origins[0]["origin"]
        read = self._read_by(call)
        return f"a request of {call.caller}" if read is None and agent != agent_of(call) else read

    def _read_by(self, call: Call | None) -> str | None:
        """Return what a caller has read from outside, or one of those whose calls led to this one."""
        while call is not None:
            if read := self._read.get(call.run or call.caller):
                return read
            call = call.outer
        return None

    def find(self, agent: str, query: str | None = None, limit: int = FOUND) -> list[MemoryRow]:
        """Return the approved memories of an agent that share a word with the query, best first.

        Without a query, or if none has a word of it, the newest are returned.
        """
        store = self._store()
        found = store.find(agent, query, limit) if query else []
        return [_describe(row) for row in found or store.newest(agent, limit)]

    async def recall(
        self, agent: str, query: str | None = None, limit: int = FOUND
    ) -> tuple[list[MemoryRow], str | None]:
        """Return the memories that `find` returns, by words and by meaning if a model for embeddings is chosen.

        Returns:
            The memories, best first, and why they were found by words alone although a model is chosen, else None.
        """
        meaning = self._meaning()
        if not query or not meaning.is_on:
            return self.find(agent, query, limit), None
        rows = {row["id"]: row for row in self._store().newest(agent, MOST)}
        try:
            alike = await meaning.compare(query, [row["text"] for row in rows.values()])
        except ModelProblem as problem:
            return self.find(agent, query, limit), f"found by words only: {problem.message}"
        cosines = {number: cosine for number, cosine in zip(rows, alike, strict=True) if cosine is not None}
        by_meaning = sorted(cosines, key=lambda number: -cosines[number])
        by_words = [row["id"] for row in self._store().find(agent, query, MOST)]
        # Some may have been forgotten while the model was asked.
        rows = {row["id"]: row for row in self._store().newest(agent, MOST)}
        found = [rows[number] for number in fuse(by_words, by_meaning) if number in rows]
        return [_describe(row) for row in found[:limit]], None

    def rows(self) -> list[MemoryRow]:
        """Return all memories, those that wait for approval first, then the newest."""
        return [_describe(row) for row in self._store().all()]

    def approve(self, number: int) -> None:
        """Approve a memory. Raises MemoryMissing, or Refused for an agent."""
        _require_user()
        self._require(self._store().approve(number), number)

    def forget(self, number: int) -> None:
        """Delete a memory. Raises MemoryMissing."""
        self._require(self._store().forget(number), number)

    def _require(self, found: bool, number: int) -> None:
        if not found:
            raise MemoryMissing(
                f"there is no memory {number}", hint="`memory_read` lists them with their ids."
            )
        self._events.publish(MemoriesChanged())

    def pinned(self, agent: str) -> str:
        """Return the text that every run of an agent begins with; it is empty if there is none."""
        return self._store().pinned(agent)

    def all_pinned(self) -> dict[str, str]:
        """Return the pinned texts by agent."""
        return self._store().all_pinned()

    def pin(self, agent: str, text: str) -> None:
        """Replace the text that every run of an agent begins with; an empty one deletes it.

        Raises:
            InvalidArguments: The text is longer than 2,048 bytes.
            Refused: An agent called it, or code that an agent runs.
        """
        _require_user()
        size = len(text.encode())
        if size > MOST_PINNED:
            raise InvalidArguments(
                f"text: it has {size} bytes; a pinned text has at most {MOST_PINNED}",
                hint="Every request has it: leave what matters in each.",
            )
        self._store().pin(agent, text.strip())
        self._events.publish(MemoriesChanged())


def agent_of(call: Call | None) -> str:
    """Return the name of the agent that makes a call; scripts and the user write for `agent`."""
    if not _is_agent(call):
        return ANYBODY
    return call.caller.removeprefix(AGENT)


def _is_agent(call: Call | None) -> TypeGuard[Call]:
    return call is not None and call.caller not in (PERSON, SCRIPT)


def _require_user() -> None:
    """Refuse agents, which may be following a page's words."""
    if _is_agent(acting_call()):
        raise Refused(
            "only the user approves and pins memories", hint="Ask the user to do it in the Memory panel."
        )


def _source(call: Call | None, outside: str | None) -> str:
    if call is None or call.caller == PERSON:
        return USER if call is not None else SCRIPT
    work = f"{call.caller}, {call.run}" if call.run else call.caller
    return work if outside is None else f"{work}, after {outside}"


def _describe(row: dict[str, Any]) -> MemoryRow:
    at = datetime.fromtimestamp(row["at"], UTC).isoformat(timespec="seconds")
    return {
        "id": row["id"],
        "agent": row["agent"],
        "text": row["text"],
        "source": row["source"],
        "approved": row["approved"],
        "at": at,
    }
