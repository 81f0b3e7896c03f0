"""The units in which `ls`, `du` and `df` print sizes (GNU coreutils manual, 2.3 "Block size")."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from gemini_userland.counts import BadValue

UNITS = "KMGTP"
_LETTERS = "KMGTPEZY"
_SIZE = re.compile(rf"'?(\d*)(?:([k{_LETTERS}])(iB|B|)|)")


@dataclass(frozen=True)
class BlockSize:
    """A unit of sizes.

    Attributes:
        unit: Its bytes.
        suffix: The text behind each number.
        base: The factor of readable sizes, 1000 or 1024; 0 for numbers of units.
    """

    unit: int = 1
    suffix: str = ""
    base: int = 0

    def show(self, size: int) -> str:
        """Return a size in bytes in this unit, rounded up."""
        if self.base:
            return readable(size, self.base)
        return f"{-(-size // self.unit)}{self.suffix}"


def readable(size: float, base: int = 1024) -> str:
    """Return a size with a unit, rounded up as `df -h` does."""
    if size < base:
        return f"{int(size)}"
    unit = -1
    while size >= base and unit + 1 < len(UNITS):
        size, unit = size / base, unit + 1
    tenths = math.ceil(size * 10)
    letter = "k" if base == 1000 and unit == 0 else UNITS[unit]
    if tenths >= 100 and math.ceil(size) >= base and unit + 1 < len(UNITS):
        return f"1.0{UNITS[unit + 1]}"
    return f"{tenths / 10:.1f}{letter}" if tenths < 100 else f"{math.ceil(size)}{letter}"


HUMAN = BlockSize(base=1024)
SI = BlockSize(base=1000)


def parse_block_size(text: str, option: str) -> BlockSize:
    """Return the unit that an option's value means, such as 1, 4K, MB or human-readable.

    Raises:
        BadValue: The value is invalid.
    """
    if text in ("human-readable", "si"):
        return HUMAN if text == "human-readable" else SI
    match = _SIZE.fullmatch(text)
    if match is None or not (match[1] or match[2]) or match[1].strip("0") == "" != match[1]:
        raise BadValue(f"invalid {option} argument '{text}'")
    base = 1000 if match[3] == "B" else 1024
    power = _LETTERS.index(match[2].upper()) + 1 if match[2] else 0
    letter = "k" if power == 1 and base == 1000 else (match[2] or "").upper()
    return BlockSize(int(match[1] or 1) * base**power, "" if match[1] else letter + match[3])
