"""What a check found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        what: The thing that was checked.
        ok: Whether it is as it should be.
        told: What was found.
        hint: What to do, where it isn't ok.
        needed: Whether the surface can't do without.
    """

    what: str
    ok: bool
    told: str
    hint: str | None = None
    needed: bool = True
