"""Values as JSON text, and values cut to a budget of characters."""

import json
import math
from collections.abc import Iterable
from typing import Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from gemini.errors import UnserialisableResult

# Deeper than anybody reads, and far from where Python's recursion ends.
DEEPEST = 40
# What a number takes, or the punctuation around a member. Near enough: who needs a limit measures the text.
A_FEW = 6
# Bits; no number that measures anything has more.
LONGEST_NUMBER = 256
STANDARD_ALPHABET = str.maketrans("-_", "+/")


def encode(value: Any, *, may_hold_bytes: bool = True) -> str:
    """Return `value` as JSON text (RFC 8259), on one line.

    Dataclasses and pydantic models become objects, bytes base64 (RFC 4648, section 4), times ISO 8601, NaN and
    the infinities strings.

    Args:
        value: Any value that pydantic can serialise.
        may_hold_bytes: False where the value's type rules bytes out, which halves the work.

    Raises:
        UnserialisableResult: The value holds something that JSON can't.
    """
    try:
        text = to_json(value, bytes_mode="base64", inf_nan_mode="strings").decode()
        is_suspect = may_hold_bytes and ("-" in text or "_" in text)
        return _with_standard_base64(value, text) if is_suspect else text
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        # File names may hold lone surrogates, which only the standard library's encoder writes, as escapes.
        if "surrogates not allowed" not in str(error):
            raise _unserialisable(error) from error
    except Exception as error:
        # A property or serializer of the value's own class raised.
        raise _unserialisable(error) from error
    return _encode_escaped(value)


def decode(text: str) -> Any:
    """JSON text as a value.

    Raises:
        ValueError: it isn't JSON.
        RecursionError: it is nested too deep.
    """
    try:
        return from_json(text)
    except ValueError:
        # It may hold lone surrogates, as the names of files do, which only the standard library reads.
        return json.loads(text)


def _with_standard_base64(value: Any, text: str) -> str:
    """`text` with bytes in the alphabet that `atob` and `base64.b64decode` read; pydantic has that for URLs only.

    Bytes are where the text differs when they are written in another way.
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
    # A generator inside, which the first writing has used up.
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


def shorten(value: Any, most: int) -> str:
    """`value` as one line of JSON of about `most` characters at the most, for people to read."""
    if isinstance(value, str):
        return json.dumps(value if len(value) <= most else f"{value[:most]}… ({len(value):,} characters)")
    text = encode(fit(value, most))
    return text if len(text) <= 2 * most else text[:most] + "…"


def fit(value: Any, most: int, deepest: int = DEEPEST) -> Any:
    """`value` with long strings, lists and objects cut, so that its JSON text has about `most` characters.

    What was cut says so in its place. Small members keep their whole text; the budget goes to the largest
    last. What isn't a JSON value is told as Python writes it.
    """
    if isinstance(value, str):
        if len(value) <= most:
            return value
        return f"{value[:most]}… [cut: {len(value) - most:,} more characters]"
    if isinstance(value, (list, tuple, dict)):
        if deepest == 0:
            return "… [cut: nested deeper]"
        if isinstance(value, dict):
            return _fit_dict(cast("dict[Any, Any]", value), most, deepest - 1)
        return _fit_list(cast("list[Any]", value), most, deepest - 1)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"… [cut: a number of about {value.bit_length() * 3 // 10:,} digits]"
    if value is None or isinstance(value, (int, float)):
        return value
    return fit(repr(value), most)


def _fit_list(items: list[Any], most: int, deepest: int) -> list[Any]:
    kept: list[Any] = []
    left = most
    for position, item in enumerate(items):
        if left <= 0:
            kept.append(f"… [cut: {len(items) - position:,} more items]")
            break
        fitted = fit(item, left, deepest)
        left -= _size(fitted, left) + 1
        kept.append(fitted)
    return kept


def _fit_dict(members: dict[Any, Any], most: int, deepest: int) -> dict[str, Any]:
    names, left = _fitting_names(members, most)
    fitted: dict[str, Any] = {}
    waiting = sorted(names, key=lambda key: _size(members[key], most))
    for position, key in enumerate(waiting):
        share = max(left // (len(waiting) - position), 0)
        fitted[key] = fit(members[key], share, deepest)
        left -= _size(fitted[key], most)
    kept = {str(key): fitted[key] for key in names}
    if len(names) < len(members):
        kept["…"] = f"[cut: {len(members) - len(names):,} more members]"
    return kept


def _fitting_names(names: Iterable[Any], most: int) -> tuple[list[Any], int]:
    """The first names that fit into `most` characters, and how many characters are left."""
    fitting: list[Any] = []
    for name in names:
        most -= len(str(name)) + A_FEW
        if most < 0:
            return fitting, 0
        fitting.append(name)
    return fitting, most


def _size(value: Any, enough: int) -> int:
    """About how many characters `value` takes as JSON; the count ends once it is over `enough`."""
    total, waiting = 0, [value]
    while waiting and total <= enough:
        item = waiting.pop()
        total += len(item) + 2 if isinstance(item, str) else A_FEW
        if isinstance(item, (list, tuple)):
            waiting.extend(cast("list[Any]", item))
        elif isinstance(item, dict):
            members = cast("dict[Any, Any]", item)
            total += sum(len(str(name)) + A_FEW for name in members)
            waiting.extend(members.values())
    return total
