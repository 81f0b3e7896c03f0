"""The views that the calls of a step open to: a difference, the output of a command, or facts, never escaped JSON."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from pydantic_core import from_json

from gemini.agents.events import RunCallRow, RunStepRow, SeenRow, ShownRow
from gemini.agents.loop.controls import CONTROLS
from gemini.agents.loop.plan import BLOCKED, PLAN, VERDICT
from gemini.agents.watching.parts import Said, member
from gemini.agents.watching.sentences import doing, said
from gemini.agents.watching.words import short_path

Json = dict[str, Any]
# The agent's words to the user or to itself, which the sentence has.
SAID_IN_FULL = frozenset({*CONTROLS, PLAN, BLOCKED, VERDICT})
MOST_TEXT = 12_000
CUT = "…"


def rows_of_steps(steps: Sequence[Mapping[str, Any]]) -> list[RunStepRow]:
    """Return the page's rows of steps, with the sentences of their calls.

    Args:
        steps: Each as `Step.model_dump` returns it. One of an earlier version may lack members.
    """
    measured = {"first_s": None, "speed": None}
    rows = [{**measured, **step, "calls": [_row_of_call(call) for call in step["calls"]]} for step in steps]
    return cast("list[RunStepRow]", rows)


def _row_of_call(stored: Json) -> RunCallRow:
    tool, failed = stored["tool"], stored["failed"]
    arguments, result = parsed(stored["arguments"]), parsed(stored["result"])
    given = cast("Json", arguments) if isinstance(arguments, dict) else {}
    error = member(result, "error") if failed else None
    why = str(member(error, "message") or stored["result"])
    call = Said(given, None if failed else result, stored.get("changes", []), stored.get("element", ""))
    row: Json = {name: stored[name] for name in ("id", "tool", "arguments", "result", "failed", "refused")}
    row |= {"origins": stored.get("origins", []), "seconds": stored.get("seconds", 0.0)}
    row["said"] = said(tool, call, failure=why if failed else None, refused=stored["refused"])
    row["shown"] = _failed(tool, call, error) if failed else _describe(tool, call)
    terminal = call.found("terminal_id")
    row["terminal"] = terminal if isinstance(terminal, str) else None
    return cast("RunCallRow", row)


def seen(tool: str, arguments: Any, result: str | None, *, failed: bool) -> SeenRow:
    """Return a call outside of a run as people see it.

    Args:
        tool: The tool's name.
        arguments: Its arguments, a JSON object.
        result: The result or the error as JSON text, which may be cut; None while the call runs.
        failed: Whether it failed.
    """
    given = cast("Json", arguments) if isinstance(arguments, dict) else {}
    if result is None:
        return {"said": doing(tool, given), "shown": _given(tool, Said(given))}
    value = parsed(result)
    if not failed:
        call = Said(given, value)
        return {"said": said(tool, call), "shown": _describe(tool, call)}
    error = member(value, "error") or value
    why = str(member(error, "message") or result)
    return {"said": said(tool, Said(given), failure=why), "shown": _failed(tool, Said(given), error)}


def parsed(text: str) -> Any:
    """Return the value of JSON that may have been cut, or is still being written; None if it is no JSON."""
    try:
        return from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None


def _failed(tool: str, call: Said, error: Any) -> list[ShownRow]:
    """Return the attempt, and the full reason for its failure."""
    problem = cast("Json", error) if isinstance(error, dict) else {}
    why = [str(problem[name]) for name in ("message", "hint") if problem.get(name)]
    return [*_given(tool, call), *_part("problem", "Why", "\n".join(why))]


def _describe(tool: str, call: Said) -> list[ShownRow]:
    if tool in SAID_IN_FULL:
        return []
    if call.changes:
        return [part for change in call.changes for part in _difference(cast("Json", change))]
    view = VIEWS.get(tool)
    found = call.result if view is None else view(call)
    return [*_given(tool, call), *([] if found is None else _part("text", "", plain(found)))]


def _difference(change: Json) -> list[ShownRow]:
    path = short_path(change["path"])
    if change["added"] is None:
        return _part("words", path, "It is no text, or too long to compare.")
    return _part("difference", path, change["difference"]) or _part("words", path, "Nothing changed.")


def _given(tool: str, call: Said) -> list[ShownRow]:
    """Return the arguments that the sentence can't say in full."""
    if tool in SAID_IN_FULL:
        return [row for value in call.arguments.values() for row in _part("words", "", plain(value))]
    named = INPUTS.get(tool)
    if named is None:
        return [] if tool in VIEWS else _part("text", "With", plain(call.arguments) if call.arguments else "")
    name, title = named
    text = call.get(name)
    return _part("text", title, text) if title == "" or "\n" in text.strip() or len(text) > 60 else []


