"""`!command`, `%magic`, `%%magic` and `name?` in the console."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini.computer.python.console import PythonConsole
from gemini.computer.python.magics.transform import transform
from gemini.errors import PythonError


@pytest.fixture
def console(tmp_path: Path) -> PythonConsole:
    return PythonConsole(str(tmp_path))


def await_(mark: str, text: str) -> str:
    return f"await __magic__.run({mark!r}, {text!r}, locals())"


REWRITTEN = [
    ("!ls -l", await_("!", "ls -l")),
    ("  !ls", f"  {await_('!', 'ls')}"),
    ("!!ls", await_("!!", "ls")),
    ("!echo don't", await_("!", "echo don't")),
    ("files = !ls", f"files = {await_('!!', 'ls')}"),
    ("a.b, c[0] = !ls", f"a.b, c[0] = {await_('!!', 'ls')}"),
    ("here = %pwd", f"here = {await_('%', 'pwd')}"),
    ("%time sum([1, 2])", await_("%", "time sum([1, 2])")),
    ("len?", await_("?", "len")),
    ("??a.b[0]", await_("??", "a.b[0]")),
    ("%time?", await_("?", "%time")),
    ("!echo a \\\n  b\nx = 1", f"{await_('!', 'echo a ' + chr(92) + chr(10) + '  b')}\n\nx = 1"),
    ("%%bash\nls\nfi", await_("%%", "bash\nls\nfi")),
    ("for n in 'ab':\n    !echo {n}", f"for n in 'ab':\n    {await_('!', 'echo {n}')}"),
    (
        "def f():\n    !ls\n!pwd",
        f"def f():\n    __magic__.wait('!', 'ls', locals())\n{await_('!', 'pwd')}",
    ),
    (
        "async def f():\n    def g():\n        %pwd\n    %pwd",
        f"async def f():\n    def g():\n        __magic__.wait('%', 'pwd', locals())\n    {await_('%', 'pwd')}",
    ),
    # Only the start of a statement is a magic.
    ("x = (7\n% 4)\n%pwd", f"x = (7\n% 4)\n{await_('%', 'pwd')}"),
    ("x = 7 \\\n% 4\n%pwd", f"x = 7 \\\n% 4\n{await_('%', 'pwd')}"),
    ("x = '''\n!ls\n%time\nx?\n'''\n!ls", f"x = '''\n!ls\n%time\nx?\n'''\n{await_('!', 'ls')}"),
    ('x = """it\'s\n!a"""  # """\n!b', f'x = """it\'s\n!a"""  # """\n{await_("!", "b")}'),
    ("x = ['a]',\n%b\n]\n# why?\n!c", f"x = ['a]',\n%b\n]\n# why?\n{await_('!', 'c')}"),
    (r"x = 'a\'' " + "\n!b", r"x = 'a\'' " + f"\n{await_('!', 'b')}"),
]


@pytest.mark.parametrize(("code", "expected"), REWRITTEN)
def test_magics_become_calls_on_their_lines(code: str, expected: str) -> None:
    assert transform(code) == f"{expected}\n"


ORDINARY = [
    "",
    "x = 1",
    "a %\\\nb",
    "x = a != b",
    "x['= !b'] = 1",
    "print('x = !ls')",
    "f'{a!r}'",
    "# what?",
    "'''\n%time\n'''",
    "x if y else z",
    "a = b = (\n    !ls",
    "def f(:",
]


@pytest.mark.parametrize("code", ORDINARY)
def test_other_code_is_unchanged(code: str) -> None:
    assert transform(code) == code


def _sources() -> list[Path]:
    return sorted((Path(__file__).parents[4] / "py").rglob("*.py"))


@pytest.mark.fortnightly
def test_files_of_python_are_unchanged() -> None:
    for path in _sources():
        code = path.read_text()
        assert transform(code) == code, path


@given(st.sampled_from(_sources()), st.data())
def test_a_magic_in_a_file_changes_its_own_line_only(path: Path, data: st.DataObject) -> None:
    code = path.read_text()
    tree = ast.parse(code)
    lines = code.splitlines()
    starts = [statement.lineno - 1 for statement in tree.body if not hasattr(statement, "decorator_list")]
    at = data.draw(st.sampled_from(starts))
    lines.insert(at, "!echo it's")
    expected = [*lines[:at], await_("!", "echo it's"), *lines[at + 1 :]]
    assert transform("\n".join(lines)).splitlines() == expected


