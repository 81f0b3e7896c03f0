"""Pages whose fields and images have the names of properties, which hides these of their form and document."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage
from tests.web.page.acting import act
from tests.web.page.conftest import OpenPage
from tests.web.page.test_screenshot import difference, take, visible

# Names all properties of forms and documents, except one that the test's own driver needs.
NAMED = """
const keys = (object) => object === Object.prototype ? [] : [...Object.getOwnPropertyNames(object), ...keys(Object.getPrototypeOf(object))];
const named = (tag, prototype) => keys(prototype).map((key) => `<${tag} name="${key}">`).join("");
document.querySelector("#of-forms").innerHTML = named("input type=hidden", HTMLFormElement.prototype);
document.querySelector("#of-documents").innerHTML = named("img hidden", Document.prototype);
"""
FORM = """<title>Shop</title><h1>Shop</h1>
<form aria-label=Order tabindex=0 action=/elsewhere method=get onclick="presses++" style="background: #def; padding: 8px">
<span id=of-forms hidden></span><span id=of-documents hidden></span>
<label>Name <input name=customer></label> <label><input type=checkbox name=gift> A gift</label>
<table><tr><th>Item</th></tr><tr><td>Cup</td></tr></table>
<p>Pay later.</p><button type=button onclick="presses += 10">Buy</button></form><script>presses = 0</script>"""


def opened(open_page: OpenPage) -> tuple[HtmlPage, dict[str, Any]]:
    """Return the page with names, and its snapshot without them."""
    page = open_page(FORM)
    plain = page.snapshot()
    page.run(NAMED)
    assert page.run("return typeof document.querySelector") == "object"
    return page, plain


def test_named_fields_and_images_do_not_change_a_snapshot(open_page: OpenPage) -> None:
    page, plain = opened(open_page)
    assert [entry["name"] for entry in plain["elements"]] == ["Order", "Name", "A gift", "Buy"]
    assert page.snapshot() == plain


@pytest.mark.extended
def test_named_fields_and_images_do_not_change_actions(open_page: OpenPage) -> None:
    page, plain = opened(open_page)
    form, name, gift, buy = [entry["ref"] for entry in plain["elements"]]
    act(page, "type", ref=name, text="Ann")
    act(page, "click", ref=gift)
    act(page, "hover", ref=form)
    act(page, "scroll", ref=form, direction="down")
    act(page, "drag", ref=buy, dx=4, dy=0)
    presses = page.run("return presses")
    act(page, "click", ref=buy)
    assert page.run("return presses") == presses + 11
    act(page, "pressKey", key="Tab")
    entries = page.snapshot(scope=form)["elements"]
    assert [entry.get("value") for entry in entries if entry["role"] == "textbox"] == ["Ann"]


@pytest.mark.extended
def test_named_fields_and_images_do_not_change_what_is_read(open_page: OpenPage) -> None:
    page, plain = opened(open_page)
    form = plain["elements"][0]["ref"]
    assert act(page, "find", text="later")["matches"][0]["text"] == "Pay later."
    assert "Pay later." in act(page, "text")["text"]
    assert act(page, "table", ref=form)["rows"] == [["Cup"]]
    assert act(page, "about")["title"] == "Shop"


@pytest.mark.extended
def test_a_screenshot_shows_a_form_with_named_fields_and_images(open_page: OpenPage) -> None:
    page = open_page(FORM)
    theirs = visible(page)
    page.run(NAMED)
    assert difference(page, take(page), theirs) < 1
