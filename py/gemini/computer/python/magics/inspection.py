"""Describe an object: `name?` and `name??`."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from gemini.computer.python.magics.errors import UsageError

MAX_VALUE = 500


def describe(expression: str, names: Mapping[str, Any], *, source: bool) -> str:
    """Return the signature, type, documentation and place of an object.

    Args:
        expression: A name, with attributes and indexes.
        names: The names that it may use.
        source: Include the source code.

    Raises:
        UsageError: The first name isn't defined.
    """
    first = expression.partition(".")[0].partition("[")[0]
    if first not in names and not hasattr(builtins, first):
        raise UsageError(f"{first} isn't defined, so there is nothing to describe")
    value = eval(expression, dict(names))
    parts = [*_facts(expression, value)]
    code = _source(value) if source else None
    documentation = inspect.getdoc(value)
    if code is not None:
        parts.append(("Source", f"\n{code.rstrip()}"))
    elif documentation:
        parts.append(("Documentation", f"\n{documentation}" if "\n" in documentation else documentation))
    return "\n".join(f"{label}: {text}" if text[:1] != "\n" else f"{label}:{text}" for label, text in parts)


def _facts(expression: str, value: Any) -> list[tuple[str, str]]:
    facts = [("Type", type(value).__name__)]
    if callable(value):
        with suppress(ValueError, TypeError):
            facts.insert(0, ("Signature", f"{expression.rpartition('.')[2]}{inspect.signature(value)}"))
    elif not inspect.ismodule(value):
        text = repr(value)
        facts.append(("Value", text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}…"))
        with suppress(TypeError):
            facts.append(("Length", str(len(value))))
    with suppress(TypeError, OSError):
        facts.append(("File", inspect.getsourcefile(value) or inspect.getfile(value)))
    return facts


def _source(value: Any) -> str | None:
    for each in cast("tuple[Any, Any]", (value, type(value))):
        with suppress(TypeError, OSError):
            return inspect.getsource(each)
    return None
