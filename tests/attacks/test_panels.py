"""Python and scripts try to act on the surface's own panels as if they were the user."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing import Surface
from tests.attacks.page_port import ask_document, is_asked
from tests.tiers import in_turn, sampled
from tests.web.agent import ref_of
from tests.web.console import clear, focus_console, typed
from tests.web.person import TERMINALS, Background, Person

# Controls that run, switch and answer.
PANELS = {
    "the omnibar": "#omnibar input",
    "the console": "#console-input",
    "the console's Run": "#console-run",
    "a terminal": ".xterm-helper-textarea",
    "Network": "#browser-network",
    "the settings' import": "#import",
    "a theme": "#settings-theme input",
    "an answer": "#approval",
    "the workbench": "#dock",
}
ACTIONS: dict[str, dict[str, Any]] = {
    "click": {},
    "type": {"text": "echo hacked", "submit": True},
    "pressKey": {"key": "Enter"},
    "select": {"option": "Dark"},
    "hover": {},
    "drag": {"dx": 10, "dy": 10},
    "scroll": {"direction": "down"},
}


@pytest.fixture(autouse=True)
def terminal_is_open(person: Person) -> None:
    """Have a terminal that is open: the first sight has none."""
    person.open_panel(TERMINALS)
    person.find(PANELS["a terminal"])


@pytest.mark.parametrize("panel", sampled(PANELS, every=3))
@pytest.mark.parametrize("action", ACTIONS)
def test_no_action_reaches_a_panel_by_its_selector(
    surface: Surface, person: Person, panel: str, action: str
) -> None:
    if panel == "a theme":
        # The settings are drawn when they are opened.
        person.open_panel("settings")
        person.find(PANELS[panel])
    answer = ask_document(surface, "page", action, selector=PANELS[panel], **ACTIONS[action])

    assert answer["error"] == "OffLimits"


@in_turn("action", ACTIONS)
def test_no_action_reaches_a_panel_by_a_point(surface: Surface, action: str) -> None:
    answer = ask_document(surface, "page", action, x=200, y=20, **ACTIONS[action])

    assert answer["error"] == "OffLimits"


@in_turn("key", ["Enter", "Control+k", "Control+Enter", "Escape", "Tab", "a", "F6", "Shift+Tab"])
def test_no_key_reaches_the_user_s_focused_panel(surface: Surface, person: Person, key: str) -> None:
    focus_console(person)
    answer = ask_document(surface, "page", "pressKey", key=key)

    assert answer["error"] == "OffLimits"
    assert person.focus == "console-input" and typed(person) == ""


@pytest.mark.parametrize("text", ["1 + 1", "\n", ""])
def test_nothing_is_typed_into_the_user_s_focused_field(surface: Surface, person: Person, text: str) -> None:
    focus_console(person)
    answer = ask_document(surface, "page", "type", selector=":focus", text=text, submit=True)

    assert answer["error"] == "OffLimits"
    assert typed(person) == ""


@pytest.mark.parametrize("delta", [-1, 1])
def test_history_can_not_leave_the_surface(surface: Surface, delta: int) -> None:
    assert ask_document(surface, "page", "go", delta=delta)["error"] == "OffLimits"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("browser_click", {"selector": "#console-run"}),
        ("browser_type", {"selector": "#console-input", "text": "1", "submit": True}),
        ("browser_press_key", {"key": "Control+k"}),
        ("browser_scroll", {"direction": "down"}),
    ],
)
def test_tools_fail_with_off_limits_too(surface: Surface, tool: str, given: dict[str, Any]) -> None:
    surface.python("gemini.browser.focus('page').id")
    answer = surface.javascript("return gemini.callTool(arguments[0], arguments[1])", tool, given)

    assert answer["error"]["type"] == "OffLimits" and answer["error"]["hint"]


# --- scripted events ---

RUN_BY_SCRIPT = """
const fire = (element, type, kind, init) =>
  element.dispatchEvent(new kind(type, { bubbles: true, cancelable: true, composed: true, ...init }));
const keys = (element, init) =>
  ["keydown", "keypress", "keyup"].forEach((type) => fire(element, type, KeyboardEvent, { keyCode: 13, ...init }));
