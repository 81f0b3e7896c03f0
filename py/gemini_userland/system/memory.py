"""`free`: the memory. Units and rounding are as in procps 4 (free(1))."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

LETTERS = "KMGTPEZY"
# Each unit as a power, and whether it is one of 1000.
UNITS = {
    "b": (0, False),
    **{name: (power, True) for power, name in enumerate(("kilo", "mega", "giga", "tera", "peta"), 1)},
    **{name: (power, False) for power, name in enumerate(("k", "m", "g", "tebi", "pebi"), 1)},
}
WITHOUT_PAUSE = 1
PAUSE_S = 1.0
LARGEST_COUNT = (1 << 31) - 1
SYNTAX = Syntax(
    short="bkmghltvws:c:V",
    long={
        "bytes": "b",
        "kibi": "k",
        "mebi": "m",
        "gibi": "g",
        **{name: name for name in UNITS if len(name) > 1},
        "human": "h",
        "si": "si",
        "lohi": "l",
        "total": "t",
        "committed": "v",
        "seconds=": "s",
        "count=": "c",
        "wide": "w",
    },
    answer={"V": "version"},
    refused={"v": "memory isn't committed before it is used: leave it out"},
    help="""
Usage: free [OPTION]...
Print the memory of the machine. In the page, that is the memory of Python: its size, and the most that it can have.

  -b, -k, -m, -g                       print bytes, KiB, MiB, GiB; so do --bytes, --kibi, --mebi, --gibi
      --tebi, --pebi                   print TiB, PiB
      --kilo, --mega, --giga, --tera, --peta
                                       print units of 1000
  -h, --human                          print readable sizes
      --si                             use powers of 1000
  -l, --lohi                           print low and high memory
  -t, --total                          print the sum of memory and swap
  -w, --wide                           print buffers and cache in two columns
  -s, --seconds N                      print again after N seconds
  -c, --count N                        print N times
""",
)


class WrongValue(Exception):
    """An option's value is wrong, or options contradict each other; the text says which."""


def human(size: int, *, si: bool) -> str:
    """Return a size in the largest unit that leaves three characters for its digits."""
    if len(text := f"{size}B") <= 4:
        return text
    base, suffix = (1000, "") if si else (1024, "i")
    for power, letter in enumerate(LETTERS, 1):
        value = size / base**power
        for digits in (f"{value:.1f}", str(int(value))):
            if len(digits) <= 3:
                return f"{digits}{letter}{suffix}"
    return text


@dataclass(frozen=True)
class Unit:
    """The unit of sizes: so many bytes, or the largest that fits."""

    size: int
    readable: bool
    si: bool

    def show(self, size: int) -> str:
        """Return a size in this unit, rounded down."""
        return human(size, si=self.si) if self.readable else str(size // self.size)


def _unit(given: Arguments) -> Unit:
    chosen = [name for name, _ in given.items if name in UNITS]
    if len(chosen) > 1:
        raise WrongValue("Multiple unit options don't make sense.")
    power, decimal = UNITS[chosen[0] if chosen else "k"]
    si = "si" in given
    return Unit((1000 if decimal or si else 1024) ** power, "h" in given, si)


def _repeats(given: Arguments) -> tuple[int | None, float]:
    """Return how often to print, None for without an end, and the pause in seconds."""
    count, pause = given.last("c"), given.last("s")
    if count is not None and not re.fullmatch(r"\s*[-+]?\d+", count):
        raise WrongValue(f"failed to parse count argument: '{count}'")
    if count is not None and not 1 <= int(count) <= LARGEST_COUNT:
        raise WrongValue(f"failed to parse count argument: '{count}': Numerical result out of range")
    if pause is not None and not re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)", pause):
        raise WrongValue(f"seconds argument failed: '{pause}': Invalid argument")
    if pause is not None and float(pause) <= 0:
        raise WrongValue(f"seconds argument `{pause}' is not positive number")
    ends = int(count) if count is not None else WITHOUT_PAUSE if pause is None else None
    return ends, PAUSE_S if pause is None else float(pause)


def _table(used: int, total: int, unit: Unit, given: Arguments) -> str:
    left = total - used
    # Nothing is shared or cached, and there is no swap.
    cached = ("buffers", "cache") if "w" in given else ("buff/cache",)
    rows = [("Mem:", [total, used, left, 0, *(0 for _ in cached), left])]
    if "l" in given:
        rows += [("Low:", [total, used, left]), ("High:", [0, 0, 0])]
    rows.append(("Swap:", [0, 0, 0]))
    if "t" in given:
        rows.append(("Total:", [total, used, left]))
    heading = " " * 8 + "".join(
        f"{name:>12}" for name in ("total", "used", "free", "shared", *cached, "available")
    )
    return "\n".join(
        [
            heading,
            *(f"{name:<8}" + "".join(f"{unit.show(size):>12}" for size in sizes) for name, sizes in rows),
        ]
    )


async def free(invocation: Invocation) -> int:
    """Print the memory, as often as asked; return 1 if nothing is known about it."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return SYNTAX.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    try:
        unit, (count, pause) = _unit(given), _repeats(given)
    except WrongValue as error:
        invocation.error(str(error))
        return 1
    printed = 0
    while count is None or printed < count:
        if printed:
            invocation.print("")
            await asyncio.sleep(pause)
        memory = invocation.machine.memory()
        if memory is None:
            invocation.error("the size of the memory isn't known here")
            return 1
        invocation.print(_table(*memory, unit, given))
        printed += 1
    return 0
