"""The tools of a new surface: names, parameters, effects and the total length of their descriptions."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gemini.kernel import catalogue
from gemini.tools.budgets import DESCRIPTION_BUDGET, LIST_BUDGET, PARAMETER_BUDGET

# The parameters (? marks a default) and the effect of each tool.
TOOLS = {
    "terminal_create": ("x? y? backend? working_dir?", "write"),
    "terminal_execute": ("command terminal_id? timeout_s? streams? raw?", "write"),
    "terminal_list": ("", "read"),
    "terminal_focus": ("terminal_id", "write"),
    "terminal_close": ("terminal_id", "write"),
    "terminal_read": ("terminal_id lines?", "read"),
    "terminal_input": ("terminal_id text", "write"),
    "terminal_interrupt": ("terminal_id", "write"),
    "run_in_new_terminal": ("command", "write"),
    "python_run": ("code", "write"),
    "run": ("code timeout_s?", "write"),
    "find": ("query?", "read"),
    "file_list": ("path", "read"),
    "file_navigate": ("path", "write"),
    "file_find": ("pattern path?", "read"),
    "file_read": ("path max_bytes? offset?", "read"),
    "file_write": ("path content append?", "write"),
    "file_edit": ("path old new", "write"),
    "file_history": ("path?", "read"),
    "file_restore": ("id path?", "write"),
    "find_and_edit": ("pattern editor?", "write"),
    "browser_navigate": ("url tab?", "write"),
    "browser_snapshot": ("tab? scope? changed_only? max_chars?", "read"),
    "browser_click": ("ref? selector? x? y? double? button? modifiers? hold?", "write"),
    "browser_type": ("text ref? selector? submit?", "write"),
    "browser_press_key": ("key", "write"),
    "browser_select": ("option ref? selector?", "write"),
    "browser_scroll": ("direction amount? ref?", "write"),
    "browser_hover": ("ref? x? y?", "write"),
    "browser_drag": ("ref? to_ref? dx? dy? path? modifiers? hold?", "write"),
    "browser_wait_for": ("text? gone? seconds?", "read"),
    "browser_get_text": ("instruction? tab? max_chars?", "read"),
    "browser_screenshot": ("format? ref? data? boxes?", "read"),
    "browser_execute_js": ("code tab?", "outside"),
    "browser_console": ("tab? since?", "read"),
    "browser_tabs": ("action? url? tab?", "write"),
    "page_tool": ("name? arguments? tab?", "write"),
    "browser_run_agent": ("task", "spend"),
    "agent_run": ("task agent? strategy? max_steps? fork?", "spend"),
    "agent_status": ("run_id?", "read"),
    "agent_cancel": ("run_id", "write"),
}
GROUPS = {
    "terminal": "terminals",
    "run": "terminals",
    "python": "terminals",
    "find": "terminals",
    "file": "files",
    "browser": "dom",
    "page": "dom",
    "agent": "agents",
}
# These names need no description: each word costs every agent context.
SELF_EVIDENT = {"terminal_id", "path", "content", "new", "append", "command", "code"} | {
    "ref", "selector", "tab", "url", "double", "button", "direction", "dx", "dy", "to_ref", "format", "text", "gone",
    "max_chars", "action", "run_id", "max_steps", "strategy", "task", "modifiers", "hold", "agent", "max_bytes",
    "offset", "arguments", "timeout_s", "query",
}  # fmt: skip

ROWS = {row["name"]: row for row in catalogue.rows()}


def test_the_catalogue_has_exactly_these_tools() -> None:
    assert set(ROWS) == set(TOOLS)


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_has_these_parameters_and_this_effect(name: str) -> None:
    row, (parameters, effect) = ROWS[name], TOOLS[name]
    schema = row["inputSchema"]
    required = set(schema.get("required", []))
    assert [f"{name}{'' if name in required else '?'}" for name in schema["properties"]] == parameters.split()
    assert row["effect"] == effect
    assert row["annotations"].get("readOnlyHint", False) is (effect == "read")
    assert row["group"] == GROUPS[name.partition("_")[0]]


@pytest.mark.parametrize(
    "name",
    [name for name in TOOLS if "execute" in name or "run" in name or name in ("file_read", "terminal_read")],
)
def test_tools_that_return_text_from_outside_are_untrusted(name: str) -> None:
    assert ROWS[name]["annotations"]["untrustedContentHint"] is True


@pytest.mark.parametrize("name", TOOLS)
def test_parameters_are_described_unless_self_evident(name: str) -> None:
    row = ROWS[name]
    assert 0 < len(row["description"]) <= DESCRIPTION_BUDGET
    for parameter, schema in row["inputSchema"]["properties"].items():
        numeric = schema.get("type") in ("integer", "number") and parameter in ("x", "y")
        assert parameter in SELF_EVIDENT or numeric or schema.get("description"), parameter
        assert len(schema.get("description", "")) <= PARAMETER_BUDGET


def test_each_tool_has_a_schema_of_its_result() -> None:
    """An empty one differs from the page's, whose Python is newer, so that the tool is registered twice."""
    assert [name for name, row in ROWS.items() if row.get("outputSchema") == {}] == []


def test_the_whole_list_is_short() -> None:
    rows = [row for row in ROWS.values() if "code" not in row]
    listed = [{key: row[key] for key in ("name", "description", "inputSchema")} for row in rows]
    text = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert len(text) <= LIST_BUDGET


def test_the_module_prints_the_list() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "gemini.kernel.catalogue"],
        capture_output=True,
        text=True,
        check=True,
        env=_environment(),
    )
    listed = json.loads(printed.stdout)
    assert listed["tools"] == list(ROWS.values())
    assert listed["actions"] == catalogue.actions()
    assert "snapshot" in listed["types"]
    assert printed.stderr == ""


def _environment() -> dict[str, Any]:
    return {"PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"}


def test_every_action_is_unique_and_typed() -> None:
    actions = catalogue.actions()
    names = [action["action"] for action in actions]
    assert len(names) == len(set(names)) > 50
    assert all(action["input"]["type"] == "object" and action["output"] is not None for action in actions)


def test_controls_name_actions_that_exist() -> None:
    root = Path(__file__).parents[3]
    sources = [root / "index.html", *(root / "web/ui").rglob("*.ts")]
    named = {
        name
        for source in sources
        for name in re.findall(r'(?:data-action="|action: ")([a-z_]+)"', source.read_text())
    }
    # The actions of browser tabs and of runs are arguments.
    arguments = {
        "list",
        "open",
        "focus",
        "close",
        "back",
        "forward",
        "reload",
        "call_tool",
        "cancel",
        "take_over",
        "pause",
        "resume",
    }
    assert len(named) > 20
    assert named - arguments <= {action["action"] for action in catalogue.actions()}


def test_the_lean_list_has_25_tools() -> None:
    """Clients that take few tools take some thirty."""
    lean = [name for name, row in ROWS.items() if row.get("lean")]
    assert len(lean) == 25
    assert {
        "terminal_execute",
        "python_run",
        "file_read",
        "browser_snapshot",
        "page_tool",
        "agent_run",
    } <= set(lean)


def test_the_list_of_code_mode_has_two_tools_in_1500_characters() -> None:
    listed = [
        {key: row[key] for key in ("name", "description", "inputSchema", "annotations") if key in row}
        for row in ROWS.values()
        if "code" in row
    ]
    assert [row["name"] for row in listed] == ["run", "find"]
    assert len(json.dumps(listed, ensure_ascii=False, separators=(",", ":"))) < 1_500
