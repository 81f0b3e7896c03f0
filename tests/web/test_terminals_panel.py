"""The terminals of the page, used by the user and by agents."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.tiers import sampled
from tests.web.conftest import Start
from tests.web.person import SCREEN, Background, Person


def test_a_typed_command_runs(shell: Person) -> None:
    shell.type("echo $((6 * 7)) | rev\n")

    shell.reads("/project $ echo $((6 * 7)) | rev\n24\n/project $")


@pytest.mark.fortnightly
def test_arrow_keys_recall_typed_commands(shell: Person) -> None:
    shell.type("echo first\n")
    shell.reads_line("first")
    shell.type("echo second\n")
    shell.reads_line("second")
    shell.press(Keys.ARROW_UP, times=2)
    shell.reads("$ echo first\n".rstrip())
    shell.press(Keys.BACKSPACE, times=5)
    shell.type("third")
    shell.press(Keys.HOME)
    shell.press(Keys.ARROW_RIGHT, times=5)
    shell.type("the ")
    shell.press(Keys.ENTER)

    assert shell.reads_line("the third").count("echo first") == 1


def test_agents_commands_are_in_the_history(surface: Surface, shell: Person, terminal: str) -> None:
    surface.call("terminal_execute", terminal_id=terminal, command="echo by-agent")
    shell.reads_line("by-agent")
    shell.press(Keys.ARROW_UP)
    shell.type(" again\n")

    shell.reads_line("by-agent again")


def test_ctrl_c_ends_a_command_and_drops_a_line(shell: Person) -> None:
    shell.type("sleep 60\n")
    shell.sees("[data-front] .terminal-state", "running")
    shell.press("c", holding=Keys.CONTROL)
    shell.reads("^C")
    shell.type("echo status $?\n")
    shell.reads_line("status 130")
    shell.type("echo unwanted")
    shell.press("c", holding=Keys.CONTROL)
    shell.type("echo wanted\n")
    shell.reads_line("wanted")

    assert "unwanted" not in shell.screen.split("\n")


@pytest.mark.fortnightly
@pytest.mark.parametrize("command", sampled(["python3 -c 'while True: pass'", "while :; do :; done"]))
def test_ctrl_c_ends_a_command_that_never_pauses(shell: Person, command: str) -> None:
    # The command may not have started yet.
    shell.type(f"{command}\n")
    shell.press("c", holding=Keys.CONTROL)
    shell.type("echo 'ba''ck'\n")

    shell.reads_line("back")


@pytest.mark.extended
def test_less_and_git_show_pages_to_the_person_and_text_to_agents(
    surface: Surface, shell: Person, terminal: str, folder: str
) -> None:
    commits = "for n in {1..40}; do git commit -q --allow-empty -m c$n; done"
    identity = "git config user.name me; git config user.email me@example.org"
    surface.call(
        "terminal_execute",
        terminal_id=terminal,
        command=f"cd {folder}; git init -q; {identity}; {commits}; clear; cd -",
    )
    shell.type("seq 300 | less\n")
    shell.reads("\n:")
    shell.type("/^77\n")
    surface.wait_for(f"{SCREEN}.startsWith('77\\n78\\n')")
    shell.type("G")
    shell.reads("\n300\n(END)")
    shell.type("q")
    shell.reads("/project $")
    shell.type(f"cd {folder}; git log --oneline\n")
    shell.reads("\n:")
    shell.type("G")
    shell.reads(" c1\n(END)")
    shell.type("qgit log --oneline -1\n")
    shell.reads(" c40\n" + folder + " $")
    for command, count in (("git log --oneline", 40), ("seq 300 | less", 300)):
        ran = surface.call("terminal_execute", terminal_id=terminal, command=command)
        assert len(ran["output"].splitlines()) == count


@pytest.mark.extended
def test_a_person_sees_which_jobs_start_and_end(surface: Surface, shell: Person, terminal: str) -> None:
    shell.type("sleep 60 &\n")
    shell.reads("\n[1] ")
    shell.type("kill %1\n")
    shell.type("\n")
    shell.reads_line("[1]+  Terminated              sleep 60")
    shell.type("(exit 3) &\n")
    shell.type("\n")
    shell.reads_line("[1]+  Exit 3                  (exit 3)")
    ran = surface.call("terminal_execute", terminal_id=terminal, command="true & wait; jobs")
    assert (ran["output"], ran["output"]) == ("", "")


def test_pasted_text_works_like_typed_text(shell: Person) -> None:
    shell.copy("echo pas'te'd grüße 🐍")
    shell.paste()
    shell.reads("🐍")
    shell.press(Keys.ENTER)

    shell.reads_line("pasted grüße 🐍")


@pytest.mark.extended
def test_pasted_lines_wait_for_enter_or_run_in_order(shell: Person) -> None:
    shell.copy("echo one | rev\necho two | rev\n")
    shell.paste()
    shell.press(Keys.ENTER)

    screen = shell.reads_line("owt")
    assert screen.index("eno") < screen.index("owt")


@pytest.mark.extended
def test_an_open_quote_continues_the_input(shell: Person) -> None:
    shell.type("echo warm-up\n")
    shell.reads_line("warm-up")
    shell.type("echo 'one\n")
    shell.type("two'\n")

    assert "one\ntwo" in shell.reads_line("two")


def test_an_agent_s_command_is_shown_while_it_runs(
    surface: Surface, person: Person, terminal: str, start: Start
) -> None:
    call = start("terminal_execute", terminal_id=terminal, command="echo begun | rev; sleep 60; echo ended")

    assert "$ echo begun | rev; sleep 60; echo ended" in person.reads_line("nugeb")
    assert call.is_running
    person.sees("[data-front] .terminal-state", "Browser’s agent running")
    surface.call("terminal_interrupt", terminal_id=terminal)
    assert call.result()["exit_code"] == 130
    assert "ended" not in person.reads("nugeb\n/project $").split("\n")


@pytest.mark.extended
def test_the_facts_of_a_terminal_are_as_wide_as_their_text(surface: Surface, shell: Person) -> None:
    shell.type("sleep 60\n")
    shell.sees("[data-front] .terminal-state .chip", "running")
    spare = surface.javascript("""
        const chip = document.querySelector("[data-front] .terminal-state .chip");
        const text = document.createRange();
        text.selectNodeContents(chip);
        const { paddingLeft, paddingRight } = getComputedStyle(chip);
        const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
        return chip.clientWidth - text.getBoundingClientRect().width - padding;
    """)
    assert abs(spare) <= 1
    shell.click("[data-front] .terminal-interrupt")


@pytest.mark.fortnightly
def test_a_script_prints_while_it_runs(surface: Surface, person: Person, terminal: str, start: Start) -> None:
    code = "import asyncio\nprint('tick'.upper())\nasyncio.run(asyncio.sleep(60))"
    call = start("terminal_execute", terminal_id=terminal, command=f'python3 -c "{code}"')

    person.reads_line("TICK")
    assert call.is_running
    call.abort()


@pytest.mark.fortnightly
def test_colors_and_progress_bars_are_drawn(surface: Surface, person: Person, terminal: str) -> None:
    surface.call("terminal_execute", terminal_id=terminal, command=r"printf '10%%\r100%%\n\e[31mred\e[0m\n'")

    assert "\n100%\nred\n" in person.reads_line("red")
    assert surface.javascript(
        """
        const rows = document.querySelectorAll("[data-front] .xterm-rows span");
        const style = (text) => getComputedStyle([...rows].find((span) => span.textContent.trim() === text)).color;
        return style("red") !== style("100%");
        """
    )


@pytest.mark.extended
def test_the_end_of_long_output_is_shown(surface: Surface, person: Person, terminal: str) -> None:
    surface.call("terminal_execute", terminal_id=terminal, command="seq 1 200000; echo the end | rev")

    person.reads_line("dne eht")


@pytest.mark.fortnightly
def test_the_terminal_follows_the_size_of_the_page(surface: Surface, person: Person, terminal: str) -> None:
    # The width of a line that wraps, on the screen and in the kernel.
    same = f"""
    (async () => {{
      const ruled = (text) => text.split("\\n").filter((line) => /^=+$/.test(line));
      const widest = (text) => Math.max(0, ...ruled(text).map((line) => line.length));
      const command = "printf '=%.0s' {{1..400}}; echo";
      await gemini.callTool("terminal_execute", {{ terminal_id: arguments[0], command }});
      const {{ text }} = await gemini.callTool("terminal_read", {{ terminal_id: arguments[0], lines: 6 }});
      const seen = widest({SCREEN});
      return seen !== arguments[1] && widest(text) === seen && seen;
    }})()
    """
    person.reads("$")
    wide = surface.wait_for(same, terminal, 0)
    surface.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 1000, "height": 700, "deviceScaleFactor": 1, "mobile": False},
    )
    narrow = surface.wait_for(same, terminal, wide)
    surface.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )

    assert 20 < narrow < wide < 400


def test_a_user_opens_and_closes_terminals(surface: Surface, person: Person) -> None:
    before = {row["id"] for row in surface.call("terminal_list")}
    person.click(".new-terminal")
    surface.wait_for(
        "document.querySelectorAll('[data-tab-panel-id^=term-]').length === arguments[0]", len(before) + 1
    )
    [made] = {row["id"] for row in surface.call("terminal_list")} - before

    assert person.sees(f"[data-tab-panel-id={made}][aria-selected=true]")
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    person.reads("$")
    person.type("echo my own\n")
    person.reads_line("my own")

    person.click(f"[data-tab-panel-id={made}] .panel-tab-close")
    person.no_longer_sees(f"[data-tab-panel-id={made}]")
    assert made not in {row["id"] for row in surface.call("terminal_list")}


def test_an_agent_s_terminal_comes_to_the_front_and_closes(surface: Surface, person: Person) -> None:
    made = surface.call("run_in_new_terminal", command="cd /tmp; echo hello | rev")["terminal_id"]
    # A tab without room for its directory has it in its tooltip.
    person.sees(f"[data-tab-panel-id={made}][aria-selected=true]:has([title*='/tmp'])")
    person.reads_line("olleh")
    surface.call("terminal_close", terminal_id=made)

    person.no_longer_sees(f"[data-tab-panel-id={made}]")


@pytest.mark.extended
def test_a_terminal_that_closes_behind_the_console_brings_none_before_it(
    surface: Surface, person: Person
) -> None:
    surface.call("terminal_create")
    made = surface.call("terminal_create")["terminal_id"]
    person.sees(f"[data-tab-panel-id={made}][aria-selected=true]")
    person.open_panel("python")
    surface.call("terminal_close", terminal_id=made)
    person.no_longer_sees(f"[data-tab-panel-id={made}]")
    # The list without it, which the page has drawn, has another one in focus. Its panel may be behind the console.
    assert any(row["focused"] for row in surface.call("terminal_list"))
    assert person.shows("python")
    for row in surface.call("terminal_list")[1:]:
        surface.call("terminal_close", terminal_id=row["id"])


def test_switching_tabs_changes_the_focused_terminal_in_python(surface: Surface, person: Person) -> None:
    one, two = (surface.call("terminal_create")["terminal_id"] for _ in range(2))
    person.sees(f"[data-tab-panel-id={two}][aria-selected=true]")
    person.click(f"[data-tab-panel-id={one}]")
    person.sees(f"[data-tab-panel-id={one}][aria-selected=true]")

    focused = surface.wait_for(
        "gemini.callTool('terminal_list').then((rows) => rows.find((row) => row.focused).id === arguments[0])",
        one,
    )
    assert focused
    # Also one that was open before takes the keys.
    for each in (two, one):
        person.click(f"[data-tab-panel-id={each}]")
        surface.wait_for("document.activeElement.matches('.xterm-helper-textarea')")
    for each in (one, two):
        surface.call("terminal_close", terminal_id=each)


ACTIVE = "document.activeElement.closest('[data-terminal]')?.dataset.terminal"
MOVE_TABS = """
const strip = document.querySelector(`[data-tab-panel-id=${arguments[0]}]`).parentElement;
strip.style.paddingLeft = arguments[1];
"""


def test_a_tab_that_moves_while_it_is_pressed_takes_the_keys(surface: Surface, person: Person) -> None:
    one, two = (surface.call("terminal_create")["terminal_id"] for _ in range(2))
    person.sees(f"[data-tab-panel-id={two}][aria-selected=true]")
    mouse = ActionChains(surface.driver, duration=0)
    mouse.click_and_hold(person.find(f"[data-tab-panel-id={one}]")).perform()
    person.sees(f"[data-tab-panel-id={one}][aria-selected=true]")
    surface.javascript(MOVE_TABS, one, "40rem")
    ActionChains(surface.driver, duration=0).release().perform()

    surface.wait_for(f"{ACTIVE} === arguments[0]", one)
    surface.javascript(MOVE_TABS, one, "")
    for each in (one, two):
        surface.call("terminal_close", terminal_id=each)


# Python answers nothing meanwhile.
BUSY = "import time\nend = time.monotonic() + 2\nwhile time.monotonic() < end: pass"


def test_a_late_answer_of_python_takes_no_terminal_away(surface: Surface, person: Person) -> None:
    one, two = (surface.call("terminal_create")["terminal_id"] for _ in range(2))
    person.sees(f"[data-tab-panel-id={two}][aria-selected=true]")
    surface.javascript("void gemini.python(arguments[0])", BUSY)
    for each in (one, two):
        person.click(f"[data-tab-panel-id={each}]")

    surface.wait_for(
        "gemini.callTool('terminal_list').then((rows) => rows.find((row) => row.focused).id === arguments[0])",
        two,
    )
    assert (
        surface.javascript("return document.activeElement.closest('[data-terminal]')?.dataset.terminal")
        == two
    )
    for each in (one, two):
        surface.call("terminal_close", terminal_id=each)


# Python's lists come after its answers.
LATE_LISTS = """
import gc
from gemini.core.events import EventFeed
for feed in [each for each in gc.get_objects() if isinstance(each, EventFeed)]:
    feed._rest_s, feed._delay_s = DELAYS
