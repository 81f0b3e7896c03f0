"""Changes the names of members: `--transform` and `--one-top-level`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from gemini_userland.options import Arguments
from gemini_userland.patterns import compile_posix
from gemini_userland.text import decode, encode

Rename = Callable[[str], str]
_ENDINGS = re.compile(
    r"(?:\.tar)?\.(?:gz|bz2|xz|zst|lzma|Z)$|\.(?:tar|tgz|taz|tbz|tbz2|tb2|tz2|txz|tlz|tzst)$"
)


class WrongTransform(Exception):
    """The value of --transform is no `s/PATTERN/REPLACEMENT/FLAGS`."""


def renames(given: Arguments) -> Sequence[Rename]:
    """Return what --transform does to names.

    Raises:
        WrongTransform: A value isn't valid.
    """
    return [_transform(value) for value in given.all("transform")]


def renamed(name: str, changes: Sequence[Rename]) -> str:
    """Return a name after all changes."""
    for change in changes:
        name = change(name)
    return name


def top_level(given: Arguments) -> str | None:
    """Return the folder of --one-top-level: its value, or the archive's name without its ending."""
    value = given.last("one-top-level")
    if value is None:
        return None
    return value or _ENDINGS.sub("", os.path.basename(given.last("f", "-")))


def _transform(text: str) -> Rename:
    mark = text[1:2]
    parts = re.split(rf"(?<!\\){re.escape(mark)}", text[2:]) if mark else []
    if text[:1] != "s" or len(parts) != 3 or not re.fullmatch(r"[gix]*\d*[gix]*", parts[2]):
        raise WrongTransform(
            f"Invalid transform expression: {text}; use s/PATTERN/REPLACEMENT/ with g, i, x or a number"
        )
    pattern, replacement, flags = parts
    if re.search(r"\\[LUElu]", replacement):
        raise WrongTransform("\\L, \\U and the like aren't supported in --transform: rename the files before")
    number = int(re.sub(r"\D", "", flags) or 1)
    try:
        compiled = compile_posix(
            pattern.replace("\\" + mark, mark),
            extended="x" in flags,
            flags=re.IGNORECASE if "i" in flags else 0,
        )
    except re.error as error:
        raise WrongTransform(f"Invalid transform expression: {error.msg}") from None
    count = 0 if "g" in flags else 1

    def change(name: str) -> str:
        found = [match for at, match in enumerate(compiled.finditer(encode(name)), 1) if at >= number]
        result, last = b"", 0
        for match in found[: count or None]:
            result += encode(name)[last : match.start()] + _replace(match, replacement)
            last = match.end()
        return decode(result + encode(name)[last:])

    return change


def _replace(match: re.Match[bytes], replacement: str) -> bytes:
    def part(found: re.Match[str]) -> str:
        if found[0] == "&":
            return decode(match[0])
        return decode(match[int(found[1])] or b"") if found[1].isdigit() else found[1]

    return encode(re.sub(r"&|\\(.)", part, replacement))
