"""Blocks of commands that were written before they ran here print what they print in Debian."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from tests.bash import cases, conductor
from tests.bash.blocks.record import blocks, recorded
from tests.bash.test_oneliners import IN_BROWSER
from tests.tiers import sampled

SHARES = 16

MAWK = "mawk 1.3.4 prints whole numbers above 2³¹ as 1e+10, and counts from -1 in substr; ours is as gawk"
# The blocks that print something else here, and why.
KNOWN = {
    "first: R19": "jq 1.7 prints 1e3 as it is written",
    "first: X20": "grep -L lists directories",
    **dict.fromkeys(("first: K3", "first: K7"), MAWK),
    "first: K16": "mawk reads 0x10 in input as a number",
    "first: K18": "mawk has no hexadecimal numbers in programs",
    "first: K23": "mawk changes the bytes of characters that aren't ASCII",
    "first: E25": "cmp -l has narrow columns for pipes",
    "first: Z2": "of the two hours of a change of time, GNU date takes the later, ours the earlier",
    "first: Z6": "git ignores the zone of GIT_COMMITTER_DATE",
    "first: P15": "Emscripten's numbers of errors, and no python3 -O",
    "first: G2": "git stash -u",
    "first: G9": "git check-ignore, clean -e and add -n",
    "first: L21": "enable -n is refused",
    "first: S8": "mawk has no {3}",
    "first: S12": "jq 1.7 ends with 5 where 1.6 ends with 4",
    "first: S15": "modes of directories in tar",
    "second: I5": "messages have plain apostrophes; sed and wc name a directory otherwise",
    "second: P1": "Python has 32 bits",
    "second: L7": "a missing command has a hint",
    "second: L10": "hash -d says nothing of an unknown name",
    "second: S5": "uname is Emscripten's",
    "second: S6": "make and tar say their versions otherwise",
    "third: S11": "sh is bash here, dash in Debian",
    **dict.fromkeys(("fourth: E5", "fourth: K5", "fourth: LC52"), MAWK),
    **dict.fromkeys(("fourth: Z1", "fourth: X9", "fourth: H5"), "messages have plain apostrophes"),
    "fourth: Z8": "git ignores the zone of GIT_COMMITTER_DATE",
    **dict.fromkeys(("fourth: P1", "fourth: B21"), "a missing module, and venv, have hints"),
    "fourth: P10": "Emscripten's numbers of errors",
    "fourth: LC14": "GNU's sed breaks the bytes of \\U in the locale C",
    "fourth: LC22": "gawk is awk, and Debian has none",
    "fourth: LC24": "GNU's find matches a name as characters or as bytes",
    "fourth: LC27": "the page has LANG, and Debian's runs had LC_ALL",
    **dict.fromkeys(("fourth: LC35", "fourth: O2"), "owners and modes of folders"),
    **dict.fromkeys(("fourth: LC40", "fourth: B26"), "a terminal's messages have no line numbers"),
    "fourth: LC48": "less reports a missing file on standard error",
    "fourth: B39": "there is no perl",
    "fourth: B40": "the page exports other variables",
    "fourth: B60": "the program printf is the builtin, whose quotes mean the same",
}


@pytest.mark.parametrize("share", sampled(range(SHARES), every=SHARES))
def test_blocks_print_what_they_print_in_debian(share: int, surface: Any) -> None:
    chosen = blocks()[share::SHARES]
    surface.python(inspect.getsource(conductor) + IN_BROWSER)
    request = json.dumps(cases.request(chosen))
    ours = cases.answers(surface.python(f"await run_cases({request!r})"))
    expected = recorded()
    different = {
        block.name: (answer, expected[block.name])
        for block, answer in zip(chosen, ours, strict=True)
        if answer != expected[block.name]
    }
    assert set(different) <= set(KNOWN), different


def test_each_block_has_an_answer_of_debian() -> None:
    assert list(recorded()) == [block.name for block in blocks()]
    assert set(KNOWN) <= set(recorded())
