"""The Photos panel: what to do without photos, a grid with thumbnails, a search, and opening one."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person, erase

pytestmark = pytest.mark.fortnightly

ADD = """
import base64
from pathlib import Path
for name, data in {pictures!r}.items():
    path = Path("/project/album", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(data))
"""
CLEAR = "rm -rf /project/album"
DRAW = """
const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
const context = canvas.getContext("2d");
context.fillStyle = arguments[0];
context.fillRect(0, 0, 640, 480);
return canvas.toDataURL("image/jpeg").split(",")[1];
"""
SHOWN = "document.querySelectorAll('.photo-grid img').length"
SEARCH = "await gemini.registry.call('photo_search', {'query': 'date:2026-07-14', 'data': True}, caller='agent:finder')"


@pytest.fixture(autouse=True)
def own_photos(surface: Surface) -> Generator[None]:
    surface.call("terminal_execute", command=CLEAR)
    yield
    surface.call("terminal_execute", command=CLEAR)


def test_photos_are_seen_searched_and_opened(surface: Surface, person: Person) -> None:
    person.open_panel("photos")
    person.sees('region "Photos" .empty', "Drop pictures")
    assert violations(surface, 'region "Photos"') == []
    pictures = {
        f"IMG_202607{day}_120000.jpg": surface.javascript(DRAW, color)
        for day, color in (("14", "#c33"), ("15", "#3a3"), ("16", "#33c"))
    }
    surface.call("python_run", code=ADD.format(pictures={**pictures, "IMG_20260301_080000.heic": ""}))
    # The newest are shown at once.
    surface.wait_for(f"{SHOWN} === 3")
    person.sees('region "Photos"', "4 photos")
    person.sees("[data-photo$=heic]", "This browser doesn't show this format")
    assert violations(surface, 'region "Photos"') == []

    person.click('region "Photos" searchbox "Search photos"')
    person.type("date:2026-07-14")
    person.press(Keys.ENTER)
    surface.wait_for(f"{SHOWN} === 1")
    person.sees('region "Photos" [role=status]', "1 photo found.")
    found = surface.python(SEARCH)
    assert (found["total"], found["format"], found["width"]) == (1, "jpeg", 160)
    person.click("[data-photo$='14_120000.jpg'] button")
    person.find('region "Content of the file" img')
    person.click('dialog.viewer button "Close"')

    erase(person.find('region "Photos" searchbox "Search photos"'))
    person.press(Keys.ENTER)
    person.sees('region "Photos"', "4 photos")


def test_the_grid_follows_the_files(surface: Surface, person: Person) -> None:
    person.open_panel("photos")
    person.sees('region "Photos" .empty', "no photos yet")
    picture = surface.javascript(DRAW, "#c33")
    surface.call("file_write", path="/project/album/one.base64", content=picture)
    surface.call("terminal_execute", command="cd /project/album && base64 -d one.base64 > one.jpg")
    surface.wait_for(f"{SHOWN} === 1")
    # What changes while the panel is hidden is shown with it.
    person.open_panel("start")
    person.no_longer_sees('region "Photos"')
    surface.call("terminal_execute", command="cd /project/album && cp one.jpg two.jpg")
    person.open_panel("photos")
    surface.wait_for(f"{SHOWN} === 2")
    surface.call("terminal_execute", command="rm -r /project/album")
    person.sees('region "Photos" .empty', "no photos yet")
