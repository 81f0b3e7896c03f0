"""The shell's parser: which scripts it accepts, as `bash -n` of bash 5.2 does, and its errors for others."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.npm import find_node
from tests.compiling import compiled


def parse(*scripts: str) -> list[dict[str, Any]]:
    """Return `{statements}` or `{message, line, incomplete}` of each script."""
    syntax = compiled("kernel/shell/language/syntax/reader.ts") / "kernel/shell/language/syntax"
    command = [find_node().node, Path(__file__).with_name("parse.mjs"), syntax.as_uri(), json.dumps(scripts)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


ACCEPTED = [
    "",
    "# only a comment",
    "!",
    "time",
    "if a; then b; elif c; then d; else e; fi > f",
    "for ((;;)) do break; done",
    "for x; do a; done; for x in; do a; done",
    "case x in esac; case x in (a|b) ;; *) c;& d) ;;& e) esac",
    "f() (a); function g { b; }; function h() { c; }; i() [[ a ]]; j() ((1)) ",
    "{ (a) } ; { while a; do b; done }",
    "[[ -f a && ! ( b == c* || $d =~ ^(x y|z)$ ) ]] && e",
    "[[ -z a ]]; [[ a == -f ]]; [[ a == b\n&& c ]]; [[ a < b ]]; [[\na && ! (\nb ) ]]",
    "a=(1 [2]=3 # comment\n 4); a+=([x]+=y); declare -A m=([a b]=1 [c]=$d)",
    "echo ${a b} ${}",
    "echo $(( (1+2)*3 )) $( (a); (b) ) $(( a ) )",
    "exec {fd}<>f 3>&- <&4- &>>g <<<h",
    "cat <(a) > >(b) | c |& d",
    "a &\nb & c\n",
    "coproc a; coproc N { b; }; coproc (c)",
    "select x in a b; do c; done",
    "echo a\\\nb; a && # c\n\n b",
    "echo `echo \\`a\\``",
    "cat <<E",
]
# The message and the line, as in `bash -n`.
REFUSED = {
    "fi": ("syntax error near unexpected token `fi'", 1),
    "a\n)": ("syntax error near unexpected token `)'", 2),
    "a;;b": ("syntax error near unexpected token `;;'", 1),
    "a | | b": ("syntax error near unexpected token `|'", 1),
    "&& a": ("syntax error near unexpected token `&&'", 1),
    "if ; then a; fi": ("syntax error near unexpected token `;'", 1),
    "while true; done": ("syntax error near unexpected token `done'", 1),
    "()": ("syntax error near unexpected token `)'", 1),
    "a (b)": ("syntax error near unexpected token `b'", 1),
    "{ a; } b": ("syntax error near unexpected token `b'", 1),
    "echo a=(1)": ("syntax error near unexpected token `('", 1),
    "a >\nb": ("syntax error near unexpected token `newline'", 1),
    "a >": ("syntax error near unexpected token `newline'", 1),
    "for": ("syntax error near unexpected token `newline'", 1),
    "a > ; b": ("syntax error near unexpected token `;'", 1),
    "f() a": ("syntax error near unexpected token `a'", 1),
    "for x in a; b": ("syntax error near unexpected token `b'", 1),
    "echo @(a|b)": ("syntax error near unexpected token `('", 1),
    "[[ a b ]]": ("conditional binary operator expected", 1),
    "[[ -z ]]": ("unexpected argument `]]' to conditional unary operator", 1),
    "[[ a ==\nb ]]": ("unexpected argument `newline' to conditional binary operator", 1),
    "[[ ( a ]]": ("unexpected token `]]', expected `)'", 1),
    "[[ a = b c ]]": ("syntax error in conditional expression", 1),
    "for ((a; b)); do c; done": ("syntax error: arithmetic expression required", 1),
    "echo $(\na\n": ("unexpected EOF while looking for matching `)'", 3),
}
# More text could make them valid.
INCOMPLETE = [
    'echo "a',
    "echo 'a",
    "echo $'a",
    "echo `a",
    "echo $(a",
    "echo ${a",
    "echo $((1",
    "if a",
    "if a; then",
    "for x",
    "case x in",
    "case x in a)",
    "{ a",
    "( a",
    "((1",
    "[[ a",
    "[[ a &&",
    "f()",
    "a |",
    "a &&",
    "x=(1",
    "while a; do b",
    "until a",
    "select x",
]


def test_what_bash_accepts_is_accepted() -> None:
    refused = {
        script: one["message"]
        for script, one in zip(ACCEPTED, parse(*ACCEPTED), strict=True)
        if "message" in one
    }
    assert not refused


def test_what_bash_refuses_is_refused_with_its_words() -> None:
    found = {
        script: (one.get("message"), one.get("line"))
        for script, one in zip(REFUSED, parse(*REFUSED), strict=True)
    }
    assert found == REFUSED


def test_incomplete_text_is_known_as_such() -> None:
    complete = [
        script
        for script, one in zip(INCOMPLETE, parse(*INCOMPLETE), strict=True)
        if not one.get("incomplete")
    ]
    assert not complete


def test_lines_are_counted_through_here_documents_and_substitutions() -> None:
    [result] = parse("a\ncat <<E\nb\nE\nc \\\nd\necho $(e\nf)\ng")
    lines = [one["pipelines"][0]["commands"][0]["line"] for one in result["statements"]]
    inner = result["statements"][3]["pipelines"][0]["commands"][0]["args"][0]["parts"][0]["body"][
        "statements"
    ]
    assert lines == [1, 2, 5, 7, 9]
    assert [one["pipelines"][0]["commands"][0]["line"] for one in inner] == [7, 8]


LINES = st.lists(
    st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]), max_size=40), max_size=8
)


@pytest.mark.fortnightly
@given(st.lists(LINES, min_size=20, max_size=20))
@settings(max_examples=15)
def test_a_quoted_here_document_is_what_was_written(texts: list[list[str]]) -> None:
    bodies = ["".join(f"{line}\n" for line in lines if line != "END") for lines in texts]
    for body, one in zip(
        bodies, parse(*[f"cat <<'END'\n{body}END\necho after" for body in bodies]), strict=True
    ):
        [cat, _] = one["statements"]
        content = cat["pipelines"][0]["commands"][0]["redirections"][0]["target"]["content"]["parts"]
        assert "".join(part["value"] for part in content) == body


@pytest.mark.fortnightly
@given(
    st.lists(
        st.text(st.characters(exclude_characters="'\0", exclude_categories=["Cs"]), max_size=60),
        min_size=20,
        max_size=20,
    )
)
@settings(max_examples=15)
def test_a_quoted_word_is_what_was_written(texts: list[str]) -> None:
    for text, one in zip(texts, parse(*[f"echo '{text}'" for text in texts]), strict=True):
        [word] = one["statements"][0]["pipelines"][0]["commands"][0]["args"]
        assert word["parts"] == [{"type": "SingleQuoted", "value": text}]


@pytest.mark.parametrize("depth", [40])
def test_open_braces_take_no_exponential_time(depth: int) -> None:
    [result] = parse("echo " + "{a," * depth)
    assert result["statements"]