const attacks = {
  async console() {
    const input = document.querySelector("#console-input");
    input.firstChild.textContent = "open('/project/hacked', 'w')";
    // The editor takes over what is in its element after the script.
    await new Promise((done) => setTimeout(done));
    for (const ctrlKey of [false, true]) keys(input, { key: "Enter", ctrlKey });
    fire(input, "beforeinput", InputEvent, { inputType: "insertParagraph" });
    document.querySelector("#console-run").click();
  },
  terminal() {
    const input = document.querySelector(".xterm-helper-textarea");
    const data = new DataTransfer();
    data.setData("text/plain", "touch /project/hacked\\n");
    fire(input, "paste", ClipboardEvent, { clipboardData: data });
    for (const key of "touch /project/hacked") keys(input, { key, keyCode: key.charCodeAt(0) });
    keys(input, { key: "Enter" });
  },
  omnibar() {
    keys(document.body, { key: "k", ctrlKey: true });
    const input = document.querySelector("#omnibar input");
    input.value = ">new terminal";
    fire(input, "input", InputEvent, {});
    keys(input, { key: "Enter" });
  },
  network() {
    document.querySelector("#browser-network").click();
  },
  drop() {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "hacked"));
    for (const type of ["dragenter", "dragover", "drop"]) {
      fire(document.querySelector("#file-body"), type, DragEvent, { dataTransfer: data });
    }
  },
};
await attacks[arguments[0]]();
"""


def terminals(surface: Surface) -> list[tuple[str, bool]]:
    """Return each terminal and whether it is busy."""
    return [(row["id"], row["busy"]) for row in surface.call("terminal_list")]


@in_turn("attack", ["console", "terminal", "omnibar", "network", "drop"])
def test_scripted_events_run_nothing(surface: Surface, person: Person, terminal: str, attack: str) -> None:
    person.sees(f"[data-tab-panel-id={terminal}]")
    before = terminals(surface)
    focus_console(person)
    surface.javascript(RUN_BY_SCRIPT, attack)

    assert terminals(surface) == before
    names = {entry["name"] for entry in surface.call("file_list", path="/project")}
    assert "hacked" not in names
    assert surface.javascript("return document.querySelector('#browser-network').ariaPressed") == "false"
    assert not is_asked(surface)
    assert "hacked" in typed(person) or attack != "console"
    clear(person)


# --- in an application that embeds the surface ---


def reached(app: Surface) -> list[str]:
    """Return the actions that reach the surface inside an application."""
    code = """
from gemini.errors import OffLimits
from gemini.kernel.kernel import kernel

reached = []
for action, given in ACTIONS.items():
    try:
        asked = {"tab": "page", "method": action, "params": {"selector": "gemini-surface", **given}}
        await kernel._documents.request("ask", asked)
        reached.append(action)
    except Exception as problem:
        if "OffLimits" not in str(problem.data):
            reached.append(f"{action}: {problem}")
reached
"""
    answer = app.call("python_run", code=code.replace("ACTIONS", repr(ACTIONS)))
    return answer["result"]


@pytest.mark.extended
def test_in_an_application_only_the_panel_is_out_of_reach(app: Surface) -> None:
    assert reached(app) == []
    field = ref_of(app, '"What needs to be done?"')
    assert app.call("browser_type", ref=field, text="Write", submit=True)["value"] == ""
    assert '"Done: Write"' in app.call("browser_snapshot")
    for _ in range(12):
        answer = Background(app, "browser_press_key", {"key": "Tab"}).result()
        assert answer.get("error", {}).get("type") in (None, "OffLimits"), answer
        assert app.javascript("return document.activeElement.localName") != "gemini-surface"


@pytest.mark.extended
def test_a_link_of_the_application_to_another_origin_needs_consent(app: Surface) -> None:
    app.javascript(
        """const link = document.createElement("a");
        link.href = "https://attacked.test/?d=secret";
        link.textContent = "Away";
        document.body.append(link);"""
    )
    call = Background(app, "browser_click", {"selector": "a[href]"})
    app.wait_for("document.querySelector('gemini-surface[data-open]') !== null")
    host = app.driver.find_element("css selector", "gemini-surface")
    app.driver.switch_to.frame(host.shadow_root.find_element("css selector", "iframe"))
    person = Person(app)
    person.sees("#approval-question", "https://attacked.test/?d=secret")
    person.click("#approval-refuse")
    app.driver.switch_to.default_content()
    assert call.result()["error"]["type"] == "Refused"
