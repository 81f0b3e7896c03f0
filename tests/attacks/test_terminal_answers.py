"""A terminal's own answers to its output are never typed."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.tiers import sampled
from tests.web.person import Person

pytestmark = pytest.mark.extended

ESC, STRING_END = "\x1b", "\x1b\\"
# Every sequence that makes xterm.js answer or report.
ASKS = {
    "DA1": f"{ESC}[c",
    "DA2": f"{ESC}[>c",
    "DA1 by number": f"{ESC}[0c",
    "DSR": f"{ESC}[5n",
    "CPR": f"{ESC}[6n",
    "DECXCPR": f"{ESC}[?6n",
    "DECRQM": f"{ESC}[4$p",
    "DECRQM, private": f"{ESC}[?25$p",
    "size in characters": f"{ESC}[18t",
    "size in pixels": f"{ESC}[14t",
    "size of a character": f"{ESC}[16t",
    "title": f"{ESC}]2;; echo typed{STRING_END}{ESC}[21t",
    "a colour of the palette": f"{ESC}]4;1;?{STRING_END}",
    "colours": f"{ESC}]10;?;?;?{STRING_END}",
    "DECRQSS, SGR": f"{ESC}P$qm{STRING_END}",
    "DECRQSS, margins": f"{ESC}P$qr{STRING_END}",
    "DECRQSS, cursor": f"{ESC}P$q q{STRING_END}",
    "DECRQSS, level": f'{ESC}P$q"p{STRING_END}',
    "DECRQSS, unknown": f"{ESC}P$q; echo typed\n{STRING_END}",
    "XTGETTCAP": f"{ESC}P+q544e{STRING_END}",
    "ENQ": "\x05",
    "focus": f"{ESC}[?1004h",
}


def _show(surface: Surface, shell: Person, text: str) -> None:
    """Print an attacker's file, then a word, and wait until the word is on the screen."""
    surface.python(f"open('/project/asks', 'w', newline='').write({text!r})")
    shell.type("cat /project/asks; echo; echo sh''own\n")
    shell.reads_line("shown")


def _last_lines(shell: Person) -> list[str]:
    lines = shell.screen.splitlines()
    return lines[len(lines) - lines[::-1].index("shown") :]


@pytest.mark.parametrize("ask", sampled(ASKS.values(), every=3), ids=ASKS)
def test_a_displayed_file_types_nothing_at_the_prompt(surface: Surface, shell: Person, ask: str) -> None:
    _show(surface, shell, ask)
    shell.type("echo [line]\n")

    shell.reads_line("[line]")
    assert _last_lines(shell)[:2] == ["/project $ echo [line]", "[line]"]


def test_a_displayed_file_answers_no_question(surface: Surface, shell: Person) -> None:
    surface.python(f"open('/project/asks', 'w', newline='').write({''.join(ASKS.values())!r})")
    shell.type('cat /project/asks; read -r line; echo "<$line>"\n')
    shell.sees("[data-front] .terminal-state", "running")
    shell.type("mine\n")

    shell.reads_line("<mine>")


def test_mouse_and_focus_reports_that_output_turned_on_type_nothing(surface: Surface, shell: Person) -> None:
    _show(surface, shell, f"{ESC}[?1003h{ESC}[?1006h{ESC}[?1004h")
    for _ in range(2):
        shell.click("[data-front] .terminal-view .xterm-screen")
    shell.type("echo [line]\n")

    shell.reads_line("[line]")
    assert _last_lines(shell)[:2] == ["/project $ echo [line]", "[line]"]


def test_a_key_that_looks_like_an_answer_is_still_a_key(shell: Person) -> None:
    shell.surface.javascript(WATCH_PORTS)
    shell.press(Keys.F3, holding=Keys.SHIFT)
    shell.type("#")

    shell.surface.wait_for("posted.includes('#')")
    assert "\x1b[1;2R" in shell.surface.javascript("return posted")


# Messages to ports: keys are text, answers aren't.
WATCH_PORTS = """
globalThis.posted = [];
const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (message, ...rest) {
  posted.push(message);
  return postMessage.call(this, message, ...rest);
};
"""
