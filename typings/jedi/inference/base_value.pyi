"""Values."""

from collections.abc import Iterable

class ValueSet:
    def __init__(self, values: Iterable[object]) -> None: ...
