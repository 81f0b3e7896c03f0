"""Answers about a text that was typed: the field's value now, and the problem with it."""

from __future__ import annotations

import pytest

from gemini_testing.html_page import PageThrew
from tests.tiers import in_turn
from tests.web.page.acting import act, refused
from tests.web.page.conftest import OpenPage


def test_the_value_is_that_of_the_field_that_is_in_the_page_now(open_page: OpenPage) -> None:
    page = open_page(
        "<div id=box><input id=f name=mail></div><script>"
        "box.addEventListener('input', ({target}) => { const { value } = target;"
        "box.innerHTML = '<input id=f name=mail>'; const now = box.firstChild; now.value = value; now.focus();"
        "now.setSelectionRange(value.length, value.length) })</script>"
    )
    answer = act(page, "type", selector="#f", text="new@x.org")
    assert (answer["success"], answer["value"]) == (True, "new@x.org")


def test_a_text_that_was_cut_is_no_success(open_page: OpenPage) -> None:
    page = open_page("<input maxlength=10>")
    answer = act(page, "type", selector="input", text="abcdefghijklm")
    assert (answer["success"], answer["value"]) == (False, "abcdefghij")
    assert answer["note"] == "Only 10 of 13 characters are in the field, which takes at most 10."


@in_turn(
    ("html", "text", "said"),
    [
        ("<input type=date min=2026-01-01 max=2026-12-31>", "2030-01-01", "2026"),
        ("<input type=date min=2026-01-01>", "2020-01-01", "2026"),
        ("<input type=time max=12:00>", "13:00", "12:00"),
        ("<input type=number max=5>", "9", "5"),
        ("<input type=month min=2026-05>", "2026-01", "2026"),
        ("<input type=number min=0 step=5>", "7", "5"),
    ],
)
def test_a_value_out_of_range_is_no_success(html: str, text: str, said: str, open_page: OpenPage) -> None:
    answer = act(open_page(html), "type", selector="input", text=text)
    assert (answer["success"], answer["value"]) == (False, text)
    assert "invalid" in answer["note"]


@in_turn(
    ("html", "text"),
    [
        ("<input pattern='[0-9]+'>", "abc"),
        ("<input type=email>", "no-mail"),
        ("<input type=url>", "no address"),
        ("<input minlength=5>", "abc"),
        ("<textarea minlength=5></textarea>", "abc"),
    ],
)
def test_a_text_that_the_field_calls_invalid_is_no_success(html: str, text: str, open_page: OpenPage) -> None:
    answer = act(open_page(html), "type", selector="input, textarea", text=text)
    assert (answer["success"], answer["value"]) == (False, text)
    assert "invalid" in answer["note"]


@pytest.mark.parametrize(
    ("html", "value"),
    [
        ("<input id=f><script>f.oninput = () => { f.value = f.value.replace(/\\D/g, '') }</script>", "1234"),
        (
            "<div id=f contenteditable></div><script>f.oninput = () => "
            "{ if (f.textContent.length > 3) f.textContent = f.textContent.slice(-3) }</script>",
            None,
        ),
    ],
)
def test_a_text_that_lost_letters_is_no_success(html: str, value: str | None, open_page: OpenPage) -> None:
    answer = act(open_page(html), "type", selector="#f", text="12ab34")
    assert answer["success"] is False and value in (None, answer["value"])
    assert answer["note"] == f'The field has "{answer["value"]}" instead of the text.'


def test_a_date_in_range_is_a_success(open_page: OpenPage) -> None:
    page = open_page("<input type=date min=2026-01-01 max=2026-12-31><input type=datetime-local>")
    assert act(page, "type", selector="input", text="2026-07-04")["success"]
    for text in ("2026-07-04T12:30", "2026-07-04 12:30"):
        answer = act(page, "type", selector="[type=datetime-local]", text=text)
        assert (answer["success"], answer["value"]) == (True, "2026-07-04T12:30")


def test_a_format_that_is_not_accepted_names_the_right_one(open_page: OpenPage) -> None:
    page = open_page(
        "<input type=date><input id=t placeholder=YYYY-MM-DD value=2026-01-01>"
        "<script>t.onchange = t.oninput = () => { t.value = '2026-01-01' }</script>"
    )
    assert "2026-11-22" in refused(page, "type", selector="[type=date]", text="4 July 2026")["hint"]
    error = refused(page, "type", selector="#t", text="4 July")
    assert error["type"] == "Unsupported" and "It expects YYYY-MM-DD." in error["hint"]


@pytest.mark.parametrize("delay", ["queueMicrotask(back)", "setTimeout(back, 20)"])
@pytest.mark.parametrize("before", ["keep", ""])
def test_an_editor_that_takes_the_text_back_is_said(before: str, delay: str, open_page: OpenPage) -> None:
    page = open_page(
        f"<div id=e contenteditable>{before}</div><script>const back = () => {{ e.textContent = '{before}' }};"
        f"e.oninput = () => {delay}</script>"
    )
    error = refused(page, "type", selector="#e", text="other")
    assert error["type"] == "Unsupported" and "didn't accept" in error["message"]


