"""The terminal tools: state, timeouts, long output and errors."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing import Surface, ToolCallFailed
from tests.tiers import sampled
from tests.web.conftest import Start


def run(surface: Surface, command: str, terminal: str | None = None, **more: Any) -> dict[str, Any]:
    where = {} if terminal is None else {"terminal_id": terminal}
    return surface.call("terminal_execute", command=command, streams=True, **where, **more)


def test_a_command_returns_its_output_and_exit_code(surface: Surface, terminal: str) -> None:
    result = run(surface, "echo out; echo err >&2; (exit 3)", terminal)

    assert (result["stdout"], result["stderr"], result["exit_code"]) == ("out\n", "err\n", 3)
    assert result["terminal_id"] == terminal
    assert not result["truncated"] and "timed_out" not in result


def test_shell_state_persists_in_its_terminal_only(surface: Surface, terminal: str) -> None:
    run(
        surface,
        "mkdir -p /tmp/here; cd /tmp/here; export COLOUR=red; size=3; greet() { echo hi $1; }",
        terminal,
    )
    run(surface, "shopt -s expand_aliases; alias shout='echo LOUD'", terminal)

    assert run(surface, "pwd; echo $COLOUR $size; greet you; shout", terminal)["stdout"] == (
        "/tmp/here\nred 3\nhi you\nLOUD\n"
    )
    other = surface.call("run_in_new_terminal", command="pwd; echo [$COLOUR$size]; greet you; shout")
    assert other["output"].startswith("/project\n[]\n")
    assert other["exit_code"] == 127
    surface.call("terminal_close", terminal_id=other["terminal_id"])


def test_a_shell_comes_back_without_its_secrets(surface: Surface, terminal: str) -> None:
    run(surface, "size=3; export MY_API_TOKEN=hidden; greet() { echo hi $1; }; list=([2]=c)", terminal)
    run(surface, "size=4", terminal)
    surface.load()

    came_back = "greet $size ${list[2]}; echo [$MY_API_TOKEN]"
    assert run(surface, came_back, terminal)["stdout"] == "hi 4\n[]\n"
    # Unchanged since it came back, and then changed again.
    run(surface, "true", terminal)
    run(surface, "unset size; greet() { echo bye; }", terminal)
    surface.load()
    assert run(surface, "greet; echo [$size]", terminal)["stdout"] == "bye\n[]\n"


@pytest.mark.extended
def test_kill_reaches_the_processes_of_every_terminal(surface: Surface, terminal: str) -> None:
    other = surface.call("terminal_create")["terminal_id"]
    keys = "stored=yes; sleep 61 & python -c 'input(\"wait\")'\n"
    surface.call("terminal_input", terminal_id=other, text=keys)
    find = "until pid=$(ps -e -o pid,args | awk '/%s/ {print $1}') && [ $pid ]; do sleep 0.05; done; %s $pid"
    run(surface, find % ("[s]leep 61", "kill -0") + " && kill $pid", terminal)
    ended = run(
        surface, find % ("bash: [p]ython", "kill") + "; kill -0 $pid && echo the shell lives", terminal
    )
    assert ended["stdout"] == "the shell lives\n"
    # An idle shell ignores it, as a prompt of bash does.
    run(surface, "kill " + str(1000 + int(other.removeprefix("term-"))), terminal)
    after = run(surface, "echo $stored; jobs", other)
    assert "yes\n" in after["stdout"] and "Terminated" in after["stdout"]
    assert run(surface, "kill 4999", terminal)["stderr"] == "bash: kill: (4999) - No such process\n"
    surface.call("terminal_close", terminal_id=other)


def test_the_shell_and_python_share_files(surface: Surface, terminal: str, folder: str) -> None:
    run(surface, f"cd {folder}; printf 'a\\nb\\n' > letters; ln -s letters link; chmod +x letters", terminal)

    assert surface.python(f"open({folder!r} + '/link').read()") == "a\nb\n"
    rows = {row["name"]: row for row in surface.call("file_list", path=folder)}
    assert rows["letters"]["permissions"] == "rwxr-xr-x"
    assert rows["link"]["link_target"] == "letters"
    surface.call("file_write", path=f"{folder}/letters", content="c\n", append=True)
    assert run(surface, "cat letters | tr -d '\\n'", terminal)["stdout"] == "abc"


def test_a_script_runs_as_in_python(surface: Surface, terminal: str, folder: str) -> None:
    script = """
