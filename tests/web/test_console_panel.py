"""The Python console: the user's own code, and agents'."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Start
from tests.web.console import LOADED, TYPED, empty_console, enter, focus_console, typed
from tests.web.person import Person
from tests.web.shadow import content

SAVED_ENTRIES = """
from gemini.kernel.kernel import kernel
kernel.store.settings.get("console_entries", [])
"""


@pytest.fixture
def panel(person: Person) -> Iterator[Person]:
    with empty_console(person):
        yield person


def test_the_console_awaits_prints_and_shows_values(surface: Surface, panel: Person) -> None:
    panel.type("import asyncio; print('to', 'print'); await asyncio.sleep(0, result={'a': 1})\n")

    assert panel.sees('log "Python console" .console-stdout') == "to print"
    # The console shows Python's repr; agents get JSON.
    assert panel.sees('log "Python console" .console-result') == "{'a': 1}"
    panel.type("answer = 42\n")
    panel.type("answer + 1\n")
    panel.sees('log "Python console" .console-result', "43")
    assert surface.call("python_run", code="answer")["result"] == 42


def test_a_traceback_shows_only_the_user_s_code(panel: Person) -> None:
    panel.type("1 / 0\n")
    shown = panel.sees('log "Python console" .console-error')

    assert shown.startswith("Traceback (most recent call last):")
    assert shown.endswith("ZeroDivisionError: division by zero")
    assert "/gemini/" not in shown


def test_a_traceback_links_to_the_code(surface: Surface, panel: Person) -> None:
    enter(panel, "def inner():\n    pass\n    raise ValueError('deep')")
    enter(panel, "inner()")
    panel.click(".console-error .link:last-of-type")

    assert panel.sees(".console-code mark") == "    raise ValueError('deep')"


@pytest.mark.fortnightly
def test_a_traceback_links_to_files(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/broken_module.py", content="x = 1\nraise OSError('there')\n")
    surface.call("file_navigate", path="/project")
    enter(panel, f"import sys; sys.path.insert(0, {folder!r}); import broken_module")
    panel.sees(".console-error", "there")
    panel.click(".console-error .link:last-of-type")

    surface.wait_for(
        "document.activeElement.closest('section')?.id !== 'python'"
        " && document.body.innerText.includes('broken_module.py')"
    )


@pytest.mark.extended
def test_enter_continues_an_incomplete_statement(surface: Surface, panel: Person) -> None:
    panel.type("for n in range(2):\n")
    assert typed(panel) == "for n in range(2):\n    "
    panel.type("if n:")
    panel.press(Keys.ENTER)
    assert typed(panel).endswith("if n:\n        ")
    panel.press(Keys.BACKSPACE)
    assert typed(panel).endswith("if n:\n    ")
    panel.press(Keys.TAB)
    panel.type("print('n', n)\n")
    # An empty line ends the block.
    panel.surface.wait_for(f"{TYPED}.endsWith(')\\n        ')")
    panel.press(Keys.ENTER)
    panel.sees('log "Python console" .console-stdout', "n 1")
    panel.type("try:\n1 / 0\n\n")
    panel.surface.wait_for(f"{TYPED}.split('\\n').length === 4")
    panel.type("except ZeroDivisionError:\nprint('caught')\n\n")
    panel.sees(".console-stdout", "caught")
    panel.type("[1,")
    panel.press(Keys.ENTER)
    assert typed(panel) == "[1,\n "
    panel.type("2]\n")
    panel.sees(".console-result", "[1, 2]")


@pytest.mark.extended
def test_the_input_history_survives_a_reload(surface: Surface, panel: Person) -> None:
    for code in ("first = 1", "second = 2\nsecond", "'later'"):
        enter(panel, code)
    panel.sees(".console-result", "later")
    panel.press(Keys.ARROW_UP, times=2)
    assert typed(panel) == "second = 2\nsecond"
    panel.press(Keys.ARROW_DOWN, times=3)
    assert typed(panel) == ""
    surface.reload()
    focus_console(panel)
    panel.type("fir")
    panel.press(Keys.ARROW_UP)
    assert typed(panel) == "first = 1"
    panel.press(Keys.ARROW_DOWN)
    assert typed(panel) == "fir"


@pytest.mark.extended
def test_the_last_entries_survive_a_reload(surface: Surface, panel: Person) -> None:
    enter(panel, "print('printed before'); 6 * 7")
    panel.sees(".console-result", "42")
    surface.wait_for(
        "gemini.python(arguments[0]).then((found) => JSON.stringify(found).includes('printed before'))",
        SAVED_ENTRIES,
    )
    surface.reload()
    focus_console(panel)
    panel.sees(".console-stdout", "printed before")
    panel.sees(".console-result", "42")
    panel.sees(".console-hint", "from before the reload")
    enter(panel, "'new'")
    panel.sees(".console-entry[data-earlier=false]", "'new'")
    assert violations(surface, 'log "Python console"') == []


def test_stop_interrupts_the_code(panel: Person) -> None:
    panel.type("import asyncio; await asyncio.sleep(60)\n")
    panel.click('region "Python console" button "Stop"')

    panel.sees('log "Python console"', "Stopped")
    panel.type("'free'\n")
    panel.sees('log "Python console" .console-result', "free")


@pytest.mark.fortnightly
def test_code_asks_for_lines_passwords_and_the_debugger_s_commands(surface: Surface, panel: Person) -> None:
    field = ".console-question input"
    focused = f"document.activeElement.matches({field!r})"
    enter(panel, "import getpass, sys\nname = input('Name? ')\nsecret = getpass.getpass()\n[name, secret]")
    surface.wait_for(focused)
    panel.type("Ada" + Keys.ENTER)
    surface.wait_for(f"{focused} && document.activeElement.type === 'password'")
    panel.type("hidden" + Keys.ENTER)
    panel.sees(".console-entry:last-child .console-result", "['Ada', 'hidden']")
    output = "return document.querySelector('.console-entry:last-child .console-stdout').textContent"
    assert surface.javascript(output) == "Name? Ada\nPassword:"
    surface.wait_for(LOADED)
    # The end of the input, and of the code.
    enter(panel, "len(sys.stdin.read())")
    surface.wait_for(focused)
    panel.type("one" + Keys.ENTER)
    panel.press("d", holding=Keys.CONTROL)
    panel.sees(".console-entry:last-child .console-result", "4")
    enter(panel, "def double(x):\n    breakpoint()\n    return 2 * x\n\ndouble(4)")
    panel.sees(".console-entry:last-child", "(Pdb)")
    surface.wait_for(focused)
    panel.type("p x + 1" + Keys.ENTER)
    panel.sees(".console-entry:last-child", "5")
    surface.wait_for(focused)
    panel.type("c" + Keys.ENTER)
    panel.sees(".console-entry:last-child .console-result", "8")
    # The debugger would get the interrupts of all later code.
    enter(panel, "import signal; 'Pdb' in repr(signal.getsignal(signal.SIGINT))")
    panel.sees(".console-entry:last-child .console-result", "False")
    enter(panel, "input()")
    surface.wait_for(focused)
    panel.press("c", holding=Keys.CONTROL)
    panel.sees(".console-entry:last-child", "Stopped.")
    surface.wait_for(LOADED)


def test_ctrl_enter_while_code_runs_runs_a_block_after_it(surface: Surface, panel: Person) -> None:
    enter(panel, "import asyncio\nmay_go = asyncio.Event()\nawait may_go.wait()")
    panel.sees("[data-running=true]")
    surface.driver.execute_cdp_cmd("Input.insertText", {"text": "if True:\n    print('ran next')"})
    panel.press(Keys.ENTER, holding=Keys.CONTROL)
    surface.call("python_run", code="may_go.set()")
    panel.sees(".console-stdout", "ran next")


def test_output_is_shown_as_it_is_printed(surface: Surface, panel: Person) -> None:
    enter(panel, "import asyncio\nprint('first')\ngate = asyncio.Event()\nawait gate.wait()\nprint('second')")
    panel.sees("[data-running=true] .console-stdout", "first")
    surface.python("gate.set()")

    panel.sees("[data-running=false] .console-stdout", "second")


@pytest.mark.extended
def test_output_of_code_that_never_pauses_is_shown(surface: Surface, panel: Person) -> None:
    enter(panel, "import time\nend = time.time() + 3\nwhile time.time() < end:\n    print('going', end=' ')")

    panel.sees("[data-running=true] .console-stdout", "going")
    panel.sees("[data-running=false] .console-stdout", "going")


@pytest.mark.extended
def test_agents_code_is_shown_with_its_caller(surface: Surface, panel: Person, start: Start) -> None:
    call = start("python_run", code="import asyncio; print('an agent'); await asyncio.sleep(60)")
    panel.sees("[data-caller=webmcp][data-running=true]", "Browser’s agent")
    panel.sees("[data-caller=webmcp]", "an agent")
    call.abort()
    panel.sees("[data-caller=webmcp][data-running=false]", "Stopped")

    # It isn't in the user's input history.
    focus_console(panel)
    panel.type("import asyncio; print('an a")
    panel.press(Keys.ARROW_UP)
    assert typed(panel).endswith("print('an a")


@pytest.mark.extended
def test_a_reload_adds_no_entry_and_a_lost_view_is_redrawn(surface: Surface, panel: Person) -> None:
    enter(panel, "'saved by Python'")
    panel.sees(".console-result", "saved by Python")
    shown = surface.python(
        "from gemini.kernel.kernel import kernel; kernel.snapshot()['console']['entries'][-1]"
    )

    assert (shown["code"], shown["caller"]) == ("'saved by Python'", "person")


# --- the editor ---


@pytest.mark.extended
def test_what_is_typed_before_the_editor_has_loaded_counts(surface: Surface, panel: Person) -> None:
    surface.reload()
    panel.click('region "Python console" textbox "Python code"')
    panel.type("for n in range(3):\nprint('n', n)\n")
    surface.wait_for(LOADED)
    surface.wait_for(f"{TYPED}.endsWith(')\\n    ')")
    panel.type("\n")
    panel.sees('log "Python console" .console-stdout', "n 2")


@pytest.mark.extended
def test_an_idle_page_loads_the_editor_before_the_first_focus(surface: Surface, panel: Person) -> None:
    surface.driver.execute_cdp_cmd("Emulation.setDataSaverOverride", {"dataSaverEnabled": False})
    surface.reload()
    surface.wait_for("document.querySelector('#console-input.cm-content')")
    assert panel.focus != "console-input"
    surface.driver.execute_cdp_cmd("Emulation.setDataSaverOverride", {"dataSaverEnabled": True})


@pytest.mark.fortnightly
def test_the_field_is_an_editor_for_python(surface: Surface, panel: Person) -> None:
    panel.type("def f(a):\nif a:\nreturn (a, [1]")
    colored = "return [...document.querySelectorAll('#console-input .cm-line span')].map((each) => each.textContent)"
    assert {"def", "if", "return"} <= set(surface.javascript(colored))
    assert typed(panel) == "def f(a):\n    if a:\n        return (a, [1]"
    panel.type(")")
    assert panel.sees('region "Python console" textbox "Python code" .cm-matchingBracket')
    panel.press(Keys.ENTER)
    surface.wait_for(f"{TYPED}.split('\\n').length === 4")
    panel.type("else:")
    # The keyword moves to the block that it continues.
    assert typed(panel).endswith("\n    else:"), typed(panel)
    panel.press("z", holding=Keys.CONTROL)
    assert not typed(panel).endswith("else:")


@pytest.mark.extended
def test_magics_are_completed(panel: Person) -> None:
    panel.type("%ti")
    assert "%timeit" in panel.sees('region "Python console" [role=listbox]')
    panel.press(Keys.ARROW_DOWN)
    panel.press(Keys.ENTER)
    assert typed(panel) == "%time"
    panel.type(" 6 * 7\n")
    panel.sees(".console-result", "42")


@pytest.mark.extended
def test_shell_commands_are_completed(surface: Surface, panel: Person) -> None:
    panel.type("!basena")
    panel.press(Keys.TAB)
    surface.wait_for(f"{TYPED} === '!basename '")
    panel.type("/proj")
    panel.press(Keys.TAB)
    surface.wait_for(f"{TYPED} === '!basename /project/'")


# --- values ---


@pytest.mark.extended
def test_records_are_shown_as_a_table(surface: Surface, panel: Person) -> None:
    enter(panel, "[{'name': 'a', 'size': 1}, {'name': '<b>', 'size': 2}]")
    panel.sees(".console-table")

    cells = (
        "return [...document.querySelectorAll('.console-table :is(th, td)')].map((cell) => cell.innerText)"
    )
    assert surface.javascript(cells) == ["name", "size", "a", "1", "<b>", "2"]
    enter(panel, "[{'n': n} for n in range(1000)]")
    panel.sees(".console-result", "First 200 of 1,000 rows.")


def test_html_can_neither_act_nor_load(surface: Surface, panel: Person) -> None:
    markup = (
        "<h3>shown</h3><script>done = 1</script><img src='x' onerror='done = 2'>"
        "<img src='https://elsewhere.example/a.png'><style>body { display: none }</style>"
        "<a href='javascript:done = 3'>a</a><a href='https://x.example/'>b</a>"
        "<form action='https://x.example/'><button>go</button></form><iframe src='https://x.example/'></iframe>"
        "<b style='background: url(https://x.example/b.png)' onclick='done = 4' id='dock'>bold</b>"
    )
    enter(panel, f"class Page:\n    def _repr_html_(self): return {markup!r}\nPage()")
    panel.sees(".console-result h3", "shown")
    html = surface.javascript(f"return {content('.console-result')}.innerHTML")

    for part in (
        "script",
        "onerror",
        "onclick",
        "elsewhere",
        "style",
        "iframe",
        "form",
        "button",
        "dock",
        'src="x"',
    ):
        assert part not in html.replace("<!--", "").lower(), part
    assert '<a role="link" tabindex="0" title="https://x.example/">b</a>' in html
    assert surface.javascript("return typeof done") == "undefined"


@pytest.mark.extended
def test_markdown_and_images_are_drawn(surface: Surface, panel: Person) -> None:
    enter(panel, "class Note:\n    def _repr_markdown_(self): return '**strong** <script>x</script>'\nNote()")
    panel.sees(".console-result strong", "strong")
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><rect width='9' height='7'/></svg>"
    enter(panel, f"class Dot:\n    def _repr_svg_(self): return {svg!r}\nDot()")

    surface.wait_for("document.querySelector('.console-result img')?.naturalWidth === 9")


@pytest.mark.extended
def test_a_long_value_is_shown_in_full_on_request(surface: Surface, panel: Person) -> None:
    enter(panel, "'x' * 30_000")
    panel.click(".console-result button")

    surface.wait_for("document.querySelector('.console-result pre').innerText.length === 30000")
    panel.no_longer_sees(".console-result button")


# --- completion ---


@pytest.mark.extended
def test_tab_inserts_a_single_candidate(surface: Surface, panel: Person) -> None:
    surface.python("class Box:\n    only_this = 1\nbox = Box()")
    panel.type("box.on")
    panel.press(Keys.TAB)

    surface.wait_for(f"{TYPED} === 'box.only_this'")


@pytest.mark.extended
def test_candidates_are_selected_by_keyboard(surface: Surface, panel: Person) -> None:
    surface.python("def apply(first, second=2): return 'applied'\napplause = 'clap'")
    panel.type("appl")
    panel.press(" ", holding=Keys.CONTROL)
    panel.sees('region "Python console" [role=listbox] [aria-selected=true]', "applause")
    chosen = (
        "const id = document.activeElement.getAttribute('aria-activedescendant');"
        "return document.getElementById(id).innerText"
    )
    assert "applause" in surface.javascript(chosen)
    panel.press(Keys.ARROW_DOWN)
    assert "(first, second=2)" in surface.javascript(chosen)
    panel.press(Keys.ENTER)
    assert typed(panel) == "apply"
    panel.type("(")
    panel.sees('region "Python console" [role=status]', "apply(first, second=2)")
    panel.type("sec")
    panel.press(Keys.TAB)
    surface.wait_for(f"{TYPED} === 'apply(second='")
    panel.type("1, first=3)\n")
    panel.sees(".console-result", "applied")


@pytest.mark.fortnightly
def test_members_are_listed_after_a_dot_and_enter_still_runs(surface: Surface, panel: Person) -> None:
    surface.python("import types; thing = types.SimpleNamespace(alpha=1, beta=2)")
    panel.type("thing.")
    panel.sees('region "Python console" [role=listbox]', "beta")
    panel.type("al")
    surface.wait_for("document.querySelectorAll('#python [role=option]').length === 1")
    panel.press(Keys.ESCAPE)
    panel.no_longer_sees('region "Python console" [role=listbox]')
    panel.type("pha")
    panel.press(Keys.ENTER)
    assert panel.sees(".console-result") == "1"
    panel.type("thing.be")
    panel.sees('region "Python console" [role=option]', "beta")
    panel.click('region "Python console" [role=option]')
    surface.wait_for(f"{TYPED} === 'thing.beta'")


@pytest.mark.extended
@pytest.mark.fortnightly
def test_the_field_does_not_trap_the_focus(surface: Surface, panel: Person) -> None:
    panel.type("1 +")
    panel.press(Keys.ESCAPE)
    panel.press(Keys.TAB)

    assert panel.focus == "console-run"
    # Here is nothing to complete: the second Tab leaves.
    focus_console(panel)
    panel.type(" zzz")
    panel.press(Keys.TAB)
    panel.sees('region "Python console" .cm-announced', "No completions")
    panel.press(Keys.TAB)
    assert panel.focus == "console-run"


@pytest.mark.extended
def test_completions_are_not_logged(surface: Surface, panel: Person) -> None:
    before = surface.javascript("return (await gemini.python('len(gemini.registry.log.rows())'))")
    panel.type("gemini.")
    panel.sees('region "Python console" [role=listbox]')
    panel.press(Keys.ESCAPE)

    assert surface.javascript("return (await gemini.python('len(gemini.registry.log.rows())'))") == before


@pytest.mark.extended
def test_the_console_is_accessible(surface: Surface, panel: Person) -> None:
    assert violations(surface, 'region "Python console"') == []
    enter(panel, "print('a'); [{'a': 1}]")
    enter(panel, "1 / 0")
    surface.call("python_run", code="'x' * 30_000")
    panel.sees(".console-error")
    focus_console(panel)
    panel.type("gemini.")
    panel.sees('region "Python console" [role=listbox]')
    panel.press(Keys.ARROW_DOWN)
    assert violations(surface, 'region "Python console"') == []
