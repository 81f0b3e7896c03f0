"""Encoding of values as JSON text, and shortening of values to a number of characters."""

import json
import math
from collections.abc import Iterable
from types import NoneType
from typing import Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from gemini.errors import UnserialisableResult

# Deeper than users read, and far below Python's recursion limit.
MAX_DEPTH = 40
# The estimated characters of a number, or of the punctuation around a member.
ESTIMATE = 6
# In bits; no real measurement needs more.
MAX_NUMBER_BITS = 256
# A member of up to so many characters doesn't hide what follows it.
SHORT = 200
NUMBERS = (int, bool, float, NoneType)
STANDARD_ALPHABET = str.maketrans("-_", "+/")


def encode(value: Any, *, may_hold_bytes: bool = True) -> str:
    """Return `value` as JSON text (RFC 8259), on one line.

    Dataclasses and pydantic models become objects, bytes base64 (RFC 4648, section 4), times ISO 8601, NaN and
    the infinities strings.

    Args:
        value: Any value that pydantic can serialise.
        may_hold_bytes: False if the value's type excludes bytes, which halves the work.

    Raises:
        UnserialisableResult: JSON can't represent the value.
    """
    try:
        text = to_json(value, bytes_mode="base64", inf_nan_mode="strings").decode()
        may_have_url_base64 = may_hold_bytes and ("-" in text or "_" in text)
        return _with_standard_base64(value, text) if may_have_url_base64 else text
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        # File names may contain lone surrogates, which only the standard library can write, as escapes.
        if "surrogates not allowed" not in str(error):
            raise _unserialisable(error) from error
    except Exception as error:
        # A property or serializer of the value's class raised.
        raise _unserialisable(error) from error
    return _encode_escaped(value)


def facts_first(value: Any) -> Any:
    """Return a dictionary with its long members after the others; any other value as it is.

    Readers who stop within long content have then read its size, whether it was cut, and how to continue.
    """
    if type(value) is not dict:
        return value
    row = cast("dict[Any, Any]", value)
    long = {name for name, member in row.items() if _is_long(member)}
    if not long or long == set(list(row)[-len(long) :]):
        return row
    return {name: row[name] for name in sorted(row, key=long.__contains__)}


def _is_long(member: Any) -> bool:
    # Most members are simple, and `_size` takes several calls.
    kind = member.__class__
    if kind in NUMBERS:
        return False
    if kind is str:
        return len(member) + 2 > SHORT
    return len(member) > SHORT if isinstance(member, bytes) else _size(member, SHORT) > SHORT


def decode(text: str) -> Any:
    """Return the value of JSON text.

    Raises:
        ValueError: The text isn't JSON.
        RecursionError: The value is nested too deeply.
    """
    try:
        return from_json(text)
    except ValueError:
        # It may contain lone surrogates from file names, which only the standard library can read.
        return json.loads(text)


def _with_standard_base64(value: Any, text: str) -> str:
    """Return `text` with bytes in standard base64; pydantic writes only the URL-safe alphabet.

    Bytes are the strings that differ if the value is encoded with bytes as hex.
    """
    in_hex = to_json(value, bytes_mode="hex", inf_nan_mode="strings").decode()
    return text if in_hex == text else to_json(_standard(json.loads(text), json.loads(in_hex))).decode()


def _standard(coded: Any, in_hex: Any) -> Any:
    if isinstance(coded, str):
        return coded if coded == in_hex else coded.translate(STANDARD_ALPHABET)
    if isinstance(coded, list) and len(cast("list[Any]", coded)) == len(in_hex):
        return [_standard(one, other) for one, other in zip(cast("list[Any]", coded), in_hex, strict=True)]
    if isinstance(coded, dict) and cast("dict[str, Any]", coded).keys() == in_hex.keys():
        return {name: _standard(one, in_hex[name]) for name, one in cast("dict[str, Any]", coded).items()}
    # A generator in the value, which the first encoding has exhausted.
    return cast(Any, coded)


