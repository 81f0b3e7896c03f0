"""Snapshots omit the surface's own panels unless a caller requests one."""

from __future__ import annotations

import pytest

from gemini_testing.html_page import HtmlPage
from tests.web.page.conftest import OpenPage

PAGE = """<h1>App</h1><button id=own>Of the app</button>
<div id=panel data-gemini-panel><button id=inner>Of the surface</button></div>
<gemini-corner data-gemini-panel></gemini-corner>
<script>
document.querySelector("gemini-corner").attachShadow({ mode: "open" }).innerHTML = "<button>In the corner</button>";
</script>"""


@pytest.fixture
def page(open_page: OpenPage) -> HtmlPage:
    return open_page(PAGE)


def names(page: HtmlPage, **options: object) -> list[str]:
    return [element["name"] for element in page.snapshot(**options)["elements"]]


def test_panels_are_omitted_and_listed(page: HtmlPage) -> None:
    shown = page.snapshot()
    assert names(page) == ["Of the app"]
    assert shown["panels"] == "#panel, gemini-corner"
    assert "#panel, gemini-corner" in shown["text"].splitlines()[2]


@pytest.mark.parametrize(
    ("scope", "name"), [("#panel", "Of the surface"), ("gemini-corner", "In the corner")]
)
def test_a_requested_panel_is_shown(page: HtmlPage, scope: str, name: str) -> None:
    assert names(page, scope=scope) == [name]
    assert "panels" not in page.snapshot(scope=scope)


def test_a_page_without_panels_lists_none(open_page: OpenPage) -> None:
    assert "panels" not in open_page("<button>One</button>").snapshot()


def test_a_peek_does_not_consume_changes(page: HtmlPage) -> None:
    page.snapshot()
    page.run("own.textContent = 'Changed'")
    assert names(page, peek=True) == ["Changed"]
    assert names(page, changed_only=True) == ["Changed"]
    assert names(page, changed_only=True) == []
