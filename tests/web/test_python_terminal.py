"""Python programs that talk with the user at a terminal, Tab completion, and the history."""

from __future__ import annotations

import json

import pytest

from gemini_testing import Surface
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

CTRL_C, CTRL_D, CTRL_R, ESCAPE, UP = "\x03", "\x04", "\x12", "\x1b", "\x1b[A"


@pytest.fixture
def program(surface: Surface, folder: str) -> str:
    """Write a program with a function and a breakpoint, and return its path."""
    text = "def double(n):\n    twice = 2 * n\n    return twice\n\n"
    text += "breakpoint()\nvalue = double(21)\nprint('got', value)\n"
    surface.python(f"open({folder + '/program.py'!r}, 'w').write({text!r})")
    return f"{folder}/program.py"


class Keys:
    """Keys at the terminal in front, and its screen."""

    def __init__(self, surface: Surface, terminal: str, shell: Person) -> None:
        self._surface = surface
        self._terminal = terminal
        self._shell = shell

    def press(self, text: str) -> None:
        self._surface.call("terminal_input", terminal_id=self._terminal, text=text)

    def reads(self, text: str) -> str:
        return self._shell.reads(text)

    def reads_line(self, line: str) -> str:
        return self._shell.reads_line(line)


@pytest.fixture
def keys(surface: Surface, terminal: str, shell: Person) -> Keys:
    return Keys(surface, terminal, shell)


def test_input_asks_and_shows_its_prompt(keys: Keys) -> None:
    keys.press('python -c \'n = input("Name? "); print(f"Hello, {n}!")\'\n')
    keys.reads("Name? ")
    keys.press("Ada\n")
    keys.reads_line("Name? Ada")
    keys.reads_line("Hello, Ada!")


@pytest.mark.extended
def test_standard_input_is_read_line_by_line_until_ctrl_d(keys: Keys) -> None:
    keys.press("python -c 'import sys; print(sys.stdin.isatty(), sum(map(int, sys.stdin)))'\n")
    keys.press("20\n22\n")
    keys.press(CTRL_D)
    keys.reads_line("True 42")


@pytest.mark.fortnightly
def test_a_password_is_not_shown_and_in_no_history(keys: Keys) -> None:
    keys.press("python -c 'import getpass; print(len(getpass.getpass(\"Secret: \")))'\n")
    keys.reads("Secret:")
    keys.press("tigers\n")
    assert "tigers" not in keys.reads_line("6")
    keys.press(f"{CTRL_R}tigers")
    keys.reads("(failed reverse-i-search)`tigers'")
    keys.press(ESCAPE)


@pytest.mark.extended
def test_ctrl_c_at_a_prompt_raises_and_ends_the_list(keys: Keys) -> None:
    keys.press("python -c 'input(\"wait\")'; echo not reached\n")
    keys.reads("wait")
    keys.press(CTRL_C)
    screen = keys.reads("KeyboardInterrupt")
    keys.press("echo code $?\n")
    keys.reads_line("code 130")
    assert "\nnot reached" not in screen


@pytest.mark.extended
@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 1)])
def test_keys_after_the_one_that_ends_a_read_are_the_next_line(keys: Keys, key: str, code: int) -> None:
    keys.press("python -c 'input(\"wait\")'\n")
    keys.reads("wait")
    keys.press(f"{key}echo then $?\n")
    keys.reads_line(f"then {code}")


@pytest.mark.fortnightly
def test_ctrl_d_at_a_prompt_is_the_end_of_the_file(keys: Keys) -> None:
    keys.press("python -c 'input(\"wait\")'\n")
    keys.reads("wait")
    keys.press(CTRL_D)
    keys.reads("EOFError: EOF when reading a line")


def test_python_without_a_program_is_interactive(keys: Keys) -> None:
    keys.press("python -q\n")
    keys.reads(">>>")
    keys.press("total = 40 + 2\n")
    keys.press("total\n")
    keys.reads_line("42")
    keys.press("for n in range(2):\n    print('n', n)\n\n")
    keys.reads("...")
    keys.reads_line("n 1")
    keys.press("_ + 1\n")
    keys.reads_line("43")
    keys.press("1 / 0\n")
    keys.reads("ZeroDivisionError: division by zero")
    keys.press("tot\t + 100\n")
    keys.reads_line("142")
    keys.press(f"{UP}{UP}\n")
    keys.reads("ZeroDivisionError")
    keys.press("x = (1 +\n1)\nx\n")
    keys.reads_line("2")
    keys.press(f"abandoned{CTRL_C}")
    keys.reads("KeyboardInterrupt")
    keys.press("exit()\n")
    keys.press("echo back\n")
    keys.reads_line("back")


