"""The places that draw markup of untrusted authors, and presses at a point."""

from __future__ import annotations

import json
from typing import Any

from gemini_testing import Surface
from tests.web.console import enter, show_console
from tests.web.person import Person
from tests.web.test_chat import answer_with, ask, ended
from tests.web.test_editor import edit


def roots(place: str) -> str:
    """Return the JavaScript expression of the shadow roots of the views in a place."""
    return f"[...document.querySelectorAll('{PANELS[place]} .untrusted')].map((host) => host.shadowRoot)"


def in_console(surface: Surface, person: Person, html: str) -> None:
    show_console(person)
    person.click("#console-clear")
    enter(person, f"class Value:\n    def _repr_html_(self): return {html!r}\nValue()")
    person.sees(".console-result", "the end")


def in_preview(surface: Surface, person: Person, html: str) -> None:
    edit(surface, person, "/project/attack/text.md", html)
    person.click("#editor-preview")
    person.sees("#preview-body .preview-markdown", "the end")


def in_notebook(surface: Surface, person: Person, html: str) -> None:
    show_cell(surface, person, {"cell_type": "markdown", "source": html})


def in_output(surface: Surface, person: Person, html: str) -> None:
    output = {"output_type": "display_data", "data": {"text/html": html}}
    show_cell(surface, person, {"cell_type": "code", "source": "", "outputs": [output]})


def show_cell(surface: Surface, person: Person, cell: dict[str, Any]) -> None:
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    edit(surface, person, f"/project/attack/{cell['cell_type']}.ipynb", json.dumps(notebook))
    person.sees("#editor-notebook", "the end")


def in_chat(surface: Surface, person: Person, html: str) -> None:
    if not surface.javascript("return document.querySelector('#chat').checkVisibility()"):
        person.open_panel("chat")
    person.click("#chat-new")
    answer_with(surface, html)
    ask(person, "Show it")
    ended(surface, "the end")


PLACES = {
    "console": in_console,
    "preview": in_preview,
    "notebook": in_notebook,
    "output": in_output,
    "chat": in_chat,
}


PANELS = {
    "console": "#console-log",
    "preview": "#preview-body",
    "notebook": "#editor-notebook",
    "output": "#editor-notebook",
    "chat": "#chat",
}


def press_at(driver: Any, x: float, y: float, button: str = "left", modifiers: int = 0) -> None:
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        driver.execute_cdp_cmd(
            "Input.dispatchMouseEvent",
            {"type": kind, "x": x, "y": y, "button": button, "clickCount": 1, "modifiers": modifiers},
        )
