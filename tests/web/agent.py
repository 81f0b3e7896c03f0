"""What an agent does with what the tools tell it."""

from __future__ import annotations

from gemini_testing import Surface


def ref_of(surface: Surface, text: str) -> str:
    """The ref of the one line of the active tab's snapshot that has a text."""
    [line] = [each for each in surface.call("browser_snapshot").splitlines() if text in each]
    return line.partition("[")[2].partition("]")[0]
