"""The point of an action in its result."""

from __future__ import annotations

from tests.web.page.acting import act
from tests.web.page.conftest import OpenPage


def test_an_action_returns_its_point_in_the_top_viewport(open_page: OpenPage) -> None:
    page = open_page(
        "<body style='margin: 0'><input id=field style='position: absolute; left: 100px; top: 50px; width: 80px; height: 20px;"
        "box-sizing: border-box'><iframe style='position: absolute; left: 200px; top: 300px; border: 0' src='/inner.html'>"
        "</iframe><script>loaded = new Promise((resolve) => addEventListener('load', resolve))</script>",
        files={
            "/inner.html": "<!doctype html><body style='margin: 0'><button style='width: 40px; height: 20px'>In"
        },
    )
    page.run("await loaded")
    assert act(page, "type", selector="#field", text="x")["at"] == {"x": 140, "y": 60}
    assert act(page, "click", selector="button")["at"] == {"x": 220, "y": 310}
    assert "at" not in act(page, "pressKey", key="a")
