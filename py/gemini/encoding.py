"""Values as JSON text, and values cut to a budget of characters."""

import json
import math
from typing import Any, cast

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from gemini.errors import UnserialisableResult


def encode(value: Any) -> str:
    """`value` as JSON text (RFC 8259): dataclasses and pydantic models as objects, bytes as base64, NaN as a string.

    Raises:
        UnserialisableResult: there is something in it that JSON can't hold.
    """
    try:
        return to_json(value, bytes_mode="base64", inf_nan_mode="strings").decode()
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        return _encode_slowly(value, error)


def _encode_slowly(value: Any, reason: Exception) -> str:
    """File names may hold lone surrogates, which only the standard library's encoder writes, as escapes."""
    try:
        return json.dumps(to_jsonable_python(value, bytes_mode="base64", inf_nan_mode="strings"), allow_nan=False)
    except (PydanticSerializationError, ValueError, TypeError, RecursionError):
        raise UnserialisableResult(
            f"the result can't be written as JSON: {reason}",
            hint="Return str, int, float, bool, None, list, dict, a dataclass or a pydantic model.",
        ) from reason


def shorten(value: Any, most: int) -> str:
    """`value` as one line of JSON or Python text of at most about `most` characters, for people to read."""
    if isinstance(value, str):
        return json.dumps(value if len(value) <= most else f"{value[:most]}… ({len(value):,} characters)")
    try:
        text = encode(fit(value, most))
    except UnserialisableResult:
        text = repr(value)
    return text if len(text) <= 2 * most else text[:most] + "…"


def fit(value: Any, most: int) -> Any:
    """JSON-able `value` with long strings and lists cut, so that its text has about `most` characters.

    What was cut says so in its place. Small members keep their whole text; the budget goes to the largest last.
    """
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}… [cut: {len(value) - most:,} more characters]"
    if isinstance(value, (list, tuple)):
        return _fit_list(cast("list[Any]", value), most)
    if isinstance(value, dict):
        return _fit_dict(cast("dict[Any, Any]", value), most)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _fit_list(items: list[Any], most: int) -> list[Any]:
    kept: list[Any] = []
    left = most
    for position, item in enumerate(items):
        if left <= 0:
            kept.append(f"… [cut: {len(items) - position:,} more items]")
            break
        fitted = fit(item, left)
        left -= _size(fitted) + 1
        kept.append(fitted)
    return kept


def _fit_dict(members: dict[Any, Any], most: int) -> dict[Any, Any]:
    fitted: dict[Any, Any] = {}
    left = most
    waiting = sorted(members, key=lambda key: _size(members[key]))
    for position, key in enumerate(waiting):
        share = max(left // (len(waiting) - position), 0)
        fitted[key] = fit(members[key], share)
        left -= _size(fitted[key]) + len(str(key)) + 4
    return {key: fitted[key] for key in members}


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, (list, tuple)):
        return 2 + sum(_size(item) + 1 for item in cast("list[Any]", value))
    if isinstance(value, dict):
        return 2 + sum(len(str(k)) + 4 + _size(v) for k, v in cast("dict[Any, Any]", value).items())
    return len(str(value))
