"""The sentences and views that users read of the calls of a run."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gemini.agents.loop.controls import CONTROLS
from gemini.agents.loop.plan import BLOCKED, PLAN, VERDICT
from gemini.agents.watching.parts import Said
from gemini.agents.watching.sentences import (
    MOST_FACTS,
    MOST_OBJECT,
    SENTENCES,
    doing,
    said,
)
from gemini.agents.watching.views import rows_of_steps
from gemini.kernel.kernel import Kernel
from gemini.models.interface.scripted import call, say
from gemini.tools import Registry
from tests.unit.agents.test_panel import Panel

LIMIT = MOST_OBJECT + MOST_FACTS


@pytest.fixture
def panel(tmp_path: Path) -> Panel:
    for name in ("project", "saved"):
        (tmp_path / name).mkdir()
    return Panel(tmp_path)


def declared() -> list[str]:
    """Return the names of all tools that an agent can call, including the tools of teams and the controls of runs."""
    registry = Registry()
    Kernel(registry)
    team = ("task_add", "task_wait", "task_answer", "agent_message")
    names = [tool.declaration.name for tool in registry if not tool.declaration.person_only]
    return [*names, *CONTROLS, PLAN, BLOCKED, VERDICT, *team]


def text_of(row: Any) -> str:
    """Return a sentence as a user reads it."""
    return ", ".join(part for part in (f"{row['verb']} {row['object']}".strip(), row["facts"]) if part)


def test_every_tool_has_a_sentence() -> None:
    names = declared()
    assert len(names) > 70
    assert [name for name in names if name not in SENTENCES] == []
    assert [name for name in SENTENCES if name not in names] == []


@pytest.mark.parametrize("tool", SENTENCES)
def test_a_sentence_is_whole_whatever_the_model_has_written(tool: str) -> None:
    hostile = "a\u202eb\n\n" + "long " * 400
    names = [
        "path",
        "url",
        "command",
        "text",
        "task",
        "brief",
        "name",
        "ref",
        "action",
        "fields",
        "paths",
        "steps",
    ]
    given = [dict.fromkeys(names, value) for value in (hostile, None, 5, [1, {"a": 2}], {"a": "b"})]
    results = (None, "text", 5, [{}, 1], {"exit_code": 1}, {"messages": [1], "title": [2]})
    for arguments, result in itertools.product(({}, *given), results):
        known = Said(arguments, result)
        for row in (said(tool, known), said(tool, known, failure=hostile), doing(tool, arguments)):
            text = text_of(row)
            assert "\n" not in text and "{" not in row["verb"]
            assert len(text) <= LIMIT + 120
            assert re.match(r"[A-Z][a-z’]+", text)
    for failed in (True, False):
        step(tool, given[2], results[4], failed=failed)


@pytest.mark.parametrize(
    ("tool", "call", "text"),
    [
        (
            "terminal_execute",
            Said({"command": "python main.py"}, {"exit_code": 1}),
            "Ran python main.py, exit 1",
        ),
        ("terminal_execute", Said({"command": "cd shop\nls"}, {"exit_code": 0}), "Ran cd shop …, exit 0"),
        ("file_read", Said({"path": "/project/app.log"}, {"content": "x"}), "Read app.log"),
        ("browser_navigate", Said({"url": "/project/demo/counter.html"}), "Opened demo/counter.html"),
        ("browser_navigate", Said({"url": "https://example.org/a"}), "Opened example.org/a"),
        ("browser_click", Said({"ref": "e3"}, element="Sign in"), "Clicked Sign in"),
        ("browser_type", Said({"ref": "e3", "text": "Ada"}, element="Name"), "Typed “Ada” into Name"),
        (
            "browser_console",
            Said({}, {"messages": [{"level": "error"}, {"level": "log"}]}),
            "Read the page’s console, 1 error",
        ),
        ("file_find", Said({"pattern": "*.py"}, [{}]), "Searched for *.py, 1 match"),
        (
            "browser_tabs",
            Said({"action": "open", "url": "https://example.org/"}),
            "Opened example.org/ in a new tab",
        ),
        ("browser_tabs", Said({}), "Listed tabs"),
        ("page_tool", Said({"name": "count"}), "Used the page’s tool count"),
        ("count_lines", Said({"path": "a.txt"}, {"lines": 3}), "Used count_lines, path: a.txt"),
    ],
)
def test_a_sentence_names_the_object(tool: str, call: Said, text: str) -> None:
    assert text_of(said(tool, call)) == text


def test_a_call_that_failed_says_so_and_why() -> None:
    call = Said({"path": "/project/shop/main.py"})
    assert (
        text_of(said("file_edit", call, failure="the text isn't there"))
        == "Couldn’t edit shop/main.py, the text isn't there"
    )
    assert (
        text_of(said("file_edit", call, failure="no", refused=True))
        == "Couldn’t edit shop/main.py, refused by you"
    )
    assert text_of(doing("file_edit", call.arguments)) == "Editing shop/main.py"


async def test_a_step_of_a_run_opens_to_a_difference(panel: Panel, tmp_path: Path) -> None:
    path = str(tmp_path / "project/main.py")
    panel.script(
        call("file_write", path=path, content="one\ntwo\nthree\n"),
        call("file_write", path=path, content="one\n2\nthree\nfour\n"),
        call("file_edit", path=path, old="four", new="4"),
        call("file_edit", path=path, old="absent", new="x"),
        say("Done"),
    )
    run = await panel.start("Write")
    await panel.ends()
    steps = (await panel.ask("run_steps", run_id=run))["steps"]
    rows = [row for step in steps for row in step["calls"]]
    assert [row["said"]["facts"] for row in rows[:3]] == ["new, 3 lines", "+2 −1", "+1 −1"]
    [shown] = rows[1]["shown"]
    assert shown["kind"] == "difference"
    assert shown["text"] == " one\n-two\n+2\n three\n+four"
    assert rows[3]["said"]["verb"] == "Couldn’t edit"
    assert [part["kind"] for part in rows[3]["shown"]] == ["problem"]


def step(tool: str, arguments: Any, result: Any, *, failed: bool = False) -> Any:
    call = {
        "id": "1",
        "tool": tool,
        "arguments": json.dumps(arguments),
        "result": json.dumps(result),
        "failed": failed,
        "refused": False,
    }
    [row] = rows_of_steps([{"number": 1, "calls": [call]}])
    return row["calls"][0]


def test_what_a_call_opens_to_is_no_json() -> None:
    ran = step(
        "terminal_execute",
        {"command": "ls\npwd"},
        {"exit_code": 0, "terminal_id": "term-2", "output": "a\nb"},
    )
    assert [(part["title"], part["text"]) for part in ran["shown"]] == [("Command", "ls\npwd"), ("", "a\nb")]
    assert ran["terminal"] == "term-2"
    own = step(
        "count", {"path": "a", "names": ["x", "y"]}, {"lines": 3, "text": "one\ntwo", "more": {"a": None}}
    )
    assert [part["text"] for part in own["shown"]] == [
        "path: a\nnames:\n  - x\n  - y",
        "lines: 3\ntext:\n  one\n  two\nmore:\n  a: none",
    ]


def test_a_result_that_was_cut_is_shown_as_far_as_it_goes() -> None:
    whole = step("terminal_execute", {"command": "ls"}, {"exit_code": 3, "output": "long " * 10})
    cut = dict(whole, result=whole["result"][:40])
    [row] = rows_of_steps([{"number": 1, "calls": [cut]}])
    assert row["calls"][0]["said"]["facts"] == "exit 3"
    assert row["calls"][0]["shown"][-1]["text"].startswith("long")
