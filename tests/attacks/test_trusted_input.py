"""A tab's process asks the browser's debugger for input that would reach outside of the tab."""

from __future__ import annotations

import functools
import json
import subprocess
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled_module

ASK = """
const { commandOf } = await import(process.argv[1]);
const asked = JSON.parse(process.argv[2]);
console.log(JSON.stringify(asked.map(([kind, event]) => commandOf(kind, event))));
"""
ALT, CONTROL, META, SHIFT = 1, 2, 4, 8
KEY: dict[str, Any] = {
    "type": "rawKeyDown",
    "key": "a",
    "code": "KeyA",
    "windowsVirtualKeyCode": 65,
    "modifiers": 0,
}
PRESS: dict[str, Any] = {
    "type": "mousePressed",
    "x": 1,
    "y": 2,
    "button": "left",
    "buttons": 1,
    "clickCount": 1,
}


def key(**changes: Any) -> tuple[str, dict[str, Any]]:
    return "dispatchKeyEvent", KEY | changes


def press(**changes: Any) -> tuple[str, dict[str, Any]]:
    return "dispatchMouseEvent", PRESS | changes


REFUSED: dict[str, tuple[Any, Any]] = {
    "another method of input": ("dispatchDragEvent", PRESS),
    "another domain": ("Page.navigate", {"url": "chrome://settings"}),
    "a domain in the kind": ("dispatchKeyEvent.Browser.close", KEY),
    "a name of the prototype": ("constructor", KEY),
    "the prototype": ("__proto__", KEY),
    "a list as kind": (["dispatchKeyEvent"], KEY),
    "no event": ("dispatchKeyEvent", None),
    "copy": key(code="KeyC", windowsVirtualKeyCode=67, modifiers=CONTROL),
    "paste by code": key(code="KeyV", windowsVirtualKeyCode=0, modifiers=CONTROL),
    "paste by number": key(code="KeyA", windowsVirtualKeyCode=86, modifiers=CONTROL),
    "paste on macOS": key(code="KeyV", windowsVirtualKeyCode=86, modifiers=META),
    "paste with more modifiers": key(code="KeyV", windowsVirtualKeyCode=86, modifiers=CONTROL | SHIFT | ALT),
    "modifiers beyond 32 bits": key(code="KeyX", windowsVirtualKeyCode=88, modifiers=2**32 + CONTROL),
    "the key Insert": key(code="Insert", windowsVirtualKeyCode=45, modifiers=SHIFT),
    "Insert of the number pad": key(code="Numpad0", windowsVirtualKeyCode=96, modifiers=SHIFT),
    "cut by Delete": key(code="Delete", windowsVirtualKeyCode=46, modifiers=SHIFT),
    "the keys Copy and Paste": key(key="Paste", code="Paste", windowsVirtualKeyCode=0),
    "the key Cut by name": key(key="Cut", code="", windowsVirtualKeyCode=0),
    "a command of the editor": key(commands=["paste"]),
    "a command behind another": key(commands=["selectAll", "copy"]),
    "commands in a text": key(commands="paste"),
    "commands in an object": key(commands={"0": "paste", "length": 1}),
    "the middle button": press(button="middle"),
    "the right button": press(button="right"),
    "the side buttons": press(button="back"),
    "a button that is none": press(button="Middle"),
    "other buttons that are held": press(buttons=4),
    "the wheel": press(type="mouseWheel"),
    "a type that is none": key(type="paste"),
    "a number as text": press(x="1"),
    "a place that is none": press(x=None),
    "text in a list": ("insertText", {"text": ["x"]}),
}
PASSED: dict[str, tuple[Any, Any]] = {
    "a press": press(),
    "a move": ("dispatchMouseEvent", {"type": "mouseMoved", "x": 1, "y": 2, "button": "none", "buttons": 0}),
    "a release outside": press(type="mouseReleased", x=-1, y=-1, clickCount=0),
    "a key": key(),
    "a key with a text": key(type="keyDown", text="a"),
    "the end of a key": key(type="keyUp"),
    "select all": key(modifiers=CONTROL, commands=["selectAll"]),
    "the letter C": key(key="c", code="KeyC", windowsVirtualKeyCode=67),
    "Delete": key(key="Delete", code="Delete", windowsVirtualKeyCode=46),
    "a text": ("insertText", {"text": "Ada"}),
}


@functools.cache
def answers() -> dict[str, Any]:
    """Return what each request becomes, by its name."""
    asked = REFUSED | PASSED
    command = [
        find_node().node,
        "--input-type=module",
        "-e",
        ASK,
        compiled_module("extension/trusted/commands.ts").as_uri(),
        json.dumps([*asked.values()]),
    ]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(zip(asked, json.loads(printed), strict=True))


@pytest.mark.parametrize("name", REFUSED)
def test_input_that_could_leave_the_tab_is_refused(name: str) -> None:
    assert answers()[name] is None


@pytest.mark.parametrize("name", PASSED)
def test_input_for_the_tab_passes_with_its_own_fields_only(name: str) -> None:
    kind, event = PASSED[name]
    assert answers()[name] == {"method": f"Input.{kind}", "params": event}
