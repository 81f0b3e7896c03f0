"""find prints what GNU find 4.9 prints, in the order of names."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from gemini_userland.find.entry import Entry
from gemini_userland.find.query import Query
from gemini_userland.find.times import age_test
from gemini_userland.invocation import Invocation

from .cases import Case, read_cases
from .conftest import Call
from .trees import make_find_tree

CASES = read_cases("find_cases.txt")


@pytest.mark.parametrize("case", CASES, ids=[case.arguments for case in CASES])
async def test_a_call_prints_what_gnu_find_prints(call: Call, tmp_path: Path, case: Case) -> None:
    make_find_tree(tmp_path)
    done = await call("find", *shlex.split(case.arguments))
    assert (done.text, done.exit_code) == (case.output, case.exit_code)
    if case.error:
        assert done.error.splitlines()[0] == case.error


async def test_names_are_in_the_order_of_their_bytes(call: Call, tmp_path: Path) -> None:
    for name in ("b", "a", "B", "é", "a/z", "a-b"):
        (tmp_path / name).mkdir()
    assert (await call("find", "-mindepth", "1")).text == "./B\n./a\n./a/z\n./a-b\n./b\n./é\n"


async def test_many_files_are_passed_to_as_few_commands_as_gnu_s(call: Call, tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f"{'n' * 100}{number:04}").touch()
    counted = await call("find", ".", "-type", "f", "-exec", "sh", "-c", "echo $#", "x", "{}", "+")
    assert counted.text == "1224\n776\n"


async def test_commands_in_the_folders_of_files_get_their_names(call: Call, tmp_path: Path) -> None:
    make_find_tree(tmp_path)
    done = await call(
        "find", "a", "-name", "[be]*", "-execdir", "sh", "-c", 'echo "${PWD##*/}" "$1"', "x", "{}", ";"
    )
    assert done.text == "a ./b\nb ./e\na ./big\n"
    done = await call("find", ".", "-maxdepth", "1", "-execdir", "echo", "{}", "+")
    assert done.text == "./.\n./.h ./a\n"


async def test_a_folder_that_is_removed_while_it_is_visited_is_reported(call: Call, tmp_path: Path) -> None:
    make_find_tree(tmp_path)
    done = await call("find", "a", "-name", "b", "-exec", "rm", "-r", "{}", ";")
    assert (done.exit_code, done.error) == (1, "find: ‘a/b’: No such file or directory\n")
    assert not (tmp_path / "a/b").exists()


async def test_questions_are_refused_with_what_to_use_instead(call: Call, tmp_path: Path) -> None:
    done = await call("find", ".", "-ok", "rm", "{}", ";")
    assert done.exit_code == 1
    assert "use -exec" in done.error


async def test_texts_go_to_files(call: Call, tmp_path: Path) -> None:
    make_find_tree(tmp_path)
    await call("find", ".", "-name", "l", "-fprintf", "out", "%p %l\n", "-fprint0", "zero")
    assert (tmp_path / "out").read_text() == "./a/l f.txt\n"
    assert (tmp_path / "zero").read_bytes() == b"./a/l\0"
    assert (await call("find", ".", "-fprint", "no/such")).exit_code == 1


async def test_times_have_formats(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    os.utime(tmp_path / "f", ns=(1_700_000_000_123_456_789, 1_700_000_000_123_456_789))
    form = "%T@ %TY-%Tm-%Td %TH:%TM:%TS %T+ %t %TA %Tc %AF %Tk|%Te|%Tj|%TT|%TD|%Tr\n"
    assert (await call("find", "f", "-printf", form)).text == (
        "1700000000.1234567890 2023-11-14 22:13:20.1234567890 2023-11-14+22:13:20.1234567890 "
        "Tue Nov 14 22:13:20.1234567890 2023 Tuesday Tue Nov 14 22:13:20 2023 2023-11-14 "
        "22|14|318|22:13:20.1234567890|11/14/23|10:13:20 PM\n"
    )


async def test_times_are_in_the_zone_that_is_set(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    os.utime(tmp_path / "f", (1_700_000_000, 1_700_000_000))
    done = await call("find", "f", "-printf", "%TH %TZ\n", env={"TZ": "Asia/Tokyo"})
    assert done.text == "07 JST\n"


async def test_a_line_has_all_that_ls_shows(call: Call, tmp_path: Path) -> None:
    (tmp_path / "my file").write_text("hello\n")
    (tmp_path / "my file").chmod(0o640)
    os.utime(tmp_path / "my file", (1_600_000_000, 1_600_000_000))
    line = (await call("find", "my file", "-ls")).text
    assert line.split()[1:4] == ["4", "-rw-r-----", "1"]
    assert line.endswith("        6 Sep 13  2020 my\\ file\n")


async def test_names_that_are_not_utf_8_come_through(call: Call, tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/caf\xe9", "wb"):
        pass
    assert (await call("find", "-type", "f")).output == b"./caf\xe9\n"
    assert (await call("find", "-name", "caf?", "-print0")).output == b"./caf\xe9\0"


def test_a_file_may_be_as_old_as_the_call(tmp_path: Path) -> None:
    place = str(tmp_path / "new")
    (tmp_path / "new").touch()
    wrong: list[int] = []
    # Of every eighth millisecond, a number of seconds changes where a day is taken from it and added again.
    for millisecond in range(100):
        now_ns = (1_796_008_465_000 + millisecond) * 1_000_000
        os.utime(place, ns=(now_ns, now_ns))
        query = Query(Invocation(["find"], b"", str(tmp_path), {}), started_ns=now_ns)
        if not age_test(query, "-mtime", "0")(Entry(place, place, "new", 0, place, follows=False)):
            wrong.append(millisecond)
    assert not wrong
