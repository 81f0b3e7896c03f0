"""The command `python`, compared with the interpreter that runs the tests where both can do the same."""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from gemini.computer.python import interpreter, library_state
from gemini.computer.shell.commands import COMMANDS
from gemini_userland import run
from gemini_userland.invocation import Invocation, Machine
from tests.tiers import in_turn

ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/root", "LC_ALL": "C.UTF-8"}


@dataclass
class Outcome:
    exit_code: int
    stdout: bytes
    stderr: str


Python = Callable[..., Awaitable[Outcome]]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a directory with programs."""
    texts = {
        "show.py": "import sys\n"
        "print(sys.argv, sys.path[0], __name__, __file__, __spec__ is None, __package__)\n",
        "fails.py": "def deeper():\n    return 1 / 0\n\n\n"
        "try:\n    deeper()\nexcept ZeroDivisionError as error:\n    raise ValueError('worse') from error\n",
        "broken.py": "print('never')\nif True\n    pass\n",
        "latin.py": "# -*- coding: latin-1 -*-\nprint('\u00e9')\n",
        "classes.py": "import dataclasses\nimport pickle\n\n\n"
        "@dataclasses.dataclass\nclass Point:\n    x: 'int'\n\n\n"
        "print(pickle.loads(pickle.dumps(Point(3))))\n",
        "application/__main__.py": "import sys\nimport part\nprint(sys.argv, part.NAME, __name__)\n",
        "application/part.py": "NAME = 'part'\n",
        "package/__init__.py": "print('initialised')\n",
        "package/__main__.py": "import sys\nfrom . import part\nprint(sys.argv, part.NAME, __package__)\n",
        "package/part.py": "NAME = 'part of the package'\n",
        "library/elsewhere.py": "NAME = 'elsewhere'\n",
        "empty/readme.txt": "",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("latin-1"))
    with zipfile.ZipFile(tmp_path / "application.zip", "w") as archive:
        for name in ("__main__.py", "part.py"):
            archive.write(tmp_path / "application" / name, name)
    return tmp_path


@pytest.fixture
def python(files: Path) -> Python:
    """Return a function that runs the command `python` in the directory of `files`."""

    async def call(*argv: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Outcome:
        invocation = Invocation(
            ["python", *argv], stdin=stdin, cwd=str(files), env={**ENVIRONMENT, **(env or {})}
        )
        exit_code = await run(invocation, COMMANDS)
        return Outcome(exit_code, invocation.stdout.bytes(), invocation.stderr.text())

    return call


@pytest.fixture
def cpython(files: Path) -> Python:
    """Return a function that runs the same in a separate interpreter."""

    async def call(*argv: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Outcome:
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-B", *argv],
            input=stdin,
            cwd=files,
            env={**ENVIRONMENT, **(env or {})},
            capture_output=True,
            check=False,
        )
        stderr = done.stderr.decode().replace(sys.executable, "python")
        return Outcome(done.returncode, done.stdout, stderr)

    return call


SAME = [
    ["show.py"],
    ["show.py", "-c", "--help", "a b", ""],
    ["./application/../show.py", "x"],
    ["-u", "-B", "-q", "show.py"],
    ["-uBq", "show.py"],
    ["-W", "ignore", "-Wdefault", "--", "show.py"],
    ["-I", "-c", "import sys; print('' in sys.path)"],
    ["-c", "import sys; print(sys.argv, repr(sys.path[0]), __name__, '__file__' in globals())", "-x", "y"],
    ["-Bcprint(1)"],
    ["-c", ""],
    ["-m", "package", "-v", "x"],
    ["-mpackage"],
    ["-m", "show"],
    ["-m", "json.tool", "--help"],
    ["-m", "missing"],
    ["-m", "empty"],
    ["-m", "fails"],
    ["application", "x"],
    ["application.zip", "x"],
    ["empty"],
    ["missing.py"],
    ["missing/missing.py"],
    ["fails.py"],
    ["broken.py"],
    ["latin.py"],
    ["classes.py"],
    ["-V"],
    ["--version"],
    ["-Vc", "1"],
    ["-c", "raise SystemExit"],
    ["-c", "raise SystemExit(7)"],
    ["-c", "raise SystemExit('a reason')"],
    ["-c", "raise SystemExit(-1)"],
    ["-c", "raise SystemExit(256)"],
    ["-c", "raise SystemExit(True)"],
    ["-c", "import sys; sys.exit([1, 2])"],
    ["-c", "import os; print('flushed', flush=True); os._exit(3)"],
    ["-c", "exit(4)"],
    ["-c", "import atexit; atexit.register(print, 'last'); atexit.register(print, 'first'); print('body')"],
    ["-c", "import atexit; atexit.register(print, 'x'); atexit.unregister(print)"],
    ["-c", "import sys; sys.excepthook = lambda *about: print('mine', about[0].__name__); 1 / 0"],
    [
        "-c",
        "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()): print('lost')\nprint('seen')",
    ],
    ["-c", "import sys; sys.stdout.buffer.write(bytes(range(256)))"],
    ["-c", "import sys; print('to stderr', file=sys.stderr)"],
    ["-c", "import warnings; warnings.warn('old', DeprecationWarning); warnings.warn('x', ResourceWarning)"],
    ["-Werror", "-c", "import warnings\ntry: warnings.warn('x')\nexcept UserWarning: print('raised')"],
    ["-c", "import logging; logging.basicConfig(level='INFO', format='%(message)s'); logging.info('logged')"],
    ["-c", "import sys; print(sys.getrecursionlimit(), sys.flags.interactive, sys.stdout.isatty())"],
    ["-c", "import os; print(sorted(os.environ)); os.environ['A'] = '1'; print(os.getenv('A'))"],
    ["-c", "import signal; print(signal.getsignal(signal.SIGTERM))"],
    ["-c", "print(__builtins__.__name__, __doc__, __spec__)"],
    ["-c", "import __main__; print(vars(__main__) is globals())"],
    ["-c", "def f(): f()\ntry: f()\nexcept RecursionError as error: print(error)"],
    ["-c", "import threading; print(threading.current_thread() is threading.main_thread())"],
    ["-c", "import asyncio\ntry: print(asyncio.current_task())\nexcept RuntimeError: print(None)"],
]


@in_turn("argv", SAME, ids=" ".join)
async def test_a_program_behaves_as_in_its_own_interpreter(
    argv: list[str], python: Python, cpython: Python
) -> None:
    ours, theirs = await asyncio.gather(python(*argv), cpython(*argv))
    assert (ours.exit_code, ours.stdout) == (theirs.exit_code, theirs.stdout)
    assert _without_hint(ours.stderr).replace(sys.executable, "python") == theirs.stderr


def _without_hint(stderr: str) -> str:
    return re.sub(r"(?m)^If .* is the package that has it: .*\n", "", stderr)


STDIN = [
    (["-c", "print(input('? '), input())"], b"one\ntwo\n"),
    (["-c", "input()\ntry: input()\nexcept EOFError as error: print(error)"], b"only\n"),
    (["-c", "import sys; print(sys.stdin.read(), list(sys.stdin))"], b"all of it"),
    (["-c", "import sys; print(sys.stdin.buffer.read())"], b"\xff\x00"),
    (["-"], b"import sys; print(sys.argv, repr(sys.path[0]), __name__)"),
    (["-", "x"], b"import sys; print(sys.argv)"),
    ([], b"import sys; print(sys.argv)"),
    (["-"], b""),
    (["-m", "json.tool"], b'{"a": [1]}'),
]


@pytest.mark.parametrize(("argv", "stdin"), STDIN)
async def test_standard_input_is_read_as_in_cpython(
    argv: list[str], stdin: bytes, python: Python, cpython: Python
) -> None:
    ours, theirs = await asyncio.gather(python(*argv, stdin=stdin), cpython(*argv, stdin=stdin))
    assert (ours.exit_code, ours.stdout, ours.stderr) == (theirs.exit_code, theirs.stdout, theirs.stderr)


@pytest.mark.parametrize("flags", [[], ["-E"], ["-I"]])
async def test_python_environment_variables(flags: list[str], python: Python, cpython: Python) -> None:
    environment = {"PYTHONPATH": "library", "PYTHONWARNINGS": "ignore,error::DeprecationWarning"}
    code = (
        "import warnings\n"
        "try:\n import elsewhere\n print(elsewhere.NAME)\nexcept ImportError as error: print(error)\n"
        "try: warnings.warn('x', DeprecationWarning)\nexcept DeprecationWarning: print('raised')\n"
        "warnings.warn('y')"
    )
    ours, theirs = await asyncio.gather(
        python(*flags, "-c", code, env=environment), cpython(*flags, "-c", code, env=environment)
    )
    assert (ours.exit_code, ours.stdout) == (theirs.exit_code, theirs.stdout)


VARIABLES = {
    "PYTHONSAFEPATH": ["1", "0"],
    "PYTHONUNBUFFERED": ["1", "0", "x"],
    "PYTHONOPTIMIZE": ["0", ""],
    "PYTHONVERBOSE": ["0"],
    "PYTHONHASHSEED": ["random", ""],
    "PYTHONDONTWRITEBYTECODE": ["1"],
    "PYTHONDEVMODE": ["1", ""],
    "PYTHONIOENCODING": ["latin-1"],
}


@pytest.mark.parametrize("name", VARIABLES)
async def test_a_variable_does_what_it_does_in_cpython(name: str, python: Python, cpython: Python) -> None:
    code = (
        "import sys, warnings; warnings.warn('x', PendingDeprecationWarning)\n"
        "print(sys.dont_write_bytecode, sys.path[0] == '', sys.stdout.write_through, sys.stdout.encoding, __debug__)"
    )
    for value in VARIABLES[name]:
        env = {name: value}
        ours, theirs = await asyncio.gather(python("-c", code, env=env), cpython("-c", code, env=env))
        assert (ours.exit_code, ours.stdout) == (theirs.exit_code, theirs.stdout)
        assert ours.stderr.splitlines()[:1] == theirs.stderr.splitlines()[:1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PYTHONOPTIMIZE", "1"),
        ("PYTHONOPTIMIZE", "x"),
        ("PYTHONHASHSEED", "0"),
        ("PYTHONDEBUG", "1"),
        ("PYTHONVERBOSE", "1"),
        ("PYTHONTRACEMALLOC", "1"),
        ("PYTHONPROFILEIMPORTTIME", "1"),
        ("PYTHONINTMAXSTRDIGITS", "0"),
    ],
)
async def test_a_variable_that_is_refused_says_what_to_use(name: str, value: str, python: Python) -> None:
    refused = await python("-c", "print(1)", env={name: value})
    assert (refused.exit_code, refused.stdout) == (2, b"")
    assert re.fullmatch(rf"python: {name} is not available here, .*: .+\n", refused.stderr)
    assert (await python("-E", "-c", "print(1)", env={name: value})).stdout == b"1\n"


@pytest.mark.parametrize("flags", [[], ["-X", "dev"], ["-Xdev", "-W", "ignore"], ["-X", "utf8"]])
async def test_development_mode_prints_all_warnings(
    flags: list[str], python: Python, cpython: Python
) -> None:
    code = "import warnings; warnings.warn('x', PendingDeprecationWarning)"
    ours, theirs = await asyncio.gather(python(*flags, "-c", code), cpython(*flags, "-c", code))
    assert (ours.exit_code, ours.stderr.splitlines()[:1]) == (
        theirs.exit_code,
        theirs.stderr.splitlines()[:1],
    )


@pytest.mark.parametrize("code", ["1 / 0", "def f(:\n    pass", "import missing", "raise KeyboardInterrupt"])
async def test_an_error_in_program_text_is_reported_as_in_cpython_with_the_line(
    code: str, python: Python, cpython: Python
) -> None:
    ours, theirs = await asyncio.gather(python("-c", code), cpython("-c", code))
    # The signal kills an interrupted interpreter; a shell shows that as 130.
    assert ours.exit_code == (130 if theirs.exit_code < 0 else theirs.exit_code)
    assert _without_hint(ours.stderr).splitlines()[-1] == theirs.stderr.splitlines()[-1]
    assert code.splitlines()[0] in ours.stderr
    assert "gemini" not in ours.stderr


@pytest.mark.parametrize(
    ("argv", "package"),
    [
        (["-c", "import cv2"], "opencv-python"),
        (["-c", "from nowhere_known.part import x"], "nowhere-known"),
        (["-m", "nowhere_known.part"], "nowhere-known"),
        (["application"], None),
        (["-c", "import application.nothing"], None),
        (["-c", "import json.missing"], None),
        (["-c", "try: import cv2\nexcept ImportError: raise SystemExit(1)"], None),
    ],
)
async def test_a_missing_module_names_its_package(
    argv: list[str], package: str | None, python: Python, files: Path
) -> None:
    ran = await python(*argv)
    hints = re.findall(r"(?m)^If (\S+) is the package that has it: pip install (\S+)$", ran.stderr)
    assert hints == ([] if package is None else [(package, package)])
    assert package is None or ran.stderr.splitlines()[-1].startswith("If ")


@pytest.mark.parametrize(("code", "package"), [("import cv2", "opencv-python"), ("import json", None)])
async def test_a_missing_module_is_offered_to_the_person_who_typed_the_command(
    code: str, package: str | None
) -> None:
    offers: list[str] = []
    invocation = Invocation(
        ["python3", "-c", code], machine=Machine(offer=offers.append), watched=frozenset([1, 2])
    )
    await run(invocation, COMMANDS)
    assert offers == ([] if package is None else [package])
    said = "opencv-python isn't installed. Ctrl+Enter installs it and runs this again; or type: pip install "
    assert (said in invocation.stderr.text()) == (package is not None)


async def test_an_agent_gets_the_hint_only() -> None:
    invocation = Invocation(["python3", "-c", "import cv2"])
    await run(invocation, COMMANDS)
    assert (
        "pip install opencv-python" in invocation.stderr.text()
        and "Ctrl+Enter" not in invocation.stderr.text()
    )


@pytest.mark.parametrize(
    "argv",
    [
        ["-Z"],
        ["--unknown"],
        ["-c"],
        ["-m"],
        ["-W"],
        ["-Bc"],
        ["-O", "show.py"],
        ["-b"],
        ["-bb"],
        ["-X", "tracemalloc"],
    ],
)
async def test_an_invalid_command_line_is_rejected(argv: list[str], python: Python) -> None:
    outcome = await python(*argv)
    assert outcome.exit_code == 2
    assert outcome.stdout == b""
    assert re.search(f"(option|{argv[0]}:).*\nusage: python ", outcome.stderr), outcome.stderr


@pytest.mark.parametrize("argv", [[], ["-i"], ["-i", "show.py"]])
async def test_without_a_terminal_the_error_names_the_console(argv: list[str], python: Python) -> None:
    outcome = await python(*argv)
    assert outcome.exit_code == 2
    assert "python_run" in outcome.stderr


async def test_help_lists_every_option(python: Python) -> None:
    outcome = await python("-h")
    assert outcome.exit_code == 0
    for letter in "cmBEIPqsSuWVh":
        assert f"-{letter}" in outcome.stdout.decode()


async def test_binary_output_is_complete(python: Python) -> None:
    outcome = await python("-c", "import sys; sys.stdout.buffer.write(b'\\xff' * 3_000_000); print('end')")
    assert outcome.stdout == b"\xff" * 3_000_000 + b"end\n"


async def test_a_binary_argument_is_preserved(python: Python) -> None:
    outcome = await python("-c", "import os, sys; print(os.fsencode(sys.argv[1]))", "\udcff")
    assert outcome.stdout == b"b'\\xff'\n"


async def test_file_names_may_have_surrogates_newlines_and_emoji(python: Python, files: Path) -> None:
    for name in ("a b.py", "two\nlines.py", "\U0001f600.py", "\udcff.py"):
        (files / name).write_text("import sys; print(len(sys.argv))")
        assert (await python(name)).stdout == b"1\n"


async def test_an_unreadable_script_is_an_error(python: Python, files: Path) -> None:
    (files / "loop.py").symlink_to("loop.py")
    outcome = await python("loop.py")
    assert outcome.exit_code == 2
    assert re.fullmatch(
        r"python: can't open file '.*/loop.py': \[Errno \d+\] .*symbolic links\n", outcome.stderr
    )


async def test_a_script_imports_the_gemini_module_that_runs_it(python: Python) -> None:
    import gemini

    outcome = await python("-c", "import gemini; print(id(gemini))")
    assert outcome.stdout == f"{id(gemini)}\n".encode()


async def test_edits_within_the_same_second_take_effect(python: Python, files: Path) -> None:
    for number in range(5):
        (files / "edited.py").write_text(f"N = {number}\n")
        (files / f"new{number}.py").write_text("")
        outcome = await python("-c", f"import edited, new{number}; print(edited.N)")
        assert outcome.stdout == f"{number}\n".encode(), outcome.stderr


@in_turn(
    "code",
    [
        "print(open(0).read())",
        "print(open(0, 'rb', closefd=False).read(), __import__('sys').stdin.read())",
        "import os; print(os.read(0, 2), os.read(0, 99), os.read(0, 1))",
        "import os; print(os.fdopen(0).readlines())",
        "print(open('/dev/stdin').read(), open('/dev/fd/0').read())",
        "import pathlib; print(pathlib.Path('/proc/self/fd/0').read_bytes())",
        "import os, sys; print(os.read(0, 2)); print(sys.stdin.read())",
        "import os; fd = os.open('/dev/stdin', os.O_RDONLY); print(os.read(fd, 3)); os.close(fd)",
        "import json, sys; json.dump(sys.stdin.buffer.read().decode(), open(1, 'w'))",
        "import os; os.write(1, b'direct\\n')",
        "print('late', file=open(2, 'w', closefd=False)); print('after', file=open('/dev/stderr', 'w'))",
        "open(0, buffering=0)",
        "open(1).read()",
    ],
)
async def test_descriptors_are_those_of_the_program(python: Python, cpython: Python, code: str) -> None:
    stdin = "a\u00e9\nb\n".encode()
    ours, theirs = await python("-c", code, stdin=stdin), await cpython("-c", code, stdin=stdin)
    assert (ours.stdout, ours.exit_code) == (theirs.stdout, theirs.exit_code)
    assert ours.stderr.splitlines()[-1:] == theirs.stderr.splitlines()[-1:]


async def test_a_closed_descriptor_stays_open_for_the_next_program(python: Python) -> None:
    await python("-c", "import os; open(0).close(); os.close(0); os.close(1)")
    assert (await python("-c", "print(input())", stdin=b"here\n")).stdout == b"here\n"


@pytest.mark.parametrize(
    "encoding", ["latin-1", "utf-16", "ascii:replace", ":ignore", "utf-8:strict", "ascii"]
)
async def test_the_encoding_of_the_streams_is_the_variables(
    python: Python, cpython: Python, encoding: str
) -> None:
    code = (
        "import sys; print(ascii(sys.stdin.read()), sys.stdin.encoding, sys.stdin.errors, sys.stderr.errors)"
    )
    env = {"PYTHONIOENCODING": encoding}
    stdin = b"caf\xe9" if encoding != "utf-16" else "x".encode("utf-16")
    ours, theirs = (
        await python("-c", code, stdin=stdin, env=env),
        await cpython("-c", code, stdin=stdin, env=env),
    )
    assert (ours.stdout, ours.exit_code) == (theirs.stdout, theirs.exit_code)


async def test_an_unknown_encoding_is_an_error(python: Python) -> None:
    outcome = await python("-c", "1", env={"PYTHONIOENCODING": "nonsense"})
    assert (outcome.exit_code, "unknown encoding: nonsense" in outcome.stderr) == (1, True)


async def test_a_program_can_come_from_standard_input_by_its_path(python: Python) -> None:
    outcome = await python("/dev/stdin", "a", stdin=b"import sys; print(sys.argv, sys.stdin.read())")
    assert outcome.stdout == b"['/dev/stdin', 'a'] \n"


@pytest.mark.fortnightly
async def test_what_a_program_changes_in_the_library_ends_with_it(python: Python) -> None:
    change = (
        "import colorsys, gc, json, os, random, socket, builtins\n"
        "json.dumps = lambda *_: 'changed'; del json.loads; json.extra = 1; os.path.join = print\n"
        "builtins.len = lambda _: 0; builtins.extra = 1; socket.setdefaulttimeout(3); gc.disable()\n"
        "random.seed(1); colorsys.rgb_to_hsv = lambda *_: 'changed'; os.environ['ADDED'] = '1'\n"
    )
    look = (
        "import builtins, colorsys, gc, json, os, random, socket\n"
        "print(json.dumps([json.loads('1')]), hasattr(json, 'extra'), os.path.join('a', 'b'), len('ab'))\n"
        "print(hasattr(builtins, 'extra'), socket.getdefaulttimeout(), gc.isenabled(), colorsys.rgb_to_hsv(0, 0, 0))\n"
        "print(random.random() == random.Random(1).random(), 'ADDED' in os.environ)\n"
    )
    assert (await python("-c", change)).exit_code == 0
    assert (await python("-c", look)).stdout == (
        b"[1] False a/b 2\nFalse None True (0.0, 0.0, 0)\nFalse False\n"
    )


BUILTINS = [
    "getattr",
    "isinstance",
    "Exception",
    "print",
    "open",
    "type",
    "dict",
    "super",
    "BaseException",
    "__import__",
]


OPTIONS = ["-B", "-E", "-I", "-P", "-q", "-s", "-S", "-u", "-Wignore", "-Xdev", "-Xutf8", "-V", "--version"]
REFUSED = [
    "-b",
    "-bb",
    "-d",
    "-O",
    "-OO",
    "-R",
    "-v",
    "-x",
    "-Xfaulthandler",
    "-Ximporttime",
    "-Xtracemalloc",
    "-Xint_max_str_digits=0",
]


@in_turn("option", OPTIONS)
async def test_an_option_of_the_help_does_what_it_does_in_cpython(
    option: str, python: Python, cpython: Python
) -> None:
    argv = [option, "-c", "import sys; print(sys.path[:1] == [''], sys.argv, __debug__)", "a"]
    ours, theirs = await asyncio.gather(python(*argv), cpython(*argv))
    assert (ours.exit_code, ours.stdout, ours.stderr) == (theirs.exit_code, theirs.stdout, theirs.stderr)


@pytest.mark.parametrize("option", REFUSED)
async def test_another_option_of_the_help_is_refused_with_a_reason(option: str, python: Python) -> None:
    refused = await python(option, "show.py")
    assert (refused.exit_code, refused.stdout) == (2, b"")
    assert re.match(r"option -.+ is not available here, because .+: .+\n", refused.stderr)


@pytest.mark.parametrize("option", ["--check-hash-based-pycs", "--help-all", "--help-env", "--help-xoptions"])
async def test_a_long_option_that_is_refused_says_what_to_use(python: Python, option: str) -> None:
    outcome = await python(option)
    assert (outcome.exit_code, f"option {option} isn't supported: " in outcome.stderr) == (2, True)


@pytest.mark.parametrize("name", ["len", "next", "reversed", "list", *BUILTINS])
async def test_a_program_that_replaces_builtins_breaks_only_itself(python: Python, name: str) -> None:
    await python("-c", f"import builtins; builtins.{name} = None")
    await python("-c", f"import builtins; del builtins.{name}")
    shown = await python("-c", "print(len([1]), list('a'), next(iter('b')), list(reversed('cd')))")
    assert shown.stdout == b"1 ['a'] b ['d', 'c']\n"


REPLACED = [
    "import os; os.environ = {}; os.getcwd = None; os.fsdecode = None",
    "import os; del os.environ, os.open, os.read, os._exit, os.getpid",
    "import signal; signal.getsignal = None; signal.signal = None",
    "import sys; sys.modules.clear()",
    "import sys; sys.modules = {}",
    "import sys; del sys.modules['os'], sys.modules['io']",
    "import sys; del sys.stdout, sys.argv, sys.path, sys.stderr, sys.__stderr__",
    "import sys; sys.getrecursionlimit = None; sys.intern = None",
    "import sys; sys.meta_path.clear(); sys.path_hooks = []",
    "import logging; logging.root = None",
    "import logging; del logging.root.handlers",
    "import warnings; del warnings.filters, warnings.showwarning",
    "import asyncio; asyncio.get_running_loop = None; asyncio.current_task = None",
    "import io, atexit; del io.open, atexit.register",
    "import gc; gc.isenabled = None; gc.get_threshold = None",
    "import functools; functools.partial = None",
    "import time; time.time = None; time.monotonic = None",
    "import builtins; vars(builtins).clear()",
    "import builtins; vars(builtins).update(dict.fromkeys(list(vars(builtins))))",
]


@pytest.mark.parametrize("code", REPLACED)
async def test_a_program_that_breaks_the_library_breaks_only_itself(python: Python, code: str) -> None:
    await python("-c", code)
    look = (
        "import asyncio, io, json, logging, os, re, sys, time, warnings\n"
        "print(os.environ['HOME'], sys.argv, json.dumps([re.sub('a', 'b', 'a')]), io.open is open, time.time() > 0)"
    )
    shown = await python("-c", look)
    assert (shown.stdout, shown.stderr) == (b"/root ['-c'] [\"b\"] True True\n", "")


async def test_a_program_that_still_runs_keeps_its_changes(python: Python) -> None:
    code = "import asyncio, json\njson.dumps = lambda *_: 'mine'\n"
    patched = "import json, sys; json.dumps = lambda *_: 'theirs'; print(json.dumps(1))"
    state = library_state.STATE
    json_dumps = json.dumps
    before = state.enter()
    try:
        exec(code)
        assert (await python("-c", patched)).stdout == b"theirs\n"
        assert json.dumps(1) == "mine"
    finally:
        state.leave(before)
    assert json.dumps is json_dumps


async def test_an_installed_package_is_seen_by_the_next_program(python: Python, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    env = {"PYTHONPATH": str(packages)}

    def install(version: int) -> None:
        (packages / f"example-{version}.dist-info").mkdir(parents=True)
        (packages / "example.py").write_text(f"VERSION = {version}{' ' * version}\n")

    interpreter.share_directory(packages)
    versions: list[bytes] = []
    for version in (1, 2):
        install(version)
        versions += [
            (await python("-c", "import example; print(example.VERSION)", env=env)).stdout for _ in range(2)
        ]
    assert versions == [b"1\n", b"1\n", b"2\n", b"2\n"]
    (packages / "example.py").unlink()
    assert "No module named 'example'" in (await python("-c", "import example", env=env)).stderr


TIME = "import time; print(time.localtime(1705276800).tm_hour, time.tzname)"


async def test_a_program_has_the_zone_of_its_environment(python: Python) -> None:
    tokyo, ours, unknown = [
        await python("-c", TIME, env={"TZ": zone}) for zone in ("Asia/Tokyo", "CET-1CEST", "Foo/Bar")
    ]
    assert tokyo.stdout == b"9 ('JST', 'JST')\n"
    assert ours.stdout == b"1 ('CET', 'CEST')\n"
    assert unknown.stdout.startswith(b"0 ") and "unknown time zone 'Foo/Bar'" in unknown.stderr
    changed = "import os; os.environ['TZ'] = 'Asia/Tokyo'; import time; time.tzset(); print(time.localtime(0).tm_hour)"
    before = time.tzname
    assert (await python("-c", changed)).stdout == b"9\n"
    assert time.tzname == before
