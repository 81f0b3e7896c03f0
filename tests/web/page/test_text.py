"""The text of a snapshot."""

from __future__ import annotations

import re

import pytest

from gemini_testing.html_page import PageThrew
from tests.web.page.conftest import OpenPage

ROWS = "".join(
    f"<li><b>Order {n}</b> paid<button>Open</button><button>Delete</button></li>" for n in range(200)
)


def test_the_text_has_a_header_and_positions(open_page: OpenPage) -> None:
    page = open_page("""<title>Shop</title><body style="margin:0;height:3000px">
        <nav aria-label=Main><a href=#>Home</a></nav><main><h1>Shoes</h1>
        <button style="position:absolute;left:10px;top:50px;width:80px;height:30px">Buy</button></main>""")
    page.run("scrollTo(0, 20)")
    lines = page.snapshot()["text"].splitlines()
    assert re.fullmatch(r'page "Shop" http://127\.0\.0\.1:\d+/page\.html', lines[0])
    assert lines[1] == "scroll 0,20; viewport 1400x900; page 3000 high"
    assert re.fullmatch(r'\[e\d+\] navigation "Main"', lines[2])
    assert re.fullmatch(r' \[e\d+\] link \[0,-20 \d+x\d+\] "Home"', lines[3])
    assert re.fullmatch(r"\[e\d+\] main", lines[4])
    assert lines[5] == " # Shoes"
    assert re.fullmatch(r' \[e\d+\] button \[10,30 80x30\] "Buy"', lines[6])


def test_rows_give_context_to_their_actions(open_page: OpenPage) -> None:
    text = open_page(f"<ul>{ROWS}</ul>").snapshot(max_chars=100_000)["text"]
    assert re.search(
        r'\[e\d+\] listitem "Order 7 paid"\n \[e\d+\] button \[.*\] "Open"\n \[e\d+\] button', text
    )


def test_cards_without_roles_are_rows_too(open_page: OpenPage) -> None:
    cards = "".join(
        f"<div class=card><h3>Shoe {n}</h3><p>€{n}</p><button>Add</button></div>" for n in (1, 2, 3)
    )
    text = open_page(cards).snapshot()["text"]
    assert re.search(r'\[e\d+\] card "Shoe 2 €2"\n \[e\d+\] button .* "Add"', text)


def test_a_long_page_is_cut_with_a_hint(open_page: OpenPage) -> None:
    page = open_page(f"<form><input title=Search><button>Go</button></form><main><ul>{ROWS}</ul></main>")
    snapshot = page.snapshot()
    assert len(snapshot["text"]) <= 4_000
    assert len(snapshot["elements"]) == 402
    assert '"Search"' in snapshot["text"] and '"Go"' in snapshot["text"]
    found = re.search(r"(\d+) elements were cut to fit max_chars. .*scope=(e\d+)", snapshot["text"])
    assert found
    assert int(found[1]) + snapshot["text"].count("button [") + snapshot["text"].count("textbox [") == 402
    assert page.snapshot(scope=found[2])["elements"]
    enough = re.search(r"max_chars=(\d+)", snapshot["text"])
    assert enough
    assert "were cut" not in page.snapshot(max_chars=int(enough[1]))["text"]


def test_a_long_article_keeps_its_headings(open_page: OpenPage) -> None:
    sections = "".join(f"<h2>Part {n}</h2><p>Text {n}</p><p><a href=#>Note {n}</a>" for n in range(20))
    text = open_page(f"<article>{sections}</article>").snapshot()["text"]
    assert re.search(r'\[e\d+\] article\n ## Part 0\n \[e\d+\] link .* "Note 0"\n ## Part 1\n', text)


def test_a_page_without_actions_says_so(open_page: OpenPage) -> None:
    assert "Nothing here can be acted on" in open_page("<p>Text").snapshot()["text"]


@pytest.mark.parametrize("most", [0, -1, 1.5, "many"])
def test_an_invalid_max_chars_is_rejected(open_page: OpenPage, most: object) -> None:
    page = open_page("")
    with pytest.raises(PageThrew, match="InvalidArguments: max_chars"):
        page.snapshot(max_chars=most)


def test_the_list_can_be_omitted(open_page: OpenPage) -> None:
    snapshot = open_page("<button>Save</button>").snapshot(elements=False)
    assert snapshot["elements"] == []
    assert '"Save"' in snapshot["text"]
