"""The browser tools: an agent writes pages, opens them and uses them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.html_page import SCRIPT, HtmlServer, serving_html
from tests.pdf import pdf
from tests.web.agent import close_tabs, ref_of, show_tab
from tests.web.conftest import Start
from tests.web.person import Person

SHOP = """<!doctype html>
<title>Shop</title>
<h1>Shop</h1>
<form action="thanks.html">
  <label>Name <input name="name"></label>
  <label>Password <input name="password" type="password"></label>
  <label>Picture <input name="picture" type="file" multiple></label>
  <button>Buy</button>
</form>
<button id="hello" onclick="console.log('pressed', 1); this.textContent = confirm('Sure?') ? 'Yes' : 'No'">
  Hello</button>
<button id="bad" onclick="nothing.at.all">Bad</button>
<a href="more.html">More</a>
"""
THANKS = "<!doctype html><title>Thanks</title><h1>Thank you</h1><a href='shop.html'>Shop again</a>"


@pytest.fixture
def shop(surface: Surface, folder: str) -> Iterator[str]:
    """Write a small site and return the path of its page. Its tabs close after the test."""
    for name, text in {
        "shop.html": SHOP,
        "thanks.html": THANKS,
        "more.html": "<title>More</title>More",
    }.items():
        surface.call("file_write", path=f"{folder}/{name}", content=text)
    yield f"{folder}/shop.html"
    close_tabs(surface)


@pytest.fixture
def elsewhere(surface_dist: Path) -> Iterator[HtmlServer]:
    """Serve another origin, with pages that are independent of the surface."""
    with serving_html(surface_dist / "gemini-page.js") as server:
        yield server


def own_tab(surface: Surface) -> dict[str, Any]:
    """Return the tab that the agent's calls use."""
    [row] = [row for row in surface.call("browser_tabs") if "yours" in row]
    return row


def agree(person: Person, said: str) -> None:
    assert said in person.asked()
    person.click('button "Allow once"')


def test_an_agent_opens_reads_and_uses_a_page_that_it_wrote(surface: Surface, shop: str) -> None:
    opened = surface.call("browser_navigate", url=shop)
    assert opened["title"] == "Shop" and opened["url"].endswith(shop)

    name = ref_of(surface, '] "Name"')
    assert surface.call("browser_type", ref=name, text="Ada")["value"] == "Ada"
    answer = surface.call("browser_click", ref=ref_of(surface, '"Buy"'))

    assert answer["success"] and "name=Ada" in answer["url"] and answer["title"] == "Thanks"
    assert "Thank you" in surface.call("browser_get_text")["text"]


def test_pages_of_files_have_their_own_origin(surface: Surface, shop: str) -> None:
    opened = surface.call("browser_navigate", url=shop)
    assert not opened["url"].startswith(surface.url)


