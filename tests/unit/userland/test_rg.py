"""rg prints what ripgrep 13 prints with `--sort path`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from .cases import Case, read_cases
from .conftest import Call
from .trees import make_rg_tree

CASES = read_cases("rg_cases.txt")


@pytest.mark.parametrize("case", CASES, ids=[case.arguments for case in CASES])
async def test_a_call_prints_what_ripgrep_prints(call: Call, tmp_path: Path, case: Case) -> None:
    make_rg_tree(tmp_path)
    done = await call("rg", *shlex.split(case.arguments))
    assert (done.text, done.exit_code) == (case.output, case.exit_code)


async def test_standard_input_is_searched_where_no_path_is_named(call: Call) -> None:
    assert (await call("rg", "-n", "b", stdin=b"abc\nx\nb\n")).text == "1:abc\n3:b\n"
    assert (await call("rg", "-H", "b", "-", stdin=b"abc\n")).text == "<stdin>:abc\n"
    assert (await call("rg", "-c", "b", stdin=b"abc\nb\n")).text == "2\n"


async def test_messages_are_json(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("é foo\nx foo foo\ny\n".encode() + b"caf\xe9 foo\n")
    lines = (await call("rg", "--json", "-A1", "o+", "f")).text.splitlines()
    messages = [json.loads(line) for line in lines]
    assert [message["type"] for message in messages] == [
        "begin", "match", "match", "context", "match", "end", "summary",
    ]  # fmt: skip
    assert messages[2]["data"] == {
        "path": {"text": "f"},
        "lines": {"text": "x foo foo\n"},
        "line_number": 2,
        "absolute_offset": 7,
        "submatches": [
            {"match": {"text": "oo"}, "start": 3, "end": 5},
            {"match": {"text": "oo"}, "start": 7, "end": 9},
        ],
    }
    assert messages[4]["data"]["lines"] == {"bytes": "Y2Fm6SBmb28K"}
    assert messages[1]["data"]["submatches"][0]["start"] == 4
    assert messages[-1]["data"]["stats"]["matches"] == 4


async def test_statistics_follow_the_lines(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("foo foo\nbar\nfoo\n")
    lines = (await call("rg", "--stats", "foo", "f")).text.splitlines()
    assert lines[:-2] == [
        *("foo foo", "foo", "", "3 matches", "2 matched lines", "1 files contained matches"),
        *("1 files searched", "12 bytes printed", "16 bytes searched"),
    ]


async def test_rules_of_folders_above_and_below_hold(call: Call, tmp_path: Path) -> None:
    for name in (
        "one/two/a.tmp",
        "one/two/b.txt",
        "one/c.tmp",
        "one/keep/d.tmp",
        "other/e.txt",
        "one/two/out/f.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.tmp\n/other\n")
    (tmp_path / "one/keep/.gitignore").write_text("!*.tmp\n")
    (tmp_path / "one/.ignore").write_text("two/out/\n")
    files = await call("rg", "--files")
    assert files.text == "one/keep/d.tmp\none/two/b.txt\n"
    assert (await call("rg", "--files", cwd=tmp_path / "one/two")).text == "b.txt\n"
    assert (await call("rg", "--files", "--no-ignore-vcs")).text.count("\n") == 5
    (tmp_path / ".git").rmdir()
    assert "one/c.tmp\n" in (await call("rg", "--files")).text
    assert "one/c.tmp\n" not in (await call("rg", "--files", "--no-require-git")).text


async def test_links_are_followed_where_that_is_asked_for(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\n")
    (tmp_path / "link").symlink_to("f")
    (tmp_path / "loop").symlink_to(".")
    assert (await call("rg", "-l", "x")).text == "f\n"
    assert (await call("rg", "-l", "x", "link")).text == "link\n"
    done = await call("rg", "-lL", "x")
    assert (done.text, done.exit_code) == ("f\nlink\n", 2)
    assert "loop" in done.error


async def test_bytes_that_are_not_utf_8_come_through(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"caf\xe9 foo\ncaf\xc3\xa9\n")
    assert (await call("rg", "foo")).output == b"f:caf\xe9 foo\n"
    # No `.` matches a byte that is no character.
    assert (await call("rg", "caf.", "f")).output == b"caf\xc3\xa9\n"
    assert (await call("rg", "-E", "latin-1", "café foo", "f")).text == "café foo\n"


async def test_files_of_patterns_and_of_rules(call: Call, tmp_path: Path) -> None:
    make_rg_tree(tmp_path)
    (tmp_path / "empty").write_text("foo2\nHello\n")
    assert (await call("rg", "-f", "empty", "src")).text == "src/a.py:Hello world\nsrc/b.js:foo2\n"
    (tmp_path / "rules").write_text("*.txt\n/src\n*.dat\n")
    done = await call("rg", "--ignore-file", "rules", "-l", "foo", "-g", "!empty")
    assert done.text == "keep.log\n"
    assert (await call("rg", "-f", "missing", "src")).exit_code == 2


@pytest.mark.parametrize("option", ["-z", "--pre=cat"])
async def test_what_is_not_supported_is_refused(call: Call, option: str) -> None:
    done = await call("rg", option, "x")
    assert (done.exit_code, done.text) == (2, "")
    assert "instead" in done.error
