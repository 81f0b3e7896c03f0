"""`awk` has the results of gawk 5.2 or mawk 1.3.4 in `awk_cases.txt`, and passes bytes on."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Awaitable
from pathlib import Path

import pytest

from gemini_userland import run
from gemini_userland.invocation import Invocation, Output
from tests.unit.userland.conftest import Call

CASES = re.split(
    r"^### ", (Path(__file__).parent / "awk_cases.txt").read_bytes().decode(), flags=re.MULTILINE
)[1:]


def _parts(case: str) -> tuple[str, bytes, bytes, int]:
    """Return the command, its input, its output and its exit code; `\\` ends a text without a last newline."""
    head, _, rest = case.partition("--- output")
    code, _, output = rest.partition("\n")
    command, _, given = head.partition("\n")[2].partition("--- input\n")
    texts = [text.removesuffix("\\\n").encode() for text in (given, output)]
    return command.rstrip("\n"), texts[0], texts[1], int(code or 0)


@pytest.mark.parametrize("case", CASES, ids=[case.partition("\n")[0] for case in CASES])
async def test_a_program_prints_what_gawk_or_mawk_prints(case: str, call: Call) -> None:
    command, given, output, code = _parts(case)
    done = await call(*shlex.split(command), stdin=given)
    assert (done.output, done.exit_code) == (output, code), done.error
    assert bool(done.error) == (code == 2)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("BEGIN {\n\n x = = 1 }", "awk: line 3: syntax error at or near =\n"),
        ("BEGIN { f(1) }", "awk: line 1: function f never defined\n"),
        ('BEGIN { print "a }', "awk: line 1: runaway string constant\n"),
        ("BEGIN {\n x = 0\n print 1 / x }", "awk: line 3: division by zero\n"),
        ("function f(n) {\n return n % 0 }\nBEGIN { f(1) }", "awk: line 2: division by zero in %\n"),
        ('BEGIN { print > "/nonexistent/x" }', 'awk: line 1: cannot open "/nonexistent/x" for output (No such'),
        ('BEGIN { print "x" ~ "a(" }', "awk: line 1: regular expression has an unmatched (: /a(/\n"),
        ('BEGIN { print | "sort" |& "x" }', "awk: line 1: syntax error"),
        ('BEGIN { c = "cat"; print 1 |& c; c |& getline; print 2 |& c }', 'awk: line 1: the coprocess "cat" has been'),
        ('BEGIN { f = "g"; @f() }', "awk: line 1: function g called indirectly through f doesn't exist\n"),
        ('\n@include "none"', "awk: line 2: cannot open none for @include (No such file or directory)\n"),
        ("function f(NR) {}", "awk: line 1: NR is awk's and can't be a parameter\n"),
        ('BEGIN { SYMTAB["x"] = 1 }', "awk: line 1: SYMTAB isn't supported"),
        ('@load "x"', "awk: line 1: @load isn't supported: there is no extension library x\n"),
        ("BEGIN { a[1]; a = 2 }", "awk: line 1: array a is used as a scalar\n"),
        ("BEGIN { $(-1) = 2 }", "awk: line 1: negative field index $-1\n"),
        ("BEGIN { printf \"%d %d\", 1 }", "awk: line 1: not enough arguments passed to sprintf"),
        ("function f() { f() }\nBEGIN { f() }", "awk: line 1: functions call each other too deeply\n"),
    ],
)  # fmt: skip
async def test_an_error_names_its_line(program: str, message: str, call: Call) -> None:
    done = await call("awk", program)
    assert done.exit_code == 2
    assert done.error.startswith(message)


@pytest.mark.parametrize("program", ['BEGIN {system("x")}', '{print > "x"}', 'BEGIN {"x" | getline}'])
async def test_a_sandbox_refuses_effects(program: str, call: Call) -> None:
    done = await call("awk", "--sandbox", program)
    assert (done.exit_code, done.text) == (2, "")
    assert "isn't allowed with --sandbox" in done.error


async def test_messages_of_a_program_go_to_standard_error(call: Call) -> None:
    done = await call("awk", '{print "e" > "/dev/stderr"; print "o"}', stdin=b"x\n")
    assert (done.text, done.error) == ("o\n", "e\n")


async def test_bytes_that_are_no_text_pass(call: Call) -> None:
    done = await call("awk", "{print length($0), $1}", stdin=b"caf\xe9 \xff\n\xef\xbb\xbfa\n")
    assert done.output == b"6 caf\xe9\n2 \xef\xbb\xbfa\n"


async def test_a_program_in_several_files(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f.awk").write_text("function f(x) { return x * 2 }\n", encoding="utf-8")
    (tmp_path / "m.awk").write_text("#!/usr/bin/awk -f\n{ print f($1) }\n", encoding="utf-8")
    (tmp_path / "in").write_text("4\n", encoding="utf-8")
    assert (await call("awk", "-f", "f.awk", "-fm.awk", "in")).text == "8\n"
    assert (await call("awk", "--file=f.awk", "--file", "m.awk", "in")).text == "8\n"
    assert (await call("awk", "-f", "missing.awk")).exit_code == 2


async def test_a_program_includes_files_once(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f.awk").write_text('@include "g"\nfunction f(x) { return g(x) + 1 }\n', encoding="utf-8")
    (tmp_path / "g.awk").write_text("function g(x) { return x * 2 }\n", encoding="utf-8")
    program = '@include "f.awk"\n@include "g.awk"\nBEGIN { print f(4) }'
    assert (await call("awk", program)).text == "9\n"
    assert (await call("awk", "-i", "f", "BEGIN { print f(5) }")).text == "11\n"
    (tmp_path / "bad.awk").write_text("BEGIN {}\nfunction\n", encoding="utf-8")
    done = await call("awk", '\n@include "bad"\n')
    assert done.error == "awk: bad: line 2: syntax error at or near end of line\n"


async def test_it_changes_files_in_place(call: Call, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("one 1\ntwo 2\n", encoding="utf-8")
    (tmp_path / "b").chmod(0o600)
    program = "BEGIN {print 0} FNR == 2 {nextfile} {print $2} END {print 9}"
    done = await call("awk", "-i", "inplace", "-v", "inplace::suffix=.old", program, "a", "b")
    assert done.text == "0\n9\n"
    assert [(tmp_path / name).read_text(encoding="utf-8") for name in ("a", "b", "b.old")] == [
        "1\n",
        "1\n",
        "one 1\ntwo 2\n",
    ]
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600


async def test_an_error_leaves_a_file_in_its_place(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n0\n", encoding="utf-8")
    assert (await call("awk", "-i", "inplace", "{print 1 / $1}", "a")).exit_code == 2
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"a": "1\n0\n"}


async def test_fnr_counts_in_each_file(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n", encoding="utf-8")
    (tmp_path / "b").write_text("2\n3", encoding="utf-8")
    done = await call("awk", "NR == FNR {seen[$1]; next} $1 in seen {print FILENAME, FNR, NR, $1}", "a", "b")
    assert done.text == "b 1 3 2\n"
    done = await call("awk", "FNR == 1 {print FILENAME; nextfile} {print}", "a", "x=1", "b")
    assert done.text == "a\nb\n"


async def test_getline_parts_the_rest_of_a_file_by_a_new_separator(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("one:1\ntwo:2\nthree\n", encoding="utf-8")
    program = """BEGIN {
        getline l < "f"; print l
        RS = ":"; getline l < "f"; print l
        RS = "\\n"; getline l < "f"; print l
        while ((getline a[++i] < "f") > 0) n++
        print i, n, a[1]; close("f")
        getline l < "f"; print l
    }"""
    assert (await call("awk", program)).text == "one:1\ntwo\n2\n2 1 three\none:1\n"


async def test_the_command_line_sets_no_array(call: Call) -> None:
    for program in ("{split($0, p); print p[1]}", "{p[1] = 2}"):
        done = await call("awk", "-v", "p=1", program, stdin=b"a b\n")
        assert (done.exit_code, done.text) == (2, "")
        assert "p can't be set on the command line" in done.error


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
async def test_it_says_what_it_is(words: list[str], call: Call) -> None:
    done = await call("awk", *words)
    assert done.exit_code == 0
    assert "awk" in done.text


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["-q"],
        ["--nonsense", "1"],
        ["-v"],
        ["-v", "1=2", "1"],
        ["-M", "1"],
        ["-b", "1"],
        ["-l", "x", "1"],
        ["--no", "1"],
    ],
)
async def test_wrong_arguments_are_refused(words: list[str], call: Call) -> None:
    done = await call("awk", *words)
    assert (done.exit_code, done.text) == (2, "")
    assert "Try 'awk --help'" in done.error


class _Pipe:
    """An input whose pieces come one at a time, each after the output for the previous one."""

    def __init__(self, pieces: list[bytes], output: Output) -> None:
        self.seen: list[bytes] = []
        self._pieces = pieces
        self._output = output

    def readable(self) -> Awaitable[object]:
        return asyncio.sleep(0)

    def take(self, count: int) -> bytes:
        self.seen.append(self._output.bytes())
        return self._pieces.pop(0) if self._pieces else b""


async def test_lines_are_read_as_they_come() -> None:
    output = Output()
    pipe = _Pipe([b"a\nb", b"c\n", b"d"], output)
    invocation = Invocation(["awk", "{print NR $0; fflush()}"], stdout=output, input=pipe)
    assert await run(invocation) == 0
    assert pipe.seen == [b"", b"1a\n", b"1a\n2bc\n", b"1a\n2bc\n"]
    assert output.bytes() == b"1a\n2bc\n3d\n"


class _Closed(Output):
    def write(self, data: bytes) -> None:
        raise BrokenPipeError


async def test_it_ends_when_nothing_reads_its_output() -> None:
    invocation = Invocation(["awk", 'BEGIN {while (1) print "y"}'], stdout=_Closed())
    assert await run(invocation) == 141


async def test_others_have_their_turn_while_it_calculates() -> None:
    task = asyncio.create_task(run(Invocation(["awk", "BEGIN {while (1) n++}"])))
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
