"""Actions wait until an element is ready, or refuse it."""

from __future__ import annotations

import pytest

from tests.web.page.acting import act, refused
from tests.web.page.conftest import OpenPage


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


def test_a_partly_covered_button_is_clicked_at_a_free_point(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a style='width: 200px' onclick='clicked = true'>Buy</button>"
        "<div style='position: fixed; left: 60px; top: 0; width: 100px; height: 99px; background: #fff'></div>"
    )
    act(page, "click", selector="#a")
    assert page.run("return clicked")


def test_a_click_waits_until_a_button_is_enabled(open_page: OpenPage) -> None:
    page = open_page("<button id=a disabled onclick='clicked = true'>Buy</button>")
    page.run("setTimeout(() => (a.disabled = false), 150)")
    act(page, "click", selector="#a")
    assert page.run("return clicked")


def test_a_click_waits_for_a_missing_element(open_page: OpenPage) -> None:
    page = open_page("")
    page.run("setTimeout(() => (document.body.innerHTML = '<input id=a type=checkbox>'), 150)")
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


def test_a_removed_element_is_stale(open_page: OpenPage) -> None:
    page = open_page("<button id=a>Buy</button>")
    [entry] = page.snapshot()["elements"]
    page.run("a.outerHTML = '<button id=b>Buy</button>'")
    error = refused(page, "click", ref=entry["ref"])
    assert error["type"] == "StaleRef"
    assert error["data"]["match"]["name"] == "Buy"


def test_a_click_waits_until_an_element_stops_moving(open_page: OpenPage) -> None:
    page = open_page(
        "<style>@keyframes go { to { translate: 300px } } #a { animation: go 0.4s linear forwards }</style>"
        "<button id=a onclick='left = a.getBoundingClientRect().left'>Buy</button>"
    )
    act(page, "click", selector="#a")
    assert page.run("return left") > 300


def test_an_element_moves_on_a_busy_page_whose_frames_are_late(open_page: OpenPage) -> None:
    page = open_page(
        "<style>@keyframes go { to { translate: 300px } } #a { animation: go 1s linear forwards }</style>"
        "<button id=a onclick='left = a.getBoundingClientRect().left'>Buy</button>"
        "<script>setInterval(() => { for (const end = performance.now() + 120; performance.now() < end;); }, 0)</script>"
    )
    act(page, "click", selector="#a")
    assert page.run("return left") > 300


def test_an_element_that_keeps_moving_times_out(open_page: OpenPage) -> None:
    page = open_page(
        "<style>@keyframes go { to { translate: 300px } } #a { animation: go 1s linear infinite }</style>"
        "<button id=a>Buy</button>"
    )
    error = refused(page, "click", selector="#a")
    assert error["type"] == "TimedOut"
    assert "moving" in error["message"]


# An animation of the button that doesn't move it yet, as at load: the browser starts it some frames after the page has
# asked for it, or shows frames without later times.
STANDING = """
const [change, pending, startMs] = arguments;
const standing = a.animate(change, { duration: 100, fill: "forwards" });
standing.pause();
Object.defineProperty(standing, "playState", { value: "running", configurable: true });
Object.defineProperty(standing, "pending", { value: pending, configurable: true });
if (startMs) setTimeout(() => {
  delete standing.playState;
  delete standing.pending;
  standing.play();
}, startMs);
"""
MOVES = {"translate": ["0", "300px"]}


@pytest.mark.parametrize("pending", [True, False])
def test_an_animation_that_stands_is_waited_for(open_page: OpenPage, pending: bool) -> None:
    page = open_page("<button id=a onclick='left = a.getBoundingClientRect().left'>Buy</button>")
    page.run(STANDING, MOVES, pending, 300)
    act(page, "click", selector="#a")
    assert page.run("return left") > 300


def test_an_animated_element_without_frames_is_not_at_rest(open_page: OpenPage) -> None:
    for change in (MOVES, {"opacity": ["0.5", "1"]}):
        page = open_page("<button id=a onclick='clicked = true'>Buy</button>")
        page.run(f"{STANDING}; globalThis.requestAnimationFrame = () => 0", change, False, 0)
        if change is MOVES:
            assert refused(page, "click", selector="#a")["type"] == "TimedOut"
        else:
            act(page, "click", selector="#a")
            assert page.run("return clicked")


def test_an_element_is_scrolled_into_view(open_page: OpenPage) -> None:
    page = open_page(
        "<div style='height: 300px; overflow: auto'><div style='height: 2000px'></div>"
        "<button id=a onclick='clicked = true'>Buy</button></div><div style='height: 3000px'></div>"
    )
    act(page, "click", selector="#a")
    assert page.run("return clicked")


def test_a_frame_of_another_origin_is_refused(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe id=a src='OTHER/inner.html'></iframe>", files={"/inner.html": "<button>in</button>"}
    )
    error = refused(page, "click", selector="#a")
    assert error["type"] == "CrossOrigin"
    assert error["hint"]


def test_clicks_reach_frames_and_shadow_roots(open_page: OpenPage) -> None:
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


CANCEL = """
const { port1, port2 } = new MessageChannel();
geminiPage.serve(port2);
const answer = new Promise((resolve) => (port1.onmessage = (event) => resolve(JSON.parse(event.data))));
port1.postMessage(JSON.stringify({ id: 7, method: "click", params: { selector: "#a" } }));
port1.postMessage(JSON.stringify({ method: "notifications/cancelled", params: { requestId: 7 } }));
return await answer;
"""


def test_a_request_over_the_port_can_be_cancelled(open_page: OpenPage) -> None:
    page = open_page("<input id=a type=checkbox disabled>")
    assert page.run(CANCEL)["error"]["data"]["type"] == "Cancelled"
    page.run("a.disabled = false")
    assert act(page, "click", selector="#a")["success"]


def test_actions_run_one_at_a_time(open_page: OpenPage) -> None:
    page = open_page("<input id=a><input id=b>")
    page.run(
        "await Promise.all([geminiPage.type({ selector: '#a', text: 'first words' }), geminiPage.type({ selector: '#b', text: 'second' })])"
    )
    assert page.run("return [a.value, b.value]") == ["first words", "second"]


def test_a_button_that_is_covered_on_hover_is_not_clicked(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=a onmouseenter='tip.hidden = false' onclick='clicked = true'>Buy</button>"
        "<div id=tip hidden style='position: fixed; inset: 0; background: #fff'>Wait</div>"
    )
    assert refused(page, "click", selector="#a")["type"] == "Covered"
    assert not page.run("return 'clicked' in globalThis")
