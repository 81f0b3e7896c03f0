"""The offer to install what a typed command lacks, and to run it again."""

import re
import shlex

from gemini.computer.terminal.events import Offer

# What would run apart from a command in front of it.
_SEVERAL = re.compile(r";|\|\||(?<![&>])&(?![&>])|\n")


def offer_of(package: str, command: str) -> Offer:
    """Return the offer for a command that failed for want of a package."""
    again = command.strip()
    if _SEVERAL.search(again):
        again = f"eval {shlex.quote(again)}"
    return {"package": package, "line": f"pip install {shlex.quote(package)} && {again}"}