# The argument that is shown if it has several lines, or is long.
INPUTS: dict[str, tuple[str, str]] = {
    "terminal_execute": ("command", "Command"),
    "run_in_new_terminal": ("command", "Command"),
    "terminal_input": ("text", "Typed"),
    "python_run": ("code", "Code"),
    "run": ("code", "Code"),
    "browser_execute_js": ("code", "Code"),
    "browser_type": ("text", "Typed"),
    "file_write": ("content", "Content"),
    "file_edit": ("new", "New text"),
    "agent_run": ("task", "Task"),
    "browser_run_agent": ("task", "Task"),
    "memory_write": ("text", "Fact"),
    "agent_message": ("text", "Message"),
    "task_answer": ("text", "Answer"),
    "task_add": ("brief", "Task"),
}


def _output(call: Said) -> str | None:
    streams = [str(text) for name in ("output", "stdout", "stderr") if (text := call.found(name))]
    return "\n".join(streams) or "It printed nothing."


def _python(call: Said) -> str | None:
    parts = [str(text) for name in ("stdout", "stderr", "error") if (text := call.found(name))]
    result = call.found("result")
    return "\n".join([*parts, *([] if result is None else [plain(result)])]) or "It printed nothing."


def _entries(*names: str) -> Callable[[Said], str | None]:
    """Return a view of a list: the first of the named members of each entry, a line for each."""

    def view(call: Said) -> str | None:
        result: Any = call.result
        if not isinstance(result, list):
            return None
        rows = cast("list[Any]", result)
        lines = [
            "  ".join(str(cast("Json", row)[name]) for name in names if name in row)
            for row in rows
            if isinstance(row, dict)
        ]
        return "\n".join(lines) or "None."

    return view


def _console(call: Said) -> str | None:
    found = call.found("messages")
    if not isinstance(found, list):
        return None
    rows = [cast("Json", row) for row in cast("list[Any]", found) if isinstance(row, dict)]
    return "\n".join(f"{row.get('level', '')}: {row.get('text', '')}" for row in rows) or "It is empty."


def _text(name: str) -> Callable[[Said], Any]:
    return lambda call: call.found(name)


def _itself(call: Said) -> Any:
    return call.result


def _nothing(_: Said) -> None:
    return None


VIEWS: dict[str, Callable[[Said], Any]] = {
    "terminal_execute": _output,
    "run_in_new_terminal": _output,
    "terminal_read": _text("text"),
    "terminal_list": _entries("id", "working_dir"),
    "python_run": _python,
    "run": _itself,
    "find": _itself,
    "file_read": _text("content"),
    "file_list": _entries("name"),
    "file_find": _entries("path"),
    "browser_snapshot": _itself,
    "browser_get_text": _text("text"),
    "browser_console": _console,
    "browser_tabs": _entries("title", "url"),
    "read_screen_text": _text("text"),
    "analyze_picture": _text("answer"),
    "web_fetch": _text("text"),
    **dict.fromkeys(
        (
            "browser_navigate",
            "browser_click",
            "browser_type",
            "browser_press_key",
            "browser_select",
            "browser_scroll",
            "browser_hover",
            "browser_drag",
            "browser_wait_for",
            "browser_screenshot",
            "screen_capture",
        ),
        # The pictures show it.
        _nothing,
    ),
}


def plain(value: Any, indent: str = "") -> str:
    """Return a JSON value for people: a line for each member, and strings of several lines unchanged."""
    if isinstance(value, dict):
        return "\n".join(_line(str(name), each, indent) for name, each in cast("Json", value).items())
    if isinstance(value, list):
        return "\n".join(_line("-", each, indent) for each in cast("list[Any]", value))
    if isinstance(value, str):
        return "\n".join(f"{indent}{line}" for line in value.splitlines()) if indent else value
    return f"{indent}{json.dumps(value)}"


def _line(name: str, value: Any, indent: str) -> str:
    mark = name if name == "-" else f"{name}:"
    if (isinstance(value, (dict, list)) and len(cast("Json", value)) > 0) or (
        isinstance(value, str) and "\n" in value
    ):
        return f"{indent}{mark}\n{plain(value, f'{indent}  ')}"
    shown = value if isinstance(value, str) else "none" if value in ([], {}, None) else json.dumps(value)
    return f"{indent}{mark} {shown}"


def _part(kind: str, title: str, text: str) -> list[ShownRow]:
    if text.strip() == "":
        return []
    row = {
        "kind": kind,
        "title": title,
        "text": text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n{CUT}",
    }
    return [cast("ShownRow", row)]
