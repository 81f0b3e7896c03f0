"""A page's text as Markdown."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage, PageThrew
from tests.web.page.conftest import OpenPage

WORDS = "The quick brown fox jumps over the lazy dog, and then it does so once more in the evening. "


def text(page: HtmlPage, **options: Any) -> dict[str, Any]:
    return page.run("return await geminiPage.text(arguments[0])", options)


def test_a_page_becomes_markdown(open_page: OpenPage) -> None:
    page = open_page(
        """<title>Shop</title><h1>Shop</h1><p>Buy <b>now</b>, or <a href="/later?a=b">later</a>.</p>
        <ul><li>one<li>two</ul><pre><code>x = 1\n\ny = 2</code></pre>
        <img alt="A shoe" src="/shoe.png"><img src="/blank.png"><s>old</s>"""
    )
    answer = text(page)
    assert answer["text"] == (
        f"# Shop\n\nBuy **now**, or [later]({page.server.url}/later?a=b).\n\n-   one\n-   two\n\n"
        f"```\nx = 1\n\ny = 2\n```\n\n![A shoe]({page.server.url}/shoe.png)~~old~~"
    )
    assert {**answer, "text": ""} == {
        "text": "",
        "title": "Shop",
        "kind": "page",
        "truncated": False,
        "total_chars": len(answer["text"]),
    }


def test_tables_use_github_markdown(open_page: OpenPage) -> None:
    page = open_page(
        """<table style="border: 1px"><tr><th>Name<th>Price</tr>
        <tr><td>Shoe | red<td><ul><li>10<li>12</ul></tr><tr><td><p>Hat</p><td><pre><code>7</code></pre></tr></table>"""
    )
    rows = [" ".join(line.split()) for line in text(page)["text"].splitlines()]
    assert rows == ["| Name | Price |", "| --- | --- |", "| Shoe \\| red | 10 12 |", "| Hat | `7` |"]


def test_hidden_and_non_text_content_is_omitted(open_page: OpenPage) -> None:
    page = open_page(
        """<p hidden>hidden</p><p style="display: none">none</p><p aria-hidden=true>aria</p>
        <p style="visibility: hidden">invisible <b style="visibility: visible">but this</b></p>
        <details><summary>More</summary>closed</details><div style="display: contents"><p>contents</p></div>
        <input value="typed"><textarea>written</textarea><select><option>chosen</select><button>Press</button>
        <script>code</script><style>p {}</style><noscript>without</noscript><template><p>template</p></template>
        <svg><text>drawn</text></svg><a href="javascript:void 0">does</a>"""
    )
    markdown = text(page)["text"]
    for word in ("hidden", "none", "aria", "invisible", "closed", "typed", "written", "chosen", "code"):
        assert word not in markdown
    for word in ("without", "template", "drawn", "void"):
        assert word not in markdown
    for word in ("but this", "More", "contents", "Press", "does"):
        assert word in markdown


def test_shadow_roots_slots_and_frames_are_included(open_page: OpenPage) -> None:
    page = open_page(
        """<x-card><b slot=name>Ann</b>rest</x-card><iframe src="/inner.html"></iframe><iframe src="OTHER/inner.html"></iframe>
        <script>class Card extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: "open" }).innerHTML = "<h2>Card of <slot name=name>nobody</slot></h2><p><slot></slot>"; } }
        customElements.define("x-card", Card);
        loaded = new Promise((resolve) => addEventListener("load", resolve));</script>""",
        files={"/inner.html": "<!doctype html><p>Inner <a href=there.html>frame</a>"},
    )
    page.run("await loaded")
    assert text(page)["text"] == (
        f"## Card of **Ann**\n\nrest\n\nInner [frame]({page.server.url}/there.html)"
    )


def test_an_article_is_extracted_from_its_page(open_page: OpenPage) -> None:
    article = "".join(f"<h2>Part {part}</h2><p>{WORDS * 6}</p>" for part in range(4))
    page = open_page(
        f"<title>Foxes - Site</title><nav><a href=/a>Home</a><a href=/b>Imprint</a></nav>"
        f"<main><article><h1>Foxes</h1>{article}<p>See <a href=/c>dogs</a> {WORDS}</p></article></main>"
        "<footer class=footer>Copyright</footer>"
    )
    answer = text(page)
    assert answer["kind"] == "article"
    assert "Imprint" not in answer["text"]
    assert "## Part 3" in answer["text"]
    assert f"[dogs]({page.server.url}/c)" in answer["text"]


def long_page(open_page: OpenPage) -> HtmlPage:
    parts = "".join(
        f"<h2>Chapter {part}</h2><div>{WORDS}</div><div>Number {part} is "
        f"{'about the price of shoes' if part == 30 else 'something else'}.</div>"
        for part in range(60)
    )
    return open_page(f"<h1>Book</h1>{parts}")


def test_a_long_text_is_cut_after_a_paragraph(open_page: OpenPage) -> None:
    page = long_page(open_page)
    answer = text(page, max_chars=1000)
    assert answer["truncated"]
    assert answer["total_chars"] > 8000
    assert 600 < len(answer["text"]) <= 1000
    assert answer["text"].startswith("# Book\n\n## Chapter 0\n\nThe quick")
    paragraph, mark = answer["text"].split("\n\n")[-2:]
    assert mark == "[…]"
    assert paragraph.endswith((".", "Chapter 3"))


def test_an_instruction_selects_relevant_paragraphs(open_page: OpenPage) -> None:
    page = long_page(open_page)
    answer = text(page, max_chars=600, instruction="What is the pricing? Prices of a shoe")
    assert len(answer["text"]) <= 600
    assert "Number 30 is about the price of shoes." in answer["text"]
    before, _, after = answer["text"].partition("## Chapter 30")
    assert before.endswith("[…]\n\n")
    assert "# Book" in before
    assert after


def test_a_long_paragraph_is_cut_at_a_word(open_page: OpenPage) -> None:
    answer = text(open_page(f"<div>{WORDS * 20}</div>"), max_chars=300)
    assert len(answer["text"]) <= 300
    assert answer["text"].endswith("…\n\n[…]")


def test_very_deep_pages_are_read(open_page: OpenPage) -> None:
    page = open_page("")
    page.run(
        "let at = document.body; for (let depth = 0; depth < 600; depth++) at = at.appendChild(document.createElement('div'));"
        "at.textContent = 'at the bottom'"
    )
    assert text(page)["text"] == "at the bottom"


def test_an_empty_page_has_no_text(open_page: OpenPage) -> None:
    assert text(open_page(""))["text"] == ""


def test_max_chars_must_be_a_large_enough_integer(open_page: OpenPage) -> None:
    page = open_page("")
    for wrong in (10, "many", 1000.5):
        with pytest.raises(PageThrew, match="InvalidArguments: max_chars"):
            text(page, max_chars=wrong)
    assert text(page, max_chars=None, instruction=None)["truncated"] is False


def test_a_policy_may_forbid_loading_the_text_part(open_page: OpenPage) -> None:
    page = open_page(
        "<script src='/gemini-page.js'></script><script>folder = document.scripts[0].src</script>"
        "<meta http-equiv=content-security-policy content=\"script-src 'none'\">",
        script=False,
    )
    with pytest.raises(PageThrew, match=r"Unsupported: gemini-page-text\.js could not be loaded"):
        text(page)