@pytest.mark.fortnightly
def test_back_forward_and_reload(surface: Surface, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    surface.call("browser_click", ref=ref_of(surface, '"More"'))
    assert own_tab(surface)["title"] == "More"

    surface.call("browser_tabs", action="back")
    assert own_tab(surface)["title"] == "Shop"
    surface.call("browser_tabs", action="forward")
    assert own_tab(surface)["title"] == "More"
    surface.call("file_write", path=shop.replace("shop", "more"), content="<title>Newer</title>")
    surface.call("browser_tabs", action="reload")
    assert own_tab(surface)["title"] == "Newer"


@pytest.mark.extended
def test_agents_read_several_tabs(surface: Surface, shop: str) -> None:
    first = surface.call("browser_navigate", url=shop)["tab"]
    surface.call("browser_tabs", action="open", url=shop.replace("shop", "thanks"))

    # A tab in the background has a layout, too.
    assert '"Buy"' in surface.call("browser_snapshot", tab=first)
    assert "Shop again" in surface.call("browser_snapshot")
    surface.call("browser_tabs", action="focus", tab=first)
    assert '"Buy"' in surface.call("browser_snapshot")
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_snapshot", tab="t99")
    assert failed.value.type == "TabMissing" and first in (failed.value.hint or "")


@pytest.mark.extended
def test_a_dialog_of_the_page_is_answered_and_reported(surface: Surface, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    answer = surface.call("browser_click", selector="#hello")
    assert answer["answered"] == [{"kind": "confirm", "message": "Sure?", "answer": False}]
    assert '"No"' in surface.call("browser_snapshot")


@pytest.mark.fortnightly
def test_the_page_s_messages_and_errors_can_be_read(surface: Surface, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    surface.call("browser_click", selector="#hello")
    log = surface.call("browser_console")
    assert [message["text"] for message in log["messages"]] == ["pressed 1"]

    surface.call("browser_click", selector="#bad")
    [message] = surface.call("browser_console", since=log["next"])["messages"]
    assert message["level"] == "error" and "nothing is not defined" in message["text"]


@pytest.mark.extended
def test_a_click_returns_even_if_the_next_document_loads_at_once(surface: Surface, shop: str) -> None:
    folder = shop.rpartition("/")[0]
    for here, there in (("a", "b"), ("b", "a")):
        text = f"<title>{here}</title><form action={there}.html><button>Go</button></form>"
        surface.call("file_write", path=f"{folder}/{here}.html", content=text)
    surface.call("browser_navigate", url=f"{folder}/a.html")
    for _ in range(5):
        for title in "ba":
            surface.call("browser_click", selector="button")
            assert own_tab(surface)["title"] == title


def test_a_password_is_typed_after_consent(surface: Surface, person: Person, start: Start, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    call = start("browser_type", selector="[name=password]", text="hunter2")
    assert "hunter2" not in person.sees("[role=alertdialog]")
    agree(person, "password")

    assert call.result()["value"] == "••••"
    surface.call("browser_click", ref=ref_of(surface, '"Buy"'))
    assert "password=hunter2" in own_tab(surface)["url"]
    calls = person.sees('group "Calls"')
    assert "browser_type" in calls and "hunter2" not in calls.replace("password=hunter2", "")


@pytest.mark.extended
def test_a_refused_password_is_not_typed(surface: Surface, person: Person, start: Start, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    call = start("browser_type", selector="[name=password]", text="hunter2")
    person.click('button "Refuse"')

    assert call.result()["error"]["type"] == "Refused"
    assert "value=" not in surface.call("browser_snapshot", scope="[name=password]")


@pytest.mark.fortnightly
def test_files_of_the_surface_are_put_into_a_file_input(surface: Surface, shop: str, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/a.txt", content="A")
    surface.call("file_write", path=f"{folder}/b.txt", content="B")
    surface.call("browser_navigate", url=shop)

    answer = surface.call("browser_type", selector="[name=picture]", text=f"{folder}/a.txt\n{folder}/b.txt")
    assert answer["value"] == "a.txt, b.txt"
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_type", selector="[name=picture]", text=f"{folder}/none.txt")
    assert failed.value.type == "FileMissing"


def test_javascript_runs_in_a_page_made_of_files_without_a_question(surface: Surface, shop: str) -> None:
    # It is confined. Elsewhere a question comes first (test_tab_contract.py).
    surface.call("browser_navigate", url=shop)
    code = "return document.forms.length + 41"
    assert surface.call("browser_execute_js", code=code) == {"result": 42}


def test_a_screenshot_shows_the_page(surface: Surface, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    shot = surface.call("browser_screenshot")
    assert shot["path"].startswith("/tmp/screenshots/Shop") and shot["width"] >= 1024

    picture = surface.python(f"import base64; base64.b64encode(open({shot['path']!r}, 'rb').read()).decode()")
    colors = surface.javascript(
        """const image = new Image();
        image.src = `data:image/png;base64,${arguments[0]}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        return new Set(new Uint32Array(data.buffer)).size;""",
        picture,
    )
    assert colors > 10


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/page.html", "another origin"),
        pytest.param("/tea.pdf", "another origin", marks=pytest.mark.extended),
        # No event says that the browser has blocked a download, so this takes 30 s.
        pytest.param("/attached/list.csv", "no page came", marks=pytest.mark.extended),
    ],
)
def test_another_origin_needs_consent_and_says_why_it_is_not_readable(
    surface: Surface,
    person: Person,
    start: Start,
    elsewhere: HtmlServer,
    shop: str,
    path: str,
    why: str,
) -> None:
    elsewhere.files["/page.html"] = "<!doctype html><title>Far</title><button>Far away</button>"
    elsewhere.files |= {"/tea.pdf": pdf([["Prices of tea"]]), "/attached/list.csv": "tea,7"}
    url = f"{elsewhere.url}{path}"
    call = start("browser_navigate", url=url)
    agree(person, url)

    opened = call.result()
    assert opened["readable"] is False and why in opened["why"]
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_snapshot")
    assert failed.value.type == "CrossOrigin" and "curl" in (failed.value.hint or "")


def test_another_origin_that_names_the_surface_can_be_read_and_used(
    surface: Surface, person: Person, start: Start, elsewhere: HtmlServer, shop: str
) -> None:
    origin = surface.url.rstrip("/")
    tag = SCRIPT.replace("<script", f'<script data-controllers="{origin}"')
    button = "<button onclick='this.textContent = 1'>Near</button>"
    elsewhere.files["/page.html"] = f"<!doctype html>{tag}<title>Friend</title>{button}"
    call = start("browser_navigate", url=f"{elsewhere.url}/page.html")
    agree(person, elsewhere.url)

    assert call.result()["title"] == "Friend"
    surface.call("browser_click", ref=ref_of(surface, '"Near"'))
    assert '"1"' in surface.call("browser_snapshot")


def test_the_snapshot_of_the_surface_leaves_out_its_panels(surface: Surface) -> None:
    surface.javascript(
        "const own = document.createElement('button'); own.id = 'own'; own.textContent = 'Of a script';"
        "own.onclick = () => own.remove(); document.body.append(own);"
    )
    shown = surface.call("browser_snapshot", tab="page")
    assert '"Of a script"' in shown and '"Watch the demo"' not in shown and "#dock" in shown

    assert '"Watch the demo"' in surface.call("browser_snapshot", tab="page", scope="#dock")
    surface.call("browser_tabs", action="focus", tab="page")
    surface.call("browser_click", selector="#own")
    assert '"Of a script"' not in surface.call("browser_snapshot")


@pytest.mark.extended
def test_resources_list_the_page_and_the_tabs(surface: Surface, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    show_tab(surface)
    page = json.loads(surface.python("await gemini.resources.read('dom://current-page')"))
    assert page["title"] == "Shop" and "Buy" in [element["name"] for element in page["elements"]]
    tabs = json.loads(surface.python("await gemini.resources.read('tabs://list')"))
    assert [row["title"] for row in tabs if row["active"]] == ["Shop"]


@pytest.mark.fortnightly
def test_a_script_uses_tabs_without_tools(surface: Surface, shop: str) -> None:
    text = surface.python(
        f"""
tab = await gemini.browser.navigate({shop!r})
await tab.type("Bob", selector="[name=name]")
await tab.click(selector="form button")
tab.url
"""
    )
    assert "name=Bob" in text


@pytest.mark.extended
def test_tabs_survive_the_kernel(surface: Surface, shop: str) -> None:
    surface.call("browser_navigate", url=shop)
    with contextlib.suppress(ToolCallFailed):
        surface.call("python_run", code="import os; os.abort()")
    surface.wait_until_ready()

    assert own_tab(surface)["title"] == "Shop"
    # Its links still work.
    surface.call("browser_click", ref=ref_of(surface, '"More"'))
    assert own_tab(surface)["title"] == "More"
