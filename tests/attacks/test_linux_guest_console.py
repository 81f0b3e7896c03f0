"""Root of a booted Linux attacks the page by its output: escape sequences, floods, its own frames."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from tests.attacks.linux_guest import BUSYBOX, Guest, check_control
from tests.attacks.outside import Outside
from tests.attacks.page_port import is_asked
from tests.attacks.test_terminal_answers import ASKS, ESC, STRING_END
from tests.web.person import Person

pytestmark = pytest.mark.extended(together="linux")

ESCAPES = {
    **ASKS,
    "the clipboard, written": f"{ESC}]52;c;U0VDUkVU\x07{ESC}]52;p;U0VDUkVU{STRING_END}",
    "the clipboard, read": f"{ESC}]52;c;?\x07",
    "a title with a command": f"{ESC}]0;; echo typed\n\x07{ESC}[20t{ESC}[21t{ESC}[22;0t{ESC}[23;0t",
    "the page's title": f"{ESC}]2;Sign in\x07{ESC}kSign in{STRING_END}",
    "a window": f"{ESC}[2t{ESC}[3;9;9t{ESC}[4;9;9t{ESC}[8;200;400t{ESC}[9;1t{ESC}[10;1t{ESC}[5t{ESC}[7t",
    "a notification": f"{ESC}]9;Sign in\x07{ESC}]777;notify;Sign in;now\x07{ESC}]99;;Sign in{STRING_END}",
    "a file": f"{ESC}]1337;File=name=eA==;inline=0:U0VDUkVU\x07{ESC}]1337;CopyToClipboard=;\x07",
    "a folder": f"{ESC}]7;file:///etc/{STRING_END}{ESC}]633;E;echo typed{STRING_END}{ESC}]133;C{STRING_END}",
    "a script's link": f"{ESC}]8;;javascript:document.title='SECRET'\x07link{ESC}]8;;\x07",
    "keys": f"{ESC}]50;echo typed\n\x07{ESC}P|echo typed\n{STRING_END}{ESC}_echo typed\n{STRING_END}",
    "a print": f"{ESC}[5iecho typed\n{ESC}[4i",
    "C1 controls": "\x9b21t\x9d52;c;U0VDUkVU\x9c\x90$q; echo typed\n\x9c",
    "no end": f"{ESC}]52;c;" + "QUJD" * 20_000,
    "NULs": f"\0{ESC}\0]52;c;U0VDUkVU\0\x07" + "\0" * 5000,
}
CLIPBOARD = "return navigator.clipboard.readText().catch((error) => error.name)"
STATE = "return [document.title, document.querySelectorAll('iframe').length]"


@pytest.fixture
def screen(guest: Guest) -> Person:
    """Return the user with the focus in the machine's terminal."""
    person = Person(guest.surface)
    person.click(f"[data-tab-panel-id={guest.terminal}]")
    person.enter_terminal("#")
    return person


@pytest.mark.parametrize("escape", ESCAPES)
def test_output_types_copies_and_opens_nothing(guest: Guest, screen: Person, escape: str) -> None:
    """The terminal's answers have no line's end and no letter of the output, as in other terminals."""
    surface = guest.surface
    screen.copy("own")
    before = surface.javascript(STATE)
    windows = surface.driver.window_handles
    surface.python(f"open('/project/asks', 'w', newline='').write({ESCAPES[escape]!r}) and None")
    # The screen may still show the end of the test before.
    end = f"end{list(ESCAPES).index(escape)}"
    screen.type(f"clear; cat /project/asks; printf '\\030\\033\\\\\\n'; echo e''{end[1:]}\n")
    screen.reads_line(end)
    screen.press("c", holding=Keys.CONTROL)
    screen.type(f"echo [li''ne{end}]\n")
    screen.reads_line(f"[line{end}]")
    shown = screen.screen.partition(f"\n{end}\n")[2]
    assert "typed" not in shown and "SECRET" not in shown
    assert surface.javascript(CLIPBOARD) == "own"
    assert surface.javascript(STATE) == before and surface.driver.window_handles == windows
    assert not is_asked(surface)


FLOODS = {
    "lines": "yes FLOOD",
    "NULs": "cat /dev/zero",
    "random bytes": "cat /dev/urandom",
    "a line without an end": "yes x | tr -d '\\n'",
    "colours": "yes $'\\e[31m\\e[1;1H\\e[2J\\e[?1049h\\e[?1049l'",
    "combining letters": "yes $'\\u0301' | tr -d '\\n'",
    "bells": "yes $'\\a' | tr -d '\\n'",
    "questions": "yes $'\\e[c\\e[6n' | tr -d '\\n'",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_leaves_the_page_in_use(guest: Guest, flood: str) -> None:
    surface = guest.surface
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
    surface.call("terminal_input", terminal_id=terminal, text=f"{FLOODS[flood]}\n")
    surface.wait_for("document.querySelector('[data-front] .xterm-screen')?.checkVisibility()")
    for _ in range(3):
        surface.wait_for("gemini.python('1 + 1').then(() => true)", timeout_s=20)
        assert surface.call("terminal_execute", command="echo own")["output"] == "own\n"
    surface.call("terminal_input", terminal_id=terminal, text="\x03")
    assert guest.run("echo own")[0] == "own\n"
    surface.call("terminal_close", terminal_id=terminal)


# Ends the program of the console, which no other may open meanwhile, and writes to the console itself. Frames of
# numbers that no channel has are ignored.
FORGE = r"""
trap '' HUP TERM
BUSYBOX
kill -9 $($busybox pidof terminals)
until { exec 3>$(echo /dev/vport*p0); } 2>/dev/null; do sleep 0.1; done
for n in {1..600}; do
  printf -v id '\\x%x' $((n & 255)) $((n >> 8))
  printf "\15\0\0\0$id\21\0FORGED OUTPUT" >&3
done
for n in {1..600}; do
  printf -v id '\\x%x' $((n & 255)) $((n >> 8))
  printf "BYTES" >&3
done
sleep 1
"""
FORGED = {
    "a long frame": r"\377\377\377\177\001\0\021\0",
    "a short exit": r"\0\0\0\0$id\024\0",
    "a short credit": r"\1\0\0\0$id\006\0x",
}


@pytest.mark.parametrize("forged", FORGED)
def test_forged_frames_end_the_machine_and_nothing_else(
    guest: Guest, reachable: Outside, forged: str
) -> None:
    """They are the last attacks: the next terminal starts a new machine."""
    surface = guest.surface
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
    forge = FORGE.replace("BUSYBOX", BUSYBOX).replace("BYTES", FORGED[forged])
    surface.python(f"open('/project/forge', 'w').write({forge!r}) and None")
    surface.call("terminal_input", terminal_id=terminal, text="setsid bash /project/forge\n")
    person = Person(surface)
    person.click(f"[data-tab-panel-id={terminal}]")
    person.reads("FORGED OUTPUT")
    # Also a command that its dying terminal runs ends.
    surface.call("terminal_execute", command="true", terminal_id=terminal)
    assert surface.call("terminal_execute", command="echo own")["output"] == "own\n"
    assert surface.python("1 + 1") == 2
    guest.terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
    check_control(guest, reachable)
