"""`\\w` matches a full letter in UTF-8, and `grep -L` ends as GNU's does."""

from __future__ import annotations

import pytest

from tests.unit.userland.conftest import Call

TEXT = "héé x_1\nnaïve ok\n".encode()


@pytest.mark.parametrize(
    "argv",
    [
        ["grep", "-o", r"\w"],
        ["grep", "-oE", r"\w+"],
        ["grep", "-c", r"^\w\w\w "],
        ["grep", "-ow", "héé"],
        ["sed", r"s/\w/X/g"],
        ["sed", "-E", r"s/(\w)(\w)/\2\1/"],
        ["grep", "-L", "naïve"],
        ["grep", "-L", "none"],
    ],
    ids=" ".join,
)
async def test_letters_match_gnu(call: Call, system: Call, argv: list[str]) -> None:
    environment = {"LC_ALL": "C.UTF-8"}
    assert await call(*argv, stdin=TEXT) == await system(*argv, stdin=TEXT, env=environment)
