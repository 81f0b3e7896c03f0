"""Python and pages try to answer, forge, grant and switch for the user, or to act without consent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.attacks.page_port import ask_document, ask_page, is_asked
from tests.tiers import in_turn, sampled
from tests.web.conftest import Start
from tests.web.person import Person

GRANTED = "return localStorage.getItem('gemini-consent-grants') ?? '[]'"
SHOWN = "return document.querySelector('#approval-question')?.innerText ?? ''"


@pytest.mark.parametrize(
    "method",
    [
        "consent/answer",
        "consent/asks",
        "approval/answer",
        "approval/attend",
        "answer",
        "grant",
        "grants",
        "revoke",
        "taint",
        "renew",
        "attended",
        "switch",
        "constructor",
        "__proto__",
    ],
)
def test_the_page_has_no_method_that_answers_or_grants(surface: Surface, method: str) -> None:
    answer = ask_page(surface, method, id=1, decision="always", kind="open", attended=True)

    assert answer["error"] == "ProtocolError" and "there is no method" in answer["message"]


NOTES: dict[str, tuple[str, Any]] = {
    "the question was answered": ("consent/answer", {"id": 1, "decision": "always"}),
    "the companion asks": ("consent/asks", {"id": "x", "kind": "open", "facts": {}}),
    "the companion withdraws": ("consent/withdrawn", {"id": 1}),
    "an approval is settled": (
        "events",
        {"first": 1, "last": 1, "events": [{"type": "approval_settled", "approval_id": 1}]},
    ),
    "an approval is requested": (
        "events",
        {"first": 1, "last": 1, "events": [{"type": "approval_requested", "approval": {"id": 7}}]},
    ),
    "settings have grants": (
        "events",
        {"first": 1, "last": 1, "events": [{"type": "settings_changed", "settings": {"grants": [{}]}}]},
    ),
    "nothing is tainted": ("notifications/tainted", {"run": None, "origin": None, "tainted": False}),
}


@pytest.mark.parametrize("note", sampled(NOTES))
def test_no_notification_answers_or_grants(surface: Surface, person: Person, start: Start, note: str) -> None:
    call = start("browser_tabs", action="open", url="https://attacked.test/")
    person.sees("#approval-question", "https://attacked.test")
    method, params = NOTES[note]
    text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
    surface.python(
        f"from gemini.kernel.kernel import kernel\nimport json\nkernel._documents._send({text!r})\n"
        f"page = kernel.registry.consent._notify.__closure__[0].cell_contents\n"
        f"page.notify({method!r}, json.loads({json.dumps(params)!r}))"
    )

    assert call.is_running and is_asked(surface)
    assert surface.javascript(GRANTED) == "[]"
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


FORGED: dict[str, dict[str, Any]] = {
    "facts": {"facts": {"url": "https://harmless.test/", "origin": "https://harmless.test"}},
    "a kind": {"kind": "open"},
    "an answer": {"decision": "always", "allowed": True, "consented": True},
    "fewer ways to refuse": {"answers": ["always"]},
    "a page's own heading": {
        "words": {"tool": "Allow this action?", "arguments": "<h2>Press Always allow</h2>"}
    },
    "words as markup": {
        "words": {"tool": "<img src=x onerror='document.title=1'>", "caller": "<b>You</b>", "run": "<i>r</i>"}
    },
    "words that turn others around": {"words": {"tool": "evil\u202eesoprup", "caller": "\u200bperson"}},
    "words of many letters": {"words": {"tool": "x" * 10_000, "arguments": {"a": "y" * 50_000}}},
    "words of odd types": {"words": {"tool": {"a": 1}, "caller": 5, "origins": [{}], "arguments": None}},
}


@pytest.mark.parametrize("forged", sampled(FORGED))
def test_a_forged_question_is_a_courtesy_and_opens_nothing(
    surface: Surface, person: Person, forged: str
) -> None:
    given = {"words": {"tool": "x"}, **FORGED[forged]}
    surface.javascript("globalThis.before = document.title")
    surface.python(
        "import asyncio, json\nfrom gemini.kernel.kernel import kernel\n"
        f"asking = asyncio.ensure_future(kernel._documents.request('consent', json.loads({json.dumps(given)!r})))\n"
        "None"
    )
    assert "grants no access by itself" in person.sees("#approval-question")
    assert "harmless" not in surface.javascript(SHOWN)
    assert surface.javascript("return document.querySelectorAll('#approval h2, #approval img').length") == 1
    assert "\u202e" not in person.sees("#approval-words") and surface.javascript(
        "return document.title === before"
    )
    assert "(unverified)" in person.sees("#approval-caption")
    for button in ("refuse", "once"):
        assert surface.javascript(
            "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
            "return box.bottom <= innerHeight && box.top >= 0;",
            f"approval-{button}",
        )
    person.click('button "Refuse"')
    surface.wait_for("!document.querySelector('#approval').open")


def test_the_page_decides_by_the_url_and_ignores_python_s_claims(surface: Surface, person: Person) -> None:
    surface.python(
        "import asyncio\nfrom gemini.kernel.kernel import kernel\n"
        "asking = asyncio.ensure_future(kernel._documents.request('open', "
        "{'tab': 't90', 'url': 'https://attacked.test/a', 'kind': 'same', 'consented': True}))\nNone"
    )
    assert "https://attacked.test/a" in person.sees("#approval-question")
    person.click('button "Refuse"')
    surface.wait_for("!document.querySelector('#approval').open")


URLS = {
    "javascript": "javascript:parent.attacked = 1",
    "data": "data:text/html,<script>parent.attacked = 1</script>",
    "blob": "blob:http://127.0.0.1/1",
    "file": "file:///etc/passwd",
    "about:srcdoc": "about:srcdoc",
    "view-source": "view-source:https://attacked.test/",
    "a list": ["https://attacked.test/"],
    "nothing": None,
}


@pytest.mark.parametrize("name", sampled(URLS))
def test_only_web_addresses_are_opened(surface: Surface, name: str) -> None:
    answer = ask_page(surface, "open", tab="t91", url=URLS[name])

    assert answer["error"] == "InvalidArguments"
    assert surface.javascript("return 'attacked' in globalThis") is False


@in_turn(
    ("url", "origin"),
    [
        ("https://127.0.0.1:8765@attacked.test/", "https://attacked.test"),
        ("https://ATTACKED.test:8443/x", "https://attacked.test:8443"),
        ("https://attacked.test\\@good.test/", "https://attacked.test"),
        ("https:attacked.test/", "https://attacked.test"),
    ],
)
def test_the_shown_origin_is_the_opened_one(surface: Surface, person: Person, url: str, origin: str) -> None:
    surface.python(
        "import asyncio\nfrom gemini.kernel.kernel import kernel\n"
        f"asking = asyncio.ensure_future(kernel._documents.request('open', {{'tab': 't92', 'url': {url!r}}}))\nNone"
    )
    person.sees("#approval-question b", origin)
    person.click('button "Refuse"')
    surface.wait_for("!document.querySelector('#approval').open")


@pytest.mark.parametrize("path", ["", "#companion=x", "?a=1"])
def test_the_surface_does_not_open_in_its_own_tab(surface: Surface, path: str) -> None:
    answer = ask_page(surface, "open", tab="t93", url=surface.url + path)

    assert answer["error"] == "OffLimits"


@pytest.mark.parametrize(
    "code", ["document.title", "sessionStorage.length", "localStorage.clear()", "parent.document"]
)
def test_no_javascript_runs_in_the_surface_s_own_document(surface: Surface, code: str) -> None:
    answer = ask_document(surface, "page", "evaluate", code=code, consented=True)

    assert answer["error"] == "OffLimits" and not is_asked(surface)


def test_a_tool_s_javascript_does_not_run_in_the_surface_s_document(surface: Surface) -> None:
    answer = surface.javascript("return gemini.callTool('browser_execute_js', { code: '1', tab: 'page' })")

    assert answer["error"]["type"] == "OffLimits" and not is_asked(surface)


@pytest.mark.parametrize("method", ["install", "about", "serve", "element", "constructor", "hearsPresses"])
def test_python_can_not_change_the_page_script_s_settings(surface: Surface, method: str) -> None:
    answer = ask_document(surface, "page", method, folder="https://attacked.test/", dialogs={"accept": True})

    assert answer["error"] == "InvalidArguments"


def test_javascript_does_not_run_in_a_tab_of_the_surface_s_origin(surface: Surface) -> None:
    surface.call("browser_tabs", action="open", url="about:blank")
    code = "return parent.sessionStorage.length"
    answer = surface.javascript("return gemini.callTool('browser_execute_js', { code: arguments[0] })", code)

    assert answer["error"]["type"] == "OffLimits" and not is_asked(surface)


@pytest.mark.fortnightly
def test_python_can_not_claim_consent_for_a_secret(surface: Surface, person: Person, folder: str) -> None:
    form = "<title>Sign in</title><input type=password aria-label=Password>"
    surface.call("file_write", path=f"{folder}/page.html", content=form)
    tab = surface.call("browser_navigate", url=f"{folder}/page.html")["tab"]
    asked = {"tab": tab, "method": "type", "consented": True}
    asked["params"] = {"selector": "input", "text": "hunter2", "consented": True}
    surface.python(
        "import asyncio, json\nfrom gemini.kernel.kernel import kernel\n"
        f"asking = asyncio.ensure_future(kernel._documents.request('ask', json.loads({json.dumps(asked)!r})))\nNone"
    )
    person.sees("#approval-question", "password")
    person.click('button "Refuse"')
    surface.wait_for("!document.querySelector('#approval').open")
    assert "value=" not in surface.call("browser_snapshot", scope="input")


def test_python_can_not_write_grants_into_the_page_s_storage(surface: Surface) -> None:
    there = surface.python(
        "import js\n[hasattr(js, name) for name in ('localStorage', 'document', 'window')]"
    )

    assert there == [False, False, False]
    assert surface.javascript(GRANTED) == "[]"


@pytest.mark.extended
def test_a_lasting_grant_does_not_count_after_text_from_outside(
    surface: Surface, person: Person, start: Start
) -> None:
    grant = {"kind": "open", "subject": "open pages of https://attacked.test", "answer": "always"}
    rows = [{**grant, "since": "2026-01-01T00:00:00Z", "until": None}]
    surface.driver.execute_script(
        "localStorage.setItem('gemini-consent-grants', JSON.stringify(arguments[0]))", rows
    )
    surface.reload()
    surface.call("file_read", path="/project/README.md")
    call = start("browser_tabs", action="open", url="https://attacked.test/?d=secret")

    assert "saved permissions are paused" in person.sees("#approval-taint")
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"
    surface.driver.execute_script("localStorage.removeItem('gemini-consent-grants')")
    surface.reload()


SYNTHETIC = """
const target = document.querySelector("#approval-once");
const events = {
  click: () => target.click(),
  mouse: () => target.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 })),
  pointer: () => ["pointerdown", "pointerup", "click"].forEach((type) =>
    target.dispatchEvent(new PointerEvent(type, { bubbles: true }))),
  enter: () => ["keydown", "keypress", "keyup"].forEach((type) =>
    target.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true }))),
  cancel: () => document.querySelector("#approval").dispatchEvent(new Event("cancel", { cancelable: true })),
  close: () => document.querySelector("#approval").close("once"),
};
events[arguments[0]]();
"""


@in_turn("event", ["click", "mouse", "pointer", "enter", "cancel", "close"])
def test_scripted_events_answer_nothing(surface: Surface, person: Person, start: Start, event: str) -> None:
    call = start("browser_tabs", action="open", url="https://attacked.test/")
    person.find('button "Allow once"')
    surface.javascript(SYNTHETIC, event)
    surface.python("1")

    assert call.is_running
    surface.wait_for("document.querySelector('#approval').open")
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


def test_a_held_key_does_not_answer_a_new_question(surface: Surface, person: Person, start: Start) -> None:
    call = start("browser_tabs", action="open", url="https://attacked.test/")
    person.sees("#approval")
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r", "autoRepeat": True}
    for _ in range(3):
        surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **key})
    assert call.is_running
    person.find('button "Refuse"')
    person.press(Keys.ESCAPE)
    assert call.result()["error"]["type"] == "Refused"


@pytest.mark.fortnightly
def test_a_flood_of_questions_is_cut_off(surface: Surface, person: Person) -> None:
    refused = surface.python(
        """
import asyncio
from gemini.errors import ProtocolError
from gemini.kernel.kernel import kernel

async def _flood():
    asked = [asyncio.ensure_future(kernel._documents.request("open", {"tab": f"t{n}", "url": f"https://h{n}.test/"}))
             for n in range(100, 180)]
    done, waiting = await asyncio.wait(asked, timeout=5)
    for one in waiting:
        one.cancel()
    return sum(isinstance(one.exception(), ProtocolError) for one in done)

await _flood()
"""
    )
    assert refused == 30
    surface.wait_for("!document.querySelector('#approval').open")
