"""Expressions for blocks find in many lines what they find in each line."""

import random
import re

import pytest

from gemini_userland.blocks import within_lines
from gemini_userland.patterns import compile_posix

SEARCHED = [
    "fox", "^a", "a$", "a.", "[ab]1", "[^a]b", r"a\+", r"\(a\|b\)1", "é", "[0-9][0-9]*", r"\<a", r"b\>", r"a\{2\}",
    r"a\|1b", "[[:blank:]]a", r"\(a\)\1", r"a\.", "a*", "^", "$", r"\(a\)*", "[[:space:]]a", r"a\nb", r"\W",
]  # fmt: skip


def text(seed: int) -> bytes:
    chosen = random.Random(seed)
    return "".join(chosen.choice("ab1 .é\t\n\nfox") for _ in range(400)).encode()


@pytest.mark.parametrize("many_lines", [False, True])
@pytest.mark.parametrize("source", SEARCHED)
def test_a_block_has_the_matches_of_its_lines(source: str, many_lines: bool) -> None:
    pattern = compile_posix(source, extended=False, many_lines=many_lines)
    for seed in range(20):
        data = text(seed) if seed % 2 else text(seed).decode().replace("é", "e").encode()
        block = within_lines(pattern, ascii_only=data.isascii())
        if block is not None:
            expected = [match[0] for line in data.split(b"\n") for match in pattern.finditer(line)]
            assert [match[0] for match in re.finditer(block, data, re.MULTILINE)] == expected


@pytest.mark.parametrize("source", ["a*", "^", r"\(a\)*", "[[:space:]]", r"a\nb", r"\W", r"a\|"])
def test_what_may_be_empty_or_contain_a_line_break_is_searched_in_lines(source: str) -> None:
    pattern = compile_posix(source.replace(r"\n", "\n"), extended=False)

    assert within_lines(pattern, ascii_only=True) is None


@pytest.mark.parametrize("source", SEARCHED[:17])
def test_common_expressions_are_searched_in_blocks(source: str) -> None:
    assert within_lines(compile_posix(source, extended=False), ascii_only=True) is not None
