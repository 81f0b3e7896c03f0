"""`read` prompts only the user at the terminal."""

from __future__ import annotations

import pytest

from gemini_testing import Surface
from tests.web.person import Person

pytestmark = pytest.mark.extended


def test_a_prompt_waits_for_a_line(shell: Person) -> None:
    shell.type("read -p 'Your name: ' name; echo \"hello, $name\"\n")
    shell.reads("Your name: ")
    shell.type("Adx\b a\n")
    shell.reads_line("Your name: Ad a")
    shell.reads_line("hello, Ad a")


def test_the_prompt_may_be_printed_by_the_command_before(shell: Person) -> None:
    shell.type("printf 'How many? '; read n; echo $((n * 2))\n")
    shell.reads("How many?")
    shell.type("21\n")
    shell.reads_line("How many? 21")
    shell.reads_line("42")


def test_a_loop_asks_again_until_it_has_its_answer(shell: Person) -> None:
    shell.type("until [ \"$a\" = yes ]; do read -p 'Go on? ' a; done; echo going\n")
    for answer in ("no", "perhaps", "yes"):
        shell.reads("Go on?")
        shell.type(f"{answer}\n")
        shell.reads_line(f"Go on? {answer}")
    shell.reads_line("going")


def test_a_password_is_not_shown(shell: Person) -> None:
    shell.type("read -s -p 'Password: ' p; echo \"has ${#p} characters\"\n")
    shell.reads("Password:")
    shell.type("tiger\n")
    assert "tiger" not in shell.reads("has 5 characters")


def test_text_typed_before_the_prompt_is_the_answer(shell: Person) -> None:
    shell.type('sleep 0.3; read line; echo "got $line"\nearly\necho after\n')
    shell.reads_line("got early")
    shell.reads_line("after")


def test_ctrl_d_ends_the_input_and_ctrl_c_the_command(shell: Person) -> None:
    shell.type("read -p 'first? ' x || echo nothing came\n")
    shell.reads("first?")
    shell.type("\x04")
    shell.reads_line("nothing came")
    shell.type("read -p 'second? ' x; echo not reached\n")
    shell.reads("second?")
    shell.type("\x03")
    shell.type("echo code $?\n")
    shown = shell.reads("code 130")
    assert shown.count("not reached") == 1


def test_input_from_a_pipe_or_file_needs_no_prompt(shell: Person) -> None:
    shell.type('echo piped | { read a; echo "a=$a"; }; read b <<< here; echo "b=$b"\n')
    shell.reads_line("a=piped")
    shell.reads_line("b=here")


def test_an_agent_s_command_returns_the_prompt_and_continues(surface: Surface, terminal: str) -> None:
    waiting = surface.call(
        "terminal_execute", terminal_id=terminal, command="read -p 'name? ' x; echo \"$?,$x.\""
    )
    assert (waiting["waiting_for_input"], waiting["output"]) == ("name? ", "")
    surface.call("terminal_input", terminal_id=terminal, text="Ada\n")
    surface.wait_for(
        "gemini.callTool('terminal_list', {}).then((all) => !all.find(({ id }) => id === arguments[0]).busy)",
        terminal,
    )
    done = surface.call("terminal_execute", terminal_id=terminal, command='echo "x=$x"')
    assert done["output"] == "x=Ada\n"


def test_a_script_s_command_reads_nothing(surface: Surface) -> None:
    run = "(await gemini.create_terminal().execute('read x; echo \"$?,$x.\"')).stdout"
    assert surface.python(run) == "1,.\n"
    surface.python("await gemini.active_terminal.close()")


def test_an_agent_answers_with_keys(surface: Surface, terminal: str) -> None:
    surface.call("terminal_input", terminal_id=terminal, text="read -p 'name? ' x; echo \"x=$x\"\n")
    surface.call("terminal_input", terminal_id=terminal, text="Ada\n")
    surface.wait_for(
        "gemini.callTool('terminal_read', {terminal_id: arguments[0]}).then((s) => s.text.includes('x=Ada'))",
        terminal,
    )
