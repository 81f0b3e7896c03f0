"""The sentences that say what a call did: "Wrote shop/main.py, +12 −3". Every tool has one here.

A sentence has a verb, an object and facts. The object and the facts may be text of pages and programs: they are one
line, shortened, and the page shows them as text. What a call opens to is in `views.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from gemini.agents.events import SaidRow
from gemini.agents.loop.controls import ASK, DONE, FAIL, FIND, NOTE, SKILL
from gemini.agents.loop.plan import BLOCKED, PLAN, VERDICT
from gemini.agents.watching.words import brief, counted, named, quoted, short_path
from gemini.tools.watching import FileChange

Arguments = dict[str, Any]
MOST_OBJECT, MOST_FACTS, MOST_REASON = 80, 60, 140


@dataclass(frozen=True)
class Said:
    """A call as a sentence needs it.

    Attributes:
        arguments: As far as they are known.
        result: The value, as far as it is stored; None if there is none.
        changes: The files that the call changed.
        element: The name of the element that it acted on.
    """

    arguments: Arguments
    result: Any = None
    changes: list[FileChange] = field(default_factory=list[FileChange])
    element: str = ""

    def get(self, name: str) -> str:
        """Return an argument as text; empty if it is missing."""
        value = self.arguments.get(name)
        return "" if value is None else str(value)

    def items(self, name: str) -> list[Any]:
        """Return an argument that is a list; an empty one if it isn't."""
        value = self.arguments.get(name)
        return cast("list[Any]", value) if isinstance(value, list) else []

    def found(self, name: str) -> Any:
        """Return a member of the result; None if it has none."""
        return member(self.result, name)


def member(value: Any, name: str) -> Any:
    """Return a member of a JSON value; None if it has none."""
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


Part = Callable[[Said], str]


def _nothing(_: Said) -> str:
    return ""


@dataclass(frozen=True)
class Sentence:
    """The words for the calls of one tool.

    Attributes:
        done: The verb of a call that is done: "Wrote".
        do: The verb after "Couldn't": "write".
        doing: The verb of a running call: "Writing".
        object: Returns what the call acts on.
        facts: Returns what came of it.
    """

    done: str
    do: str
    doing: str
    object: Part = _nothing
    facts: Part = _nothing


def _argument(*names: str) -> Part:
    return lambda call: next((text for name in names if (text := call.get(name))), "")


def _path(name: str = "path", missing: str = "") -> Part:
    return lambda call: short_path(call.get(name)) or missing


def _quoted(name: str) -> Part:
    return lambda call: quoted(call.get(name))


def _element(call: Said) -> str:
    if call.element:
        return call.element
    if "x" in call.arguments and call.arguments.get("ref") is None:
        return f"at {call.get('x')}, {call.get('y')}"
    return call.get("selector") or (f"element {call.get('ref')}" if call.get("ref") else "the page")


def _typed(call: Said) -> str:
    return (
        f"{quoted(call.get('text'), 40)} into {_element(call)}"
        if call.element
        else quoted(call.get("text"), 60)
    )


def _lines(call: Said) -> str:
    if not call.changes:
        return ""
    [*_, change] = call.changes
    if change["added"] is None:
        return ""
    if change["created"]:
        return f"new, {counted(change['added'], 'line')}"
    return f"+{change['added']} −{change['removed']}"


def _exit(call: Said) -> str:
    if call.found("timed_out"):
        return "stopped after its time"
    if call.found("waiting_for_input") is not None:
        return "waits for input"
    code = call.found("exit_code")
    return "" if code is None else f"exit {code}"


def _count(noun: str, member: str | None = None, plural: str | None = None) -> Part:
    """Return a part that counts the entries of the result, or of a member of it."""

    def facts(call: Said) -> str:
        entries = call.result if member is None else call.found(member)
        return counted(len(cast("list[Any]", entries)), noun, plural) if isinstance(entries, list) else ""

    return facts


def _address(call: Said) -> str:
    url = call.get("url")
    return short_path(url) if url.startswith("/") else url.removeprefix("https://")


def _console(call: Said) -> str:
    found = call.found("messages")
    if not isinstance(found, list):
        return ""
    levels = [member(row, "level") for row in cast("list[Any]", found)]
    errors = levels.count("error")
    return counted(errors, "error") if errors else counted(len(levels), "message")


def _member(name: str, before: str = "") -> Part:
    return lambda call: (
        "" if call.found(name) in (None, "") else f"{before}{brief(str(call.found(name)), 60)}"
    )


