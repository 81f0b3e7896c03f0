"""Truncates results that are too long for their caller."""

import json
from pathlib import Path

from gemini.core.encoding import encode, fit
from gemini.core.spill import make_room

# The least number of characters of a value in a truncated result.
MIN_CUT = 100


def truncated(text: str, max_chars: int, path: Path) -> str:
    """Return as much of a JSON text as fits, with a note that names the file with all of it.

    Args:
        text: The result.
        max_chars: The most characters of the answer, if the note leaves enough of them.
        path: The file for the full result.
    """
    note = {"total_chars": len(text), **_save(path, text)}
    try:
        value = json.loads(text)
    except ValueError:
        # Python refuses integers of thousands of digits.
        value = text
    # JSON escapes take more characters than the text they encode, so shrink until it fits.
    budget = max_chars - len(encode(note))
    while True:
        budget = max(budget, MIN_CUT)
        part = fit(value, budget)
        short = encode({"cut": note, **(part if isinstance(part, dict) else {"value": part})})
        if len(short) <= max_chars or budget == MIN_CUT:
            return short
        budget = budget * 3 // 4


def _save(path: Path, text: str) -> dict[str, str]:
    """Write a full result to a file, and return the note about it."""
    try:
        make_room(path.parent)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        return {"hint": f"The rest is lost: {path} couldn't be written ({error.strerror})."}
    hint = f"The full result is in {path} as JSON; read it in parts with file_read and its offset."
    return {"full_result": str(path), "hint": hint}