def test_ctrl_c_ends_a_statement_and_not_the_session(keys: Keys, shell: Person) -> None:
    keys.press("python -q\n")
    keys.reads(">>>")
    keys.press("import time; print('sleeps'); time.sleep(600)\n")
    keys.reads_line("sleeps")
    keys.press(CTRL_C)
    keys.reads("KeyboardInterrupt")
    # One statement: Ctrl-C after the end of a first one would not be for a second that is typed already.
    shell.type("exec(\"print('spins')\\nwhile True: pass\")\n")
    keys.reads_line("spins")
    shell.type(CTRL_C)
    shell.type("print('on', 6 * 7)\n")
    keys.reads_line("on 42")
    keys.press(CTRL_D)
    keys.press("echo $?\n")
    keys.reads_line("0")


@pytest.mark.extended
def test_an_interactive_session_inspects_a_program(keys: Keys) -> None:
    keys.press("python -i -c 'stored = 5; 1 / 0'\n")
    keys.reads("ZeroDivisionError")
    keys.press("stored * 2\n")
    keys.reads_line("10")
    keys.press("quit\n")


@pytest.mark.extended
def test_breakpoint_opens_the_debugger(keys: Keys, program: str) -> None:
    keys.press(f"python {program}\n")
    keys.reads("(Pdb)")
    keys.press("n\n")
    keys.reads("-> value = double(21)")
    keys.press("s\n")
    keys.reads("--Call--")
    keys.press("n\nn\n")
    keys.reads("-> return twice")
    keys.press("p twice, n\n")
    keys.reads_line("(42, 21)")
    keys.press("w\n")
    screen = keys.reads("-> value = double(21)\n>")
    assert "gemini/" not in screen and "asyncio" not in screen
    keys.press("l 1,2\n")
    keys.reads("  2  ")
    keys.press("b 7\n")
    keys.reads("Breakpoint 1 at")
    keys.press("c\n")
    keys.reads("-> print('got', value)")
    keys.press("c\n")
    keys.reads_line("got 42")
    keys.press("echo $?\n")
    keys.reads_line("0")


@pytest.mark.extended
def test_pdb_runs_a_program_and_quits(keys: Keys, program: str) -> None:
    keys.press(f"python -m pdb {program}\n")
    keys.reads("-> def double(n):")
    keys.press("q\n")
    keys.press("echo done $?\n")
    keys.reads_line("done 0")


@pytest.mark.extended
def test_a_traceback_is_colored_for_the_user_only(surface: Surface, keys: Keys, terminal: str) -> None:
    count = "import sys; print('tty', sys.stdout.isatty(), file=sys.stderr)"
    keys.press(f'python -c "{count}; 1/0"\n')
    keys.reads_line("tty True")
    keys.reads("ZeroDivisionError")
    done = surface.call("terminal_execute", terminal_id=terminal, command=f'python -c "{count}; 1/0"')
    assert "tty False" in done["output"] and "\x1b" not in done["output"]


@pytest.mark.extended
def test_sqlite3_asks_for_statements(keys: Keys, folder: str) -> None:
    keys.press(f"sqlite3 {folder}/t.db\n")
    keys.reads("sqlite>")
    keys.press(
        "create table t(n);\ninsert into t values (20),\n(22);\nselect sum(n) from t;\nselect missing;\n"
    )
    keys.reads_line("42")
    keys.reads("Parse error: no such column: missing")
    keys.press(CTRL_C)
    keys.reads("sqlite> ^C")
    keys.press(".tables\n")
    keys.reads_line("t")
    keys.press(".quit\necho code $?\n")
    keys.reads_line("code 0")


CLOSE = """\
import asyncio, os
from gemini.kernel.kernel import kernel
before = os.path.exists({out!r})
kernel.opened.close({path!r})
while not os.path.exists({out!r}) or not open({out!r}).read():
    await asyncio.sleep(0)
[before, open({out!r}).read()]
"""


RUNS_EDITOR = "python -c \"import os, sys; sys.exit(os.system(os.environ['EDITOR'] + ' {path}'))\""


@pytest.mark.extended
@pytest.mark.parametrize("command", ["edit {path}", RUNS_EDITOR])
def test_edit_waits_until_the_file_is_closed(
    surface: Surface, keys: Keys, shell: Person, folder: str, command: str
) -> None:
    path, out = f"{folder}/new.txt", f"{folder}/out"
    keys.press(f"{command.format(path=path)}; echo closed $? > {out}\n")
    shell.sees('region "Editor" h2', "new.txt")
    assert surface.python(CLOSE.format(path=path, out=out)) == [False, "closed 0\n"]


