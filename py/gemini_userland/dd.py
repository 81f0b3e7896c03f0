"""`dd`: copy blocks of bytes.

Source: the GNU coreutils manual, "dd".
"""

from __future__ import annotations

import asyncio
import time

from gemini_userland.dd_blocks import Conversion, Input, Output
from gemini_userland.dd_operands import HELP, Operands, WrongOperand, parse
from gemini_userland.invocation import Invocation

# So many blocks are copied between two chances for other work, and for a time limit.
BLOCKS = 256
KILO = 1000
KIBI = 1024
LETTERS = "kMGTPE"
TEN = 10


async def dd(invocation: Invocation) -> int:
    """Copy blocks from the input to the output, and print how many."""
    if "--help" in invocation.argv[1:2]:
        invocation.print(HELP)
        return 0
    if "--version" in invocation.argv[1:2]:
        invocation.print("dd: part of the shell of control-surface, modelled on the GNU command")
        return 0
    try:
        operands = parse(invocation.argv[1:])
    except WrongOperand as problem:
        invocation.error(str(problem))
        if problem.advises:
            invocation.stderr.write(b"Try 'dd --help' for more information.\n")
        return 1
    if operands.flags >= {"append"} and "notrunc" not in operands.conversions:
        invocation.error("you probably want conv=notrunc with oflag=append")
    try:
        source = Input(invocation, operands)
        target = Output(invocation, operands)
    except OSError as error:
        invocation.error(f"failed to open '{error.filename}': {error.strerror}")
        return 1
    try:
        return await _copy(invocation, operands, source, target)
    finally:
        source.close()
        target.close()


async def _copy(invocation: Invocation, operands: Operands, source: Input, target: Output) -> int:
    started = time.monotonic()
    status = 0
    if not await source.skip():
        invocation.error(f"{source.shown}: cannot skip to specified offset")
    conversion = Conversion(operands)
    blocks = 0
    try:
        while (size := source.wanted()) > 0:
            block = await source.block(size)
            if not block:
                break
            target.put(conversion.convert(block), whole=operands.whole_blocks)
            blocks += 1
            waiting = invocation.stdout.writable() if target.is_stdout else None
            if waiting is not None:
                await waiting
            elif blocks % BLOCKS == 0:
                await asyncio.sleep(0)
        target.put(conversion.end(), whole=False)
        target.flush()
    except OSError as error:
        doing = "writing" if error.filename == target.shown else "reading"
        name = str(error.filename).strip("'")
        invocation.error(f"error {doing} '{name}': {error.strerror}")
        status = 1
    if operands.status != "none":
        _report(invocation, operands, (source, conversion, target), time.monotonic() - started)
    return status


def _report(
    invocation: Invocation, operands: Operands, parts: tuple[Input, Conversion, Output], elapsed: float
) -> None:
    source, conversion, target = parts
    taken, given = source.tally, target.tally
    text = f"{taken.whole}+{taken.partial} records in\n{given.whole}+{given.partial} records out\n"
    if cut := conversion.truncated:
        text += f"{cut} truncated record{'' if cut == 1 else 's'}\n"
    if operands.status != "noxfer":
        count = target.size
        sizes = [_readable(count, base) for base in (KILO, KIBI) if count >= base]
        shown = f" ({', '.join(sizes)})" if sizes else ""
        rate = _readable(round(count / max(elapsed, 1e-6)), KILO)
        text += f"{count} byte{'' if count == 1 else 's'}{shown} copied, {elapsed:.6g} s, {rate}/s\n"
    invocation.stderr.write(text.encode())


def _readable(number: float, base: int) -> str:
    """Format a size such as 2.0 kB or 30 MiB."""
    power = 0
    while number >= base and power < len(LETTERS):
        number /= base
        power += 1
    if power == 0:
        return f"{number:.0f} B"
    letter = LETTERS[power - 1]
    unit = f"{letter}B" if base == KILO else f"{letter.upper()}iB"
    return f"{number:.1f} {unit}" if number < TEN else f"{number:.0f} {unit}"
