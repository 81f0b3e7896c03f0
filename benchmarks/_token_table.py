"""The table of `build.py bench tokens`, and its place in a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MARKS = "<!-- tokens: written by `build.py bench tokens` -->", "<!-- end of tokens -->"
MAX_FAILURE = 60
CLIENTS = ("code mode", "full list", "lean list", "shell only", "Playwright MCP", "chrome-devtools-mcp")


@dataclass
class Recorded:
    """A task as a client has solved it: the texts that its model reads and writes, and the seconds of its calls."""

    calls: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    seconds: float = 0.0


@dataclass
class Result:
    """A task as a client has solved it; `failure` says why it didn't."""

    task: str
    client: str
    listed: str
    recorded: Recorded
    tokens: int = 0
    failure: str = ""


def table(results: Sequence[Result], lists: Mapping[str, int]) -> str:
    """Return the table of a document: a row for each task, with the tokens and calls of each client."""
    found = {(result.task, result.client): result for result in results}
    lines = [f"| tokens (calls) | {' | '.join(CLIENTS)} |", "|---" * (len(CLIENTS) + 1) + "|"]
    lines.append(
        _line("the list of tools", [f"{lists[name]:,}" if name in lists else "–" for name in CLIENTS])
    )
    for task in dict.fromkeys(result.task for result in results):
        row = [found.get((task, name)) for name in CLIENTS]
        lines.append(_line(task, [_cell(one) for one in row]))
    seconds = [
        sum(result.recorded.seconds for result in results if result.client == name) for name in CLIENTS
    ]
    lines.append(_line("seconds of all its calls", [f"{each:.1f}" if each else "–" for each in seconds]))
    return "\n".join(lines)


def _cell(result: Result | None) -> str:
    if result is None:
        return "–"
    if result.failure:
        return f"not solved: {result.failure.splitlines()[0][:MAX_FAILURE].replace('|', '/')}"
    return f"{result.tokens:,} ({len(result.recorded.calls)})"


def _line(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def summary(results: Sequence[Result]) -> str:
    """Return sentences about where code mode wins and loses, among what was solved."""
    found = {(result.task, result.client): result.tokens for result in results if not result.failure}
    tasks = list(dict.fromkeys(result.task for result in results))
    parts: list[str] = []
    for name in CLIENTS[1:]:
        ratios = [
            found[task, name] / found[task, "code mode"]
            for task in tasks
            if (task, name) in found and (task, "code mode") in found
        ]
        if ratios:
            lost = sum(ratio < 1 for ratio in ratios)
            parts.append(
                f"{name} {min(ratios):.1f} to {max(ratios):.1f} ({len(ratios)} tasks, fewer in {lost})"
            )
    return f"As a multiple of code mode's tokens: {'; '.join(parts)}."
