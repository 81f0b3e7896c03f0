"""Screenshots and accessibility checks of every panel, in light and dark and at three widths.

The screenshots are in .build/screenshot_folder, for a visual review that no test replaces.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.plugin import OpenSurface
from tests.web.axe import violations
from tests.web.person import Background, Person

LOOKS = Path(__file__).parents[2] / ".build/screenshot_folder"
WIDTHS = {"wide": (1440, 900), "medium": (900, 700), "narrow": (360, 720)}
# Two of these meet each width's layout and each theme's colors.
VARIANTS = [
    ("wide", "light"),
    ("narrow", "dark"),
    *(
        pytest.param(width, theme, marks=pytest.mark.extended)
        for width, theme in (("wide", "dark"), ("medium", "light"), ("medium", "dark"), ("narrow", "light"))
    ),
]
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
def screenshot_folder() -> None:
    """Create the directory of the screenshots."""
    LOOKS.mkdir(parents=True, exist_ok=True)


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


def panels(surface: Surface) -> list[str]:
    return surface.javascript(
        "return [...document.querySelectorAll('section[data-title]')].map(({ id }) => id)"
    )


def bring_forward(person: Person, panel: str, *, narrow: bool) -> None:
    if narrow:
        person.click(f"#panel-switch [value={panel}]")
    elif not person.surface.javascript(f"return document.querySelector('#{panel}').checkVisibility()"):
        person.open_panel(panel)
    person.surface.wait_for(f"document.querySelector('#{panel}, [data-terminal]').checkVisibility()")


@pytest.mark.parametrize(("width", "theme"), VARIANTS)
def test_every_panel_is_accessible(open_surface: OpenSurface, width: str, theme: str) -> None:
    surface = open_surface(size=WIDTHS[width], dark=theme == "dark")
    person = Person(surface)
    fill(surface)
    surface.driver.save_screenshot(str(LOOKS / f"all-{width}-{theme}.png"))
    wrong: list[str] = []
    for panel in panels(surface):
        if panel == "terminals" and width != "narrow":
            # The panel shows only if no terminal is open.
            continue
        bring_forward(person, panel, narrow=width == "narrow")
        surface.driver.save_screenshot(str(LOOKS / f"{panel}-{width}-{theme}.png"))
        wrong += [f"{panel}: {each}" for each in violations(surface, "html")]
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_question_is_accessible(open_surface: OpenSurface, theme: str) -> None:
    surface = open_surface(size=WIDTHS["medium"], dark=theme == "dark")
    person = Person(surface)
    surface.python(BUY)
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'buy'))()"
    )
    wrong: list[str] = []
    for kind, (tool, arguments) in ASKING.items():
        call = Background(surface, tool, arguments)
        person.sees("#approval")
        surface.driver.save_screenshot(str(LOOKS / f"question-{kind}-{theme}.png"))
        wrong += [f"{kind}: {each}" for each in violations(surface, "#approval")]
        person.click("#approval-always" if kind == "tool" else "#approval-refuse")
        call.result()
    bring_forward(person, "settings", narrow=False)
    person.sees("#settings-grants li")
    surface.javascript("document.querySelector('#settings-grants').scrollIntoView()")
    surface.driver.save_screenshot(str(LOOKS / f"grants-{theme}.png"))
    wrong += [f"grants: {each}" for each in violations(surface, "#settings")]

    assert "\n".join(wrong) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_file_changes_and_network_are_accessible(open_surface: OpenSurface, theme: str) -> None:
    surface = open_surface(size=WIDTHS["wide"], dark=theme == "dark")
    person = Person(surface)
    fill(surface)
    surface.call("file_write", path="/project/shop/prices.csv", content=CSV.replace("1.20", "1.30"))
    bring_forward(person, "activity", narrow=False)
    person.click("#activity-changes > summary")
    person.click(".changes-checkpoint")
    person.click(".changes-file[data-path$='prices.csv'] summary")
    person.sees(".changes-difference .cm-content")
    surface.driver.save_screenshot(str(LOOKS / f"changes-{theme}.png"))
    wrong = violations(surface, "#activity")
    bring_forward(person, "browser", narrow=False)
    surface.driver.save_screenshot(str(LOOKS / f"network-{theme}.png"))
    wrong += violations(surface, "#browser")

    assert "\n".join(wrong) == ""


def test_forced_colors_and_reduced_motion(open_surface: OpenSurface) -> None:
    surface = open_surface()
    features = [
        {"name": "forced-colors", "value": "active"},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    surface.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    surface.call("terminal_execute", command="ls")
    surface.driver.save_screenshot(str(LOOKS / "all-wide-forced.png"))

    assert surface.javascript("return document.getAnimations().length") == 0
    assert violations(surface, "html") == []


def test_nothing_is_cut_off_at_200_percent_zoom(open_surface: OpenSurface) -> None:
    # The viewport of a window of 1280 by 800 at 200 %.
    surface = open_surface(size=(640, 400))
    surface.driver.save_screenshot(str(LOOKS / "all-zoomed.png"))

    assert surface.javascript("return document.documentElement.scrollWidth") == 640
    unreachable = surface.javascript(
        """
        const inside = ({ left, right }) => left >= 0 && right <= innerWidth;
        return [...document.querySelectorAll("header.top button, #panel-switch button")]
          .filter((button) => button.checkVisibility() && !button.closest("nav"))
          .filter((button) => !inside(button.getBoundingClientRect()))
          .map((button) => button.textContent.trim());
        """
    )
    assert unreachable == []
