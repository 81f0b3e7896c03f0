"""The operands of `dd`: `if=FILE`, `bs=BYTES` and their like (GNU coreutils manual, "dd")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from gemini_userland.counts import parse_count

HELP = """\
Usage: dd [OPERAND]...
Copy blocks of bytes from standard input to standard output.

  if=FILE, of=FILE   read from, or write to FILE instead
  bs=BYTES           the size of blocks; ibs=BYTES and obs=BYTES only for the input or the output (512)
  cbs=BYTES          the size of the records of conv=block and conv=unblock
  count=N            copy only N blocks of the input
  skip=N, iseek=N    first skip N blocks of the input
  seek=N, oseek=N    first skip N blocks of the output
  conv=CONVERSIONS   block, excl, fdatasync, fsync, lcase, nocreat, noerror, notrunc, sparse, swab, sync, ucase, unblock
  iflag=FLAGS        count_bytes, fullblock, skip_bytes; others have no effect
  oflag=FLAGS        append, seek_bytes; others have no effect
  status=LEVEL       none, noxfer or progress

Numbers may end in c, w, b, kB, K, MB, M, ..., and be products such as 2x512. An N that ends in B counts bytes."""
_CONVERSIONS = "block excl fdatasync fsync lcase nocreat noerror notrunc sparse swab sync ucase unblock"
CONVERSIONS = frozenset(_CONVERSIONS.split())
REFUSED = dict.fromkeys(("ascii", "ebcdic", "ibm"), "use iconv, such as `iconv -f CP037`")
_EFFECTS = "append fullblock count_bytes skip_bytes seek_bytes"
_NO_EFFECTS = "direct directory dsync sync nonblock noatime nocache noctty nofollow"
FLAGS = frozenset([*_EFFECTS.split(), *_NO_EFFECTS.split()])
LEVELS = frozenset(("none", "noxfer", "progress"))
SIZES = frozenset(("bs", "ibs", "obs", "cbs"))
AMOUNTS = {"count": "count", "skip": "skip", "iseek": "skip", "seek": "seek", "oseek": "seek"}
DEFAULT = 512


class WrongOperand(ValueError):
    """An operand is invalid; the message is GNU's.

    Attributes:
        advises: True if a line that refers to `--help` follows it.
    """

    def __init__(self, message: str, *, advises: bool = True) -> None:
        super().__init__(message)
        self.advises = advises


@dataclass
class Operands:
    """The operands of a call.

    Attributes:
        source: The path of the input, or None for standard input.
        target: The path of the output, or None for standard output.
        input_size: The bytes of an input block.
        output_size: The bytes of an output block.
        record_size: The bytes of a record of `conv=block`; 0 if it isn't given.
        count: How much is copied, in blocks, or None for all.
        skip: How much of the input is skipped, in blocks.
        seek: How much of the output is skipped, in blocks.
        in_bytes: Which of `count`, `skip` and `seek` are numbers of bytes.
        conversions: The words of `conv=`.
        flags: The words of `iflag=` and `oflag=`.
        status: The level of `status=`.
        whole_blocks: True if an output block is written for each input block: with `bs=` and without conversions.
    """

    source: str | None = None
    target: str | None = None
    input_size: int = DEFAULT
    output_size: int = DEFAULT
    record_size: int = 0
    count: int | None = None
    skip: int = 0
    seek: int = 0
    in_bytes: set[str] = field(default_factory=set[str])
    conversions: set[str] = field(default_factory=set[str])
    flags: set[str] = field(default_factory=set[str])
    status: str = ""
    whole_blocks: bool = False

    def bytes_of(self, name: str, number: int, block: int) -> int:
        """Return the number of bytes that `count`, `skip` or `seek` means."""
        return number if name in self.in_bytes else number * block


def parse(words: Sequence[str]) -> Operands:
    """Parse operands.

    Raises:
        WrongOperand: One is invalid.
    """
    operands = Operands()
    sizes: dict[str, int] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise WrongOperand(f"unrecognized operand '{word}'")
        if name in SIZES:
            sizes[name] = _size(value)
        elif name in AMOUNTS:
            _amount(operands, AMOUNTS[name], value)
        else:
            _word(operands, name, value, word)
    both = sizes.get("bs")
    operands.input_size = both or sizes.get("ibs", DEFAULT)
    operands.output_size = both or sizes.get("obs", DEFAULT)
    operands.record_size = sizes.get("cbs", 0)
    converts = operands.conversions & {"block", "unblock", "lcase", "ucase", "swab"}
    operands.whole_blocks = both is not None and not converts
    return operands


def _word(operands: Operands, name: str, value: str, word: str) -> None:
    match name:
        case "if":
            operands.source = value
        case "of":
            operands.target = value
        case "conv":
            operands.conversions |= _words(value, CONVERSIONS, "invalid conversion")
        case "iflag":
            operands.flags |= _words(value, FLAGS, "invalid input flag")
            operands.in_bytes |= {flag.removesuffix("_bytes") for flag in operands.flags if "_" in flag}
        case "oflag":
            operands.flags |= _words(value, FLAGS - {"fullblock"}, "invalid output flag")
            operands.in_bytes |= {flag.removesuffix("_bytes") for flag in operands.flags if "_" in flag}
        case "status":
            _words(value, LEVELS, "invalid status level")
            operands.status = value
        case _:
            raise WrongOperand(f"unrecognized operand '{word}'")


def _words(value: str, known: frozenset[str], problem: str) -> set[str]:
    words = set(value.split(","))
    for word in value.split(","):
        if word in REFUSED:
            raise WrongOperand(f"conv={word} isn't supported: {REFUSED[word]}", advises=False)
        if word not in known:
            raise WrongOperand(f"{problem}: '{word}'")
    return words


def _size(text: str) -> int:
    number = _number(text)
    if number == 0:
        raise WrongOperand(f"invalid number: '{text}'", advises=False)
    return number


def _amount(operands: Operands, name: str, text: str) -> None:
    if text.endswith("B") and text[:-1].isdecimal():
        operands.in_bytes.add(name)
        text = text[:-1]
    setattr(operands, name, _number(text))


def _number(text: str) -> int:
    """Return the product of the numbers between the letters `x`."""
    factors = [parse_count(factor.removesuffix("c")) for factor in text.split("x")]
    known = [factor for factor in factors if factor is not None]
    if len(known) != len(factors):
        raise WrongOperand(f"invalid number: '{text}'", advises=False)
    return prod(known)
