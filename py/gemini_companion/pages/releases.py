"""Compares the release of a page with the companion's, for a line in the companion's terminal.

The page shows a notice (web/ui/status/versions.ts). Neither refuses the other: they work together as far as
both know a method, and files and settings stay.
"""

from __future__ import annotations

import re

from gemini.project import PROJECT

# The answer of `installed_version` in a source tree, whose page is built from the same sources.
UNKNOWN = "0"


def different_release(page: object, companion: str) -> str | None:
    """Return a sentence that says which of them to update; None if both are of one release.

    Args:
        page: The page's release, as the page says; None from a page before they reported it.
        companion: The companion's own release.
    """
    if companion in (page, UNKNOWN):
        return None
    # A terminal shows it.
    known = page if isinstance(page, str) and re.fullmatch(r"\d[\w.+-]{0,40}", page, re.ASCII) else None
    named = f"release {known}" if known else "an unknown release"
    seen = f"A page of {named} has connected; this companion is of release {companion}."
    if known is None or _order(known) < _order(companion):
        return f"{seen} Reload the page, or update the browser extension."
    update = f"pip install --upgrade '{PROJECT}[companion]', or uvx {PROJECT}@latest"
    return f"{seen} Update the companion: {update}."


def _order(version: str) -> tuple[list[int], int]:
    """Return a key that sorts releases by their numbers, and a pre-release before its release."""
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(each) for each in found[0].split(".")] if found else [0]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers, -len(version)
