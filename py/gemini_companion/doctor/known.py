"""Checks the browsers that the companion admits without a code."""

from gemini_companion.admission.known_browsers import FILE, Browsers
from gemini_companion.doctor.finding import Finding
from gemini_companion.named_command import named_command
from gemini_companion.storage.folders import data_folder

FORGET = (
    "control-surface doctor --forget-browsers forgets them. "
    f"Each then needs an address that {named_command('url')} prints."
)


def check_browsers(*, forget: bool) -> Finding:
    """Count the known browsers, or forget them."""
    browsers = Browsers(data_folder() / FILE)
    if forget:
        return Finding("browsers", True, f"{browsers.forget()} forgotten", needed=False)
    known = len(browsers.rows())
    return Finding("browsers", True, f"{known} known", FORGET if known else None, needed=False)
