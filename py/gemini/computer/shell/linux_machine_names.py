"""The names of Linux machines and of their terminals' backends."""

import re

from gemini.errors import InvalidArguments

MAIN = "main"
"""The name of the first machine, which starts with the first terminal."""
NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")


def backend_of(name: str) -> str:
    """Return the name of the backend of a machine's terminals."""
    return "linux" if name == MAIN else f"linux:{name}"


def require_name(name: str) -> None:
    """Raise InvalidArguments if no machine can have the name."""
    if not NAME.fullmatch(name):
        raise InvalidArguments(
            f"{name!r} can't be the name of a machine",
            hint="Use up to 31 lower-case letters, digits and hyphens, and begin with a letter.",
        )
