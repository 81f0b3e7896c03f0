"""The result of a check."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        what: The thing that was checked.
        ok: Whether it is as it should be.
        result: What was found.
        hint: How to fix it, if it isn't ok.
        needed: Whether the surface requires it.
    """

    what: str
    ok: bool
    result: str
    hint: str | None = None
    needed: bool = True
