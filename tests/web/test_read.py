"""`read` asks the person who sits at the terminal, and nobody else."""

from __future__ import annotations

import pytest

from gemini_testing import Surface
from tests.web.person import Person


@pytest.fixture
def at_terminal(person: Person, terminal: str) -> Person:
    person.sees(f"#tab-{terminal}[aria-selected=true]")
    person.enter_terminal()
    return person


def test_a_prompt_waits_for_a_line(at_terminal: Person) -> None:
    at_terminal.type("read -p 'Your name: ' name; echo \"hello, $name\"\n")
    at_terminal.reads("Your name: ")
    at_terminal.type("Adx\b a\n")
    at_terminal.reads_line("Your name: Ad a")
    at_terminal.reads_line("hello, Ad a")


def test_the_prompt_may_be_printed_by_the_command_before(at_terminal: Person) -> None:
    at_terminal.type("printf 'How many? '; read n; echo $((n * 2))\n")
    at_terminal.reads("How many?")
    at_terminal.type("21\n")
    at_terminal.reads_line("How many? 21")
    at_terminal.reads_line("42")


def test_a_loop_asks_again_until_it_has_its_answer(at_terminal: Person) -> None:
    at_terminal.type("until [ \"$a\" = yes ]; do read -p 'Go on? ' a; done; echo going\n")
    for answer in ("no", "perhaps", "yes"):
        at_terminal.reads("Go on?")
        at_terminal.type(f"{answer}\n")
        at_terminal.reads_line(f"Go on? {answer}")
    at_terminal.reads_line("going")


def test_a_password_is_not_shown(at_terminal: Person) -> None:
    at_terminal.type("read -s -p 'Password: ' p; echo \"has ${#p} characters\"\n")
    at_terminal.reads("Password:")
    at_terminal.type("tiger\n")
    assert "tiger" not in at_terminal.reads("has 5 characters")


def test_what_was_typed_before_the_question_is_its_answer(at_terminal: Person) -> None:
    at_terminal.type('sleep 0.3; read line; echo "got $line"\nearly\necho after\n')
    at_terminal.reads_line("got early")
    at_terminal.reads_line("after")


def test_ctrl_d_is_the_end_and_ctrl_c_ends_the_command(at_terminal: Person) -> None:
    at_terminal.type("read -p 'first? ' x || echo nothing came\n")
    at_terminal.reads("first?")
    at_terminal.type("\x04")
    at_terminal.reads_line("nothing came")
    at_terminal.type("read -p 'second? ' x; echo not reached\n")
    at_terminal.reads("second?")
    at_terminal.type("\x03")
    at_terminal.type("echo code $?\n")
    shown = at_terminal.reads("code 130")
    assert shown.count("not reached") == 1


def test_a_pipe_and_a_file_feed_it_without_a_question(at_terminal: Person) -> None:
    at_terminal.type('echo piped | { read a; echo "a=$a"; }; read b <<< here; echo "b=$b"\n')
    at_terminal.reads_line("a=piped")
    at_terminal.reads_line("b=here")


def test_an_agent_s_command_reads_nothing(surface: Surface, terminal: str) -> None:
    done = surface.call(
        "terminal_execute", terminal_id=terminal, command="read -p 'name? ' x; echo \"$?,$x.\""
    )
    assert done["stdout"] == "1,.\n"


def test_an_agent_answers_with_keys(surface: Surface, terminal: str) -> None:
    surface.call("terminal_input", terminal_id=terminal, text="read -p 'name? ' x; echo \"x=$x\"\n")
    surface.call("terminal_input", terminal_id=terminal, text="Ada\n")
    surface.wait_for(
        "gemini.callTool('terminal_read', {terminal_id: arguments[0]}).then((s) => s.text.includes('x=Ada'))",
        terminal,
    )
