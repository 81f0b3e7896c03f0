"""Refs, targets and changes."""

from __future__ import annotations

import pytest

from gemini_testing.html_page import HtmlPage, PageThrew
from tests.web.page.conftest import OpenPage


def refs(page: HtmlPage, **options: object) -> dict[str, str]:
    return {entry["name"]: entry["ref"] for entry in page.snapshot(**options)["elements"]}


def test_a_ref_stays_with_its_element_and_is_never_reused(open_page: OpenPage) -> None:
    page = open_page("<main><button>A</button><button>B</button></main><button>C</button>")
    before = refs(page)
    page.run("document.querySelector('button').remove(); document.querySelector('main').prepend('x')")
    page.run("document.body.append(Object.assign(document.createElement('button'), { textContent: 'D' }))")
    after = refs(page)
    assert after["B"] == before["B"] and after["C"] == before["C"]
    assert after["D"] not in before.values()
    assert refs(page, scope="main") == {"B": before["B"]}
    assert refs(page) == after


def test_changed_only_lists_changes(open_page: OpenPage) -> None:
    page = open_page("<button>A</button><button>B</button><input title=C>")
    before = refs(page)
    page.run("""
        const [a, b] = document.querySelectorAll("button");
        a.remove();
        b.setAttribute("aria-pressed", "true");
        document.body.append(Object.assign(document.createElement("a"), { href: "#", textContent: "D" }));
    """)
    changed = page.snapshot(changed_only=True)
    assert [entry["name"] for entry in changed["elements"]] == ["B", "D"]
    assert changed["gone"] == [before["A"]]
    assert f"gone: {before['A']}" in changed["text"]
    assert "pressed" in changed["text"]
    assert "Nothing changed" in page.snapshot(changed_only=True)["text"]


def test_a_stale_ref_suggests_the_most_similar_element(open_page: OpenPage) -> None:
    page = open_page("<button>Save file</button><button>Close</button>")
    ref = refs(page)["Save file"]
    page.run("document.querySelector('button').outerHTML = '<button>Save file now</button>'")
    with pytest.raises(PageThrew) as caught:
        page.run("return geminiPage.element(arguments[0])", ref)
    assert caught.value.error["type"] == "StaleRef"
    assert caught.value.error["data"]["match"]["name"] == "Save file now"
    # The search hasn't consumed the changes.
    assert "Save file now" in page.snapshot(changed_only=True)["text"]


def test_an_unknown_ref_is_not_found(open_page: OpenPage) -> None:
    page = open_page("<button>Save</button>")
    with pytest.raises(PageThrew, match="NotFound: There is no ref"):
        page.run("return geminiPage.element('e99')")


def test_a_scope_without_match_suggests_similar_elements(open_page: OpenPage) -> None:
    page = open_page("<button>Save draft</button><button>Print</button>")
    with pytest.raises(PageThrew) as caught:
        page.snapshot(scope="#save-draft")
    assert caught.value.error["type"] == "NotFound"
    assert [one["name"] for one in caught.value.error["data"]["candidates"]] == ["Save draft"]


@pytest.mark.parametrize(("scope", "kind"), [("::", "InvalidArguments"), ("#closed", "NotFound")])
def test_an_invalid_scope_fails(open_page: OpenPage, scope: str, kind: str) -> None:
    page = open_page("<div id=closed hidden><button>Save</button></div>")
    with pytest.raises(PageThrew, match=kind):
        page.snapshot(scope=scope)


def test_selectors_reach_into_shadow_roots_and_frames(open_page: OpenPage) -> None:
    page = open_page("<div id=host></div><iframe srcdoc='<p id=inner><button>In frame</button>'></iframe>")
    page.run(
        """host.attachShadow({ mode: "open" }).innerHTML = "<p class=deep><button>In shadow</button></p>" """
    )
    assert list(refs(page, scope=".deep")) == ["In shadow"]
    assert list(refs(page, scope="#inner")) == ["In frame"]
