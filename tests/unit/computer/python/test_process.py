"""Programs that share the interpreter without affecting each other."""

import asyncio
import gc
import logging
import os
import signal
import sys
import types
import warnings
import weakref
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.python import process
from gemini.computer.python.console import PythonConsole
from gemini.computer.shell.commands import COMMANDS
from gemini.core import interrupts
from gemini_userland import run
from gemini_userland.invocation import Invocation
from tests.tiers import in_turn

Script = Callable[..., Awaitable[Invocation]]


def interpreter() -> dict[str, Any]:
    """Return the interpreter state that a program may change."""
    return {
        "directory": os.getcwd(),
        "environment": dict(os.environ),
        "argv": sys.argv,
        "path": (sys.path, list(sys.path)),
        "main": sys.modules["__main__"],
        "modules": {name for name, module in sys.modules.items() if "/pytest-of-" in str(module)},
        "streams": (sys.stdin, sys.stdout, sys.stderr, sys.__stdout__),
        "hooks": (sys.excepthook, sys.displayhook, sys.dont_write_bytecode),
        "limit": sys.getrecursionlimit(),
        "signals": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)],
        "warnings": (warnings.filters, list(warnings.filters), warnings.showwarning),
        "logging": (list(logging.root.handlers), logging.root.level),
        "exit": os._exit,  # pyright: ignore[reportPrivateUsage]
    }


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Return a function that runs a program in `tmp_path` and returns the invocation with its exit code appended.

    The function fails if the program changed the interpreter.
    """

    async def call(text: str, cwd: Path = tmp_path, **env: str) -> Invocation:
        (cwd / "script.py").write_text(text)
        invocation = Invocation(["python", "script.py", "argument"], cwd=str(cwd), env=env)
        before = interpreter()
        invocation.argv.append(str(await run(invocation, COMMANDS)))
        assert interpreter() == before
        return invocation

    return call


def exit_code(invocation: Invocation) -> int:
    return int(invocation.argv[-1])


@pytest.fixture
def shelf() -> Iterator[Any]:
    """Yield `sys.shelf`, where a script can leave objects for the test."""
    namespace = types.SimpleNamespace()
    sys.shelf = namespace  # type: ignore[attr-defined]
    yield namespace
    del sys.shelf  # type: ignore[attr-defined]


# --- A program's changes to the interpreter end with it ---

CHANGES_TO_THE_INTERPRETER = [
    "import os; os.mkdir('sub'); os.chdir('sub'); os.rmdir('../sub')",
    "import os; os.environ.clear(); os.environ['NEW'] = '1'; os.unsetenv('HOME')",
    "import sys; sys.argv.clear(); sys.path[:] = []; sys.path = None",
    "import sys; sys.stdout = sys.stderr = sys.stdin = None",
    "import sys; sys.stdout.close(); sys.stderr.close(); sys.stdin.close()",
    "import sys; sys.modules.pop('__main__')",
    "import sys; sys.setrecursionlimit(3000); sys.excepthook = sys.displayhook = None",
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, print)",
    "import warnings; warnings.simplefilter('error'); warnings.showwarning = None",
    "import logging; logging.basicConfig(level=1); logging.disable(0)",
    "import contextlib, io; contextlib.redirect_stdout(io.StringIO()).__enter__()",
    "import sys; sys.exit(1)",
    "import os; os._exit(1)",
    "raise BaseException",
    "def f(): f()\nf()",
    "import sys\nsys.stderr = open('errors.txt', 'w')\n1 / 0",
    "import sys\nsys.excepthook = lambda *about: 1 / 0\nraise ValueError",
    "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd",
]


@in_turn("text", CHANGES_TO_THE_INTERPRETER, every=3)
async def test_a_program_leaves_the_interpreter_unchanged(text: str, script: Script) -> None:
    await script(text)
    after = await script("print('fine')")
    assert after.stdout.text() == "fine\n"
    with warnings.catch_warnings():
        # A program left a file open.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


async def test_each_run_starts_with_a_new_namespace(script: Script) -> None:
    for _ in range(2):
        assert (await script("print('seen' in globals())\nseen = True")).stdout.text() == "False\n"


async def test_scripts_have_separate_modules(script: Script, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "space" / "inner").mkdir(parents=True)
        (tmp_path / name / "helper.py").write_text(f"NAME = {name!r}")
        (tmp_path / name / "space" / "inner" / "deep.py").write_text(f"NAME = 'deep {name}'")
    text = "import helper, space.inner.deep\nprint(helper.NAME, space.inner.deep.NAME)"
    for name in ("a", "b", "a"):
        assert (await script(text, tmp_path / name)).stdout.text() == f"{name} deep {name}\n"
    assert "helper" not in sys.modules


async def test_libraries_stay_imported(script: Script) -> None:
    await script("import this_is_missing" if "wave" in sys.modules else "import wave")
    assert "wave" in sys.modules


async def test_open_files_are_flushed_at_exit(script: Script, tmp_path: Path) -> None:
    await script("file = open('out.txt', 'w')\nfile.write('all of it')\ndef function(): return file\n")
    assert (tmp_path / "out.txt").read_text() == "all of it"


async def test_objects_of_a_program_are_freed_at_exit(script: Script, shelf: Any) -> None:
    text = "import sys, weakref\nclass Thing: pass\nthing = Thing()\ndef f(): return thing\n"
    await script(text + "sys.shelf.thing = weakref.ref(thing)")
    assert isinstance(shelf.thing, weakref.ref)
    assert shelf.thing() is None


async def test_an_object_whose_class_raises_prevents_no_cleanup(script: Script, shelf: Any) -> None:
    class Odd:
        @property
        def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
            raise ValueError("it has none yet")

    shelf.odd = Odd()
    text = "import sys, weakref\nclass Thing: pass\nthing = Thing()\ndef f(): return thing\n"
    await script(text + "sys.shelf.thing = weakref.ref(thing)")
    assert shelf.thing() is None


async def test_a_function_with_other_references_continues_to_work(script: Script, shelf: Any) -> None:
    await script("import sys\nN = 41\ndef helper(): return N\nsys.shelf.tool = lambda: helper() + 1")
    assert shelf.tool() == 42


async def test_exit_handlers_run_in_their_own_program_only(script: Script, shelf: Any) -> None:
    text = (
        "import atexit, os, sys\nos.chdir('/')\n"
        "@atexit.register\ndef last(): print(os.getcwd(), sys.argv[1])\n"
        "atexit.register(print, 'removed')\natexit.unregister(print)\natexit.register(lambda: 1 / 0)\n"
    )
    first, second = await script(text), await script("print('quiet')")
    assert first.stdout.text() == "/ argument\n"
    assert "ZeroDivisionError" in first.stderr.text()
    assert exit_code(first) == 0
    assert second.stdout.text() == "quiet\n"


async def test_a_library_warns_each_program_again(script: Script) -> None:
    text = (
        "import warnings, wave\nseen = vars(wave).setdefault('__warningregistry__', {})\n"
        "for _ in range(2): warnings.warn_explicit('old', UserWarning, 'lib.py', 1, registry=seen)\n"
    )
    for _ in range(2):
        assert (await script(text)).stderr.text() == "lib.py:1: UserWarning: old\n"


# --- Interrupts and exits ---


async def test_an_interrupt_ends_a_program_with_130_and_its_finally_blocks(script: Script) -> None:
    done = await script(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nfinally:\n    print('finally')"
    )
    assert exit_code(done) == 130
    assert done.stdout.text() == "finally\n"
    assert done.stderr.text().splitlines()[-1] == "KeyboardInterrupt"


async def test_the_traceback_of_an_interrupt_has_the_program_s_frames_only(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupts, "_is_in_loop", lambda frame: False)
    before = signal.signal(signal.SIGINT, interrupts.on_interrupt)
    try:
        done = await script("import signal\ndef spin():\n    signal.raise_signal(signal.SIGINT)\nspin()")
    finally:
        signal.signal(signal.SIGINT, before)
    lines = done.stderr.text().splitlines()
    assert [line.rpartition(", in ")[2] for line in lines if line.startswith("  File")] == [
        "<module>",
        "spin",
    ]
    assert lines[-1] == "KeyboardInterrupt"


async def test_a_program_may_handle_its_interrupts(script: Script) -> None:
    text = "import signal\nsignal.signal(signal.SIGINT, lambda *about: print('handled'))\n"
    done = await script(text + "signal.raise_signal(signal.SIGINT)")
    assert (exit_code(done), done.stdout.text()) == (0, "handled\n")


@pytest.mark.parametrize("where", ["call_soon", "call_later", "call_at", "add_done_callback"])
async def test_an_interrupt_is_never_raised_in_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str
) -> None:
    """Raised there, it would keep a future from waking its waiter, which would then wait forever."""
    monkeypatch.setattr(interrupts, "is_request_cancelled", lambda: True)

    def interrupt(frame: types.FrameType, _event: str, _about: Any) -> None:
        if frame.f_code.co_name == where and Path(frame.f_code.co_filename).parent.name == "asyncio":
            interrupts.on_interrupt(signal.SIGINT, frame)

    console = PythonConsole(str(tmp_path))
    sys.settrace(interrupt)
    try:
        running = asyncio.ensure_future(console.run("import asyncio\nawait asyncio.sleep(0.01, 'slept')"))
        done, _ = await asyncio.wait([running], timeout=2)
    finally:
        sys.settrace(None)
    assert done, "the call never ended"
    assert running.result().result == "slept"


def test_an_interrupt_outside_of_programs_is_ignored() -> None:
    before = signal.signal(signal.SIGINT, interrupts.on_interrupt)
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


async def test_a_system_error_of_a_command_is_one_line(tmp_path: Path) -> None:
    invocation = Invocation(["realpath", "missing/file"], cwd=str(tmp_path))
    assert await run(invocation, COMMANDS) == 1
    assert invocation.stderr.text() == "realpath: missing/file: No such file or directory\n"


async def test_a_missing_command() -> None:
    invocation = Invocation(["frobnicate"])
    assert await run(invocation, COMMANDS) == 127
    assert invocation.stderr.text() == "frobnicate: command not found\n"


# --- Overlapping programs. Console code awaits in the middle, as scripts do in the browser ---

WATCHFUL = """
import asyncio, os, sys, helper
os.chdir({name!r})
os.environ["NAME"] = {name!r}
sys.argv = [{name!r}]

