"""Helpers that use the tools' results as an agent does."""

from __future__ import annotations

from gemini_testing import Surface


def ref_of(surface: Surface, text: str) -> str:
    """Return the ref from the only line of the active tab's snapshot that contains `text`."""
    [line] = [each for each in surface.call("browser_snapshot").splitlines() if text in each]
    return line.partition("[")[2].partition("]")[0]


def show_tab(surface: Surface, tab: str | None = None) -> None:
    """Bring a tab to the front, by default the one that agents have opened last."""
    tab = tab or surface.call("browser_tabs")[-1]["id"]
    surface.python(f"gemini.browser.focus({tab!r}).id")
    surface.wait_for("document.querySelector('.tab-frame.front')?.title === `Page in ${arguments[0]}`", tab)


def close_tabs(surface: Surface) -> None:
    """Close all tabs, the user's too, which agents can't close."""
    surface.python("for tab in [*gemini.browser.tabs][1:]: await gemini.browser.close(tab)")
