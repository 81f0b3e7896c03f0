"""An application with the script tag: agents see and use its page, and the surface sits in a corner."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from gemini_testing.server import serving
from tests.web.agent import ref_of
from tests.web.conftest import CopyOfDist
from tests.web.page.bundling import bundle
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended

HERE = Path(__file__).parent
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Todos</title>
<script src="gemini/gemini-embed.js"></script><body><script src="app.js"></script>"""
CORNER = "document.querySelector('gemini-surface').shadowRoot"
TOOLS = "(async () => (await document.modelContext.getTools()).length)()"


@pytest.fixture
def app(copy_of_dist: CopyOfDist, tmp_path: Path, open_surface: OpenSurface) -> Surface:
    """Serve a React application with the surface's files in a folder next to it."""
    folder = tmp_path / "app"
    shutil.copytree(copy_of_dist(), folder / "gemini")
    script = bundle((HERE / "todo_app.js").read_text(encoding="utf-8"))
    (folder / "app.js").write_text(script, encoding="utf-8")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    surface = open_surface(dist=folder, wait=False)
    surface.wait_for(TOOLS)
    return surface


def test_an_agent_uses_a_react_application(app: Surface) -> None:
    field = ref_of(app, '"What needs to be done?"')
    for title in ("Write", "Test", "Ship"):
        assert app.call("browser_type", ref=field, text=title, submit=True)["value"] == ""
    app.call("browser_click", ref=ref_of(app, '"Done: Test"'))
    app.call("browser_click", ref=ref_of(app, '"Remove Write"'))

    app.call("browser_click", selector="label", double=True)
    app.call("browser_type", selector="[aria-label=Title]", text="Test twice", submit=True)
    app.call("browser_click", ref=ref_of(app, '"Completed"'))

    shown = app.call("browser_snapshot")
    assert '"Done: Test twice" checked' in shown and "Ship" not in shown
    assert "1 left" in app.call("browser_get_text")["text"]
    # The surface itself isn't part of the page.
    assert "Terminals" not in shown and '"gemini"' not in shown


def test_a_dialog_of_the_application_is_answered_while_an_agent_acts(app: Surface) -> None:
    app.javascript(
        """const button = document.createElement("button");
        button.textContent = "Ask";
        button.onclick = () => (button.textContent = confirm("Sure?") ? "Yes" : "No");
        document.body.append(button);"""
    )
    answer = app.call("browser_click", ref=ref_of(app, '"Ask"'))
    assert answer["answered"] == [{"kind": "confirm", "message": "Sure?", "answer": False}]
    assert '"No"' in app.call("browser_snapshot")


def test_all_other_tools_are_available(app: Surface) -> None:
    assert app.call("terminal_execute", command="echo hi")["output"] == "hi\n"


def test_the_surface_is_collapsed_in_a_corner_and_opens_by_keyboard(app: Surface) -> None:
    expanded = f"{CORNER}.querySelector('button').getAttribute('aria-expanded')"
    shown = f"{CORNER}.querySelector('iframe').checkVisibility({{ visibilityProperty: true }})"
    assert app.javascript(f"return [{expanded}, {shown}]") == ["false", False]

    app.javascript(f"{CORNER}.querySelector('button').focus()")
    Person(app).type("\n")
    assert app.javascript(f"return [{expanded}, {shown}]") == ["true", True]


def test_a_question_to_the_user_opens_the_surface(app: Surface) -> None:
    call = Background(app, "browser_execute_js", {"code": "return document.title"})
    app.wait_for("document.querySelector('gemini-surface[data-open]') !== null")
    host = app.driver.find_element("css selector", "gemini-surface")
    app.driver.switch_to.frame(host.shadow_root.find_element("css selector", "iframe"))
    Person(app).click('button "Allow once"')
    app.driver.switch_to.default_content()
    assert call.result() == {"result": "Todos"}


def test_a_script_from_another_origin_says_what_to_do(
    open_surface: OpenSurface, surface_dist: Path, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>App</title>", encoding="utf-8")
    with serving(surface_dist, isolated=False) as url:
        app = open_surface(dist=tmp_path, isolated=False, wait=False)
        app.javascript(
            """const script = Object.assign(document.createElement("script"), { src: arguments[0] });
            await new Promise((resolve) => { script.onload = resolve; document.head.append(script); });""",
            f"{url}gemini-embed.js",
        )
        assert app.javascript("return document.querySelector('gemini-surface')") is None
        assert any("must have this page's origin" in line for line in app.console())