def _verdict(call: Said) -> str:
    return "done" if call.arguments.get("done") else call.get("missing")


def _steps(call: Said) -> str:
    return counted(len(call.items("steps")), "step")


SENTENCES: dict[str, Sentence] = {
    # Terminals and Python.
    "terminal_create": Sentence("Opened", "open", "Opening", lambda _: "a terminal", _member("terminal_id")),
    "terminal_execute": Sentence("Ran", "run", "Running", _argument("command"), _exit),
    "terminal_list": Sentence("Listed", "list", "Listing", lambda _: "terminals", _count("terminal")),
    "terminal_focus": Sentence("Showed", "show", "Showing", _argument("terminal_id")),
    "terminal_close": Sentence("Closed", "close", "Closing", _argument("terminal_id")),
    "terminal_read": Sentence("Read", "read", "Reading", _argument("terminal_id")),
    "terminal_input": Sentence(
        "Typed", "type", "Typing", lambda call: f"{quoted(call.get('text'))} in {call.get('terminal_id')}"
    ),
    "terminal_interrupt": Sentence(
        "Stopped", "stop", "Stopping", lambda call: f"the command in {call.get('terminal_id')}"
    ),
    "run_in_new_terminal": Sentence("Ran", "run", "Running", _argument("command"), _exit),
    "python_run": Sentence(
        "Ran", "run", "Running", lambda call: f"Python: {call.get('code')}", _member("error")
    ),
    "find_and_edit": Sentence(
        "Opened",
        "open",
        "Opening",
        lambda call: f"files that match {call.get('pattern')}",
        _count("file", "files_found"),
    ),
    # Files.
    "file_list": Sentence("Listed", "list", "Listing", _path(), _count("entry", plural="entries")),
    "file_navigate": Sentence("Showed", "show", "Showing", _path()),
    "file_find": Sentence(
        "Searched",
        "search",
        "Searching",
        lambda call: f"for {call.get('pattern')}",
        _count("match", plural="matches"),
    ),
    "file_read": Sentence("Read", "read", "Reading", _path()),
    "file_write": Sentence("Wrote", "write", "Writing", _path(), _lines),
    "file_edit": Sentence("Edited", "edit", "Editing", _path(), _lines),
    "file_history": Sentence(
        "Read",
        "read",
        "Reading",
        lambda call: f"the history of {short_path(call.get('path')) or 'all files'}",
    ),
    "file_restore": Sentence(
        "Restored", "restore", "Restoring", _path(missing="earlier versions"), _count("file", "restored")
    ),
    # Pages.
    "browser_navigate": Sentence("Opened", "open", "Opening", _address),
    "browser_snapshot": Sentence("Looked", "look", "Looking", lambda _: "at the page"),
    "browser_click": Sentence("Clicked", "click", "Clicking", _element),
    "browser_type": Sentence("Typed", "type", "Typing", _typed),
    "browser_press_key": Sentence("Pressed", "press", "Pressing", _argument("key")),
    "browser_select": Sentence("Chose", "choose", "Choosing", _quoted("option")),
    "browser_scroll": Sentence("Scrolled", "scroll", "Scrolling", _argument("direction")),
    "browser_hover": Sentence(
        "Pointed", "point", "Pointing", lambda call: f"at {_element(call)}".replace("at at", "at")
    ),
    "browser_drag": Sentence("Dragged", "drag", "Dragging", _element),
    "browser_wait_for": Sentence(
        "Waited",
        "wait",
        "Waiting",
        lambda call: (
            f"for {quoted(call.get('text'))}"
            if call.get("text")
            else f"until {quoted(call.get('gone'))} was gone"
            if call.get("gone")
            else f"{call.get('seconds') or '10'} s"
        ),
    ),
    "browser_get_text": Sentence("Read", "read", "Reading", lambda _: "the page", _member("title")),
    "browser_screenshot": Sentence("Took", "take", "Taking", lambda _: "a picture of the page"),
    "browser_execute_js": Sentence("Ran", "run", "Running", lambda call: f"JavaScript: {call.get('code')}"),
    "browser_console": Sentence("Read", "read", "Reading", lambda _: "the page’s console", _console),
    "browser_tabs": Sentence("Listed", "list", "Listing", lambda _: "tabs"),
    "page_tool": Sentence(
        "Used",
        "use",
        "Using",
        lambda call: (
            f"the page’s tool {call.get('name')}" if call.get("name") else "the page’s list of tools"
        ),
    ),
    "browser_fill": Sentence(
        "Filled",
        "fill",
        "Filling",
        lambda call: counted(len(call.items("fields")), "field"),
    ),
    "browser_find": Sentence(
        "Searched",
        "search",
        "Searching",
        lambda call: f"the page for {_argument('text', 'pattern', 'role')(call)}",
        _count("match", "matches", "matches"),
    ),
    "browser_table": Sentence("Read", "read", "Reading", lambda _: "a table", _count("row", "rows")),
    "browser_network": Sentence(
        "Read", "read", "Reading", lambda _: "the page’s requests", _count("request", "requests")
    ),
    "browser_dialog": Sentence(
        "Chose",
        "choose",
        "Choosing",
        lambda call: "OK in the next dialog" if call.arguments.get("accept") else "Cancel in the next dialog",
    ),
    "browser_upload": Sentence(
        "Uploaded",
        "upload",
        "Uploading",
        lambda call: ", ".join(short_path(str(path)) for path in call.items("paths")),
    ),
    # Agents, memory, schedules, automations.
    "agent_run": Sentence(
        "Asked",
        "ask",
        "Asking",
        lambda call: f"{named(call.get('agent') or 'another agent')}: {call.get('task')}",
        _member("status"),
    ),
    "agent_status": Sentence("Looked", "look", "Looking", lambda _: "at other agents"),
    "agent_cancel": Sentence("Stopped", "stop", "Stopping", lambda call: f"the run {call.get('run_id')}"),
    "browser_run_agent": Sentence(
        "Asked", "ask", "Asking", lambda call: f"the browser agent: {call.get('task')}", _member("status")
    ),
    "memory_read": Sentence(
        "Recalled",
        "recall",
        "Recalling",
        lambda call: quoted(call.get("query")) if call.get("query") else "the newest facts",
    ),
    "memory_write": Sentence(
        "Remembered",
        "remember",
        "Remembering",
        _quoted("text"),
        lambda call: "waits for you" if call.found("waits") else "",
    ),
    "schedule_create": Sentence("Scheduled", "schedule", "Scheduling", _argument("brief"), _argument("when")),
    "schedule_list": Sentence("Listed", "list", "Listing", lambda _: "schedules", _count("schedule")),
    "schedule_change": Sentence(
        "Changed", "change", "Changing", lambda call: f"the schedule {call.get('schedule')}"
    ),
    "schedule_delete": Sentence(
        "Deleted", "delete", "Deleting", lambda call: f"the schedule {call.get('schedule')}"
    ),
    "automation_list": Sentence("Listed", "list", "Listing", lambda _: "automations", _count("automation")),
    "automation_run": Sentence("Ran", "run", "Running", lambda call: f"the automation {call.get('name')}"),
    # The web and pictures.
    "web_search": Sentence(
        "Searched",
        "search",
        "Searching",
        lambda call: f"the web for {quoted(call.get('query'))}",
        _count("result", "results"),
    ),
    "web_fetch": Sentence("Read", "read", "Reading", _address, _member("title")),
    "screen_capture": Sentence("Took", "take", "Taking", lambda _: "a picture of your screen"),
    "read_screen_text": Sentence(
        "Read", "read", "Reading", lambda call: f"the text in {_picture(call, 'screen')}"
    ),
    "analyze_picture": Sentence("Looked", "look", "Looking", lambda call: f"at {_picture(call, 'tab')}"),
    "find_and_tap": Sentence("Pressed", "press", "Pressing", _quoted("description")),
    "watch_screen": Sentence("Waited", "wait", "Waiting", lambda call: f"until {call.get('condition')}"),
    # What the user's browser does.
    "personal_share": Sentence(
        "Offered",
        "offer",
        "Offering",
        lambda call: f"to share {quoted(call.get('title') or call.get('text'))}",
    ),
    "personal_draft": Sentence(
        "Opened", "open", "Opening", lambda call: f"a draft to {call.get('to') or 'nobody yet'}"
    ),
    "personal_copy": Sentence("Copied", "copy", "Copying", _quoted("text")),
    "personal_paste": Sentence("Read", "read", "Reading", lambda _: "your clipboard"),
    "personal_places": Sentence(
        "Looked up", "look up", "Looking up", lambda call: call.get("query") or "coordinates"
    ),
    "personal_locate": Sentence("Read", "read", "Reading", lambda _: "where you are"),
    "personal_photos": Sentence(
        "Stored", "store", "Storing", lambda _: "pictures that you chose", _count("picture", "paths")
    ),
    "photo_search": Sentence("Searched", "search", "Searching", lambda _: "your photos"),
    "personal_calendar": Sentence("Read", "read", "Reading", lambda _: "your calendar"),
    "personal_calendar_change": Sentence("Changed", "change", "Changing", lambda _: "your calendar"),
    "personal_contacts": Sentence("Read", "read", "Reading", lambda _: "your contacts"),
    "personal_contacts_change": Sentence("Changed", "change", "Changing", lambda _: "your contacts"),
    "personal_sync": Sentence("Synced", "sync", "Syncing", lambda _: "your calendar and contacts"),
    # The controls of a run (agents/loop/controls.py, plan.py) and of a team (agents/teamwork/tools.py).
    DONE: Sentence("Finished", "finish", "Finishing"),
    FAIL: Sentence("Gave up", "give up", "Giving up", facts=_argument("reason")),
    ASK: Sentence("Asked you", "ask you", "Asking you", _argument("question")),
    NOTE: Sentence("Noted", "note", "Noting", _argument("fact")),
    FIND: Sentence("Looked", "look", "Looking", lambda call: f"for tools: {call.get('query')}"),
    SKILL: Sentence("Opened", "open", "Opening", lambda call: f"the skill {call.get('name')}"),
    PLAN: Sentence("Planned", "plan", "Planning", _steps),
    BLOCKED: Sentence("Couldn’t continue", "continue", "Stopping", facts=_argument("reason")),
    VERDICT: Sentence("Checked", "check", "Checking", lambda _: "the result", _verdict),
    "task_add": Sentence(
        "Assigned",
        "assign",
        "Assigning",
        lambda call: f"{named(call.get('agent'))} a task: {call.get('brief')}",
    ),
    "task_wait": Sentence("Waited", "wait", "Waiting", lambda _: "for the team"),
    "task_answer": Sentence("Answered", "answer", "Answering", _quoted("text")),
    "agent_message": Sentence(
        "Wrote", "write", "Writing", lambda call: f"to {named(call.get('agent'))}: {call.get('text')}"
    ),
}