def check():
    import helper as again
    return (os.path.basename(os.getcwd()), os.environ["NAME"], sys.argv[0], again.NAME,
            vars(sys.modules["__main__"]) is globals())

async def child():
    for _ in range(3):
        await asyncio.sleep(0)
        seen.append(check())

seen = []
timer = asyncio.get_running_loop().call_soon(lambda: seen.append(check()))
task = asyncio.create_task(child())
for _ in range(5):
    seen.append(check())
    await asyncio.sleep(0)
await task
list(set(seen)), len(seen)
"""


async def test_a_program_has_its_own_state_after_each_await(tmp_path: Path) -> None:
    consoles: dict[str, PythonConsole] = {}
    for name in ("a", "b"):
        (tmp_path / name / name).mkdir(parents=True)
        (tmp_path / name / "helper.py").write_text(f"NAME = {name!r}")
        consoles[name] = PythonConsole(str(tmp_path / name))
    kernel: list[dict[str, Any]] = []

    async def watch() -> None:
        while True:
            kernel.append(interpreter())
            await asyncio.sleep(0)

    watching = asyncio.create_task(watch())
    runs = {name: console.run(WATCHFUL.format(name=name)) for name, console in consoles.items()}
    results = dict(zip(runs, await asyncio.gather(*runs.values()), strict=True))
    watching.cancel()
    for name, result in results.items():
        assert result.result == [[[name, name, name, name, True]], 9]
    assert len(kernel) > 5
    assert all(state == kernel[0] for state in kernel)


async def test_an_exit_in_a_task_does_not_end_the_loop(tmp_path: Path) -> None:
    console = PythonConsole(str(tmp_path))
    code = "import asyncio\nasync def leave(): raise SystemExit(3)\ntask = asyncio.create_task(leave())\n"
    await console.run(code + "await asyncio.wait([task])\n")
    assert (await console.run("repr(task.exception())")).result == "SystemExit(3)"


def test_a_program_that_ignores_its_stop_never_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.05)
    monkeypatch.setattr(process, "REPEAT_S", 0.01)
    # asyncio.run would wait for the task. The handler would report it when the loop closes.
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *about: None)
    loop.run_until_complete(refuse())
    loop.close()


async def refuse() -> None:
    console = PythonConsole("/")
    started = asyncio.create_task(
        console.run(
            "import asyncio\nn = 0\nwhile True:\n    n += 1\n    try: await asyncio.sleep(0)\n"
            "    except asyncio.CancelledError: pass"
        )
    )
    while console.namespace.get("n", 0) < 3:
        await asyncio.sleep(0)
    started.cancel()
    with pytest.raises(asyncio.CancelledError):
        await started
    reached = console.namespace["n"]
    for _ in range(5):
        await asyncio.sleep(0)
    assert console.namespace["n"] == reached
    assert (await console.run("1 + 1")).result == 2


async def test_a_task_in_a_detached_context_belongs_to_no_program() -> None:
    console = PythonConsole("/")
    code = (
        "import asyncio, os\nfrom gemini.computer.python.process import detached\n"
        "async def where(): return os.getcwd()\n"
        "await asyncio.create_task(where()), await asyncio.create_task(where(), context=detached())"
    )
    assert (await console.run(code)).result == ["/", os.getcwd()]
