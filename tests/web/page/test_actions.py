"""What actions tell, and what they refuse."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage, PageThrew
from tests.web.page.conftest import OpenPage


def act(page: HtmlPage, action: str, **options: Any) -> dict[str, Any]:
    return page.run("return await geminiPage[arguments[0]](arguments[1])", action, options)


def refused(page: HtmlPage, action: str, **options: Any) -> dict[str, Any]:
    with pytest.raises(PageThrew) as thrown:
        act(page, action, timeout=0.2, **options)
    return thrown.value.error


def test_a_covered_button_is_not_clicked(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a onclick='clicked = true'>Buy</button>"
        "<div id=cover role=dialog aria-label='Cookies' style='position: fixed; inset: 0; background: #fff'></div>"
    )
    error = refused(page, "click", selector="#a")
    assert error["type"] == "Covered"
    assert error["data"]["by"]["role"] == "dialog"
    assert error["data"]["by"]["name"] == "Cookies"
    assert page.run("return geminiPage.element(arguments[0]).id", error["data"]["by"]["ref"]) == "cover"
    assert not page.run("return 'clicked' in globalThis")


def test_a_partly_covered_button_is_clicked_where_it_is_free(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a style='width: 200px' onclick='clicked = true'>Buy</button>"
        "<div style='position: fixed; left: 60px; top: 0; width: 100px; height: 99px; background: #fff'></div>"
    )
    act(page, "click", selector="#a")
    assert page.run("return clicked")


def test_a_button_is_waited_for_until_it_is_free(open_page: OpenPage) -> None:
    page = open_page("<button id=a disabled onclick='clicked = true'>Buy</button>")
    page.run("setTimeout(() => (a.disabled = false), 150)")
    act(page, "click", selector="#a")
    assert page.run("return clicked")


def test_an_element_that_comes_later_is_waited_for(open_page: OpenPage) -> None:
    page = open_page("")
    page.run("setTimeout(() => (document.body.innerHTML = '<button id=a>Buy</button>'), 150)")
    assert act(page, "click", selector="#a")["success"]


@pytest.mark.parametrize(
    "html",
    [
        "<button id=a disabled>Buy</button>",
        "<div role=group aria-disabled=true><span id=a role=button>Buy</span></div>",
        "<fieldset disabled><button id=a>Buy</button></fieldset>",
    ],
)
def test_a_disabled_control_is_refused(open_page: OpenPage, html: str) -> None:
    assert refused(open_page(html), "click", selector="#a")["type"] == "Disabled"


def test_a_read_only_field_is_refused(open_page: OpenPage) -> None:
    page = open_page("<input id=a value=1 readonly>")
    assert refused(page, "type", selector="#a", text="2")["type"] == "Disabled"
    assert page.run("return a.value") == "1"


@pytest.mark.parametrize(
    "style",
    ["display: none", "visibility: hidden", "width: 0; height: 0; overflow: hidden; border: 0; padding: 0"],
)
def test_a_hidden_element_is_refused(open_page: OpenPage, style: str) -> None:
    page = open_page(f"<button id=a style='{style}'></button>")
    assert refused(page, "click", selector="#a")["type"] == "Hidden"


def test_an_element_that_has_gone_is_stale(open_page: OpenPage) -> None:
    page = open_page("<button id=a>Buy</button>")
    [entry] = page.snapshot()["elements"]
    page.run("a.outerHTML = '<button id=b>Buy</button>'")
    error = refused(page, "click", ref=entry["ref"])
    assert error["type"] == "StaleRef"
    assert error["data"]["match"]["name"] == "Buy"


def test_a_moving_element_is_clicked_when_it_rests(open_page: OpenPage) -> None:
    page = open_page(
        "<style>@keyframes go { to { translate: 300px } } #a { animation: go 0.4s linear forwards }</style>"
        "<button id=a onclick='left = a.getBoundingClientRect().left'>Buy</button>"
    )
    act(page, "click", selector="#a")
    assert page.run("return left") > 300


def test_one_that_never_rests_is_told(open_page: OpenPage) -> None:
    page = open_page(
        "<style>@keyframes go { to { translate: 300px } } #a { animation: go 1s linear infinite alternate }</style>"
        "<button id=a>Buy</button>"
    )
    error = refused(page, "click", selector="#a")
    assert error["type"] == "TimedOut"
    assert "moving" in error["message"]


def test_what_is_out_of_view_is_scrolled_to(open_page: OpenPage) -> None:
    page = open_page(
        "<div style='height: 300px; overflow: auto'><div style='height: 2000px'></div>"
        "<button id=a onclick='clicked = true'>Buy</button></div><div style='height: 3000px'></div>"
    )
    act(page, "click", selector="#a")
    assert page.run("return clicked")


def test_a_frame_of_another_origin_is_told(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=a src='OTHER/inner.html'></iframe>", files={"/inner.html": "<button>in</button>"}
    )
    error = refused(page, "click", selector="#a")
    assert error["type"] == "CrossOrigin"
    assert error["hint"]


def test_a_click_in_frames_and_shadow_roots_lands(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=f style='margin: 50px; border: 7px solid' srcdoc=\"<div id=h></div><script>"
        "h.attachShadow({ mode: 'open' }).innerHTML = '<button id=in>in</button>';"
        "h.shadowRoot.querySelector('button').onclick = (event) => (top.at = [event.offsetX, event.offsetY, event.clientX]);"
        '</script>"></iframe>'
    )
    page.run(
        "if (f.contentDocument.readyState !== 'complete' || !f.contentWindow.h) await new Promise((done) => (f.onload = done))"
    )
    act(page, "click", selector="#in")
    x, y, _ = page.run("return at")
    assert 5 < x < 60
    assert 2 < y < 30


def test_a_password_asks_first(open_page: OpenPage) -> None:
    page = open_page(
        "<input id=a type=password><input id=b autocomplete='section-x cc-number'><input id=c autocomplete=one-time-code>"
    )
    for selector in ("#a", "#b", "#c"):
        assert refused(page, "type", selector=selector, text="1234")["type"] == "ConsentNeeded"
    page.run("a.focus()")
    assert refused(page, "pressKey", key="x")["type"] == "ConsentNeeded"
    told = act(page, "type", selector="#a", text="1234", consented=True)
    assert page.run("return a.value") == "1234"
    assert "1234" not in json.dumps(told)


@pytest.mark.parametrize(
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
def test_a_value_that_does_not_fit_is_answered_with_its_form(
    open_page: OpenPage, field: str, text: str, form: str
) -> None:
    page = open_page(f"<input id=a {field}>")
    before = page.run("return a.value")
    error = refused(page, "type", selector="#a", text=text)
    assert error["type"] == "InvalidArguments"
    assert form in error["hint"]
    assert page.run("return a.value") == before


@pytest.mark.parametrize(
    ("kind", "value"),
    [("date", "2026-11-22"), ("time", "14:30"), ("month", "2026-11"), ("week", "2026-W47"), ("color", "#1a2b3c"),
     ("datetime-local", "2026-11-22T14:30"), ("range", "70")],
)  # fmt: skip
def test_a_value_is_given_as_a_whole(open_page: OpenPage, kind: str, value: str) -> None:
    page = open_page(
        f"<input id=a type={kind}><script>heard = []; a.oninput = a.onchange = ({{type}}) => heard.push(type)</script>"
    )
    assert act(page, "type", selector="#a", text=value)["value"] == value
    assert page.run("return heard.slice(-2)") == ["input", "change"]


def test_what_takes_no_text_says_so(open_page: OpenPage) -> None:
    page = open_page("<button id=a>Go</button><select id=b><option>x</select>")
    assert refused(page, "type", selector="#a", text="x")["type"] == "Unsupported"
    assert "select" in refused(page, "type", selector="#b", text="x")["hint"]


def test_files_are_given_to_a_file_input(open_page: OpenPage) -> None:
    page = open_page("<label id=l>Files <input id=a type=file multiple style='display: none'></label>")
    files = [
        {"name": f"{n}.txt", "type": "text/plain", "data": base64.b64encode(b"hello").decode()} for n in "ab"
    ]
    page.run("a.onchange = async () => { text = await a.files[1].text() }")
    assert act(page, "type", selector="#l", files=files)["value"] == "a.txt, b.txt"
    assert page.run("return text") == "hello"
    assert (
        refused(page, "type", selector="#a", files=[{"name": "x", "data": "?"}])["type"] == "InvalidArguments"
    )


def test_the_result_tells_what_changed(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a onclick='setTimeout(() => d.showModal(), 10); p.textContent = 1; location.hash = 1'>Open</button>"
        "<p id=p></p><dialog id=d aria-label=Settings><input id=i></dialog>"
    )
    told = act(page, "click", selector="#a")
    assert told["url"].endswith("#1")
    assert [(one["role"], one["name"]) for one in told["dialogs"]] == [("dialog", "Settings")]
    assert page.run("return geminiPage.element(arguments[0]).id", told["focus"]) == "i"
    assert told["changed"] >= 2


def test_a_click_that_leaves_the_page_says_where_to(open_page: OpenPage) -> None:
    page = open_page("<a id=a href='/next.html'>Next</a>", files={"/next.html": "<p>next"})
    told = act(page, "click", selector="#a")
    assert told["navigates_to"].endswith("/next.html")


def test_an_invalid_form_is_told(open_page: OpenPage) -> None:
    page = open_page("<form><input id=a required aria-label=Name><button id=b>Send</button></form>")
    [invalid] = act(page, "click", selector="#b")["invalid"]
    assert invalid["name"] == "Name"
    assert invalid["message"]


def test_dialogs_are_answered_by_policy(open_page: OpenPage) -> None:
    page = open_page(
        '<button id=a onclick=\'answers = [alert("Hi"), confirm("Sure?"), prompt("Who?", "me")]\'>Ask</button>'
    )
    page.run("geminiPage.install({ dialogs: {} })")
    told = act(page, "click", selector="#a")
    assert told["answered"] == [
        {"kind": "alert", "message": "Hi", "answer": True},
        {"kind": "confirm", "message": "Sure?", "answer": False},
        {"kind": "prompt", "message": "Who?", "answer": None},
    ]
    page.run("geminiPage.install({ dialogs: { accept: true, text: 'you' } })")
    act(page, "click", selector="#a")
    assert page.run("return answers.slice(1)") == [True, "you"]


def test_dialogs_are_the_browsers_unless_asked(open_page: OpenPage) -> None:
    assert open_page("").run("return String(confirm)").count("[native code]") == 1


CANCEL = """
const { port1, port2 } = new MessageChannel();
geminiPage.serve(port2);
const answer = new Promise((resolve) => (port1.onmessage = (event) => resolve(JSON.parse(event.data))));
port1.postMessage(JSON.stringify({ id: 7, method: "click", params: { selector: "#a" } }));
port1.postMessage(JSON.stringify({ method: "notifications/cancelled", params: { requestId: 7 } }));
return await answer;
"""


def test_waiting_is_cancelled_over_the_port(open_page: OpenPage) -> None:
    page = open_page("<button id=a disabled>Buy</button>")
    assert page.run(CANCEL)["error"]["data"]["type"] == "Cancelled"
    page.run("a.disabled = false")
    assert act(page, "click", selector="#a")["success"]


def test_actions_take_turns(open_page: OpenPage) -> None:
    page = open_page("<input id=a><input id=b>")
    page.run(
        "await Promise.all([geminiPage.type({ selector: '#a', text: 'first words' }), geminiPage.type({ selector: '#b', text: 'second' })])"
    )
    assert page.run("return [a.value, b.value]") == ["first words", "second"]


def test_the_mouse_tells_what_it_leaves_and_enters(open_page: OpenPage) -> None:
    page = open_page(
        "<div id=o><button id=a>a</button></div><button id=b>b</button><script>heard = [];"
        "for (const one of [o, a, b]) for (const end of ['over', 'enter', 'move', 'out', 'leave']) for (const start of ['pointer', 'mouse'])"
        " one.addEventListener(start + end, ({ type, target, currentTarget }) => target === currentTarget && heard.push(type + ' ' + target.id));"
        "</script>"
    )
    act(page, "hover", selector="#a")
    entered = page.run("return heard.splice(0)")
    assert entered == [
        "pointerover a", "pointerenter o", "pointerenter a", "pointermove a", "mouseover a", "mouseenter o", "mouseenter a", "mousemove a",
    ]  # fmt: skip
    act(page, "hover", selector="#b")
    assert page.run("return heard") == [
        "pointerout a", "pointerleave a", "pointerleave o", "pointerover b", "pointerenter b", "pointermove b",
        "mouseout a", "mouseleave a", "mouseleave o", "mouseover b", "mouseenter b", "mousemove b",
    ]  # fmt: skip


def test_a_drop_that_nobody_takes_is_no_success(open_page: OpenPage) -> None:
    page = open_page("<div id=a draggable=true>one</div><p id=b>here</p>")
    assert refused(page, "drag", selector="#a", to="#b")["type"] == "Unsupported"


def test_options_that_are_not_there_are_told_with_those_that_are(open_page: OpenPage) -> None:
    page = open_page("<select id=a><option>Red<option disabled>Blue</select>")
    error = refused(page, "select", selector="#a", option="Green")
    assert error["type"] == "NotFound"
    assert error["data"]["options"] == ["Red", "Blue"]
    assert refused(page, "select", selector="#a", option="Blue")["type"] == "Disabled"


def test_an_option_that_does_not_become_chosen_is_no_success(open_page: OpenPage) -> None:
    page = open_page("<div role=listbox id=a><div role=option aria-selected=false>x</div></div>")
    assert refused(page, "select", selector="#a", option="x")["type"] == "Unsupported"


def test_scrolling_tells_how_far_it_came(open_page: OpenPage) -> None:
    page = open_page(
        "<div id=a style='height: 100px; overflow: auto'><div style='height: 350px'>tall</div></div>"
    )
    told = act(page, "scroll", selector="#a", direction="down", amount=200)
    assert (told["scroll_y"], told["at_end"]) == (200, False)
    told = act(page, "scroll", selector="#a", direction="down", amount=200)
    assert (told["scroll_y"], told["moved"]["y"], told["at_end"]) == (250, 50, True)
    assert refused(page, "scroll", direction="sideways")["type"] == "InvalidArguments"


def test_a_text_is_waited_for(open_page: OpenPage) -> None:
    page = open_page("<p id=a>Loading <b>now</b></p>")
    page.run("setTimeout(() => (a.innerHTML = 'All <b>done</b>'), 200)")
    assert act(page, "waitFor", text="all done", gone="Loading now")["waited_s"] >= 0.1
    with pytest.raises(PageThrew, match="TimedOut"):
        act(page, "waitFor", text="never", seconds=0.1)
    assert act(page, "waitFor", seconds=0.1)["waited_s"] >= 0.1
    with pytest.raises(PageThrew, match="InvalidArguments"):
        act(page, "waitFor")


@pytest.mark.parametrize("key", ["", "Ctl+a", "Control+Nothing", "a+b"])
def test_a_key_that_is_not_there_is_named(open_page: OpenPage, key: str) -> None:
    error = refused(open_page(""), "pressKey", key=key)
    assert error["type"] == "InvalidArguments"
    assert json.dumps(key) in error["message"]


def test_a_page_without_the_windows_focus_hears_of_its_own(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=f srcdoc='<input id=a><input id=b>'></iframe>",
    )
    page.run("if (!f.contentWindow.a) await new Promise((done) => (f.onload = done))")
    page.run(
        "heard = []; const { a, b } = f.contentWindow;"
        "for (const one of [a, b]) { for (const type of ['focus', 'blur', 'change']) one.addEventListener(type, () => heard.push(type + ' ' + one.id));"
        # As the browser does in a window behind others: the focus moves and no event tells it.
        " for (const name of ['focus', 'blur']) { const own = one[name]; one[name] = function (...given) {"
        " const stop = (event) => event.isTrusted && event.stopImmediatePropagation();"
        " for (const type of ['focus', 'blur', 'focusin', 'focusout', 'change']) f.contentWindow.addEventListener(type, stop, true);"
        " try { own.apply(this, given); } finally {"
        " for (const type of ['focus', 'blur', 'focusin', 'focusout', 'change']) f.contentWindow.removeEventListener(type, stop, true); } }; } }"
    )
    act(page, "type", selector="#a", text="x")
    act(page, "click", selector="#b")
    assert page.run("return heard") == ["focus a", "change a", "blur a", "focus b"]


def test_a_list_that_only_a_person_can_open_is_no_success(open_page: OpenPage) -> None:
    page = open_page("<select id=a><option id=o>x</select>")
    assert "select" in refused(page, "click", selector="#a")["hint"]
    assert "select" in refused(page, "click", selector="#o")["hint"]


def test_a_field_that_refuses_the_text_is_no_success(open_page: OpenPage) -> None:
    page = open_page("<input id=a onbeforeinput='event.preventDefault()'>")
    assert refused(page, "type", selector="#a", text="x")["type"] == "Unsupported"


def test_what_covers_a_button_when_the_mouse_comes_is_told(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a onmouseenter='tip.hidden = false' onclick='clicked = true'>Buy</button>"
        "<div id=tip hidden style='position: fixed; inset: 0; background: #fff'>Wait</div>"
    )
    assert refused(page, "click", selector="#a")["type"] == "Covered"
    assert not page.run("return 'clicked' in globalThis")


def test_a_key_goes_to_the_element_that_is_named(open_page: OpenPage) -> None:
    page = open_page("<input id=a value=1><button id=b onclick='clicked = true'>b</button>")
    act(page, "pressKey", selector="#b", key="Enter")
    assert page.run("return clicked")


def test_text_is_copied_cut_and_pasted(open_page: OpenPage) -> None:
    page = open_page("<input id=a value=words><div id=b contenteditable></div>")
    act(page, "pressKey", selector="#a", key="Control+a")
    act(page, "pressKey", key="Control+x")
    act(page, "pressKey", selector="#b", key="Control+v")
    assert page.run("return [a.value, b.textContent]") == ["", "words"]
