"""Things dropped on the surface: they open no address, run nothing, and are written only below the shown folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from gemini_testing import Surface, ToolCallFailed
from tests.attacks.dropping import drop
from tests.attacks.listener import Listener, fenced_listener
from tests.tiers import sampled
from tests.web.agent import close_tabs, ref_of
from tests.web.person import Person
from tests.web.site import Site

pytestmark = pytest.mark.fortnightly

RUNS = "touch /project/dropped-and-run\n"


@pytest.fixture(scope="module")
def outside() -> Generator[Listener]:
    with fenced_listener() as listener:
        yield listener


@pytest.fixture(autouse=True)
def panels(person: Person) -> None:
    """Let the user see what things are dropped on: `person` shows files and a terminal."""
    person.open_panel("browser")


# Places of the surface that take no address.
PLACES = ("#files", "#browser", "#console", "#status", "header", "body", ".xterm-screen", "#omnibar-input")
# Items dragged out of a page: an address with data in it, in each form.
ADDRESSES: dict[str, Callable[[str], list[tuple[str, str]]]] = {
    "an address": lambda url: [("text/uri-list", url)],
    "several addresses": lambda url: [("text/uri-list", f"# comment\r\n{url}\r\n{url}2")],
    "a link": lambda url: [
        ("text/uri-list", url),
        ("text/html", f'<a href="{url}">x</a>'),
        ("text/plain", url),
    ],
    "a script": lambda _: [("text/uri-list", "javascript:document.title='dropped'")],
    "a document": lambda _: [("text/uri-list", "data:text/html,<script>document.title='dropped'</script>")],
}


@pytest.mark.parametrize("form", sampled(ADDRESSES))
def test_an_address_opens_nowhere(surface: Surface, outside: Listener, form: str) -> None:
    assert outside.received(surface) == []
    before = surface.javascript("return [location.href, document.title, performance.timeOrigin]")
    tabs = surface.call("browser_tabs")
    shown = "return arguments[0].filter((each) => document.querySelector(each)?.checkVisibility())"
    places = surface.javascript(shown, PLACES)
    assert len(places) >= 4
    for place in places:
        drop(surface, place, *ADDRESSES[form](f"{outside.url}/?SECRET"))
    assert surface.javascript("return [location.href, document.title, performance.timeOrigin]") == before
    assert surface.call("browser_tabs") == tabs and len(surface.driver.window_handles) == 1
    # The control: the listener receives requests.
    surface.javascript("await fetch(arguments[0], { mode: 'no-cors' })", f"{outside.url}/control")
    assert [path for path in outside.received(surface) if path != "connection"] == ["/control"]


@pytest.mark.parametrize("place", [".xterm-screen", "#terminals", "#status"])
def test_a_text_with_a_newline_runs_nothing(surface: Surface, place: str) -> None:
    drop(surface, place, ("text/plain", RUNS), ("text/html", f"<pre>{RUNS}</pre>"))
    # The control: the same command, entered as a command, runs. It comes after all that the drop could have caused.
    surface.call("terminal_execute", command="touch /project/run")
    there = "import os; [os.path.exists(f'/project/{name}') for name in ('run', 'dropped-and-run')]"
    assert surface.python(there) == [True, False]
    terminal = surface.call("terminal_list")[0]["id"]
    assert "dropped-and-run" not in surface.call("terminal_read", terminal_id=terminal)["text"]
    surface.javascript("document.activeElement?.blur()")


COUNT = "gemini.python(`import os; len(os.listdir('${arguments[0]}'))`)"
# Names that a file manager can pass, and what may be created of them.
NAMES = (
    "$(touch run).txt",
    "a; touch run",
    "`id`",
    "-rf",
    "new\nline.txt",
    "quote'\".txt",
    "\u202egnp.exe",
    "~",
    "&&.sh",
    "*",
)


def test_files_get_their_names_and_run_nothing(surface: Surface, folder: str, tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).write_text(name)
    surface.call("file_navigate", path=folder)
    surface.wait_for(
        "document.querySelector('#files').innerText.includes(arguments[0])", os.path.basename(folder)
    )
    drop(surface, "#files", files=[tmp_path / name for name in NAMES])
    surface.wait_for(f"{COUNT}.then((count) => count === arguments[1])", folder, len(NAMES))
    assert sorted(surface.python(f"import os; os.listdir({folder!r})")) == sorted(NAMES)


def test_a_thousand_files_arrive_or_are_refused_together(
    surface: Surface, folder: str, tmp_path: Path
) -> None:
    """The page stays in use meanwhile. One name is as long as a file system permits."""
    names = [f"{number:04}.txt" for number in range(999)] + ["x" * 255]
    for name in names:
        (tmp_path / name).write_text(name)
    surface.call("file_navigate", path=folder)
    surface.wait_for(
        "document.querySelector('#files').innerText.includes(arguments[0])", os.path.basename(folder)
    )
    drop(surface, "#files", files=[tmp_path / name for name in names])
    assert surface.python("1 + 1") == 2
    surface.wait_for(f"{COUNT}.then((count) => count === arguments[1])", folder, len(names))
    assert surface.python(f"open({folder!r} + '/' + 'x' * 255).read()") == "x" * 255


def test_a_link_in_a_dropped_folder_is_no_way_out(surface: Surface, folder: str, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/fine.txt").write_text("fine")
    surface.python(f"import os; os.symlink('/project', {folder + '/tree'!r})")
    surface.call("file_navigate", path=folder)
    surface.wait_for("document.querySelector('#files').innerText.includes('tree')")
    drop(surface, "#files", files=[tmp_path / "tree"])
    surface.wait_for("document.body.innerText.includes('link out of')")
    assert surface.python("import os; os.path.exists('/project/fine.txt')") is False
    # The control: without the link, the folder is written.
    surface.python(f"os.unlink({folder + '/tree'!r})")
    drop(surface, "#files", files=[tmp_path / "tree"])
    surface.wait_for(
        "gemini.python(`os.path.exists(${JSON.stringify(arguments[0])})`)", f"{folder}/tree/fine.txt"
    )


@pytest.mark.parametrize("place", ["#status", "#terminals", "#browser"])
def test_a_file_beside_the_panels_that_take_it_opens_nothing(
    surface: Surface, tmp_path: Path, place: str
) -> None:
    (tmp_path / "page.html").write_text("<title>dropped</title>")
    before = surface.javascript("return performance.timeOrigin")
    drop(surface, place, files=[tmp_path / "page.html"])
    assert surface.javascript("return performance.timeOrigin") == before
    assert len(surface.driver.window_handles) == 1


@pytest.mark.parametrize("type", ["drop", "dragover", "dragstart", "dragenter"])
def test_a_scripts_drop_does_nothing(surface: Surface, folder: str, type: str) -> None:
    code = """
    const data = new DataTransfer();
    data.items.add(new File(["x"], "forged.txt"));
    const event = new DragEvent(arguments[0], { bubbles: true, cancelable: true, dataTransfer: data });
    document.querySelector("#files").dispatchEvent(event);
    return event.defaultPrevented;
    """
    surface.call("file_navigate", path=folder)
    assert surface.javascript(code, type) is True
    assert surface.python(f"import os; os.listdir({folder!r})") == []


DRAGGED = """<title>Drag</title><button draggable=true>Drag me</button><button>Drop here</button><script>
for (const type of ["dragstart", "dragover", "drop"]) addEventListener(type, (event) => {
  if (type === "dragstart") event.dataTransfer.setData("text/uri-list", "http://127.0.0.1:1/");
  else event.preventDefault();
  document.title = type;
});
</script>"""


def test_an_agents_drag_stays_in_its_page(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/drag.html", content=DRAGGED)
    surface.call("browser_navigate", url=f"{folder}/drag.html")
    before = surface.javascript("return performance.timeOrigin")
    refs = {text: ref_of(surface, text) for text in ("Drag me", "Drop here")}
    # The control: within the page, the same drag ends with a drop.
    surface.call("browser_drag", ref=refs["Drag me"], to_ref=refs["Drop here"])
    assert surface.call("browser_execute_js", code="return document.title")["result"] == "drop"
    for dx, dy in ((-400, 0), (0, -300), (3_000, 3_000)):
        with contextlib.suppress(ToolCallFailed):
            surface.call("browser_drag", ref=refs["Drag me"], dx=dx, dy=dy)
    assert surface.javascript("return performance.timeOrigin") == before
    assert surface.python("import os; os.path.exists('/project/dropped-and-run')") is False


PAGE = """<!doctype html><title>Attack</title><p id="text">A page</p><input value="x"><script>
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.stopImmediatePropagation(), true);
</script>"""


def test_an_address_dropped_on_a_page_made_of_files_opens_nothing(
    surface: Surface, outside: Listener
) -> None:
    """The page can have put it into the item that the user drags within it."""
    surface.call("file_write", path="/project/attack/index.html", content=PAGE)
    site = Site(surface)
    site.open("/project/attack/index.html")
    assert outside.received(surface) == []
    windows = len(surface.driver.window_handles)
    address = f"{outside.url}/?SECRET"
    drop(surface, ".tab-frame", ("text/uri-list", address))
    drop(surface, ".tab-frame", ("text/uri-list", address), ("text/html", f'<a href="{address}">x</a>'))
    drop(surface, ".tab-frame", ("text/plain", address))
    assert site.says("document.title") == "Attack"
    assert len(surface.driver.window_handles) == windows
    # The control: the listener receives requests.
    surface.javascript("await fetch(arguments[0], { mode: 'no-cors' })", f"{outside.url}/control")
    assert [path for path in outside.received(surface) if path != "connection"] == ["/control"]
    close_tabs(surface)
