"""Actions: their effects, results and errors."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from gemini_testing.html_page import SCRIPT, PageThrew
from tests.tiers import in_turn
from tests.web.page.acting import act, refused
from tests.web.page.conftest import OpenPage


def test_secret_fields_need_consent(open_page: OpenPage) -> None:
    page = open_page(
        "<input id=a type=password><input id=b autocomplete='section-x cc-number'><input id=c autocomplete=one-time-code>"
        "<input id=d name=cvc><p id=e contenteditable style='-webkit-text-security: disc'>x</p>"
    )
    for selector in ("#a", "#b", "#c", "#d", "#e"):
        assert refused(page, "type", selector=selector, text="1234")["type"] == "ConsentNeeded"
    page.run("a.focus()")
    assert refused(page, "pressKey", key="x")["type"] == "ConsentNeeded"
    result = act(page, "type", selector="#a", text="1234", consented=True)
    assert page.run("return a.value") == "1234"
    assert "1234" not in json.dumps(result)


def test_a_key_that_moves_the_focus_has_an_effect(open_page: OpenPage) -> None:
    page = open_page("<button id=a>One</button><button id=b>Two</button>")
    # After the last one, Tab leaves the page.
    for focused in ("a", "b", ""):
        assert act(page, "pressKey", key="Tab")["success"] is True
        assert page.run("return document.activeElement.id") == focused
    assert act(page, "pressKey", key="F9")["success"] is False
    # A press focuses a button without a use, too.
    assert act(page, "click", selector="#a")["success"] is False


@pytest.mark.parametrize(
    ("action", "options"),
    [("click", {}), ("drag", {"dx": 1}), ("select", {"option": "x"}), ("type", {"files": []})],
)
def test_each_press_that_leads_to_another_origin_needs_consent(
    open_page: OpenPage, action: str, options: dict[str, Any]
) -> None:
    page = open_page("<form action=http://other.example/><button id=a>Go</button></form>")
    page.run("addEventListener('submit', (event) => event.preventDefault())")
    assert refused(page, action, selector="#a", **options)["type"] == "ConsentNeeded"


@in_turn(
    ("field", "text", "form"),
    [
        ("type=date", "22.11.2026", "2026-11-22"),
        ("type=time", "2pm", "14:30"),
        ("type=month", "November", "2026-11"),
        ("type=week", "47", "2026-W47"),
        ("type=datetime-local", "now", "2026-11-22T14:30"),
        ("type=color", "reddish", "#1a2b3c"),
        ("type=range max=10", "11", "from 0 to 10"),
        ("type=number", "many", "12.5"),
    ],
)
def test_an_invalid_value_is_rejected_with_the_expected_format(
    open_page: OpenPage, field: str, text: str, form: str
) -> None:
    page = open_page(f"<input id=a {field}>")
    before = page.run("return a.value")
    error = refused(page, "type", selector="#a", text=text)
    assert error["type"] == "InvalidArguments"
    assert form in error["hint"]
    assert page.run("return a.value") == before


@in_turn(
    ("kind", "value"),
    [("date", "2026-11-22"), ("time", "14:30"), ("month", "2026-11"), ("week", "2026-W47"), ("color", "#1a2b3c"),
     ("datetime-local", "2026-11-22T14:30"), ("range", "70")],
)  # fmt: skip
def test_a_date_or_other_composite_value_is_set_at_once(open_page: OpenPage, kind: str, value: str) -> None:
    page = open_page(
        f"<input id=a type={kind}><script>events = []; a.oninput = a.onchange = ({{type}}) => events.push(type)</script>"
    )
    assert act(page, "type", selector="#a", text=value)["value"] == value
    assert page.run("return events.slice(-2)") == ["input", "change"]


def test_typing_into_other_elements_is_unsupported(open_page: OpenPage) -> None:
    page = open_page("<button id=a>Go</button><select id=b><option>x</select>")
    assert refused(page, "type", selector="#a", text="x")["type"] == "Unsupported"
    assert "select" in refused(page, "type", selector="#b", text="x")["hint"]


def test_files_are_set_on_a_file_input(open_page: OpenPage) -> None:
    page = open_page("<label id=l>Files <input id=a type=file multiple style='display: none'></label>")
    files = [
        {"name": f"{n}.txt", "type": "text/plain", "data": base64.b64encode(b"hello").decode()} for n in "ab"
    ]
    page.run("a.onchange = async () => { text = await a.files[1].text() }")
    assert act(page, "type", selector="#l", files=files)["value"] == "a.txt, b.txt"
    assert page.run("return text") == "hello"
    assert refused(page, "click", selector="#l")["type"] == "Unsupported"
    assert (
        refused(page, "type", selector="#a", files=[{"name": "x", "data": "?"}])["type"] == "InvalidArguments"
    )


def test_the_result_describes_the_changes(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a onclick='setTimeout(() => d.showModal(), 10); p.textContent = 1; location.hash = 1'>Open</button>"
        "<p id=p></p><dialog id=d aria-label=Settings><input id=i></dialog>"
    )
    result = act(page, "click", selector="#a")
    assert result["url"].endswith("#1")
    assert [(one["role"], one["name"]) for one in result["dialogs"]] == [("dialog", "Settings")]
    assert page.run("return geminiPage.element(arguments[0]).id", result["focus"]) == "i"
    assert result["changed"] >= 2


def test_a_click_that_leaves_the_page_returns_the_destination(open_page: OpenPage) -> None:
    # In a frame, because the driver's scripts end with their document.
    link = f"{SCRIPT}<a id=a href='/next.html'>Next</a>"
    page = open_page("<iframe src=/link.html></iframe>", files={"/link.html": link, "/next.html": "<p>next"})
    result = page.run(
        "return document.querySelector('iframe').contentWindow.geminiPage.click({ selector: '#a' })"
    )
    assert result["navigates_to"].endswith("/next.html")


@pytest.mark.extended
def test_a_click_that_has_the_document_written_again_succeeds(open_page: OpenPage) -> None:
    page = open_page("<button onclick=\"document.open('/again')\">Again</button>")
    assert act(page, "click", selector="button")["focus"] is None


def test_invalid_fields_are_in_the_result(open_page: OpenPage) -> None:
    page = open_page("<form><input id=a required aria-label=Name><button id=b>Send</button></form>")
    [invalid] = act(page, "click", selector="#b")["invalid"]
    assert invalid["name"] == "Name"
    assert invalid["message"]


def test_dialogs_are_answered_by_policy(open_page: OpenPage) -> None:
    page = open_page(
        '<button id=a onclick=\'answers = [alert("Hi"), confirm("Sure?"), prompt("Who?", "me")]\'>Ask</button>'
    )
    page.run("geminiPage.install({ dialogs: {} })")
    result = act(page, "click", selector="#a")
    assert result["answered"] == [
        {"kind": "alert", "message": "Hi", "answer": True},
        {"kind": "confirm", "message": "Sure?", "answer": False},
        {"kind": "prompt", "message": "Who?", "answer": None},
    ]
    page.run("geminiPage.install({ dialogs: { accept: true, text: 'you' } })")
    act(page, "click", selector="#a")
    assert page.run("return answers.slice(1)") == [True, "you"]


def test_dialogs_of_frames_are_answered(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=f srcdoc='<button id=a onclick=\"top.sure = confirm(1)\">Ask</button>'></iframe>"
    )
    page.run("geminiPage.install({ dialogs: { accept: true } })")
    [answered] = act(page, "click", selector="#a")["answered"]
    assert (answered["kind"], answered["answer"]) == ("confirm", True)
    assert page.run("return sure")


def test_a_null_policy_restores_dialogs(open_page: OpenPage) -> None:
    page = open_page("<script>confirm = () => 'asked the user'</script>")
    page.run("geminiPage.install({ dialogs: {} })")
    assert page.run("return confirm('Sure?')") is False
    page.run("geminiPage.install({ dialogs: null })")
    assert page.run("return confirm('Sure?')") == "asked the user"


def test_keys_for_a_frame_of_another_origin_are_refused(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=a src='OTHER/inner.html'></iframe>", files={"/inner.html": "<input autofocus>"}
    )
    page.run("a.focus()")
    assert refused(page, "pressKey", key="x")["type"] == "CrossOrigin"


def test_dialogs_are_native_without_a_policy(open_page: OpenPage) -> None:
    assert open_page("").run("return String(confirm)").count("[native code]") == 1


LATE = {
    "a timer": "setTimeout(say, 120)",
    "timers in a row": "setTimeout(() => setTimeout(say, 60), 60)",
    "a request": "fetch('/slow.html').then((answer) => answer.text()).then(say)",
    "a request whose body is late": "fetch('/late.html').then((answer) => answer.text()).then(say)",
    "an old request": "const r = new XMLHttpRequest(); r.onload = say; r.open('GET', '/slow.html'); r.send()",
}


@in_turn("late", LATE)
def test_an_action_waits_for_its_timers_and_requests(open_page: OpenPage, late: str) -> None:
    page = open_page(
        "<button id=a>Go</button><p id=p>-</p><script>"
        f"const say = () => (p.textContent = 'done'); a.onclick = () => {{ {LATE[late]} }};</script>",
        files={"/slow.html": "slow", "/late.html": "late"},
    )
    assert act(page, "click", selector="#a")["changed"] == 1
    assert page.run("return p.textContent") == "done"


def test_pending_work_is_in_the_result(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a>Go</button><script>a.onclick = function turn() { setTimeout(turn, 100); }</script>"
    )
    assert act(page, "click", selector="#a")["pending"] == 1


def test_long_timers_and_earlier_timers_do_not_delay_an_action(open_page: OpenPage) -> None:
    page = open_page("<button id=a onclick='setTimeout(() => {}, 5000)'>Go</button>")
    page.run("(function turn() { setTimeout(turn, 20); })()")
    took = page.run(
        "const start = performance.now(); await geminiPage.click({ selector: '#a' }); return performance.now() - start"
    )
    assert took < 400


def test_the_mouse_leaves_and_enters_elements(open_page: OpenPage) -> None:
    page = open_page(
        "<div id=o><button id=a>a</button></div><button id=b>b</button><script>events = [];"
        "for (const one of [o, a, b]) for (const end of ['over', 'enter', 'move', 'out', 'leave']) for (const start of ['pointer', 'mouse'])"
        " one.addEventListener(start + end, ({ type, target, currentTarget }) => target === currentTarget && events.push(type + ' ' + target.id));"
        "</script>"
    )
    act(page, "hover", selector="#a")
    entered = page.run("return events.splice(0)")
    assert entered == [
        "pointerover a", "pointerenter o", "pointerenter a", "mouseover a", "mouseenter o", "mouseenter a", "pointermove a", "mousemove a",
    ]  # fmt: skip
    act(page, "hover", selector="#b")
    assert page.run("return events") == [
        "pointerout a", "pointerleave a", "pointerleave o", "pointerover b", "pointerenter b",
        "mouseout a", "mouseleave a", "mouseleave o", "mouseover b", "mouseenter b", "pointermove b", "mousemove b",
    ]  # fmt: skip


def test_a_rejected_drop_fails(open_page: OpenPage) -> None:
    page = open_page("<div id=a draggable=true>one</div><p id=b>here</p>")
    assert refused(page, "drag", selector="#a", to="#b")["type"] == "Unsupported"


def test_a_missing_option_is_reported_with_the_existing_ones(open_page: OpenPage) -> None:
    page = open_page("<select id=a><option>Red<option disabled>Blue</select>")
    error = refused(page, "select", selector="#a", option="Green")
    assert error["type"] == "NotFound"
    assert error["data"]["options"] == ["Red", "Blue"]
    assert refused(page, "select", selector="#a", option="Blue")["type"] == "Disabled"


def test_an_option_that_stays_unselected_fails(open_page: OpenPage) -> None:
    page = open_page("<div role=listbox id=a><div role=option aria-selected=false>x</div></div>")
    assert refused(page, "select", selector="#a", option="x")["type"] == "Unsupported"


def test_scrolling_returns_the_distance(open_page: OpenPage) -> None:
    page = open_page(
        "<div id=a style='height: 100px; overflow: auto'><div style='height: 350px'>tall</div></div>"
    )
    result = act(page, "scroll", selector="#a", direction="down", amount=200)
    assert (result["scroll_y"], result["at_end"]) == (200, False)
    result = act(page, "scroll", selector="#a", direction="down", amount=200)
    assert (result["scroll_y"], result["moved"]["y"], result["at_end"]) == (250, 50, True)
    assert refused(page, "scroll", direction="sideways")["type"] == "InvalidArguments"


def test_waiting_for_text(open_page: OpenPage) -> None:
    page = open_page("<p id=a>Loading <b>now</b></p>")
    page.run("setTimeout(() => (a.innerHTML = 'All <b>done</b>'), 200)")
    assert act(page, "waitFor", text="all done", gone="Loading now")["waited_s"] >= 0.1
    with pytest.raises(PageThrew, match="TimedOut"):
        act(page, "waitFor", text="never", seconds=0.1)
    assert act(page, "waitFor", seconds=0.1)["waited_s"] >= 0.1
    with pytest.raises(PageThrew, match="InvalidArguments"):
        act(page, "waitFor")


@in_turn("key", ["", "Ctl+a", "Control+Nothing", "a+b"])
def test_an_unknown_key_is_in_the_error(open_page: OpenPage, key: str) -> None:
    error = refused(open_page(""), "pressKey", key=key)
    assert error["type"] == "InvalidArguments"
    assert json.dumps(key) in error["message"]


def test_focus_events_are_dispatched_in_a_background_window(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=f srcdoc='<input id=a><input id=b>'></iframe>",
    )
    page.run("if (!f.contentWindow.a) await new Promise((done) => (f.onload = done))")
    page.run(
        "events = []; const { a, b } = f.contentWindow;"
        "for (const one of [a, b]) { for (const type of ['focus', 'blur', 'change']) one.addEventListener(type, () => events.push(type + ' ' + one.id));"
        # As in a background window: the focus moves without events.
        " for (const name of ['focus', 'blur']) { const own = one[name]; one[name] = function (...given) {"
        " const stop = (event) => event.isTrusted && event.stopImmediatePropagation();"
        " for (const type of ['focus', 'blur', 'focusin', 'focusout', 'change']) f.contentWindow.addEventListener(type, stop, true);"
        " try { own.apply(this, given); } finally {"
        " for (const type of ['focus', 'blur', 'focusin', 'focusout', 'change']) f.contentWindow.removeEventListener(type, stop, true); } }; } }"
    )
    act(page, "type", selector="#a", text="x")
    act(page, "click", selector="#b")
    assert page.run("return events") == ["focus a", "change a", "blur a", "focus b"]


def test_clicking_a_native_list_is_unsupported(open_page: OpenPage) -> None:
    page = open_page("<select id=a><option id=o>x</select>")
    assert "select" in refused(page, "click", selector="#a")["hint"]
    assert "select" in refused(page, "click", selector="#o")["hint"]


def test_typing_into_a_field_that_prevents_it_fails(open_page: OpenPage) -> None:
    page = open_page("<input id=a onbeforeinput='event.preventDefault()'>")
    assert refused(page, "type", selector="#a", text="x")["type"] == "Unsupported"


def test_a_key_goes_to_the_target(open_page: OpenPage) -> None:
    page = open_page("<input id=a value=1><button id=b onclick='clicked = true'>b</button>")
    act(page, "pressKey", selector="#b", key="Enter")
    assert page.run("return clicked")


def test_text_is_copied_cut_and_pasted(open_page: OpenPage) -> None:
    page = open_page("<input id=a value=words><div id=b contenteditable></div>")
    act(page, "pressKey", selector="#a", key="Control+a")
    act(page, "pressKey", key="Control+x")
    act(page, "pressKey", selector="#b", key="Control+v")
    assert page.run("return [a.value, b.textContent]") == ["", "words"]
