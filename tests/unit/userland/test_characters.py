"""Characters follow the locale: C, C.UTF-8 and one that is unknown, as in Debian's programs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from gemini_userland import run
from gemini_userland.invocation import Invocation

# The locale, the command, its input, and what Debian's program prints (a character for each byte) and returns.
CASES: list[tuple[str, list[str], str, str, int]] = json.loads(
    Path(__file__).with_name("locale_cases.json").read_text()
)


def test_characters_are_those_of_the_locale() -> None:
    wrong: list[tuple[str, list[str], bytes, str]] = []
    for locale, argv, data, stdout, exit_code in CASES:
        invocation = Invocation(list(argv), data.encode(), env={"LC_ALL": locale})
        done = asyncio.run(run(invocation))
        if (invocation.stdout.bytes().decode("latin-1"), done) != (stdout, exit_code):
            wrong.append((locale, argv, invocation.stdout.bytes(), stdout))
    assert not wrong