import os, sys
print(sys.argv[1:], os.getcwd(), os.environ["COLOUR"], __name__, sys.stdin.read().upper())
print("careful", file=sys.stderr)
sys.exit(5)
"""
    surface.call("file_write", path=f"{folder}/script.py", content=script)
    result = run(surface, f"cd {folder}; echo given | COLOUR=red python3 script.py one 'two three'", terminal)

    assert result["stdout"] == f"['one', 'two three'] {folder} red __main__ GIVEN\n\n"
    assert result["stderr"] == "careful\n"
    assert result["exit_code"] == 5


def test_a_broken_link_is_replaced(surface: Surface, terminal: str, folder: str) -> None:
    result = run(surface, f"cd {folder}; ln -s none link; ln -sfn other link; readlink link; ls", terminal)

    assert (result["stdout"], result["exit_code"]) == ("other\nlink\n", 0)


@pytest.mark.parametrize(
    ("command", "stdout"),
    sampled(
        [
            ("python -c 'import sys; print(sys.argv)' a b", "['-c', 'a', 'b']\n"),
            ("echo 'print(6 * 7)' | python", "42\n"),
            ("python3 -m json.tool --compact <<< '{ \"a\" : 1 }'", '{"a":1}\n'),
            ("python -c 'import asyncio; asyncio.run(asyncio.sleep(0)); print(\"slept\")'", "slept\n"),
            ("python -c 'secret = 1'; python -c 'print(\"secret\" in globals())'", "False\n"),
        ],
        every=4,
    ),
)
def test_python_takes_code_from_anywhere(surface: Surface, terminal: str, command: str, stdout: str) -> None:
    result = run(surface, command, terminal)

    assert (result["stdout"], result["stderr"], result["exit_code"]) == (stdout, "", 0)


def test_a_script_s_exception_is_shown_as_in_python(surface: Surface, terminal: str, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/broken.py", content="def f():\n    return 1 / 0\n\nf()\n")
    result = run(surface, f"cd {folder} && python broken.py", terminal)

    assert result["exit_code"] == 1
    assert result["stderr"].splitlines() == [
        "Traceback (most recent call last):",
        f'  File "{folder}/broken.py", line 4, in <module>',
        "    f()",
        "    ~^^",
        f'  File "{folder}/broken.py", line 2, in f',
        "    return 1 / 0",
        "           ~~^~~",
        "ZeroDivisionError: division by zero",
    ]


@pytest.mark.parametrize(
    "command",
    sampled(
        [
            "tar czf t.tgz a && rm a && tar xzf t.tgz && cat a",
            "printf 'all:\\n\\t@cat a\\n' > Makefile && make",
            "uname > u && cat a",
            "id -un > i && cat a",
            "cat $(realpath ./a)",
            "cp a $(mktemp) && cat a",
            "yes | head -n 2 > y && cat a",
        ],
        every=6,
    ),
)
def test_everyday_programs_exist(surface: Surface, terminal: str, folder: str, command: str) -> None:
    surface.call("file_write", path=f"{folder}/a", content="text\n")
    result = run(surface, f"cd {folder} && {command}", terminal)

    assert (result["stdout"], result["exit_code"]) == ("text\n", 0), result


def test_commands_in_one_terminal_run_in_order(surface: Surface, terminal: str, start: Start) -> None:
    calls = [
        start("terminal_execute", terminal_id=terminal, command=command, streams=True)
        for command in (
            "step=1; sleep 0.2; echo $step",
            "step=$((step + 1)); echo $step",
            "echo $((step + 1))",
        )
    ]

    assert [call.result()["stdout"] for call in calls] == ["1\n", "2\n", "3\n"]


def test_terminals_do_not_wait_for_each_other(surface: Surface, terminal: str, start: Start) -> None:
    waiting = start("terminal_execute", terminal_id=terminal, command="sleep 60")
    other = surface.call("run_in_new_terminal", command="echo done")

    assert other["output"] == "done\n"
    rows = {row["id"]: row["busy"] for row in surface.call("terminal_list")}
    assert rows[terminal] and not rows[other["terminal_id"]]
    waiting.abort()
    surface.call("terminal_close", terminal_id=other["terminal_id"])


@pytest.mark.parametrize(
    "command", ["sleep 60", "python3 -c 'import asyncio; asyncio.run(asyncio.sleep(60))'"]
)
def test_an_aborted_call_ends_only_its_command(
    surface: Surface, terminal: str, start: Start, command: str
) -> None:
    run(surface, "cd /tmp; mark=set", terminal)
    call = start("terminal_execute", terminal_id=terminal, command=f"echo begun; {command}")
    surface.wait_for(
        "gemini.callTool('terminal_read', { terminal_id: arguments[0] })"
        ".then(({ text }) => text.split('\\n').some((line) => line.trim() === 'begun'))",
        terminal,
    )

    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    assert run(surface, "echo $mark; pwd", terminal)["stdout"] == "set\n/tmp\n"


@pytest.mark.parametrize(
    "command",
    sampled(
        [
            "sleep 60",
            "while :; do :; done",
            "until false; do true; done",
            "python3 -c 'while True: pass'",
            "python3 -c 'import time; time.sleep(60)'",
            "python3 -c 'import asyncio; asyncio.run(asyncio.sleep(60))'",
            "python3 -c 'try:\n  while True: pass\nexcept BaseException: pass\nwhile True: pass'",
        ],
        every=5,
    ),
)
def test_a_command_that_times_out_returns_its_partial_output(
    surface: Surface, terminal: str, command: str
) -> None:
    result = run(surface, f"echo before; {command}", terminal, timeout_s=1)

    assert result["exit_code"] == 124
    assert result["timed_out"]
    assert result["stdout"] == "before\n"
    assert run(surface, "echo after", terminal)["stdout"] == "after\n"


@pytest.mark.fortnightly
def test_a_script_that_times_out_returns_its_partial_output(surface: Surface, terminal: str) -> None:
    code = "print('printed')\nimport sys; sys.stdout.write('no newline')\nwhile True: pass"
    result = run(surface, f'python3 -c "{code}"', terminal, timeout_s=1)

    assert result["exit_code"] == 124
    assert result["stdout"] == "printed\nno newline"


@pytest.mark.fortnightly
def test_endless_output_is_stopped(surface: Surface, terminal: str) -> None:
    result = run(surface, "while :; do echo again; done", terminal, timeout_s=1)

    assert result["exit_code"] == 124
    assert result["stdout"].startswith("again\nagain\n")
    assert len(result["stdout"]) < 20_000


@pytest.mark.fortnightly
def test_output_over_the_limit_is_in_a_file_that_the_result_names(surface: Surface, terminal: str) -> None:
    result = run(surface, "seq 1 50000; echo problem >&2", terminal)
    numbers = "".join(f"{number}\n" for number in range(1, 50_001))
    whole = numbers + "problem\n"

    assert result["truncated"]
    assert result["stdout"].startswith("1\n2\n3\n")
    assert f"of {len(numbers):,} bytes cut" in result["stdout"]
    assert result["stdout"].endswith("50000\n")
    assert result["stderr"] == "problem\n"
    assert surface.python(f"open({result['output_file']!r}).read()") == whole
    part = surface.call("file_read", path=result["output_file"], offset=len(whole) - 14)
    assert part["content"] == "50000\nproblem\n"


@pytest.mark.extended
@pytest.mark.parametrize(
    "command",
    [
        "for part in {1..200}; do cat /tmp/megabyte; done",
        "python3 -c \"for _ in range(200): print('x' * 999_999)\"",
    ],
)
def test_two_hundred_megabytes_are_cut_and_saved(surface: Surface, terminal: str, command: str) -> None:
    surface.call("file_write", path="/tmp/megabyte", content="x" * 999_999 + "\n")
    result = run(surface, command, terminal, timeout_s=100)

    assert result["exit_code"] == 0, result["stderr"]
    assert result["truncated"]
    assert len(result["stdout"]) < 20_000
    assert surface.python(f"__import__('os').stat({result['output_file']!r}).st_size") == 200_000_000
    assert run(surface, f"rm {result['output_file']}; echo free", terminal)["stdout"] == "free\n"


@pytest.mark.fortnightly
def test_output_that_is_not_utf8_is_preserved(surface: Surface, terminal: str, folder: str) -> None:
    result = run(surface, f"printf 'a\\xff\\xfeb' | tee {folder}/raw", terminal)

    assert result["stdout"] == r"a\xff\xfeb"
    assert surface.call("file_read", path=result["output_file"]) == {
        "content": "Yf/+Yg==",
        "encoding": "base64",
        "size": 4,
        "truncated": False,
    }
    assert surface.python(f"list(open({folder!r} + '/raw', 'rb').read())") == [0x61, 0xFF, 0xFE, 0x62]


@pytest.mark.parametrize(
    "command", sampled(["echo 'open", 'echo "open', "if true; then", "echo $(ls", "for a in; done; }"])
)
def test_an_invalid_command_is_only_an_error(surface: Surface, terminal: str, command: str) -> None:
    result = run(surface, command, terminal)

    assert result["exit_code"] == 2
    assert result["stderr"].startswith("bash: ")
    assert run(surface, "echo after", terminal)["stdout"] == "after\n"


def test_an_unknown_command_is_reported_as_by_bash(surface: Surface, terminal: str) -> None:
    result = run(surface, "frobnicate", terminal)

    assert result["exit_code"] == 127
    assert "frobnicate: command not found" in result["stderr"]


@pytest.mark.fortnightly
def test_exit_ends_the_shell_but_not_the_terminal(surface: Surface, terminal: str) -> None:
    assert run(surface, "echo bye; exit 4", terminal)["exit_code"] == 4
    assert run(surface, "echo hello", terminal)["stdout"] == "hello\n"


def test_a_closed_terminal_is_a_typed_error(surface: Surface) -> None:
    closed = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_close", terminal_id=closed)

    for tool, arguments in {
        "terminal_execute": {"command": "true"},
        "terminal_read": {},
        "terminal_input": {"text": "x"},
        "terminal_focus": {},
        "terminal_interrupt": {},
        "terminal_close": {},
    }.items():
        with pytest.raises(ToolCallFailed) as failed:
            surface.call(tool, terminal_id=closed, **arguments)
        assert failed.value.type in {"TerminalClosed", "TerminalMissing"}
        assert closed in failed.value.message
        assert failed.value.hint


@pytest.mark.fortnightly
def test_closing_a_terminal_ends_its_command(surface: Surface, terminal: str, start: Start) -> None:
    running = start("terminal_execute", terminal_id=terminal, command="sleep 60")
    waiting = start("terminal_execute", terminal_id=terminal, command="echo next")
    surface.call("terminal_close", terminal_id=terminal)

    assert running.result()["error"]["type"] == "TerminalClosed"
    assert waiting.result()["error"]["type"] == "TerminalClosed"


def test_an_interrupt_ends_the_command_like_ctrl_c(surface: Surface, terminal: str, start: Start) -> None:
    call = start("terminal_execute", terminal_id=terminal, command="sleep 60")
    surface.call("terminal_interrupt", terminal_id=terminal)

    assert call.result()["exit_code"] == 130


@pytest.mark.fortnightly
def test_a_terminal_reports_missing_abilities_of_its_backend(surface: Surface, terminal: str) -> None:
    has_linux = surface.javascript("return 'linux' in document.documentElement.dataset")
    interactive = "linux" if has_linux else "host"
    made = surface.call("terminal_create", x=7, y=8, working_dir="/tmp")
    assert (made["x"], made["y"], made["backend"]) == (7, 8, "shell")
    assert f"interactive programs (use backend {interactive})" in made["lacks"]
    surface.call("terminal_close", terminal_id=made["terminal_id"])

    for command, backend in (("vim notes.txt", interactive), ("ssh host", "host"), ("htop", interactive)):
        result = run(surface, command, terminal)
        assert result["exit_code"] != 0
        assert f"{backend!r} backend" in result["stderr"]


def test_a_missing_backend_is_a_typed_error(surface: Surface) -> None:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("terminal_create", backend="host")

    assert failed.value.type == "CapabilityMissing"
    assert failed.value.hint and "shell" in failed.value.hint


def test_a_terminal_can_not_start_in_a_missing_directory(surface: Surface) -> None:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("terminal_create", working_dir="/project/nowhere")

    assert failed.value.type == "FileMissing"


def test_the_list_follows_focus_and_directory(surface: Surface, terminal: str) -> None:
    other = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_focus", terminal_id=terminal)
    run(surface, "cd /tmp")

    rows = {row["id"]: row for row in surface.call("terminal_list")}
    assert rows[terminal]["focused"] and not rows[other]["focused"]
    assert rows[terminal]["working_dir"] == "/tmp"
    assert rows[terminal]["backend"] == "shell"
    assert all({"x", "y", "width", "height", "busy"} <= set(row) for row in rows.values())
    surface.call("terminal_close", terminal_id=other)


def test_keys_reach_the_terminal_and_its_screen_can_be_read(surface: Surface, terminal: str) -> None:
    surface.call("terminal_input", terminal_id=terminal, text="echo typed | rev\n")
    shown = surface.wait_for(
        "gemini.callTool('terminal_read', { terminal_id: arguments[0] })"
        ".then(({ text }) => text.includes('depyt') && text)",
        terminal,
    )

    assert "/project $ echo typed | rev\ndepyt" in shown
    last = surface.call("terminal_read", terminal_id=terminal, lines=1)
    assert last["rows"] == 1


@pytest.mark.extended
def test_found_files_are_opened_in_a_terminal(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/one thing.unusual", content="inside\n")
    opened = surface.call("find_and_edit", pattern="*.unusual")

    assert opened["files_found"] == [f"{folder}/one thing.unusual"]
    assert "inside" in surface.call("terminal_read", terminal_id=opened["terminal_id"])["text"]
    surface.call("terminal_close", terminal_id=opened["terminal_id"])


WHEEL = """
import zipfile
with zipfile.ZipFile("thing-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("thing.py", "value = 42")
    wheel.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: thing\\nVersion: 1.0\\n")
    wheel.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("thing-1.0.dist-info/RECORD", "")
"""


@pytest.mark.fortnightly
def test_a_package_installs_with_pip_or_says_why_not(surface: Surface, terminal: str, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/make_wheel.py", content=WHEEL)
    run(surface, f"cd {folder} && python make_wheel.py", terminal)
    # A local wheel without dependencies needs no consent.
    installed = run(surface, "pip install ./thing-1.0-py3-none-any.whl", terminal)
    assert (installed["exit_code"], installed["stderr"]) == (0, "")
    assert "Successfully installed thing-1.0" in installed["stdout"]
    assert run(surface, "python -c 'import thing; print(thing.value)'", terminal)["stdout"] == "42\n"

    result = run(surface, "pip install ./no-such-wheel-1.0-py3-none-any.whl", terminal)

    assert result["exit_code"] == 1
    assert "no-such-wheel" in result["stderr"] + result["stdout"]
    assert "Traceback" not in result["stderr"]