# --- What they do ---


async def printed(console: PythonConsole, code: str) -> str:
    return (await console.run(code)).stdout


async def message(console: PythonConsole, code: str) -> str:
    with pytest.raises(PythonError) as failed:
        await console.run(code)
    return failed.value.message


async def test_commands_print_and_return_lines(console: PythonConsole) -> None:
    done = await console.run("!echo out; echo err >&2; exit 3")
    assert (done.stdout, done.stderr, done.result) == ("out\n", "err\n", None)
    assert (await console.run("_exit_code")).result == 3
    assert (await console.run("lines = !printf 'a\\nb'\nlines")).result == ["a", "b"]
    assert (await console.run("!!echo one")).result == ["one"]
    assert await printed(console, "for n in range(2):\n    !echo {n}") == "0\n1\n"


EXPANDED = [
    ("!echo {name} $name", "world world\n"),
    ("!echo {name.upper()} {len(name) + 1}", "WORLD 6\n"),
    ("!echo {{name}} '{print $1}' ${name}.", "{name} {print $1} .\n"),
    ("!echo $missing {missing} {1..3} {2}", "{missing} {1..3} {2}\n"),
]


@pytest.mark.parametrize(("code", "expected"), EXPANDED)
async def test_commands_contain_values(code: str, expected: str, console: PythonConsole) -> None:
    assert await printed(console, f"name = 'world'\n{code}") == expected


