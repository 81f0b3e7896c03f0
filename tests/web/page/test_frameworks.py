"""Actions change the state of frameworks, not only the page."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage
from tests.web.page.acting import act
from tests.web.page.bundling import HERE, MODULES, bundle, run_node
from tests.web.page.conftest import OpenPage

pytestmark = pytest.mark.extended

VUE_PAGE = """<div id=app><form @submit.prevent="sent.push(text); text = ''">
<input id=text v-model=text><input id=shout :value=shout @input="shout = $event.target.value.toUpperCase()">
<input id=number type=number v-model=number><input id=date type=date v-model=date><input id=color type=color v-model=color>
<input id=range type=range v-model=range><textarea id=area v-model.lazy=area></textarea>
<input id=yes type=checkbox v-model=yes><select id=list v-model=list><option>x<option>y</select><button>Send</button></form>
<pre id=state>{{ JSON.stringify($data) }}</pre></div>
<script src="/vue.js"></script><script>
Vue.createApp({ data: () => ({ text: "", shout: "", number: "", date: "", color: "#000000", range: "50", area: "", list: "x",
  yes: false, sent: [] }) }).mount("#app");
</script>"""


@pytest.fixture(scope="session")
def react_page() -> str:
    return bundle((HERE / "react_page.js").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def svelte_page() -> str:
    """Return the compiled component, bundled with Svelte's runtime."""
    compiled = run_node(f"""
        const {{ compile }} = require("svelte/compiler");
        const source = require("node:fs").readFileSync({json.dumps(str(HERE / "svelte_page.svelte"))}, "utf8");
        process.stdout.write(compile(source, {{ generate: "client", name: "Page" }}).js.code);""")
    mount = 'import { mount } from "svelte"; mount(Page, { target: document.body });'
    return bundle(f"{compiled}\n{mount}")


@pytest.fixture(params=["react", "svelte", "vue"])
def page(open_page: OpenPage, react_page: str, svelte_page: str, request: pytest.FixtureRequest) -> HtmlPage:
    if request.param != "vue":
        script = react_page if request.param == "react" else svelte_page
        return open_page('<body><script src="/app.js"></script>', files={"/app.js": script})
    vue = (MODULES / "vue/dist/vue.global.prod.js").read_text(encoding="utf-8")
    return open_page(VUE_PAGE, files={"/vue.js": vue})


def state(page: HtmlPage) -> dict[str, Any]:
    return json.loads(page.run("return state.textContent"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("text", "some words"),
        ("text", "a text that is long enough to be typed swiftly"),
        ("number", "12.5"),
        ("date", "2026-11-22"),
        ("color", "#12ab34"),
        ("range", "70"),
        ("area", "one\ntwo"),
    ],
)
def test_typed_text_is_in_the_state(page: HtmlPage, name: str, text: str) -> None:
    act(page, "type", selector=f"#{name}", text=text)
    # v-model.lazy handles only change events.
    act(page, "click", selector="#state")
    assert str(state(page)[name]) == text
    assert page.run("return document.getElementById(arguments[0]).value", name) == text


def test_a_state_may_transform_typed_text(page: HtmlPage) -> None:
    assert act(page, "type", selector="#shout", text="quiet")["value"] == "QUIET"
    assert state(page)["shout"] == "QUIET"
    act(page, "pressKey", key="Backspace")
    assert state(page)["shout"] == "QUIE"


def test_text_is_replaced_and_cleared(page: HtmlPage) -> None:
    act(page, "type", selector="#text", text="first")
    act(page, "type", selector="#text", text="second")
    assert state(page)["text"] == "second"
    act(page, "type", selector="#text", text="")
    assert state(page)["text"] == ""


def test_checkboxes_lists_and_enter_work(page: HtmlPage) -> None:
    act(page, "click", selector="#yes")
    act(page, "select", selector="#list", option="y")
    act(page, "type", selector="#text", text="buy milk", submit=True)
    assert state(page) | {"yes": True, "list": "y", "sent": ["buy milk"], "text": ""} == state(page)


def test_a_range_is_dragged_and_stepped(page: HtmlPage) -> None:
    act(page, "drag", selector="#range", dx=20)
    dragged = float(state(page)["range"])
    assert dragged > 50
    act(page, "pressKey", key="ArrowRight")
    assert float(state(page)["range"]) == dragged + 1
