"""The environment variables of Python's command line (CPython, "Command line and environment", 1.2)."""

from __future__ import annotations

import os
from collections.abc import Mapping

# The variables that stand for an option of one letter, or for one of -X.
_SWITCHES = {
    "PYTHONDEBUG": "d",
    "PYTHONINSPECT": "i",
    "PYTHONOPTIMIZE": "O",
    "PYTHONVERBOSE": "v",
    "PYTHONUNBUFFERED": "u",
}
_IF_SET = {
    "PYTHONSAFEPATH": "P",
    "PYTHONTRACEMALLOC": "tracemalloc",
    "PYTHONPROFILEIMPORTTIME": "importtime",
    "PYTHONDEVMODE": "dev",
    "PYTHONINTMAXSTRDIGITS": "int_max_str_digits",
}


# Pyodide sets it for its own start. A program that inherited it would be interactive.
_OF_PYODIDE = "PYTHONINSPECT"


def inherited() -> dict[str, str]:
    """Return this interpreter's environment as its programs inherit it."""
    return {name: value for name, value in os.environ.items() if name != _OF_PYODIDE}


def options_of(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the options that variables stand for, as letters or names of -X, and the variable of each.

    A switch is on unless its value is empty or 0. Hashes are random (`R`) unless PYTHONHASHSEED is a number.
    """
    found = {option: name for name, option in _SWITCHES.items() if _is_on(variables.get(name, ""))}
    found |= {option: name for name, option in _IF_SET.items() if variables.get(name)}
    if variables.get("PYTHONHASHSEED") not in (None, "", "random"):
        found["R"] = "PYTHONHASHSEED"
    return found


def _is_on(value: str) -> bool:
    return value != "" and not (value.isdecimal() and int(value) == 0)
