"""A user's terminal has what an agent's hasn't: colors, columns, aliases, help, and the editor's focus."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person
from tests.web.test_editor import nothing_open, wait_for_focus

pytestmark = pytest.mark.fortnightly

__all__ = ["nothing_open"]

SPANS = "[...document.querySelectorAll('[data-front] .xterm-rows span[class*=xterm-fg-]')]"
COLORED = f"{SPANS}.map((one) => one.textContent)"


@pytest.mark.fortnightly
def test_lists_and_repositories_have_colors_for_a_person_only(
    surface: Surface, terminal: str, shell: Person, folder: str
) -> None:
    setup = f"cd {folder} && mkdir -p sub && touch 'a b' && git init && git add . && echo x > new"
    done = surface.call("terminal_execute", terminal_id=terminal, command=f"{setup}; ls; git status; alias")
    output = done["output"]
    assert output.startswith("Initialized empty Git repository") and "hint" not in output
    assert "\x1b" not in output and "a b\nnew\nsub\n" in output
    assert "On branch main" in output and "alias" not in output
    shell.type("clear; ls; git status -s; echo end\n")
    screen = shell.reads_line("end")
    assert "'a b'   new   sub" in screen
    surface.wait_for(f"['sub', 'A', '??'].every((text) => {COLORED}.includes(text))")
    shell.type("clear; ls | cat; ls > list; cat list; echo done\n")
    assert "a b\nnew\nsub\na b\nlist\nnew\nsub\ndone" in shell.reads_line("done")


def test_an_interrupt_shows_the_program_s_frames_only(shell: Person, surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/spin.py", content="print('on')\nwhile True:\n    pass\n")
    shell.type(f"cd {folder}; clear; python spin.py\n")
    shell.reads_line("on")
    shell.press("c", holding=Keys.CONTROL)
    screen = shell.reads("KeyboardInterrupt")
    assert "spin.py" in screen and "on_interrupt" not in screen and "gemini/core" not in screen


@pytest.mark.fortnightly
def test_nano_takes_the_focus_to_the_editor_and_says_what_ends_it(
    shell: Person, terminal: str, surface: Surface, folder: str
) -> None:
    shell.type(f"cd {folder}; clear; nano new.py; echo closed\n")
    wait_for_focus(surface, f"{folder}/new.py")
    shell.type("x = 1")
    shell.press("s", holding=Keys.CONTROL)
    shell.no_longer_sees('tablist "Open files" .unsaved')
    shell.reads("new.py is open in the Editor")
    shell.click('region "Editor" button "Close file"')
    # The next keys are for the terminal again.
    surface.wait_for("document.activeElement.closest('[data-front] .terminal-view') !== null")
    shell.reads_line("closed")
    assert surface.call("file_read", path=f"{folder}/new.py")["content"].strip() == "x = 1"


@pytest.mark.extended
def test_vim_and_help_say_what_to_use(shell: Person) -> None:
    shell.type("clear; vim x; help | head -3\n")
    screen = shell.reads("man NAME")
    assert "nano FILE" in screen.replace("\n", " ") and "terminal_create" not in screen
