"""The Python console as users use notebooks: magics, colors, progress bars, pictures and other values."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Resize
from tests.web.console import empty_console, enter
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended


@pytest.fixture
def panel(person: Person) -> Iterator[Person]:
    with empty_console(person):
        yield person


# --- magics ---


def test_commands_of_the_shell_and_of_the_console(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/script.py", content="answer = 42\nprint('ran')\n")
    panel.type(f"%cd {folder}\n")
    panel.sees(".console-stdout", folder)
    panel.type("!ls | wc -l; echo bad >&2\n")
    panel.sees(".console-stdout", "1")
    panel.sees(".console-stderr", "bad")
    enter(panel, "names = !ls\nnames")
    panel.sees(".console-result", "['script.py']")
    enter(panel, "%run script.py\nanswer")
    panel.sees(".console-result", "42")
    panel.type("%pip show pydantic\n")
    panel.sees(".console-stdout", "Name: pydantic")
    panel.type("%cd -\n")


def test_a_function_waits_for_a_command(surface: Surface) -> None:
    code = "def double(word):\n    lines = !echo {word}; echo {word}\n    return lines\ndouble('a')"
    assert surface.python(code) == ["a", "a"]


def test_an_endless_command_can_be_stopped(panel: Person) -> None:
    panel.type("!echo before; sleep 60\n")
    panel.sees("[data-running=true] .console-stdout", "before")
    panel.click('region "Python console" button "Stop"')
    panel.sees('log "Python console"', "Stopped")
    panel.type("!ps | grep -c '[s]leep'\n")
    panel.sees(".console-stdout", "0")


def test_an_unknown_magic_lists_the_known(panel: Person) -> None:
    panel.type("%tim 1\n")
    assert "Did you mean %time? There are %cd" in panel.sees(".console-error")


# --- colors and progress bars ---


def test_colors_and_overwritten_lines_are_drawn(surface: Surface, panel: Person) -> None:
    enter(panel, r"print('\x1b[1;38;5;208mbold\x1b[0m \x1b[31mred', 'plain\rPL')")
    assert panel.sees(".console-stdout", "red") == "PLld red plain"
    enter(panel, r"print('\x1b[1;38;5;208mbold\x1b[0m \x1b[31mred\x1b[0m.')")
    panel.sees(".console-stdout", "bold red.")
    looks = (
        "const spans = [...document.querySelectorAll('.console-entry:last-of-type .console-stdout span')];"
        "return spans.map((span) => [span.innerText, getComputedStyle(span).fontWeight, span.style.color])"
    )
    assert surface.javascript(looks) == [
        ["bold", "700", "rgb(255, 135, 0)"],
        ["red", "400", "var(--terminal-red)"],
    ]


def test_a_progress_bar_stays_on_its_line(panel: Person) -> None:
    bar = (
        "import sys, asyncio\n"
        "for n in range(0, 101, 20):\n"
        "    print(f'\\r{n:3}%|{\"#\" * (n // 10):10}|', end='', file=sys.stderr)\n"
        "    await asyncio.sleep(0.01)\n"
        "sys.stdout.isatty()"
    )
    enter(panel, bar)
    panel.sees(".console-result", "True")
    assert panel.sees(".console-stderr") == "100%|##########|"


def test_agents_output_has_no_terminal(surface: Surface) -> None:
    assert surface.call("python_run", code="import sys; sys.stdout.isatty()")["result"] is False


# --- values ---

# What pandas 3.1.1 and polars 2.1.0 return.
PANDAS = (
    "<div>\n"
    "<style scoped>\n"
    "    .dataframe tbody tr th:only-of-type {\n"
    "        vertical-align: middle;\n"
    "    }\n"
    "\n"
    "    .dataframe tbody tr th {\n"
    "        vertical-align: top;\n"
    "    }\n"
    "\n"
    "    .dataframe thead th {\n"
    "        text-align: right;\n"
    "    }\n"
    "</style>\n"
    '<table border="1" class="dataframe">\n'
    "  <thead>\n"
    '    <tr style="text-align: right;">\n'
    "      <th></th>\n"
    "      <th>name</th>\n"
    "      <th>size</th>\n"
    "    </tr>\n"
    "  </thead>\n"
    "  <tbody>\n"
    "    <tr>\n"
    "      <th>0</th>\n"
    "      <td>a</td>\n"
    "      <td>1</td>\n"
    "    </tr>\n"
    "  </tbody>\n"
    "</table>\n"
    "</div>"
)
POLARS = (
    "<div><style>\n"
    ".dataframe > thead > tr,\n"
    ".dataframe > tbody > tr {\n"
    "  text-align: right;\n"
    "  white-space: pre-wrap;\n"
    "}\n"
    "</style>\n"
    '<small>shape: (1, 2)</small><table border="1" class="dataframe"><thead><tr><th>name</th><th>size'
    "</th></tr><tr><td>str</td><td>i64</td></tr></thead><tbody><tr><td>&quot;a&quot;</td><td>1</td></"
    "tr></tbody></table></div>"
)


@pytest.mark.parametrize(
    ("markup", "shown"), [(PANDAS, "name\tsize\n0\ta\t1"), (POLARS, 'name\tsize\nstr\ti64\n"a"\t1')]
)
def test_tables_of_libraries_are_drawn(panel: Person, markup: str, shown: str) -> None:
    enter(panel, f"gemini.HTML({markup!r})")
    assert shown in panel.sees(".console-result table", "name")


def test_html_with_scripts_opens_as_a_page(surface: Surface, panel: Person) -> None:
    enter(panel, "gemini.HTML('<title>Shown</title><p>before</p><script>document.title = \"Run\"</script>')")
    panel.sees(".console-result p", "before")
    panel.click('button "Open as a page"')
    panel.sees('tablist "Open pages"', "Run")


def test_displayed_values_stand_among_the_output(surface: Surface, panel: Person) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><rect width='9' height='7'/></svg>"
    enter(panel, f"print('first')\ndisplay([{{'n': 1}}], gemini.SVG({svg!r}))\nprint('last')\n3")
    panel.sees(".console-result", "3")
    parts = (
        "return [...document.querySelector('.console-entry').children].slice(1)"
        ".map((part) => part.innerText.trim() || part.firstElementChild.tagName)"
    )
    assert surface.javascript(parts) == ["first", "n\n1", "BUTTON", "last", "3"]


# A picture of 640 × 480, as matplotlib's figures are.
FIGURE = """import struct, zlib

