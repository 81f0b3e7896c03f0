"""Grade the match of an entry with a text, on the scale of the palette (web/ui/omnibar/grades.ts)."""

import re

WHOLE = 4
"""The name, its stem or a whole word of it is the text."""
START = 3
"""A word of the name starts with the text."""
PART = 2
"""The path contains the text."""
CONTENT = 1
"""The text of the entry has the words."""


def grade(text: str, key: str) -> int:
    """Return the grade of a file or folder.

    Args:
        text: The text that was typed.
        key: The path of the entry.
    """
    part = text.strip().casefold()
    name = key.rpartition("/")[2].casefold()
    if part in (name, name.rpartition(".")[0]):
        return WHOLE
    if re.search(rf"(?<![^\W_]){re.escape(part)}", name):
        return START
    return PART if part in key.casefold() else CONTENT