def _encode_escaped(value: Any) -> str:
    try:
        plain = to_jsonable_python(value, bytes_mode="base64", inf_nan_mode="strings")
        return json.dumps(plain, allow_nan=False, separators=(",", ":"))
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        raise _unserialisable(error) from error


def _unserialisable(reason: Exception) -> UnserialisableResult:
    return UnserialisableResult(
        f"the result can't be written as JSON: {reason}",
        hint="Return str, int, float, bool, None, list, dict, a dataclass or a pydantic model.",
    )


def shorten(value: Any, max_chars: int) -> str:
    """Return `value` as one line of JSON of about `max_chars` characters or less, for people to read."""
    if isinstance(value, str):
        return json.dumps(
            value if len(value) <= max_chars else f"{value[:max_chars]}… ({len(value):,} characters)"
        )
    text = encode(fit(value, max_chars))
    return text if len(text) <= 2 * max_chars else text[:max_chars] + "…"


def fit(value: Any, max_chars: int, max_depth: int = MAX_DEPTH) -> Any:
    """Return `value` with long parts truncated, so that its JSON text has about `max_chars` characters.

    Each truncated part ends with a note. Small members are complete; the largest share the rest. Values that
    aren't JSON become their `repr`.
    """
    if isinstance(value, str):
        if len(value) <= max_chars:
            return value
        return f"{value[:max_chars]}… [cut: {len(value) - max_chars:,} more characters]"
    if isinstance(value, (list, tuple, dict)):
        if max_depth == 0:
            return "… [cut: nested deeper]"
        if isinstance(value, dict):
            return _fit_dict(cast("dict[Any, Any]", value), max_chars, max_depth - 1)
        return _fit_list(cast("list[Any]", value), max_chars, max_depth - 1)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > MAX_NUMBER_BITS:
        return f"… [cut: a number of about {value.bit_length() * 3 // 10:,} digits]"
    if value is None or isinstance(value, (int, float)):
        return value
    return fit(repr(value), max_chars)


def _fit_list(items: list[Any], max_chars: int, max_depth: int) -> list[Any]:
    fitted_items: list[Any] = []
    left = max_chars
    for position, item in enumerate(items):
        if left <= 0:
            fitted_items.append(f"… [cut: {len(items) - position:,} more items]")
            break
        fitted = fit(item, left, max_depth)
        left -= _size(fitted, left) + 1
        fitted_items.append(fitted)
    return fitted_items


def _fit_dict(members: dict[Any, Any], max_chars: int, max_depth: int) -> dict[str, Any]:
    names, left = _fitting_names(members, max_chars)
    fitted: dict[str, Any] = {}
    waiting = sorted(names, key=lambda key: _size(members[key], max_chars))
    for position, key in enumerate(waiting):
        share = max(left // (len(waiting) - position), 0)
        fitted[key] = fit(members[key], share, max_depth)
        left -= _size(fitted[key], max_chars)
    result = {str(key): fitted[key] for key in names}
    if len(names) < len(members):
        result["…"] = f"[cut: {len(members) - len(names):,} more members]"
    return result


def _fitting_names(names: Iterable[Any], max_chars: int) -> tuple[list[Any], int]:
    """Return the first names that fit into `max_chars` characters, and the number of characters left."""
    fitting: list[Any] = []
    for name in names:
        max_chars -= len(str(name)) + ESTIMATE
        if max_chars < 0:
            return fitting, 0
        fitting.append(name)
    return fitting, max_chars


def _size(value: Any, limit: int) -> int:
    """Return the approximate length of `value` as JSON; counting stops above `limit`."""
    total, waiting = 0, [value]
    while waiting and total <= limit:
        item = waiting.pop()
        total += len(item) + 2 if isinstance(item, str) else ESTIMATE
        if isinstance(item, (list, tuple)):
            waiting.extend(cast("list[Any]", item))
        elif isinstance(item, dict):
            members = cast("dict[Any, Any]", item)
            total += sum(len(str(name)) + ESTIMATE for name in members)
            waiting.extend(members.values())
    return total
