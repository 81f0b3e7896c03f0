"""The regular expressions of grep, sed, expr and nl have GNU's answers, errors and warnings."""

import pytest

from tests.unit.userland.conftest import Call

TEXT = "ba\nb\nbb\na\naab\n*a\nab)\naa0\né-é\n".encode()
LINES = [
    *(
        ["grep", "-E", pattern]
        for pattern in ("(a)|b\\1", "((a)|(b))\\3", "(a|(b))\\2", "a)", "*a", "(+a|?a|*b)")
    ),
    *(
        ["grep", pattern]
        for pattern in ("\\(a\\)\\|b\\1", "\\(a\\1\\)", "a\\", "[[:foo:]]", "[:alpha:]", "[[:b]")
    ),
    *(["grep", pattern] for pattern in ("[[.aa.]]", "[z-a]", "\\(a\\)\\10", "[[:alpha:]:]", "[^:alpha:]")),
    ["grep", "-e", "\\(a\\)\\1", "-e", "\\(b\\)\\1"],
    ["grep", "a\\{2,1\\}"],
    ["egrep", "-o", "*a"],
    *(
        ["sed", "-E", f"s/{pattern}/<&>/g"]
        for pattern in ("(a)|b\\1", "a)", "a{1", "a{x}", "\\S", "\\w{2}", "(a)\\10")
    ),
    *(["sed", f"s/{pattern}/<&>/g"] for pattern in ("[:alpha:]", "[a[:b]", "[]", "é*[z-a]", "x*[^é]*", "x*")),
    ["sed", "s/x*/<&>/gI"],
    *(["expr", "ab", ":", pattern] for pattern in ("a\\", "\\(a", "a\\{2")),
    ["nl", "-bp\\(a"],
]


@pytest.mark.parametrize("words", LINES, ids=" ".join)
async def test_expressions_are_gnus(words: list[str], call: Call, system: Call) -> None:
    locale = {"LC_ALL": "C.UTF-8"}
    one = await call(*words, stdin=TEXT, env=locale)
    other = await system(*words, stdin=TEXT, env=locale)
    assert (one.exit_code, one.output) == (other.exit_code, other.output)
    assert one.error == other.error.replace("\u2018", "'").replace("\u2019", "'")
