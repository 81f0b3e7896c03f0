"""Medians of the visits of several pages, for `bench starts`."""

from __future__ import annotations

import statistics

# The figures of each round, by page, visit and name: milliseconds, or bytes.
Rounds = list[dict[str, dict[str, dict[str, float]]]]
Medians = dict[str, dict[str, dict[str, float]]]


def medians(rounds: Rounds) -> Medians:
    """Return the median of each figure, by page, visit and name."""
    return {
        page: {
            visit: {name: statistics.median(each[page][visit][name] for each in rounds) for name in figures}
            for visit, figures in visits.items()
        }
        for page, visits in rounds[0].items()
    }


def table(rounds: Rounds) -> str:
    """Return the medians as a table in Markdown: a row for each visit of each page."""
    lines = ["| page | visit | first paint | `1 + 1` | bytes |", "|---|---|---|---|---|"]
    for page, visits in medians(rounds).items():
        for visit, middle in visits.items():
            times = f"{middle['paint']:,.0f} ms | {middle['result']:,.0f} ms"
            lines.append(f"| {page} | {visit} | {times} | {middle['bytes'] / 1000:,.0f} kB |")
    return "\n".join(lines)


def behind(rounds: Rounds, ours: str, bare: str) -> list[str]:
    """Return a sentence for each figure in which another page than the bare one is before ours."""
    middle = medians(rounds)
    found: list[str] = []
    for visit, figures in middle[ours].items():
        for name, own in figures.items():
            first = min((page for page in middle if page != bare), key=lambda page: middle[page][visit][name])
            if first != ours:
                best = middle[first][visit][name]
                found.append(f"{first} is first in {name} of the {visit} visit: {best:,.0f}, ours {own:,.0f}")
    return found
