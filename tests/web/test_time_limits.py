"""`timeout`: it ends commands that never pause, and only those."""

from __future__ import annotations

from gemini_testing import Surface
from tests.tiers import in_turn

SPIN = "python3 -c 'while True: pass'"
SPINNING = ["python3", "-c", "while True: pass"]
LIMITED = ["timeout", "0.3", *SPINNING]
WORK = "import time\nend = time.monotonic() + 0.5\nwhile time.monotonic() < end: pass\nprint('done')"
CHILD = "import subprocess; print(subprocess.run({}).returncode)"
# Prints the whole seconds that a command takes, too.
TIMED = 'timed() { SECONDS=0; "$@" 2> /dev/null; echo $? $SECONDS; }; timed'
# What they print, as on Debian 12.
LINES = {
    f"timeout 0.3 {SPIN}; echo $?": "124\n",
    f"timeout -k 5 0.3 {SPIN}; echo $?": "124\n",
    f"timeout --preserve-status 0.3 {SPIN}; echo $?": "143\n",
    f"timeout -s KILL 0.3 {SPIN}; echo $?": "137\n",
    f"timeout -v 0.3 {SPIN}; echo $?": "timeout: sending signal TERM to command 'python3'\n124\n",
    f"timeout -s INT 0.3 {SPIN} 2>&1 | tail -1": "KeyboardInterrupt\n",
    f'timeout 0.3 sh -c "{SPIN}; echo after"; echo $?': "124\n",
    f"timeout 0.3 {SPIN} | cat; echo ${{PIPESTATUS[0]}}": "124\n",
    f"(timeout 0.3 {SPIN}; echo $?) & wait": "124\n",
    f'timeout 0.3 bash -c "{SPIN} & wait"; echo $?': "124\n",
    f'timeout 0.3 python3 -c "{CHILD.format(SPINNING)}"; echo $?': "124\n",
    f'python3 -c "{CHILD.format(LIMITED)}"': "124\n",
    "timeout 0.3 awk 'BEGIN { while (1) n++ }'; echo $?": "124\n",
    "echo a | timeout 0.3 sed ':a; ba'; echo $?": "124\n",
    "timeout 0.3 jq -n '1 | until(. < 0; . + 1)'; echo $?": "124\n",
    "echo 'while (1) x = 1' | timeout 0.3 bc; echo $?": "124\n",
    "printf a%.0s {1..60} > as; timeout 0.3 grep -P '(a+)+$b' as; echo $?": "124\n",
    "timeout 0.3 node -e 'for (;;) {}'; echo $?": "124\n",
    "timeout 0.3 yes > /dev/null; echo $?": "124\n",
    "timeout 0.3 bash -c 'while :; do :; done'; echo $?": "124\n",
    # The whole group gets the signal.
    f"{TIMED} timeout 0.2 bash -c 'trap \"echo got\" TERM; sleep 4; echo after'": "got\nafter\n124 0\n",
    "timeout 0.2 sh -c 'sleep 3 & wait'; echo $?; ps -e | grep -c '[s]leep 3'": "124\n0\n",
    "timeout --foreground 0.2 sh -c 'sleep 3 & wait'; echo $?; pgrep -c sleep": "124\n1\n",
    f'timeout 0.1 sleep 9 & python3 -c "{WORK}"; wait $!; echo $?': "done\n124\n",
}


@in_turn("line", LINES, every=6)
def test_a_command_ends_at_its_time_limit(surface: Surface, folder: str, line: str) -> None:
    done = surface.call("terminal_execute", command=f"cd {folder}; {line}", timeout_s=4)

    assert done["output"] == LINES[line]
