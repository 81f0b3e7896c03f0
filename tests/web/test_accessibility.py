"""Accessibility of panels, dialogs and other states in both themes, and screenshots for a visual review.

All tests share one page, whose window gets other sizes. The screenshots are in .build/screenshot_folder. States that
only the test of another module reaches are checked there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.browser import emulate
from tests.tiers import sampled
from tests.web.agent import show_tab
from tests.web.axe import EVERY_THEME, violations
from tests.web.names import FACT, TOUR
from tests.web.person import Background, Person
from tests.web.shadow import FOUND
from tests.web.test_agent_panel import ASKS, script, start_task
from tests.web.test_editor import edit
from tests.web.test_files_panel import choose_item, row
from tests.web.test_omnibar import SELECTED, type_in_omnibar
from tests.web.test_source_control import AUTHOR, CHANGES, STATUS, run, shows
from tests.web.test_source_control import row as changed
from tests.web.test_status import EXPLAINED

pytestmark = pytest.mark.fortnightly

LOOKS = Path(__file__).parents[2] / ".build/screenshot_folder"
WIDTHS = {"wide": (1440, 900), "medium": (900, 700), "narrow": (360, 720), "phone": (340, 600)}
# The viewport of a window of 1280 by 720 at 200 %.
WIDTHS["zoomed"] = (640, 360)
THEMES = ("light", "dark")
IN_VIEW = f"""
const {{ left, right, top, bottom }} = {FOUND}(arguments[0])[0].getBoundingClientRect();
return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
"""
PAGE = "<!doctype html><title>Shop</title><h1>Shop</h1><label>Search <input></label><button>Go</button>"
CSV = "name,price\napple,1.20\npear,2.40\n"
# A gradient from dark to light. The format: https://www.w3.org/TR/png-3/#5Chunk-layout.
PICTURE = """
import struct, zlib
rows = b"".join(b"\\0" + bytes(channel for x in range(64) for channel in (x * 4, y * 4, 160)) for y in range(64))
parts = {b"IHDR": struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0), b"IDAT": zlib.compress(rows), b"IEND": b""}
chunks = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts.items()]
open("/project/shop/logo.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + b"".join(chunks))
"""


@pytest.fixture(autouse=True)
def restored(surface: Surface) -> Iterator[None]:
    """Create the directory of the screenshots, and restore the size of the window after the test."""
    LOOKS.mkdir(parents=True, exist_ok=True)
    yield
    resize(surface, "wide")


def resize(surface: Surface, width: str, *, dark: bool = False) -> None:
    """Change the size of the window and the preferred theme."""
    scale = 2 if width == "zoomed" else 1
    emulate(surface.driver, size=WIDTHS[width], scale=scale, dark=dark, saves_data=True)
    narrow = str(is_narrow(width)).lower()
    surface.wait_for("document.documentElement.dataset.narrow === arguments[0]", narrow)


def is_narrow(width: str) -> bool:
    return WIDTHS[width][0] < 700


def save_screenshots(surface: Surface, name: str, width: str, themes: tuple[str, ...] = THEMES) -> None:
    """Save a screenshot in each theme, and leave the last one on."""
    for theme in themes:
        resize(surface, width, dark=theme == "dark")
        surface.driver.save_screenshot(str(LOOKS / f"{name}-{theme}.png"))


def fill(surface: Surface) -> None:
    """Add content to every panel."""
    for name, content in {
        "index.html": PAGE,
        "prices.csv": CSV,
        "data.json": json.dumps({"a": [1, {"b": None}]}),
    }.items():
        surface.call("file_write", path=f"/project/shop/{name}", content=content)
    surface.python(PICTURE)
    surface.call("file_navigate", path="/project/shop")
    surface.call("terminal_execute", command="ls -l; echo $((6 * 7)); ls missing")
    surface.call(
        "python_run", code="print('hello'); [{'name': 'apple', 'price': 1.2}, {'name': 'pear', 'price': 2.4}]"
    )
    with pytest.raises(ToolCallFailed):
        surface.call("file_read", path="/project/missing.txt")
    surface.call("browser_navigate", url="/project/shop/index.html")
    show_tab(surface)


def panels(surface: Surface) -> list[str]:
    return surface.javascript(
        "return [...document.querySelectorAll('section[data-title]')].map(({ id }) => id)"
    )


def bring_forward(person: Person, panel: str, *, narrow: bool) -> None:
    person.open_panel(panel)
    person.surface.wait_for(f"document.querySelector('#{panel}, [data-terminal]').checkVisibility()")


# A busy machine takes longer for all panels in every theme than a test may.
PARTS = 3
# Each width has the other theme in its screenshots.
VARIANTS = [
    ("wide", ("light",), slice(None)),
    *(
        pytest.param(width, themes, slice(part, None, PARTS), marks=pytest.mark.extended)
        for width, themes in (
            ("narrow", ("dark",)),
            ("wide", ("dark",)),
            ("medium", THEMES),
            ("narrow", ("light",)),
            ("zoomed", THEMES),
        )
        for part in range(PARTS)
    ),
]


@pytest.mark.parametrize(("width", "themes", "part"), VARIANTS)
def test_every_panel_is_accessible(
    surface: Surface, person: Person, width: str, themes: tuple[str, ...], part: slice
) -> None:
    fill(surface)
    save_screenshots(surface, f"all-{width}", width, themes)
    wrong: list[str] = []
    for panel in panels(surface)[part]:
        if panel == "terminals" and not is_narrow(width):
            # The panel shows only if no terminal is open.
            continue
        bring_forward(person, panel, narrow=is_narrow(width))
        save_screenshots(surface, f"{panel}-{width}", width, themes)
        # Every theme each time would take too long.
        always = (width, themes) == ("wide", ("light",))
        found = violations(surface, "html", themes=("light", "contrast-dark") if always else EVERY_THEME)
        wrong += [f"{panel}: {each}" for each in found]
        assert surface.javascript("return document.documentElement.scrollWidth") == WIDTHS[width][0], panel

    assert "\n".join(wrong) == ""


BUY = """
@gemini.tool(effect="spend")
def buy(what: str) -> str:
    "Buy something."
    return what
"""
ASKING = {
    "tool": ("buy", {"what": "three pears, " * 40}),
    "open": ("browser_navigate", {"url": "http://127.0.0.1:9/a?very=" + "long" * 40}),
    "network": (
        "python_run",
        {"code": "import urllib.request as u; u.urlopen('http://127.0.0.1:9/b', data=b'x' * 2000)"},
    ),
}


@pytest.mark.extended
def test_every_question_is_accessible(surface: Surface, person: Person) -> None:
    surface.python(BUY)
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'buy'))()"
    )
    wrong: list[str] = []
    for kind, (tool, arguments) in ASKING.items():
        call = Background(surface, tool, arguments)
        person.sees("[role=alertdialog]")
        save_screenshots(surface, f"question-{kind}", "medium")
        wrong += [f"{kind}: {each}" for each in violations(surface, "[role=alertdialog]")]
        person.click('button "Always allow"' if kind == "tool" else 'button "Refuse"')
        call.result()
    bring_forward(person, "settings", narrow=False)
    person.sees('region "Permissions" li')
    person.by_script('region "Permissions"', "scrollIntoView()")
    save_screenshots(surface, "grants", "medium")
    wrong += [f"grants: {each}" for each in violations(surface, 'region "Settings"')]

    assert "\n".join(wrong) == ""


@pytest.mark.extended
def test_file_changes_and_network_are_accessible(surface: Surface, person: Person) -> None:
    fill(surface)
    surface.call("file_write", path="/project/shop/prices.csv", content=CSV.replace("1.20", "1.30"))
    bring_forward(person, "activity", narrow=False)
    person.click('region "Activity" .changes > summary')
    person.click(".changes-checkpoint")
    person.click(".changes-file[data-path$='prices.csv'] summary")
    person.sees(".changes-difference .cm-content")
    save_screenshots(surface, "changes", "wide")
    wrong = violations(surface, 'region "Activity"')
    bring_forward(person, "browser", narrow=False)
    save_screenshots(surface, "network", "wide")
    wrong += violations(surface, 'region "Browser"')

    assert "\n".join(wrong) == ""


@pytest.mark.extended
def test_forced_colors_and_reduced_motion(surface: Surface) -> None:
    features = [
        {"name": "forced-colors", "value": "active"},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    surface.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    surface.call("terminal_execute", command="ls")
    surface.driver.save_screenshot(str(LOOKS / "all-wide-forced.png"))

    assert surface.javascript("return document.getAnimations().length") == 0
    # The system's colors replace those of the theme.
    assert violations(surface, "html", themes=("system",)) == []


def test_nothing_is_cut_off_at_200_percent_zoom(surface: Surface) -> None:
    # The viewport of a window of 1280 by 800 at 200 %.
    emulate(surface.driver, size=(640, 400), saves_data=True)
    surface.wait_for("document.documentElement.dataset.narrow === 'true'")
    surface.driver.save_screenshot(str(LOOKS / "all-zoomed.png"))

    assert surface.javascript("return document.documentElement.scrollWidth") == 640
    unreachable = surface.javascript(
        """
        const inside = ({ left, right }) => left >= 0 && right <= innerWidth;
        return [...document.querySelectorAll("header.top button, #rail button")]
          .filter((button) => button.checkVisibility())
          .filter((button) => !inside(button.getBoundingClientRect()))
          .map((button) => button.textContent.trim());
        """
    )
    assert unreachable == []


@pytest.mark.extended
def test_the_files_panel_is_accessible(surface: Surface, person: Person) -> None:
    surface.call("file_navigate", path="/project")
    assert violations(surface, 'region "Files"') == []
    surface.call("file_write", path="/project/guide.md", content="# A\n\n| a |\n|---|\n| 1 |\n\n- [x] done\n")
    surface.call("file_write", path="/project/a.json", content='{"a": [1, null, "x", true]}')
    surface.call("file_write", path="/project/a.csv", content="a,b\n1,2\n")
    person.sees('region "Files"', "a.csv")
    person.click(row("/project/guide.md"))
    assert violations(surface, 'region "Files"') == []
    person.click('region "Files" button "Actions"')
    person.find(".menu [data-item=open]")
    assert violations(surface, 'region "Files"') == []
    person.click(".menu [data-item=rename]")
    person.find('region "Files" textbox "New name of guide.md, or a path to move it to"')
    assert violations(surface, 'region "Files"') == []
    person.press(Keys.ESCAPE)
    shown = {"guide.md": "h1", "a.json": ".preview-tree", "a.csv": "table", "app.log": "pre"}
    for name, part in shown.items():
        person.click(row(f"/project/{name}"))
        choose_item(person, "more", "preview")
        person.find(f'region "Content of the file" {part}')
        assert violations(surface, "dialog.viewer") == []
        person.click('dialog.viewer button "Close"')
    choose_item(person, "more", "edit-path")
    assert violations(surface, 'region "Files"') == []
    person.press(Keys.ESCAPE)
    choose_item(person, "new", "new-file")
    assert violations(surface, 'region "Files"') == []
    person.press(Keys.ESCAPE)
    choose_item(person, "more", "map")
    person.sees(".file-map", "a.csv")
    assert violations(surface, 'region "Files"') == []
    choose_item(person, "more", "list")


@pytest.mark.extended
def test_the_editor_is_accessible(surface: Surface, person: Person) -> None:
    # In a small panel, the text scrolls.
    person.open_panel("reset")
    code = '"""Text."""\n\nimport os\n\n\n# Why\ndef f(a: int) -> str:\n    return f"{a}" + os.sep * 3\n'
    edit(surface, person, "/project/a.py", code)
    person.sees('region "Editor" .cm-line span')
    assert violations(surface, 'region "Editor"') == []
    person.press("f", holding=Keys.CONTROL)
    person.find('region "Editor" .cm-search')
    assert violations(surface, 'region "Editor"') == []
    person.press(Keys.ESCAPE)
    person.type("# mine\n")
    surface.call("file_edit", path="/project/a.py", old="# Why", new="# Because")
    person.sees('region "Editor" .editor-notice', "has changed since you opened it")
    assert violations(surface, 'region "Editor"') == []
    person.click('region "Editor" button "Show differences"')
    person.sees('region "Editor" .cm-deletedChunk')
    assert violations(surface, 'region "Editor"') == []
    person.click('region "Editor" button "Close file"')
    person.find("dialog.question")
    assert violations(surface, "dialog.question") == []
    surface.reload()


@pytest.mark.parametrize("width", sampled(["wide", "phone"]))
def test_the_omnibar_is_accessible(surface: Surface, person: Person, width: str) -> None:
    resize(surface, width)
    surface.javascript("document.activeElement.blur()")
    assert violations(surface, 'search "Search and commands"') == []
    type_in_omnibar(person, "report")
    person.sees(SELECTED, "report.py")
    assert violations(surface, 'search "Search and commands"') == []
    person.press("a", holding=Keys.CONTROL)
    person.type(">new term")
    person.sees(SELECTED, "New terminal")
    assert violations(surface, 'search "Search and commands"') == []
    assert surface.javascript(
        "const { left, right } = document.querySelector('#omnibar-popup').getBoundingClientRect();"
        "return left >= 0 && right <= innerWidth"
    )
    person.press(Keys.ESCAPE)
    person.no_longer_sees('search "Search and commands" [popover]')


@pytest.mark.extended
@pytest.mark.parametrize("width", ["wide", "phone"])
def test_help_is_accessible(surface: Surface, person: Person, width: str) -> None:
    resize(surface, width)
    person.click('button "Help"')
    assert violations(surface, 'region "Help"') == []
    person.click('region "Help" [value=shortcuts]')
    person.sees('dialog "Keyboard shortcuts"', "Ctrl+K")
    assert violations(surface, 'dialog "Keyboard shortcuts"') == []
    person.press(Keys.ESCAPE)
    person.click('button "Help"')
    person.click('region "Help" [value=tour]')
    for _ in range(3):
        assert violations(surface, TOUR) == []
        assert surface.javascript(IN_VIEW, TOUR)
        person.click(f'{TOUR} button "Next"')
    person.click(f'{TOUR} button "Done"')
    person.no_longer_sees(TOUR)


@pytest.mark.extended
@pytest.mark.parametrize(("width", "theme"), [("wide", "light"), ("narrow", "dark")])
def test_source_control_is_accessible(surface: Surface, person: Person, width: str, theme: str) -> None:
    resize(surface, width)
    repository = f"/project/{width}"
    run(surface, f"{AUTHOR}; mkdir {repository}; cd {repository}; git init -q -b main; seq 30 > numbers")
    run(surface, "git add -A; git commit -q -m first; seq 5 29 > numbers; mkdir -p very/long")
    run(surface, "echo x > very/long/name; echo y > staged; git add staged")
    shows(surface, "main, 3 changes")
    person.click(STATUS)
    person.click(changed(CHANGES, "numbers", ".source-control-file"))
    person.sees(changed(CHANGES, "numbers", ".cm-content"))
    save_screenshots(surface, f"source-control-{WIDTHS[width][0]}", width, (theme,))
    assert violations(surface, "html") == []
    run(surface, "cd /project")


@pytest.mark.extended
@pytest.mark.parametrize("width", ["wide", "phone"])
def test_the_status_line_is_accessible(surface: Surface, person: Person, width: str) -> None:
    resize(surface, width)
    person.sees(FACT, "MB")
    assert violations(surface, 'contentinfo "Status"') == []
    person.click(FACT)
    assert violations(surface, EXPLAINED) == []
    assert surface.javascript(
        f"const {{ left, right, top }} = {FOUND}(arguments[0])[0].getBoundingClientRect();"
        "return left >= 0 && right <= innerWidth && top >= 0",
        EXPLAINED,
    )
    person.press(Keys.ESCAPE)


@pytest.mark.extended
def test_the_agent_panel_is_accessible_and_fits_a_phone(surface: Surface, person: Person) -> None:
    resize(surface, "narrow")
    script(surface, ASKS, folder="/project")
    person.open_panel("agent")
    person.find('region "Agent" textbox "Task"')
    assert violations(surface, 'region "Agent"') == []
    start_task(person, "Write two files")
    person.find('form "The agent asks" [name=text]')
    assert violations(surface, 'region "Agent"') == []
    assert surface.javascript(
        "return [...document.querySelectorAll('#agent *')].every((each) => each.closest('pre, .visually-hidden') ||"
        " each.getBoundingClientRect().right <= innerWidth)"
    )
    person.click('region "Agent" button "Cancel"')
