"""The page script's record of console messages and errors."""

from __future__ import annotations

from typing import Any

from gemini_testing.html_page import HtmlPage
from tests.web.page.conftest import OpenPage

# The script tag of a controlled document, which records from the start.
RECORDING = "<script src='/gemini-page.js' data-controllers='https://example.org'></script>"


def messages(page: HtmlPage, **options: Any) -> list[dict[str, Any]]:
    return page.run("return geminiPage.console(arguments[0])", options)["messages"]


def logged(page: HtmlPage) -> list[tuple[str, str]]:
    return [(each["level"], each["text"]) for each in messages(page)]


def test_messages_are_formatted_as_in_developer_tools(open_page: OpenPage) -> None:
    page = open_page(
        f"""{RECORDING}<script>
        console.log("hello %s, %d of %o%c!", "Zoë", 3.7, {{ a: 1 }}, "color: red", "more");
        console.info([1, 2], null, undefined, 10n, Symbol("s"));
        console.warn(document.createElement("p"));
        const round = {{}}; round.round = round;
        console.debug(round);
        console.error(new TypeError("wrong"));
        </script>""",
        script=False,
    )
    assert logged(page) == [
        ("log", 'hello Zoë, 3 of {"a":1}! more'),
        ("info", "[1,2] null undefined 10n Symbol(s)"),
        ("warn", "<p>"),
        ("debug", "[object Object]"),
        ("error", "TypeError: wrong"),
    ]
    assert messages(page)[0]["source"] == f"{page.server.url}/page.html:2"
    assert messages(page)[0]["time"].startswith("20")


def test_uncaught_errors_are_recorded(open_page: OpenPage) -> None:
    page = open_page(
        f"""{RECORDING}<meta http-equiv=content-security-policy content="img-src 'none'">
        <script>Promise.reject(new Error("later"));
        seen = new Promise((resolve) => addEventListener("unhandledrejection", () => setTimeout(resolve, 50)));</script>
        <script>nothing.there;</script>
        <script src="/none.js"></script><img src="/none.png">""",
        script=False,
    )
    page.run("await seen")
    texts = [text for level, text in logged(page) if level == "error"]
    assert len(texts) == len(logged(page))
    assert any("nothing is not defined" in text for text in texts)
    assert "Uncaught (in promise) Error: later" in texts
    assert any(text.endswith(f"from http://127.0.0.1:{page.server.server_port}/none.js") for text in texts)
    assert any("img-src" in text and "none.png" in text for text in texts)


def test_messages_still_reach_the_browsers_console(open_page: OpenPage) -> None:
    page = open_page(RECORDING, script=False)
    page.driver.get_log("browser")
    page.run("console.error('for both')")
    assert any("for both" in entry["message"] for entry in page.driver.get_log("browser"))
    assert page.run("return [console.log.name, String(console.log).includes('native')]") == ["log", True]


def test_the_log_is_limited(open_page: OpenPage) -> None:
    page = open_page(RECORDING, script=False)
    page.run("for (let at = 0; at < 250; at++) console.log(at); console.log('x'.repeat(5000))")
    every = messages(page)
    assert len(every) == 200
    assert len(every[-1]["text"]) == 2000
    following = page.run("return geminiPage.console().next")
    assert following == 251
    page.run("console.log('new')")
    assert [each["text"] for each in messages(page, since=following)] == ["new"]
    assert messages(page, since=None, clear=True)
    assert messages(page) == []


def test_an_uncontrolled_page_is_not_recorded(open_page: OpenPage) -> None:
    page = open_page("<script>console.log('before')</script>")
    assert logged(page) == []
    page.run("geminiPage.install({}); console.log('after')")
    assert logged(page) == [("log", "after")]