class Figure:
    def _repr_png_(self):
        number = lambda each: struct.pack(">I", each)
        chunk = lambda name, data: number(len(data)) + name + data + number(zlib.crc32(name + data))
        head = chunk(b"IHDR", struct.pack(">IIBBBBB", 640, 480, 8, 0, 0, 0, 0))
        lines = b"".join(bytes([0, *(x * y % 251 for x in range(640))]) for y in range(480))
        return b"\\x89PNG\\r\\n\\x1a\\n" + head + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")

Figure()"""
VISIBLE = (
    "(() => { const picture = document.querySelector('.console-entry:last-of-type img')?.getBoundingClientRect();"
    "const view = document.querySelector('#console-scroll').getBoundingClientRect();"
    "return picture && picture.height > {least} && picture.top >= view.top && picture.bottom <= view.bottom"
    " && Math.abs(picture.width / picture.height - 4 / 3) < 0.02 })()"
)


@pytest.mark.parametrize(("size", "least"), [((1280, 720), 200), ((390, 844), 200)])
def test_a_figure_is_wholly_seen(
    surface: Surface, panel: Person, resize: Resize, size: tuple[int, int], least: int
) -> None:
    resize(*size)
    panel.open_panel("python")
    enter(panel, "for line in range(50): print(line)")
    enter(panel, FIGURE)
    surface.wait_for(VISIBLE.replace("{least}", str(least)))


def test_the_console_grows_only_once_for_each_figure(surface: Surface, panel: Person) -> None:
    height = "document.querySelector('#python').clientHeight"
    enter(panel, FIGURE)
    surface.wait_for(VISIBLE.replace("{least}", "200"))
    grown = surface.javascript(f"return {height}")
    enter(panel, "display(Figure(), Figure())")
    surface.wait_for("document.querySelectorAll('.console-entry:last-of-type img').length === 2")
    surface.wait_for(
        VISIBLE.replace("{least}", "200").replace("of-type img", "of-type .console-value:last-child img")
    )
    assert surface.javascript(f"return {height}") == grown


def test_a_press_on_a_figure_opens_it(panel: Person) -> None:
    enter(panel, FIGURE)
    panel.click('button "Open the image"')
    panel.surface.wait_for("document.querySelector('#figure img')?.naturalWidth === 640")
    # Wholly seen, though the console below is high.
    panel.surface.wait_for(
        "document.querySelector('#figure img').getBoundingClientRect().bottom"
        " <= document.querySelector('#figure').getBoundingClientRect().bottom"
    )
    panel.find('region "Figure" link "Download"')
    assert violations(panel.surface, 'region "Figure"') == []


def test_mathematics_is_drawn_and_nothing_in_it_acts(surface: Surface, panel: Person) -> None:
    enter(panel, r"gemini.Latex(r'half: $\frac{1}{2}$')")
    panel.sees(".console-result", "half:")
    surface.wait_for(f"{FOUND}('.console-result mfrac')[0]?.getBoundingClientRect().height > 10")
    bad = (
        r"\href{javascript:alert(1)}{x} \class{dialog}{a} \id{dock}{b} \style{position:fixed}{c} \includegraphics{/x}"
        r" \text{<img src=x onerror=alert(1)>} \htmlData{a=b}{d} \color{red}{e} \label{f}"
    )
    for part in bad.split(" \\"):
        source = part if part.startswith("\\") else f"\\{part}"
        enter(panel, f"gemini.Latex({'$' + source + '$'!r})")
    enter(panel, r"gemini.Latex(r'\frac{')")
    panel.sees(".console-result", "[not shown as mathematics:")
    found = (
        f"return {FOUND}('.console-result *')"
        ".flatMap((element) => element.getAttributeNames().map((name) => `${element.localName} ${name}`))"
    )
    allowed = {"div class", "div role", "div tabindex", "div aria-label", "math display", "math xmlns"}
    seen = {each for each in surface.javascript(found) if not each.startswith(("m", "a")) or each in allowed}
    assert seen <= allowed
    assert surface.javascript(f"return {FOUND}('.console-result :is(img, a, script)').length") == 0


def test_sounds_can_be_played(surface: Surface, panel: Person) -> None:
    wave = (
        "import io, wave\nfile = io.BytesIO()\nwith wave.open(file, 'wb') as sound:\n"
        "    sound.setparams((1, 1, 8000, 800, 'NONE', ''))\n    sound.writeframes(bytes(800))\n"
        "gemini.Audio(file.getvalue())"
    )
    enter(panel, wave)
    surface.wait_for("document.querySelector('.console-result audio')?.duration === 0.1")


def test_the_values_are_accessible(surface: Surface, panel: Person) -> None:
    enter(panel, r"print('\x1b[1;32mgreen\x1b[0m \x1b[33myellow \x1b[7minverse')")
    enter(panel, r"display(gemini.Latex('$x^2$'), gemini.Audio(b'RIFF')); gemini.HTML('<b>bold</b>')")
    panel.sees(".console-result b", "bold")
    panel.find(".console-value math")
    assert violations(surface, 'region "Python console"') == []


# What pandas' Styler writes, and rules that do more than color a cell.
STYLED = """<style type="text/css">
#T_1_row0_col0 { background-color: #ffff00; background-image: url(http://127.0.0.1:1/a); }
#T_1_row0_col1 { background: linear-gradient(90deg, #d65f5f 50%, transparent 50%); position: fixed; font-size: 900px; }
#T_1 th.col_heading { font-weight: bold; color: blue; }
p { color: white; }
</style>
<table id="T_1"><thead><tr><th class="col_heading">a</th><th class="col_heading">b</th></tr></thead>
<tbody><tr><td id="T_1_row0_col0" style="text-align: right; display: none">1</td>
<td id="T_1_row0_col1">2</td></tr></tbody>
</table><p style="color: white">hidden?</p>"""


def test_tables_have_the_colors_of_their_author_and_nothing_else(surface: Surface, panel: Person) -> None:
    enter(panel, f"gemini.HTML({STYLED!r})")
    panel.sees(".console-result td", "1")
    styles = surface.javascript(
        f"return {FOUND}('.console-result :is(td, th, p)').map((cell) => cell.getAttribute('style'))"
    )
    heading = "color: blue; font-weight: bold;"
    yellow = "background-color: rgb(255, 255, 0); color: black; text-align: right;"
    bar = "background-image: linear-gradient(90deg, rgb(214, 95, 95) 50%, transparent 50%);"
    assert [styles[0], styles[1], styles[2], styles[4]] == [heading, heading, yellow, None]
    assert styles[3] == bar
    named = f"return {FOUND}('.console-result :is([id], [class])').map(({{ tagName }}) => tagName)"
    assert "TD" not in surface.javascript(named)
