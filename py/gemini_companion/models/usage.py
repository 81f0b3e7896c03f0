"""Reads the token usage from providers' answers, in the wire formats that the gateway passes.

OpenAI's Chat Completions report it in the last event (`usage`), its Responses in `response.completed`; Anthropic's
Messages in `message_start` and, cumulatively, in `message_delta`; Gemini's API with each piece (`usageMetadata`);
Ollama's in its last line (`eval_count`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

# Longer lines and answers aren't read; they count as the most that they can be.
LONGEST = 8 * 1024 * 1024
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Usage:
    """The tokens of a request.

    Attributes:
        input: Tokens that were neither read from the provider's cache nor written to it.
        output: Tokens of the answer, including thinking.
        read: Input that was read from the provider's cache.
        written: Input that was written to the provider's cache.
    """

    input: int = 0
    output: int = 0
    read: int = 0
    written: int = 0

    @property
    def total_input(self) -> int:
        """All tokens of the input."""
        return self.input + self.read + self.written

    @property
    def total(self) -> int:
        """All tokens of the request."""
        return self.total_input + self.output

    def merge(self, other: Usage) -> Usage:
        """Return the larger of each count, since later reports include earlier ones."""
        return Usage(
            max(self.input, other.input),
            max(self.output, other.output),
            max(self.read, other.read),
            max(self.written, other.written),
        )


class Meter:
    """Reads the usage out of one answer as it passes.

    Args:
        is_lines: Whether the answer is a sequence of events or lines, each of them JSON; otherwise it is one JSON text.
    """

    def __init__(self, *, is_lines: bool) -> None:
        self._is_lines = is_lines
        self._pending = b""
        self._too_long = False
        self._used: Usage | None = None
        self._has_output = False

    def feed(self, chunk: bytes) -> None:
        """Read the next bytes of the answer."""
        if self._too_long:
            return
        self._pending += chunk
        if self._is_lines:
            *lines, self._pending = self._pending.split(b"\n")
            for line in lines:
                self._take(line)
        self._too_long = len(self._pending) > LONGEST

    def finish(self) -> Usage | None:
        """Return the usage of the complete answer; None if it reported none."""
        if not self._too_long:
            self._take(self._pending)
        return self._used if self._has_output else None

    @property
    def so_far(self) -> Usage | None:
        """The usage reported until now, which may be the input alone."""
        return self._used

    def _take(self, text: bytes) -> None:
        text = text.strip().removeprefix(b"data:").strip()
        if text[:1] not in (b"{", b"["):
            return
        try:
            parsed: Any = json.loads(text)
        except (ValueError, RecursionError):
            # Text that can't be parsed reports nothing, and counts as the most that it can be.
            return
        for row in cast("list[Any]", parsed) if isinstance(parsed, list) else [parsed]:
            if isinstance(row, dict):
                self._learn(cast(Row, row))

    def _learn(self, row: Row) -> None:
        for found in _reports(row):
            used = _used(found)
            self._used = used if self._used is None else self._used.merge(used)
            # The beginning of Anthropic's stream reports only about the first token of output.
            self._has_output = self._has_output or row.get("type") != "message_start"


def _reports(row: Row) -> Iterable[Row]:
    for where in (row, row.get("message"), row.get("response")):
        if not isinstance(where, dict):
            continue
        for name in ("usage", "usageMetadata"):
            found: Any = cast(Row, where).get(name)
            if isinstance(found, dict):
                yield cast(Row, found)
    if "eval_count" in row:
        yield row


def _used(row: Row) -> Usage:
    read, written = _count(row, "cache_read_input_tokens"), _count(row, "cache_creation_input_tokens")
    output = max(
        _count(row, "completion_tokens"),
        _count(row, "output_tokens"),
        _count(row, "eval_count"),
        _count(row, "candidatesTokenCount") + _count(row, "thoughtsTokenCount"),
    )
    if read or written or "cache_creation_input_tokens" in row:
        return Usage(_count(row, "input_tokens"), output, read, written)
    whole = max(
        _count(row, "prompt_tokens"),
        _count(row, "input_tokens"),
        _count(row, "prompt_eval_count"),
        _count(row, "promptTokenCount"),
    )
    cached = min(whole, _cached(row))
    # Some providers count thinking in the total alone.
    rest = _count(row, "total_tokens") or _count(row, "totalTokenCount")
    return Usage(whole - cached, max(output, rest - whole), cached)


def _cached(row: Row) -> int:
    for name in ("prompt_tokens_details", "input_tokens_details"):
        details: Any = row.get(name)
        if isinstance(details, dict):
            return _count(cast(Row, details), "cached_tokens")
    return _count(row, "cachedContentTokenCount")


def _count(row: Row, name: str) -> int:
    value = row.get(name)
    return value if type(value) is int and value > 0 else 0