TAB_ACTIONS: dict[str, Sentence] = {
    "open": Sentence(
        "Opened", "open", "Opening", lambda call: f"{_address(call) or 'an empty page'} in a new tab"
    ),
    "focus": Sentence("Showed", "show", "Showing", lambda _: "a tab"),
    "close": Sentence("Closed", "close", "Closing", lambda _: "a tab"),
    "back": Sentence("Went", "go", "Going", lambda _: "back"),
    "forward": Sentence("Went", "go", "Going", lambda _: "forward"),
    "reload": Sentence("Reloaded", "reload", "Reloading", lambda _: "the page"),
}


def _picture(call: Said, usual: str) -> str:
    if call.get("path"):
        return short_path(call.get("path"))
    return "your screen" if (call.get("source") or usual) == "screen" else "the page"


def _default(tool: str) -> Sentence:
    """Return the sentence of a tool that a script or a page has added."""

    def simple(call: Said) -> str:
        return ", ".join(
            f"{name}: {value}"
            for name, value in call.arguments.items()
            if isinstance(value, (str, int, float))
        )

    return Sentence("Used", "use", "Using", lambda _: tool, simple)


def sentence_of(tool: str, arguments: Arguments) -> Sentence:
    """Return the words for a call of a tool."""
    action = TAB_ACTIONS.get(str(arguments.get("action"))) if tool == "browser_tabs" else None
    return action or SENTENCES.get(tool) or _default(tool)


def said(tool: str, call: Said, *, failure: str | None = None, refused: bool = False) -> SaidRow:
    """Return the sentence of a call that has ended.

    Args:
        tool: The tool's name.
        call: The call.
        failure: Why it failed; None if it didn't.
        refused: Whether the user refused.
    """
    words = sentence_of(tool, call.arguments)
    if failure is None:
        return _row(words.done, words.object(call), brief(words.facts(call), MOST_FACTS))
    why = "refused by you" if refused else brief(failure, MOST_REASON)
    return _row(f"Couldn’t {words.do}", words.object(call), why)


def doing(tool: str, arguments: Arguments) -> SaidRow:
    """Return the sentence of a call that runs, or whose arguments are still being written."""
    words = sentence_of(tool, arguments)
    return _row(words.doing, words.object(Said(arguments)), "")


def _row(verb: str, of: str, facts: str) -> SaidRow:
    return {"verb": verb, "object": brief(of, MOST_OBJECT), "facts": facts}
