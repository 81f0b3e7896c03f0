"""What an answer took, as the provider says in it, in the wire formats that the gateway passes.

OpenAI's Chat Completions tell it in the last event (`usage`), its Responses in `response.completed`; Anthropic's
Messages in `message_start` and, growing, in `message_delta`; Gemini's API with each piece (`usageMetadata`); Ollama's
in its last line (`eval_count`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

# Longer lines and answers aren't read; what they took counts as the most that it can be.
LONGEST = 8 * 1024 * 1024
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Used:
    """Tokens of a request.

    Attributes:
        input: Those that were neither read from the provider's cache nor written to it.
        output: What it answered, thinking included.
    """

    input: int = 0
    output: int = 0
    read: int = 0
    written: int = 0

    @property
    def total_input(self) -> int:
        return self.input + self.read + self.written

    @property
    def total(self) -> int:
        return self.total_input + self.output

    def grown(self, other: Used) -> Used:
        """The larger of each: later tellings include earlier ones."""
        return Used(
            max(self.input, other.input),
            max(self.output, other.output),
            max(self.read, other.read),
            max(self.written, other.written),
        )


class Meter:
    """Reads the usage out of one answer as it passes.

    Args:
        is_lines: Whether the answer is events or lines, of which each is JSON; otherwise it is JSON as a whole.
    """

    def __init__(self, *, is_lines: bool) -> None:
        self._is_lines = is_lines
        self._pending = b""
        self._too_long = False
        self._used: Used | None = None
        self._has_output = False

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the answer."""
        if self._too_long:
            return
        self._pending += chunk
        if self._is_lines:
            *lines, self._pending = self._pending.split(b"\n")
            for line in lines:
                self._take(line)
        self._too_long = len(self._pending) > LONGEST

    def finish(self) -> Used | None:
        """What the whole answer took; None if it didn't say."""
        if not self._too_long:
            self._take(self._pending)
        return self._used if self._has_output else None

    @property
    def so_far(self) -> Used | None:
        """What it said until now, which may be the input alone."""
        return self._used

    def _take(self, text: bytes) -> None:
        text = text.strip().removeprefix(b"data:").strip()
        if text[:1] not in (b"{", b"["):
            return
        try:
            told: Any = json.loads(text)
        except (ValueError, RecursionError):
            # What can't be read says nothing, and counts as the most that it can be.
            return
        for row in cast("list[Any]", told) if isinstance(told, list) else [told]:
            if isinstance(row, dict):
                self._learn(cast(Row, row))

    def _learn(self, row: Row) -> None:
        for found in _tellings(row):
            used = _used(found)
            self._used = used if self._used is None else self._used.grown(used)
            # The beginning of Anthropic's stream tells a first token or so of output.
            self._has_output = self._has_output or row.get("type") != "message_start"


def _tellings(row: Row) -> Iterable[Row]:
    for where in (row, row.get("message"), row.get("response")):
        if not isinstance(where, dict):
            continue
        for name in ("usage", "usageMetadata"):
            found: Any = cast(Row, where).get(name)
            if isinstance(found, dict):
                yield cast(Row, found)
    if "eval_count" in row:
        yield row


def _used(told: Row) -> Used:
    read, written = _count(told, "cache_read_input_tokens"), _count(told, "cache_creation_input_tokens")
    output = max(
        _count(told, "completion_tokens"),
        _count(told, "output_tokens"),
        _count(told, "eval_count"),
        _count(told, "candidatesTokenCount") + _count(told, "thoughtsTokenCount"),
    )
    if read or written or "cache_creation_input_tokens" in told:
        return Used(_count(told, "input_tokens"), output, read, written)
    whole = max(
        _count(told, "prompt_tokens"),
        _count(told, "input_tokens"),
        _count(told, "prompt_eval_count"),
        _count(told, "promptTokenCount"),
    )
    cached = min(whole, _cached(told))
    # Some count thinking in the total alone.
    rest = _count(told, "total_tokens") or _count(told, "totalTokenCount")
    return Used(whole - cached, max(output, rest - whole), cached)


def _cached(told: Row) -> int:
    for name in ("prompt_tokens_details", "input_tokens_details"):
        details: Any = told.get(name)
        if isinstance(details, dict):
            return _count(cast(Row, details), "cached_tokens")
    return _count(told, "cachedContentTokenCount")


def _count(told: Row, name: str) -> int:
    value = told.get(name)
    return value if type(value) is int and value > 0 else 0
