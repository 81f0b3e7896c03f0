"""Checks of the browsers that companions let in without a code."""

from gemini_companion.browsers import FILE, Browsers
from gemini_companion.doctor.finding import Finding
from gemini_companion.folders import data_folder

FORGET = "control-surface doctor --forget-browsers forgets them: each needs an address of control-surface url again."


def check_browsers(*, forget: bool) -> Finding:
    """How many there are, or were, where they are to be forgotten."""
    browsers = Browsers(data_folder() / FILE)
    if forget:
        return Finding("browsers", True, f"{browsers.forget()} forgotten", needed=False)
    known = len(browsers.rows())
    return Finding("browsers", True, f"{known} may come back", FORGET if known else None, needed=False)
