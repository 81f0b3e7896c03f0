"""Names of a package that are loaded when they are first used, so that importing it costs little."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names_of(package: str, where: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package (PEP 562).

    Args:
        package: Its name.
        where: The module that has each name.
    """

    def find(name: str) -> Any:
        if name in where:
            return getattr(import_module(where[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
