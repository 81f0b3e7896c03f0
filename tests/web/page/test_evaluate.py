"""Running JavaScript in a page."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage, PageThrew
from tests.web.page.conftest import OpenPage


def evaluate(page: HtmlPage, code: str) -> Any:
    return page.run("return await geminiPage.evaluate({ code: arguments[0] })", code)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("1 + 1", 2),
        ("{ a: [1, 'x', null] }", {"a": [1, "x", None]}),
        ("const x = await Promise.resolve(4); return x * 2", 8),
        ("await Promise.resolve(4) // a comment", 4),
        ("document.title", "Shop"),
        ("let x = 1", None),
        ("[NaN, -Infinity, 3n, undefined, () => 1]", ["NaN", "-Infinity", "3n", None, "() => 1"]),
        ("new Map([['a', new Set([1])]])", [["a", [1]]]),
        ("new Date(0)", "1970-01-01T00:00:00.000Z"),
        ("new Uint8Array([1, 2])", [1, 2]),
        ("const a = { n: 1 }; a.a = a; return a", {"n": 1, "a": "[object Object]"}),
        ("location", "http://127.0.0.1"),
        ("/x/", "[object RegExp]"),
    ],
)
def test_values_are_converted_to_json(open_page: OpenPage, code: str, value: Any) -> None:
    page = open_page("<title>Shop</title>")
    got = evaluate(page, code)
    if code == "location":
        assert value in str(got)
    else:
        assert got == value


def test_elements_are_returned_with_their_refs(open_page: OpenPage) -> None:
    page = open_page("<button id=buy>Buy</button>")
    ref = page.snapshot()["elements"][0]["ref"]
    assert evaluate(page, "[...document.querySelectorAll('button')]") == [
        {"ref": ref, "role": "button", "name": "Buy"}
    ]
    assert evaluate(page, "document.querySelectorAll('button')") == evaluate(page, "[buy]")


def test_an_exception_has_its_message_and_stack(open_page: OpenPage) -> None:
    page = open_page("")
    with pytest.raises(PageThrew) as thrown:
        evaluate(page, "null.x")
    assert thrown.value.error["type"] == "ScriptFailed"
    assert thrown.value.error["message"].startswith("TypeError: Cannot read properties of null")
    assert "TypeError" in thrown.value.error["data"]["stack"]
    with pytest.raises(PageThrew, match="ScriptFailed: The code threw no"):
        evaluate(page, "throw 'no'")


def test_invalid_javascript_is_rejected(open_page: OpenPage) -> None:
    with pytest.raises(PageThrew, match="InvalidArguments: The code isn't valid JavaScript"):
        evaluate(open_page(""), "return (")


def test_a_policy_may_forbid_code(open_page: OpenPage) -> None:
    # The page's own script calls evaluate, because the policy doesn't apply to the driver's code.
    page = open_page(
        "<meta http-equiv=content-security-policy content=\"script-src 'self' 'unsafe-inline'\">"
        "<script>asked = geminiPage.evaluate({ code: '1' })</script>"
    )
    with pytest.raises(PageThrew, match=r"Unsupported: .*CSP"):
        page.run("await asked")