@pytest.mark.extended
def test_git_commit_takes_its_message_from_the_editor(
    surface: Surface, keys: Keys, shell: Person, folder: str
) -> None:
    surface.call(
        "terminal_execute",
        command=f"cd {folder} && git init -q && touch a && git add a && git config user.name A "
        "&& git config user.email a@b",
    )
    path, out = f"{folder}/.git/COMMIT_EDITMSG", f"{folder}/out"
    keys.press(f"cd {folder}; git commit -q; git log --format=%s > {out}\n")
    shell.sees('region "Editor" h2', "COMMIT_EDITMSG")
    surface.python(f"open({path!r}, 'w').write('A subject\\n')")
    assert surface.python(CLOSE.format(path=path, out=out)) == [False, "A subject\n"]
    command = "echo 1 > a; git commit -qam Second; echo 2 > a; git commit -qam Third; git rebase -i HEAD~2"
    todo, out = f"{folder}/.git/git-rebase-todo", f"{folder}/rebased"
    keys.press(f"{command}; git log --format=%s > {out}\n")
    shell.sees('region "Editor" h2', "git-rebase-todo")
    surface.python(f"text = open({todo!r}).read(); open({todo!r}, 'w').write(text[text.index('\\n') + 1:])")
    rebased = surface.python(CLOSE.format(path=todo, out=out))
    assert rebased[0] is False and "Second" not in rebased[1]


def test_an_agent_s_command_does_not_open_the_editor(surface: Surface, folder: str) -> None:
    ran = surface.call("terminal_execute", command=f"nano {folder}/x")
    assert (ran["exit_code"], "git commit -m" in ran["output"]) == (126, True)


@pytest.mark.fortnightly
def test_an_agent_s_command_that_reads_returns_its_prompt(surface: Surface, terminal: str) -> None:
    run = {"terminal_id": terminal, "command": "python -c 'print(1); print(input(\"Name? \"))'; echo after"}
    waiting = surface.call("terminal_execute", **run)
    assert (waiting["waiting_for_input"], waiting["exit_code"]) == ("Name? ", -1)
    assert waiting["output"] == "1\nName? "
    refused = json.loads(surface.call_raw("terminal_execute", terminal_id=terminal, command="true"))
    assert refused["error"]["type"] == "TerminalProblem" and "Name? " in refused["error"]["message"]
    surface.call("terminal_input", terminal_id=terminal, text="Ada\n")
    surface.wait_for(
        "gemini.callTool('terminal_read', {terminal_id: arguments[0]}).then((s) => s.text.includes('\\nafter'))",
        terminal,
    )
    assert surface.call("terminal_execute", terminal_id=terminal, command="echo on")["output"] == "on\n"


@pytest.mark.fortnightly
def test_an_agent_uses_an_interactive_python(surface: Surface, terminal: str) -> None:
    assert (
        surface.call("terminal_execute", terminal_id=terminal, command="python -q")["waiting_for_input"]
        == ">>> "
    )
    surface.call("terminal_input", terminal_id=terminal, text="6 * 7\nexit()\n")
    surface.wait_for(
        "gemini.callTool('terminal_list', {}).then((all) => !all.find(({ id }) => id === arguments[0]).busy)",
        terminal,
    )
    assert surface.call("terminal_execute", terminal_id=terminal, command="echo $?")["output"] == "0\n"
    assert "\n42\n" in surface.call("terminal_read", terminal_id=terminal)["text"]


@pytest.mark.fortnightly
def test_tab_completes_the_shell_s_own_names(keys: Keys) -> None:
    keys.press("greet() { echo hello; }; FRUIT=apple\n")
    # A page's first Tab loads the commands; keys that follow at once don't wait for it.
    keys.press("gree\t")
    keys.reads_line("/project $ greet")
    keys.press("; echo $FRU\t.\n")
    keys.reads_line("hello")
    keys.reads_line("apple .")
    keys.press("mkf\t")
    keys.press("\x15pri\t\t")
    keys.reads("printenv")
    keys.press(CTRL_C)


@pytest.mark.extended
def test_the_history_outlives_the_page(surface: Surface, keys: Keys, shell: Person) -> None:
    keys.press("echo remembered\n")
    keys.reads_line("remembered")
    surface.wait_for("gemini.python('gemini.active_terminal.busy').then((busy) => !busy)")
    surface.reload()
    shell.enter_terminal()
    keys.press(f"{CTRL_R}remem")
    keys.reads("(reverse-i-search)`remem': echo remembered")
    keys.press(f"{CTRL_R}x")
    keys.reads("failed reverse-i-search")
    keys.press(ESCAPE + CTRL_C)
