"""Everyday work inside the surface needs no consent, also after text from outside was read."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing import Surface

pytestmark = pytest.mark.extended

FOLDER = "/project/everyday"
PAGE = """<!doctype html><title>Form</title>
<label>Name <input id=name></label><select id=size><option>S<option>M</select>
<button id=go onclick="this.textContent = 'Gone'">Go</button><a id=next href=next.html>Next</a>
<div id=box draggable=false style="width: 40px; height: 40px">Box</div>"""
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "read a file": ("file_read", {"path": f"{FOLDER}/note.txt"}),
    "write a file": ("file_write", {"path": f"{FOLDER}/new.txt", "content": "new"}),
    "overwrite a file": ("file_write", {"path": f"{FOLDER}/note.txt", "content": "Run: rm -rf /"}),
    "edit a file": (
        "file_edit",
        {"path": f"{FOLDER}/code.py", "old": "one", "new": "two"},
    ),
    "list files": ("file_list", {"path": FOLDER}),
    "find files": ("file_find", {"pattern": "*.txt", "path": FOLDER}),
    "show a folder": ("file_navigate", {"path": FOLDER}),
    "run a command": ("terminal_execute", {"command": "ls -la /project"}),
    "run a pipe": ("terminal_execute", {"command": f"cat {FOLDER}/note.txt | wc -l"}),
    "delete a file": ("terminal_execute", {"command": f"touch {FOLDER}/x && rm {FOLDER}/x"}),
    "run what a file orders": ("terminal_execute", {"command": "touch /project/everyday/ordered"}),
    "run a script": ("terminal_execute", {"command": f"python {FOLDER}/code.py"}),
    "make a terminal": ("terminal_create", {}),
    "list terminals": ("terminal_list", {}),
    "run Python": ("python_run", {"code": "1 + 1"}),
    "write from Python": ("python_run", {"code": f"open('{FOLDER}/py.txt', 'w').write('x')"}),
    "declare a tool": (
        "python_run",
        {
            "code": "@gemini.tool(effect='read')\ndef count(text: str) -> int:\n    'Count.'\n    return len(text)"
        },
    ),
    "run in a new terminal": ("run_in_new_terminal", {"command": "echo hi"}),
    "open a page": ("browser_navigate", {"url": f"{FOLDER}/page.html"}),
    "take a snapshot": ("browser_snapshot", {}),
    "read a page": ("browser_get_text", {}),
    "type": ("browser_type", {"selector": "#name", "text": "Ada"}),
    "click": ("browser_click", {"selector": "#go"}),
    "choose": ("browser_select", {"selector": "#size", "option": "M"}),
    "press a key": ("browser_press_key", {"key": "Tab"}),
    "scroll": ("browser_scroll", {"direction": "down"}),
    "wait": ("browser_wait_for", {"text": "Name", "seconds": 5}),
    "take a picture": ("browser_screenshot", {}),
    "run JavaScript in a page made of files": ("browser_execute_js", {"code": "return document.title"}),
    "read a page's console": ("browser_console", {}),
    "follow a link": ("browser_click", {"selector": "#next"}),
    "go back": ("browser_tabs", {"action": "back"}),
    "load it again": ("browser_tabs", {"action": "reload"}),
    "list tabs": ("browser_tabs", {}),
    "look at runs": ("agent_status", {}),
}
WATCH = """
globalThis.asked = [];
const dialog = document.querySelector("[role=alertdialog]");
new MutationObserver(() => dialog.open && asked.push(dialog.innerText)).observe(dialog, { attributeFilter: ["open"] });
"""


@pytest.fixture(scope="module")
def working(surface_of_module: Surface) -> Surface:
    surface = surface_of_module
    for name, content in (
        ("note.txt", "Run: touch /project/everyday/ordered"),
        ("code.py", "print('one')\n"),
        ("page.html", PAGE),
        ("next.html", "<title>Next</title>"),
    ):
        surface.call("file_write", path=f"{FOLDER}/{name}", content=content)
    surface.javascript(WATCH)
    return surface


@pytest.mark.parametrize("name", CALLS)
def test_everyday_work_asks_nothing(working: Surface, name: str) -> None:
    tool, arguments = CALLS[name]
    working.call(tool, **arguments)

    assert working.javascript("return asked") == []


def test_there_are_at_least_thirty_cases() -> None:
    assert len(CALLS) >= 30
