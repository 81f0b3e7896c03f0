"""Signals that a Python program gets from outside: its handler is called, as on Linux."""

from __future__ import annotations

from gemini_testing import Surface
from tests.tiers import in_turn
from tests.web.conftest import Start

PROGRAM = """
import signal, sys, time

def end(number, frame):
    print("caught", signal.Signals(number).name, flush=True)
    {reaction}

for each in (signal.SIGTERM, signal.SIGUSR1):
    signal.signal(each, {handler})
print("ready", flush=True)
end_at = time.monotonic() + 3
while time.monotonic() < end_at:
    {wait}
print("over")
"""
SLEEPS, SPINS = "time.sleep(0.05)", "pass"


def program(reaction: str = "sys.exit(3)", *, wait: str = SLEEPS, handler: str = "end") -> str:
    return PROGRAM.format(reaction=reaction, wait=wait, handler=handler)


# What a program and a command that sends it signals print, as on Debian 12.
OUTCOMES = {
    "a program that waits": (
        program(),
        "python3 a.py & {ready}; kill $!; wait $!; echo $?",
        "caught SIGTERM\n3\n",
    ),
    "a program that continues": (
        program("signal.signal(number, signal.SIG_DFL)"),
        "python3 a.py & {ready}; kill $!; sleep 0.1; kill $!; wait $! 2> /dev/null; echo $?",
        "caught SIGTERM\n143\n",
    ),
    "another signal": (
        program(),
        "python3 a.py & {ready}; kill -USR1 $!; wait $!; echo $?",
        "caught SIGUSR1\n3\n",
    ),
    "a time limit": (program(), "timeout 0.5 python3 a.py; echo $?", "ready\ncaught SIGTERM\n124\n"),
    "its exit code": (
        program(),
        "timeout --preserve-status 0.5 python3 a.py; echo $?",
        "ready\ncaught SIGTERM\n3\n",
    ),
    "a program that never pauses": (
        program(wait=SPINS),
        "timeout --preserve-status 0.5 python3 a.py; echo $?",
        "ready\ncaught SIGTERM\n3\n",
    ),
    "an ignored signal": (
        program(handler="signal.SIG_IGN"),
        "bash -c 'timeout -k 0.3 0.5 python3 a.py; echo $?' 2> /dev/null",
        "ready\n137\n",
    ),
    "a program that never pauses and ignores it": (
        program(wait=SPINS, handler="signal.SIG_IGN"),
        "bash -c 'timeout -k 0.3 0.5 python3 a.py; echo $?' 2> /dev/null",
        "ready\n137\n",
    ),
    "a program's child": (
        program(),
        "python3 -c \"import subprocess as s; p = s.Popen(['python3', 'a.py'], stdout=s.PIPE, text=True); "
        'p.stdout.readline(); p.terminate(); print(p.communicate()[0], p.returncode)"',
        "caught SIGTERM\n 3\n",
    ),
}
FROM_ANOTHER = "cd {}; until grep -q ready out; do sleep 0.05; done; kill $(pgrep -f 'python3 a.py')"
READY = "until grep -q ready out; do sleep 0.05; done"


@in_turn("what", OUTCOMES, every=3)
def test_a_program_s_handler_is_called(surface: Surface, folder: str, what: str) -> None:
    code, line, printed = OUTCOMES[what]
    surface.call("file_write", path=f"{folder}/a.py", content=code)
    if "{ready}" in line:
        line = line.replace("a.py &", "a.py > out &").format(ready=READY) + "; tail -n +2 out"
        printed = "".join(sorted(printed.splitlines(keepends=True)))
    done = surface.call("terminal_execute", command=f"cd {folder}; rm -f out; {line}", timeout_s=10)

    assert done["output"] == printed


def test_a_signal_from_another_terminal_calls_the_handler(
    surface: Surface, start: Start, folder: str
) -> None:
    surface.call("file_write", path=f"{folder}/a.py", content=program())
    first, second = (surface.call("terminal_create")["terminal_id"] for _ in range(2))
    call = start(
        "terminal_execute", terminal_id=first, command=f"cd {folder}; python3 a.py > out; echo $?; cat out"
    )
    surface.call("terminal_execute", terminal_id=second, command=FROM_ANOTHER.format(folder))

    assert call.result()["output"] == "3\nready\ncaught SIGTERM\n"