async def test_directories(console: PythonConsole, tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder/file").touch()
    assert (await console.run("%pwd")).result == str(tmp_path)
    assert await printed(console, "%cd 'a folder'") == f"{tmp_path}/a folder\n"
    assert await printed(console, "%ls") == "file\n"
    assert await printed(console, "%cd -\n!pwd") == f"{tmp_path}\n{tmp_path}\n"
    assert "No such file" in await message(console, "%cd nowhere")
    assert "takes one directory, not 2" in await message(console, "%cd a b")


async def test_time_measures_statements_that_await(console: PythonConsole) -> None:
    done = await console.run("import asyncio\n%time await asyncio.sleep(0, 5)")
    assert done.result == 5 and done.stdout.startswith("Wall time: ")
    await console.run("%time x = 3")
    assert (await console.run("x")).result == 3
    done = await console.run("%%time\ny = 1\ny + x")
    assert done.result == 4 and "Wall time" in done.stdout
    await console.run("def f(n):\n    %time n + 1\n    return n\nf(1)")
    assert "ZeroDivisionError" in await message(console, "%time 1 / 0")


async def test_timeit_prints_the_mean(console: PythonConsole) -> None:
    shown = await printed(console, "x = 0\n%timeit -n 5 -r 3 x + 1")
    assert "(mean ± std. dev. of 3 runs, 5 loops each)" in shown
    assert "3 runs, 2 loops" in await printed(console, "%%timeit -n2 -r 3 y = 2\nx + y\nx + 1")
    assert "needs a statement" in await message(console, "%timeit")
    assert "at least one run" in await message(console, "%timeit -n 0 x")


async def test_run_takes_over_the_names_of_a_file(console: PythonConsole, tmp_path: Path) -> None:
    script = "import sys\nfound = sys.argv[1:]\ndef double(n): return 2 * n\nsys.exit(__name__ != '__main__')"
    (tmp_path / "script.py").write_text(script)
    await console.run("%run script.py a 'b c'")
    assert (await console.run("found, double(4)")).result == [["a", "b c"], 8]
    (tmp_path / "uses.py").write_text("answer = given + 1")
    await console.run("given = 41\n%run -i uses")
    assert (await console.run("answer")).result == 42
    assert "NameError" in await message(console, "%run uses.py")
    assert "FileNotFoundError" in await message(console, "%run missing.py")


async def test_names_are_listed(console: PythonConsole) -> None:
    assert await printed(console, "%who") == "No names are defined yet.\n"
    await console.run("b = [1]\na = 'x'\n_hidden = 1")
    assert await printed(console, "%who") == "a  b\n"
    assert await printed(console, "%whos") == "Name  Type  Value\na     str   'x'\nb     list  [1]\n"


async def test_objects_are_described(console: PythonConsole) -> None:
    await console.run(
        "def area(r: float) -> float:\n    '''Return the area.'''\n    return 3 * r * r\nn = [1, 2]"
    )
    shown = await printed(console, "area?")
    assert shown.startswith("Signature: area(r: float) -> float\nType: function\nFile: <console-1>\n")
    assert "Documentation: Return the area." in shown
    assert "    return 3 * r * r" in await printed(console, "??area")
    assert "Value: [1, 2]\nLength: 2" in await printed(console, "n?")
    assert "Run a statement, print how long" in await printed(console, "%time?")
    assert "missing isn't defined" in await message(console, "missing?")


async def test_cells(console: PythonConsole, tmp_path: Path) -> None:
    assert await printed(console, "%%bash\nfor n in 1 2; do\n  echo $n\ndone") == "1\n2\n"
    await console.run("%%writefile notes.txt\none\n\n  two")
    await console.run("%%writefile -a notes.txt\nthree")
    assert (tmp_path / "notes.txt").read_text() == "one\n\n  two\nthree\n"
    assert "must be the first line" in await message(console, "x = 1\n%%time\n2")


async def test_the_environment(console: PythonConsole) -> None:
    await console.run("name = 'v'\n%env SOME_NAME={name}1")
    assert (await console.run("%env SOME_NAME")).result == "v1"
    assert await printed(console, "!echo $SOME_NAME") == "v1\n"
    assert "the environment has no OTHER" in await message(console, "%env OTHER")


async def test_an_unknown_magic_lists_the_known(console: PythonConsole) -> None:
    shown = await message(console, "%tme x")
    assert shown.startswith("UsageError: there is no magic %tme. Did you mean %time? There are %cd, %env, ")
    assert "There are %%bash, " in await message(console, "%%python\nx")
    listed = await printed(console, "%lsmagic")
    assert "%pip " in listed and "%%writefile " in listed


async def test_errors_quote_the_line_as_typed(console: PythonConsole) -> None:
    with pytest.raises(PythonError) as failed:
        await console.run("x = 1\n%cd nowhere")
    traceback: Any = failed.value.data["traceback"]
    assert '  File "<console-1>", line 2' in traceback and "    %cd nowhere" in traceback
    assert "/magics/" not in traceback
    assert "SyntaxError" in await message(console, "!ls\nx = ")
    assert "has to wait" in await message(console, "def f():\n    !ls\nf()")
    await console.run("def g():\n    return 1\n    %cd .\ng()")


SHELL = [
    ("!cat no", 5, {"notes.txt "}),
    ("1 + 1\nlines = !sort no", 20, {"notes.txt "}),
    ("!!grep -c x < no", 14, {"notes.txt "}),
    ("  !cat 'no", 7, {"'notes.txt' "}),
    ("!cat folder/../no", 5, {"folder/../notes.txt "}),
    ("%cd f", 4, {"folder/"}),
    ("%cd n", 4, set[str]()),
    ("%run sc", 5, {"script.py "}),
    ("%%bash\ncd folder\ncat no", 21, {"notes.txt "}),
    ("!sc", 1, set[str]()),
    ("!$GREET", 1, {"$GREETING "}),
    ("!pip insta", 5, {"install "}),
]


@pytest.mark.parametrize(("code", "start", "expected"), SHELL)
async def test_shell_commands_are_completed_as_in_a_terminal(
    tmp_path: Path, code: str, start: int, expected: set[str]
) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("notes.txt", "script.py"):
        (tmp_path / name).touch()
    console = PythonConsole(str(tmp_path), {"GREETING": "hello"})
    found = await console.complete(code, len(code))
    assert {candidate.text for candidate in found.candidates} == expected
    assert not expected or found.start == start


@pytest.mark.parametrize("code", ["x = 7 !", "x != ", "print('!", "%ti", "a['b'] % no"])
async def test_python_is_not_completed_as_a_shell_command(tmp_path: Path, code: str) -> None:
    (tmp_path / "notes.txt").touch()
    found = await PythonConsole(str(tmp_path)).complete(code, len(code))
    assert "notes.txt " not in {candidate.text for candidate in found.candidates}
