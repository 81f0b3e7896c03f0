"""Helpers that use the tools' results as an agent does."""

from __future__ import annotations

from gemini_testing import Surface


def ref_of(surface: Surface, text: str) -> str:
    """Return the ref from the only line of the active tab's snapshot that contains `text`."""
    [line] = [each for each in surface.call("browser_snapshot").splitlines() if text in each]
    return line.partition("[")[2].partition("]")[0]