None
"""
# The page draws its state a second later.
LATE_DRAWING = """
const frame = requestAnimationFrame;
globalThis.drawOnTime = () => (globalThis.requestAnimationFrame = frame);
globalThis.requestAnimationFrame = (draw) =>
  /dispatch/.test(new Error().stack) ? setTimeout(draw, 1000) : frame(draw);
"""


def test_a_late_list_of_python_takes_no_keyboard_away(surface: Surface, person: Person) -> None:
    one, two, three = (surface.call("terminal_create")["terminal_id"] for _ in range(3))
    focused = (
        "gemini.callTool('terminal_list').then((rows) => rows.find((row) => row.focused).id === arguments[0])"
    )
    person.sees(f"[data-tab-panel-id={three}][aria-selected=true]")
    person.click(f"[data-tab-panel-id={one}]")
    surface.wait_for(focused, one)
    surface.javascript(LATE_DRAWING)
    person.click(f"[data-tab-panel-id={two}]")
    surface.wait_for(focused, two)
    surface.python(LATE_LISTS.replace("DELAYS", "2, 2"))
    person.click(f"[data-tab-panel-id={one}]")
    surface.wait_for(f"{ACTIVE} === arguments[0]", one)

    # Its event comes after the events of the focus.
    surface.call("terminal_close", terminal_id=three)
    person.no_longer_sees(f"[data-tab-panel-id={three}]")
    assert surface.javascript(f"return {ACTIVE}") == one
    surface.javascript("drawOnTime()")
    surface.python(LATE_LISTS.replace("DELAYS", "0.1, 0.02"))
    for each in (one, two):
        surface.call("terminal_close", terminal_id=each)


@pytest.mark.extended
def test_arrow_keys_move_between_tabs(surface: Surface, person: Person) -> None:
    one, two = (surface.call("terminal_create")["terminal_id"] for _ in range(2))
    person.sees(f"[data-tab-panel-id={two}][aria-selected=true]")
    surface.javascript("document.querySelector(arguments[0]).focus()", f"[data-tab-panel-id={two}]")
    person.press(Keys.ARROW_LEFT)
    person.press(Keys.ENTER)
    person.sees(f"[data-tab-panel-id={one}][aria-selected=true]")
    assert surface.javascript("return document.activeElement.dataset.tabPanelId") == one
    person.press(Keys.DELETE)
    person.no_longer_sees(f"[data-tab-panel-id={one}]")
    surface.call("terminal_close", terminal_id=two)


def test_a_closed_terminal_leaves_nothing_behind(surface: Surface, person: Person) -> None:
    made = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_execute", terminal_id=made, command="echo shown; bash -c 'sleep 0 & wait'")
    person.reads_line("shown")
    surface.python(f"import gc, weakref; closed = weakref.ref(gemini.terminals[{made!r}])")

    surface.call("terminal_close", terminal_id=made)

    assert surface.python("gc.collect(); closed() is None")


PLACE = ("x", "y", "width", "height", "floating")


def places(surface: Surface) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in surface.call("terminal_list")}


def test_a_terminal_opens_at_the_requested_position(surface: Surface, person: Person) -> None:
    made = surface.call("terminal_create", x=260, y=140)
    term = made["terminal_id"]
    person.sees(f".dv-resize-container [data-terminal={term}]")
    box = surface.javascript(
        """
        const of = (element) => element.getBoundingClientRect();
        const { left, top } = of(document.querySelector("#dock"));
        const panel = of(document.querySelector(arguments[0]).closest(".dv-resize-container"));
        return [panel.left - left, panel.top - top, panel.width, panel.height].map(Math.round);
        """,
        f"[data-terminal={term}]",
    )
    row = places(surface)[term]
    assert box == [260, 140, row["width"], row["height"]]
    assert (row["x"], row["y"], row["floating"]) == (260, 140, True)
    surface.call("terminal_close", terminal_id=term)


@pytest.mark.extended
def test_moving_a_terminal_by_hand_changes_its_position_in_python(surface: Surface, person: Person) -> None:
    term = surface.call("terminal_create", x=200, y=100)["terminal_id"]
    strip = person.find(f".dv-resize-container:has([data-terminal={term}]) .dv-void-container")
    hold = ActionChains(surface.driver, duration=20).click_and_hold(strip)
    hold.move_by_offset(5, 5).move_by_offset(60, 50).release().perform()

    asked = "(await gemini.callTool('terminal_list')).find(({ id }) => id === arguments[0])"
    assert surface.wait_for(f"(async () => (({{ x, y }}) => x === 260 && y === 150)({asked}))()", term)
    surface.call("terminal_close", terminal_id=term)


@pytest.mark.fortnightly
def test_a_terminal_is_moved_resized_and_docked_by_keyboard(surface: Surface, person: Person) -> None:
    term = surface.call("terminal_create", x=200, y=100)["terminal_id"]
    tab = f"[data-tab-panel-id={term}]"
    person.sees(f".dv-resize-container {tab}")
    before = places(surface)[term]
    surface.javascript("document.querySelector(arguments[0]).focus()", tab)
    person.press(Keys.ARROW_RIGHT, holding=Keys.ALT)
    asked = "(async () => (await gemini.callTool('terminal_list')).find(({ id }) => id === arguments[0])"
    surface.wait_for(f"{asked}.x === arguments[1])()", term, before["x"] + 24)
    person.press(Keys.ARROW_DOWN, holding=Keys.ALT + Keys.SHIFT)
    surface.wait_for(f"{asked}.height === arguments[1])()", term, before["height"] + 24)

    person.click(f".dv-resize-container:has([data-terminal={term}]) [aria-label='Dock {term}']")
    surface.wait_for(f"{asked}.floating === false)()", term)
    surface.call("terminal_close", terminal_id=term)


@pytest.mark.extended
def test_positions_of_terminals_survive_the_page(surface: Surface, person: Person) -> None:
    term = surface.call("terminal_create", x=300, y=120)["terminal_id"]
    person.sees(f".dv-resize-container [data-terminal={term}]")
    before = places(surface)[term]
    surface.wait_for("localStorage.getItem('gemini:layout')?.includes(arguments[0])", term)
    surface.reload()
    person.sees(f".dv-resize-container [data-terminal={term}] .xterm-screen")
    after = places(surface)[term]
    assert [after[name] for name in PLACE] == [before[name] for name in PLACE]
    surface.call("terminal_close", terminal_id=term)
    person.no_longer_sees(f"[data-terminal={term}]")


SAVED_SCREEN = """
from gemini.kernel.kernel import kernel
[state["screen"] for id, state in kernel.store.terminals.load() if id == {!r} and state.get("screen")]
"""


@pytest.mark.extended
def test_a_terminal_s_screen_survives_a_reload(surface: Surface, shell: Person, terminal: str) -> None:
    shell.type("echo $((6 * 7)) before\n")
    shell.reads_line("42 before")
    surface.wait_for(
        "gemini.python(arguments[0]).then((found) => JSON.stringify(found).includes('42 before'))",
        SAVED_SCREEN.format(terminal),
    )
    surface.reload()
    shell.enter_terminal()
    shell.reads("42 before")
    shell.reads_line("[The lines above are from before the reload. Their programs have ended.]")
    shell.type("echo again\n")
    shell.reads_line("again")


@pytest.mark.extended
def test_text_is_found_in_the_scrollback(surface: Surface, shell: Person, terminal: str) -> None:
    surface.call("terminal_execute", terminal_id=terminal, command="echo needle; seq 1 500; echo needle")
    shell.press("f", holding=Keys.CONTROL + Keys.SHIFT)
    surface.wait_for("document.activeElement.ariaLabel === 'Find in this terminal'")
    shell.type("needle")
    shell.sees("[data-front] .terminal-find [role=status]", "of 4")
    shell.press(Keys.ENTER)
    shell.press(Keys.ESCAPE)
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")


def test_an_agent_s_command_shows_its_name(surface: Surface, shell: Person, terminal: str) -> None:
    # A program names a caller.
    shell.type("printf '\\033]7770;you\\007\\033]7770;null;you\\007'; echo mine | rev\n")
    shell.reads_line("enim")
    surface.call("terminal_execute", terminal_id=terminal, command="echo theirs | rev")
    shell.reads_line("srieht")

    shell.sees("[data-front] .caller-mark", "Browser’s agent")
    assert surface.javascript("return document.querySelectorAll('[data-front] .caller-mark').length") == 1


OVERLAP = """
const shown = [...document.querySelectorAll("[data-front] .caller-mark, [data-front] .terminal-bar")]
  .filter((each) => each.offsetParent !== null).map((each) => each.getBoundingClientRect());
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
return [shown.length, shown.every((a) => shown.every((b) => a === b || apart(a, b)))];
"""


@pytest.mark.fortnightly
def test_the_bar_of_a_running_command_covers_no_label_of_a_caller(surface: Surface, shell: Person) -> None:
    term = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_execute", terminal_id=term, command="echo first")
    running = Background(surface, "terminal_execute", {"terminal_id": term, "command": "read -r answer"})
    shell.sees("[data-front] .terminal-bar .chip", "Browser’s agent running")
    surface.wait_for("document.querySelectorAll('[data-front] .caller-mark').length === 2")
    assert surface.javascript(OVERLAP) == [3, True]
    shell.click("[data-front] .terminal-interrupt")
    running.result()
    surface.wait_for("document.querySelector('[data-front] .terminal-bar').hidden")
    surface.wait_for(
        "[...document.querySelectorAll('[data-front] .caller-mark')].every((each) => !each.style.translate)"
    )
    surface.call("terminal_close", terminal_id=term)


def test_the_button_interrupts(surface: Surface, shell: Person, terminal: str) -> None:
    shell.type("sleep 60\n")
    shell.click("[data-front] .terminal-interrupt")
    shell.type("echo status $?\n")
    shell.reads_line("status 130")


def test_a_closed_terminal_is_removed_from_the_page(surface: Surface, person: Person) -> None:
    term = surface.call("terminal_create")["terminal_id"]
    person.sees(f"[data-terminal={term}] .xterm-screen")
    surface.call("terminal_close", terminal_id=term)

    surface.wait_for(f"document.querySelector('[data-tab-panel-id={term}]') === null")
    assert surface.javascript(f"return document.querySelectorAll('[data-terminal={term}]').length") == 0


@pytest.mark.extended
def test_terminals_opened_and_closed_on_a_narrow_page_are_so_on_the_wide_one(
    surface: Surface, person: Person
) -> None:
    def resize(width: int) -> None:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        surface.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    old = surface.call("terminal_create")["terminal_id"]
    surface.wait_for("localStorage.getItem('gemini:layout')?.includes(arguments[0])", old)
    resize(500)
    surface.wait_for("document.documentElement.dataset.narrow === 'true'")
    new = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_close", terminal_id=old)
    person.sees(f"[data-tab-panel-id={new}]")
    # This needs no event of a terminal.
    surface.javascript(
        f"""const tab = () => document.querySelector('#dock [data-tab-panel-id={new}]');
            const look = () => {{ window.atOnce = tab() !== null; }};
            new MutationObserver(look).observe(document.documentElement, {{ attributeFilter: ["data-narrow"] }});"""
    )
    resize(1400)

    surface.wait_for("document.documentElement.dataset.narrow === 'false'")
    assert surface.javascript("return window.atOnce") is True
    surface.wait_for(f"document.querySelector('#dock [data-tab-panel-id={new}]') !== null")
    surface.wait_for(f"document.querySelector('#dock [data-tab-panel-id={old}]') === null")
    surface.call("terminal_close", terminal_id=new)


@pytest.mark.extended
def test_a_tab_still_updates_after_the_overflow_list_was_open(surface: Surface, person: Person) -> None:
    # More than fit as icons.
    made = [surface.call("terminal_create")["terminal_id"] for _ in range(24)]
    tab = f".dv-tabs-container [data-tab-panel-id={made[0]}]"
    person.click(".dv-groupview:has([data-terminal]) .dv-tabs-overflow-dropdown-default")
    person.sees(".dv-tabs-overflow-container", made[0])
    person.press(Keys.ESCAPE)
    surface.call("terminal_execute", terminal_id=made[0], command="cd /tmp")

    surface.wait_for(f"document.querySelector('{tab}').textContent.includes('/tmp')")
    for term in made:
        surface.call("terminal_close", terminal_id=term)
