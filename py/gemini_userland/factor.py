"""`factor`: print the prime factors of numbers."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode

FACTOR = Syntax(
    help="""
Usage: factor [NUMBER]...
Print the prime factors of each NUMBER, or of the numbers on standard input.
""",
)


async def factor(invocation: Invocation) -> int:
    """Print a line for each number; return 1 if an operand is not a number."""
    given = FACTOR.parse(invocation)
    if isinstance(given, int):
        return given
    exit_code = 0
    for word in given.operands or decode(invocation.stdin).split():
        if not word.isdigit():
            invocation.error(f"'{word}' is not a valid positive integer")
            exit_code = 1
        else:
            invocation.print(" ".join([f"{int(word)}:", *map(str, _primes(int(word)))]))
    return exit_code


def _primes(number: int) -> list[int]:
    found: list[int] = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found.append(divisor)
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    return [*found, number] if number > 1 else found