def test_a_field_that_hands_its_text_on_succeeds(open_page: OpenPage) -> None:
    page = open_page(
        "<input id=i><ul id=u></ul><script>i.oninput = () => { if (!i.value.endsWith(',')) return;"
        "u.innerHTML += `<li>${i.value}</li>`; i.value = '' }</script>"
    )
    answer = act(page, "type", selector="#i", text="tag,")
    assert answer["success"] is False or answer["value"] == ""


def test_a_formatted_text_is_a_success(open_page: OpenPage) -> None:
    page = open_page("<input id=i value=1,000><script>i.onchange = i.oninput = () => { i.value = "
                     "Number(i.value.replaceAll(',', '')).toLocaleString('en') }</script>")  # fmt: skip
    answer = act(page, "type", selector="#i", text="1000")
    assert (answer["success"], answer["value"]) == (True, "1,000")


def test_a_ref_that_no_snapshot_has_fails_at_once(open_page: OpenPage) -> None:
    page = open_page("<button>Save</button>")
    started = page.run("return performance.now()")
    for action in ("click", "type", "select", "hover"):
        with pytest.raises(PageThrew) as thrown:
            act(page, action, ref="e999", text="x", option="x")
        assert thrown.value.error["type"] == "NotFound"
    assert page.run("return performance.now()") - started < 4_000


SCROLLERS = (
    "<style>html, body {height: 100%; margin: 0; overflow: hidden}</style>"
    "<div id=log aria-label=Log style='height: 200.5px; overflow: auto'><div style='height: 1000.3px'><a href=#>a</a></div></div>"
)


def test_inner_boxes_that_scroll_are_named_with_what_follows(open_page: OpenPage) -> None:
    page = open_page(SCROLLERS)
    assert "inner boxes that scroll: [" in page.snapshot()["text"]
    assert '] <div id="log"> "Log" 800 px more below' in page.snapshot()["text"].replace("799", "800")
    nothing = act(page, "scroll", direction="down")
    assert "The page can't scroll down; inner boxes can: [" in nothing["note"]
    assert 'id="log"' in nothing["note"]
    end = act(page, "scroll", direction="down", amount=5_000, selector="#log")
    assert end["at_end"] is True
    assert '] <div id="log"> "Log" at its end' in page.snapshot()["text"]
    assert "note" not in act(page, "scroll", direction="up", selector="#log")


BOX = "<div id=b style='width: 300px; height: 100px; {}'><div style='width: {}px; height: {}px; flex: none'>x</div></div>"


@in_turn(
    ("html", "said"),
    [
        (BOX.format("overflow: auto", 2000, 10), '<div id="b"> "x" 1700 px more to the right'),
        (
            BOX.format("overflow: scroll; scrollbar-width: none", 2000, 900),
            "800 px more below, 1700 px more to the right",
        ),
        (
            BOX.format("overflow: auto; display: flex; flex-direction: column-reverse", 9, 900),
            "at its end, 800 px above",
        ),
        (
            f"<div><template shadowrootmode=open>{BOX.format('overflow: auto', 9, 900)}</template></div>",
            "800 px more below",
        ),
        (
            "<iframe srcdoc='<p style=\"height: 900px; margin: 0\">x' style='height: 100px'>",
            "the document of <iframe>",
        ),
        ("<div style='height: 30px; overflow: auto'><p style='height: 900px'>x</div>" * 8, ", 3 more"),
    ],
)
def test_boxes_of_all_kinds_are_named(html: str, said: str, open_page: OpenPage) -> None:
    text = open_page(f"<style>body {{margin: 0; height: 100vh; overflow: hidden}}</style>{html}").snapshot()[
        "text"
    ]
    assert "inner boxes that scroll: [" in text and said in text


def test_a_box_that_is_hidden_or_has_no_more_is_not_named(open_page: OpenPage) -> None:
    page = open_page(f"{BOX.format('overflow: hidden', 900, 900)}{BOX.format('overflow: scroll', 9, 9)}")
    assert "scrollers" not in page.snapshot()


def test_a_list_from_its_end_scrolls_up(open_page: OpenPage) -> None:
    page = open_page(BOX.format("overflow: auto; display: flex; flex-direction: column-reverse", 9, 900))
    assert act(page, "scroll", direction="down", selector="#b")["at_end"] is True
    assert act(page, "scroll", direction="up", selector="#b", amount=100)["moved"]["y"] == -100


@pytest.mark.extended
def test_boxes_in_boxes_and_those_that_scroll_sideways_are_named(open_page: OpenPage) -> None:
    page = open_page(
        "<style>html, body {height: 100%; margin: 0; overflow: hidden}</style>"
        "<main id=outer aria-label=Outer style='height: 300px; overflow: auto'><div style='height: 900px'>"
        "<ul id=inner aria-label=Inner style='height: 100px; overflow-y: scroll; margin: 0'>"
        + "<li><button>x</button></li>" * 40
        + "</ul></div></main>"
    )
    text = page.snapshot()["text"]
    assert '"Outer" 600 px more below' in text and '"Inner"' in text
    act(page, "scroll", direction="down", amount=100, selector="#inner")
    assert page.run("return [inner.scrollTop, outer.scrollTop]") == [100, 0]
