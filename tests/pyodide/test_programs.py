"""Concurrent programs: scripts of two terminals share an interpreter but have separate state."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_pyodide import run_in_pyodide

pytestmark = pytest.mark.extended

CHECKING = """
import asyncio, atexit, os, sys, time, helper

def check(where):
    import helper as again
    name = helper.NAME
    directories = [os.path.basename(path) for path in (os.getcwd(), sys.path[0])]
    same = [*directories, os.environ["WHO"], sys.argv[1], again.NAME] == [name] * 5
    print(where if same and vars(sys.modules["__main__"]) is globals() else f"{where} of another script")

async def child():
    for number in range(3):
        check(f"child {number}")
        await asyncio.sleep(0.001)

async def left_behind():
    try:
        await asyncio.Event().wait()
    finally:
        check("left behind")

async def main():
    asyncio.create_task(left_behind())
    asyncio.get_running_loop().call_later(0.001, check, "timer")
    await asyncio.gather(child(), asyncio.create_task(child()))
    await asyncio.sleep(0.01)
    return "result"

check("top")
print(asyncio.run(main()))
time.sleep(0.01)
check("slept")
atexit.register(check, "atexit")
sys.exit(7)
"""

EXPECTED = [
    *("top", "result", "slept", "left behind", "atexit", "timer"),
    *(f"child {number}" for number in (0, 0, 1, 1, 2, 2)),
]


@pytest.fixture
def selenium_shell(selenium: Any) -> Any:
    """Pyodide with a module `shell`, in which `await program(code, cwd=…, WHO=…)` is `python -c`."""
    selenium.run(
        """
        import sys, types
        from gemini.computer.shell.commands import COMMANDS
        from gemini_userland import run
        from gemini_userland.invocation import Invocation

        async def program(code, *arguments, cwd="/tmp", **env):
            call = Invocation(["python", "-c", code, *arguments], cwd=cwd, env=env)
            return await run(call, COMMANDS), call.stdout.text(), call.stderr.text()

        sys.modules["shell"] = types.SimpleNamespace(program=program)
        """
    )
    return selenium


@run_in_pyodide
async def run_two(selenium, checking, expected):
    import asyncio
    import os
    import sys
    from pathlib import Path

    from gemini.computer.shell.commands import COMMANDS
    from gemini_userland import run
    from gemini_userland.invocation import Invocation

    def state():
        return (
            os.getcwd(),
            dict(os.environ),
            sys.argv,
            sys.stdout,
            sys.modules["__main__"],
            "helper" in sys.modules,
        )

    async def script(name):
        directory = Path("/tmp/programs", name)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "helper.py").write_text(f"NAME = {name!r}")
        (directory / "script.py").write_text(checking)
        call = Invocation(["python", "script.py", name], cwd=str(directory), env={"WHO": name})
        return await run(call, COMMANDS), sorted(call.stdout.text().splitlines()), call.stderr.text()

    async def watch():
        while True:
            unchanged.append(state() == before)
            await asyncio.sleep(0)

    before, unchanged = state(), []
    watching = asyncio.create_task(watch())
    outcomes = await asyncio.gather(script("a"), script("b"))
    watching.cancel()

    assert outcomes == [(7, sorted(expected), "")] * 2
    assert len(unchanged) > 10 and all(unchanged)
    assert state() == before


def test_concurrent_scripts_have_separate_state(selenium: Any) -> None:
    run_two(selenium, CHECKING, EXPECTED)  # pyright: ignore[reportCallIssue]


@run_in_pyodide
async def test_sleeping_scripts_do_not_block_each_other(selenium_shell):
    import asyncio

    import shell  # pyright: ignore

    shell.log = []
    code = "import shell, time; shell.log.append('started'); time.sleep(2); shell.log.append('ended')"
    await asyncio.gather(*(shell.program(code) for _ in range(3)))

    assert shell.log == ["started"] * 3 + ["ended"] * 3


@run_in_pyodide
async def test_a_cancelled_script_ends_while_waiting(selenium_shell):
    import asyncio

    import pytest

    from gemini.computer.shell.commands import COMMANDS
    from gemini_userland import run
    from gemini_userland.invocation import Invocation, Output

    waits = (
        "import asyncio\nasync def main():\n"
        "    try: await asyncio.Event().wait()\n    finally: print('inner')\n"
        "print('started')\ntry: asyncio.run(main())\nfinally: print('outer')",
        "import time\nprint('started')\ntry: time.sleep(1000)\nfinally: print('outer')",
        "import atexit, time\natexit.register(print, 'outer')\nprint('started')\ntime.sleep(1000)",
    )
    for code in waits:
        started = asyncio.Event()
        out = Output(lambda _: started.set())  # noqa: B023
        call = Invocation(["python", "-c", code], cwd="/tmp", stdout=out)
        task = asyncio.create_task(run(call, COMMANDS))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert out.text().splitlines()[-1] == "outer"
        assert call.stderr.text().splitlines()[-1] == "KeyboardInterrupt"


MAIN = "import asyncio, sys\nasync def main():\n    await asyncio.sleep(0)\n    "
ASYNCIO = [
    (MAIN + "return 4\nprint(asyncio.run(main()))", 0, "4\n"),
    (MAIN + "sys.exit(5)\nasyncio.run(main())", 5, ""),
    (MAIN + "return 4\nwith asyncio.Runner() as run: print(run.run(main()), run.run(main()))", 0, "4 4\n"),
    (
        MAIN + "return 4\nloop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\n"
        "print(loop.run_until_complete(main()))\nloop.close()",
        0,
        "4\n",
    ),
    (MAIN + "print(len(asyncio.all_tasks()))\nasyncio.run(main())", 0, "1\n"),
    (MAIN + "print(asyncio.current_task().get_coro().__name__)\nasyncio.run(main())", 0, "main\n"),
    ("import asyncio\nprint(asyncio.current_task())", 0, "None\n"),
    (
        "import asyncio\nasync def main():\n"
        "    async with asyncio.timeout(0.01): await asyncio.Event().wait()\n"
        "try: asyncio.run(main())\nexcept TimeoutError: print('timed out')",
        0,
        "timed out\n",
    ),
    (
        "import sys, unittest\nclass Case(unittest.IsolatedAsyncioTestCase):\n"
        "    async def test(self): self.assertTrue(True)\n"
        "runner = unittest.TextTestRunner(sys.stdout, verbosity=0)\n"
        "print(unittest.main(testRunner=runner, exit=False).result.wasSuccessful())",
        0,
        None,
    ),
]


@run_in_pyodide
async def run_one(selenium, code):
    from shell import program  # pyright: ignore

    return await program(code)


@pytest.mark.parametrize(("code", "status", "output"), ASYNCIO)
def test_asyncio_works_as_in_a_separate_interpreter(
    code: str, status: int, output: str | None, selenium_shell: Any
) -> None:
    ended, out, err = run_one(selenium_shell, code)  # pyright: ignore[reportCallIssue]

    assert (ended, err) == (status, "")
    assert out == output if output is not None else out.endswith("True\n")


@run_in_pyodide
async def test_an_error_under_asyncio_is_printed_once(selenium_shell):
    from shell import program  # pyright: ignore

    code = "import asyncio\nasync def main():\n    await asyncio.sleep(0)\n    1 / 0\nasyncio.run(main())"
    status, _, err = await program(code)

    assert status == 1
    assert err.count("Traceback") == err.count("ZeroDivisionError") == 1
    assert 'File "<string>", line 4, in main\n    1 / 0\n' in err
    assert "gemini" not in err


@run_in_pyodide
async def test_a_program_may_cancel_all_tasks_that_it_sees(selenium_shell):
    import asyncio

    from shell import program  # pyright: ignore

    mine = asyncio.create_task(asyncio.Event().wait())
    code = (
        "import asyncio\nasync def main():\n    for task in asyncio.all_tasks():\n"
        "        if task is not asyncio.current_task(): task.cancel()\n"
        "    await asyncio.sleep(0)\nasyncio.run(main())"
    )
    assert await program(code) == (0, "", "")
    assert not mine.cancelled()
    mine.cancel()


@run_in_pyodide
async def test_a_script_runs_another_script(selenium_shell):
    from shell import program  # pyright: ignore

    inner = "import os; print(os.getcwd()); os.chdir('/'); import time; time.sleep(0.01); print(os.getcwd())"
    code = (
        "import asyncio, os, shell\nasync def main():\n"
        f"    print(await shell.program({inner!r}, cwd='/home'), os.getcwd())\nasyncio.run(main())"
    )
    assert await program(code) == (0, "(0, '/home\\n/\\n', '') /tmp\n", "")


@run_in_pyodide
async def test_a_program_that_refuses_to_end_blocks_nothing(selenium_shell):
    import asyncio
    import time

    import pytest
    from shell import program  # pyright: ignore

    code = "import time\nwhile True:\n    try: time.sleep(0.01)\n    except BaseException: pass"
    task = asyncio.create_task(program(code))
    await asyncio.sleep(0.1)
    started = time.perf_counter()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.perf_counter() - started < 20
    assert await program("print('others run')") == (0, "others run\n", "")


@run_in_pyodide
async def test_the_console_supports_every_way_to_wait(selenium):
    from gemini.computer.python.console import PythonConsole

    console = PythonConsole("/tmp")
    await console.run(
        "import asyncio, os, time\nasync def where():\n    await asyncio.sleep(0)\n    return os.getcwd()"
    )
    for code in ("await where()", "asyncio.run(where())", "time.sleep(0.001); os.getcwd()"):
        assert (await console.run(code)).result == "/tmp", code
