"""The sentences that say what a call did: "Wrote shop/main.py, +12 −3". Every tool has one here.

A sentence has a verb, an object and facts. The object and the facts may be text of pages and programs: they are one
line, shortened, and the page shows them as text. What a call opens to is in `views.py`.
"""

from gemini.agents.events import SaidRow
from gemini.agents.loop.controls import ASK, DONE, FAIL, FIND, NOTE, SKILL
from gemini.agents.loop.plan import BLOCKED, PLAN, VERDICT
from gemini.agents.watching.parts import (
    Arguments,
    Said,
    Sentence,
    address_of,
    argument,
    console_of,
    count_of,
    element_of,
    exit_of,
    lines_of,
    member_of,
    path_of,
    quoted_argument,
    steps_of,
    typed_of,
    verdict_of,
)
from gemini.agents.watching.words import brief, counted, named, quoted, short_path

MOST_OBJECT, MOST_FACTS, MOST_REASON = 80, 60, 140

SENTENCES: dict[str, Sentence] = {
    # Terminals and Python.
    "terminal_create": Sentence(
        "Opened", "open", "Opening", lambda _: "a terminal", member_of("terminal_id")
    ),
    "terminal_execute": Sentence("Ran", "run", "Running", argument("command"), exit_of),
    "terminal_list": Sentence("Listed", "list", "Listing", lambda _: "terminals", count_of("terminal")),
    "terminal_focus": Sentence("Showed", "show", "Showing", argument("terminal_id")),
    "terminal_close": Sentence("Closed", "close", "Closing", argument("terminal_id")),
    "terminal_read": Sentence("Read", "read", "Reading", argument("terminal_id")),
    "terminal_input": Sentence(
        "Typed", "type", "Typing", lambda call: f"{quoted(call.get('text'))} in {call.get('terminal_id')}"
    ),
    "terminal_interrupt": Sentence(
        "Stopped", "stop", "Stopping", lambda call: f"the command in {call.get('terminal_id')}"
    ),
    "run_in_new_terminal": Sentence("Ran", "run", "Running", argument("command"), exit_of),
    "python_run": Sentence(
        "Ran", "run", "Running", lambda call: f"Python: {call.get('code')}", member_of("error")
    ),
    "run": Sentence("Ran", "run", "Running", lambda call: f"Python: {call.get('code')}"),
    "find": Sentence(
        "Looked up", "look up", "Looking up", lambda call: quoted(call.get("query") or "the modules")
    ),
    "find_and_edit": Sentence(
        "Opened",
        "open",
        "Opening",
        lambda call: f"files that match {call.get('pattern')}",
        count_of("file", "files_found"),
    ),
    # Files.
    "file_list": Sentence("Listed", "list", "Listing", path_of(), count_of("entry", plural="entries")),
    "file_navigate": Sentence("Showed", "show", "Showing", path_of()),
    "file_find": Sentence(
        "Searched",
        "search",
        "Searching",
        lambda call: f"for {call.get('pattern')}",
        count_of("match", plural="matches"),
    ),
    "file_read": Sentence("Read", "read", "Reading", path_of()),
    "file_write": Sentence("Wrote", "write", "Writing", path_of(), lines_of),
    "file_edit": Sentence("Edited", "edit", "Editing", path_of(), lines_of),
    "file_history": Sentence(
        "Read",
        "read",
        "Reading",
        lambda call: f"the history of {short_path(call.get('path')) or 'all files'}",
    ),
    "file_restore": Sentence(
        "Restored", "restore", "Restoring", path_of(missing="earlier versions"), count_of("file", "restored")
    ),
    # Pages.
    "browser_navigate": Sentence("Opened", "open", "Opening", address_of),
    "browser_snapshot": Sentence("Looked", "look", "Looking", lambda _: "at the page"),
    "browser_click": Sentence("Clicked", "click", "Clicking", element_of),
    "browser_type": Sentence("Typed", "type", "Typing", typed_of),
    "browser_press_key": Sentence("Pressed", "press", "Pressing", argument("key")),
    "browser_select": Sentence("Chose", "choose", "Choosing", quoted_argument("option")),
    "browser_scroll": Sentence("Scrolled", "scroll", "Scrolling", argument("direction")),
    "browser_hover": Sentence(
        "Pointed", "point", "Pointing", lambda call: f"at {element_of(call).removeprefix('at ')}"
    ),
    "browser_drag": Sentence("Dragged", "drag", "Dragging", element_of),
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
    "browser_get_text": Sentence("Read", "read", "Reading", lambda _: "the page", member_of("title")),
    "browser_screenshot": Sentence("Took", "take", "Taking", lambda _: "a picture of the page"),
    "browser_execute_js": Sentence("Ran", "run", "Running", lambda call: f"JavaScript: {call.get('code')}"),
    "browser_console": Sentence("Read", "read", "Reading", lambda _: "the page’s console", console_of),
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
        lambda call: f"the page for {argument('text', 'pattern', 'role')(call)}",
        count_of("match", "matches", "matches"),
    ),
    "browser_table": Sentence("Read", "read", "Reading", lambda _: "a table", count_of("row", "rows")),
    "browser_network": Sentence(
        "Read", "read", "Reading", lambda _: "the page’s requests", count_of("request", "requests")
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
        member_of("status"),
    ),
    "agent_status": Sentence("Looked", "look", "Looking", lambda _: "at other agents"),
    "agent_cancel": Sentence("Stopped", "stop", "Stopping", lambda call: f"the run {call.get('run_id')}"),
    "browser_run_agent": Sentence(
        "Asked", "ask", "Asking", lambda call: f"the browser agent: {call.get('task')}", member_of("status")
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
        quoted_argument("text"),
        lambda call: "waits for you" if call.found("waits") else "",
    ),
    "schedule_create": Sentence("Scheduled", "schedule", "Scheduling", argument("brief"), argument("when")),
    "schedule_list": Sentence("Listed", "list", "Listing", lambda _: "schedules", count_of("schedule")),
    "schedule_change": Sentence(
        "Changed", "change", "Changing", lambda call: f"the schedule {call.get('schedule')}"
    ),
    "schedule_delete": Sentence(
        "Deleted", "delete", "Deleting", lambda call: f"the schedule {call.get('schedule')}"
    ),
    "automation_list": Sentence("Listed", "list", "Listing", lambda _: "automations", count_of("automation")),
    "automation_run": Sentence("Ran", "run", "Running", lambda call: f"the automation {call.get('name')}"),
    # The web and pictures.
    "web_search": Sentence(
        "Searched",
        "search",
        "Searching",
        lambda call: f"the web for {quoted(call.get('query'))}",
        count_of("result", "results"),
    ),
    "web_fetch": Sentence("Read", "read", "Reading", address_of, member_of("title")),
    # The user's MCP servers.
    "mcp_servers": Sentence("Listed", "list", "Listing", lambda _: "MCP servers", count_of("server")),
    "mcp_tools": Sentence(
        "Listed",
        "list",
        "Listing",
        lambda call: f"the tools of {call.get('server')}",
        count_of("tool", "tools"),
    ),
    "mcp_call": Sentence(
        "Called", "call", "Calling", lambda call: f"{call.get('tool')} of {call.get('server')}"
    ),
    "mcp_read": Sentence("Read", "read", "Reading", argument("uri"), lambda call: f"of {call.get('server')}"),
    "screen_capture": Sentence("Took", "take", "Taking", lambda _: "a picture of your screen"),
    "read_screen_text": Sentence(
        "Read", "read", "Reading", lambda call: f"the text in {_picture(call, 'screen')}"
    ),
    "analyze_picture": Sentence("Looked", "look", "Looking", lambda call: f"at {_picture(call, 'tab')}"),
    "find_and_tap": Sentence("Pressed", "press", "Pressing", quoted_argument("description")),
    "watch_screen": Sentence("Waited", "wait", "Waiting", lambda call: f"until {call.get('condition')}"),
    # Actions of the user's browser.
    "personal_share": Sentence(
        "Offered",
        "offer",
        "Offering",
        lambda call: f"to share {quoted(call.get('title') or call.get('text'))}",
    ),
    "personal_draft": Sentence(
        "Opened", "open", "Opening", lambda call: f"a draft to {call.get('to') or 'nobody yet'}"
    ),
    "personal_copy": Sentence("Copied", "copy", "Copying", quoted_argument("text")),
    "personal_paste": Sentence("Read", "read", "Reading", lambda _: "your clipboard"),
    "personal_places": Sentence(
        "Looked up", "look up", "Looking up", lambda call: call.get("query") or "coordinates"
    ),
    "personal_locate": Sentence("Read", "read", "Reading", lambda _: "where you are"),
    "personal_photos": Sentence(
        "Stored", "store", "Storing", lambda _: "pictures that you chose", count_of("picture", "paths")
    ),
    "photo_search": Sentence("Searched", "search", "Searching", lambda _: "your photos"),
    "personal_calendar": Sentence("Read", "read", "Reading", lambda _: "your calendar"),
    "personal_calendar_change": Sentence("Changed", "change", "Changing", lambda _: "your calendar"),
    "personal_contacts": Sentence("Read", "read", "Reading", lambda _: "your contacts"),
    "personal_contacts_change": Sentence("Changed", "change", "Changing", lambda _: "your contacts"),
    "personal_sync": Sentence("Synced", "sync", "Syncing", lambda _: "your calendar and contacts"),
    # The controls of a run (agents/loop/controls.py, plan.py) and of a team (agents/teamwork/tools.py).
    DONE: Sentence("Finished", "finish", "Finishing"),
    FAIL: Sentence("Stopped", "stop", "Stopping", facts=argument("reason")),
    ASK: Sentence("Asked you", "ask you", "Asking you", argument("question")),
    NOTE: Sentence("Noted", "note", "Noting", argument("fact")),
    FIND: Sentence("Looked", "look", "Looking", lambda call: f"for tools: {call.get('query')}"),
    SKILL: Sentence("Opened", "open", "Opening", lambda call: f"the skill {call.get('name')}"),
    PLAN: Sentence("Planned", "plan", "Planning", steps_of),
    BLOCKED: Sentence("Couldn’t continue", "continue", "Stopping", facts=argument("reason")),
    VERDICT: Sentence("Checked", "check", "Checking", lambda _: "the result", verdict_of),
    "task_add": Sentence(
        "Assigned",
        "assign",
        "Assigning",
        lambda call: f"{named(call.get('agent'))} a task: {call.get('brief')}",
    ),
    "task_wait": Sentence("Waited", "wait", "Waiting", lambda _: "for the team"),
    "task_answer": Sentence("Answered", "answer", "Answering", quoted_argument("text")),
    "agent_message": Sentence(
        "Wrote", "write", "Writing", lambda call: f"to {named(call.get('agent'))}: {call.get('text')}"
    ),
}


TAB_ACTIONS: dict[str, Sentence] = {
    "open": Sentence(
        "Opened", "open", "Opening", lambda call: f"{address_of(call) or 'an empty page'} in a new tab"
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
