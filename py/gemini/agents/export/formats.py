"""The formats of exported runs."""

from typing import Literal, get_args

from gemini.errors import InvalidArguments

Format = Literal["markdown", "json", "html"]
ENDINGS: dict[Format, str] = {"markdown": "md", "json": "json", "html": "html"}


def require_format(form: str) -> Format:
    """Return a format. Raises InvalidArguments if there is none of this name."""
    for each in get_args(Format):
        if form == each:
            return each
    raise InvalidArguments(f"format must be one of {', '.join(get_args(Format))}, not {form[:60]!r}")
