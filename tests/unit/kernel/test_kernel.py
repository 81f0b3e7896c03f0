"""The connected rooms, as clients see them."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gemini.core.protocol import Connection
from gemini.errors import ProtocolError
from gemini.kernel.endpoint import connect
from gemini.kernel.kernel import Kernel
from gemini.tools import Registry, declare, report_progress
from tests.tiers import in_turn
from tests.unit.people import Person


class Client:
    """A client of a kernel, with its connection and the notifications that it received."""

    def __init__(self, serve: Callable[[Callable[[str], None]], Connection]) -> None:
        self.notifications: list[dict[str, Any]] = []
        self._arrived = asyncio.Event()
        self.connection = Connection(self._send, {})
        self.server = serve(self._receive)

    def _send(self, text: str) -> None:
        self.server.receive(text)

    def _receive(self, text: str) -> None:
        message = json.loads(text)
        if "id" not in message:
            self.notifications.append(message)
            self._arrived.set()
        self.connection.receive(text)

    async def call(self, tool: str, arguments: Any = None, **meta: Any) -> Any:
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        return await self.connection.request("tools/call", params)

    def received(self, method: str) -> list[Any]:
        return [message["params"] for message in self.notifications if message["method"] == method]

    def events(self, kind: str) -> list[Any]:
        rows = [row for params in self.received("events") for row in params["events"]]
        return [row for row in rows if row["type"] == kind]

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until a notification makes `condition` true, and return its value."""
        while not (value := condition()):
            self._arrived.clear()
            await self._arrived.wait()
        return value


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    registry = Registry()
    registry.results_folder = tmp_path / "results"

    @declare()
    async def walk(steps: int) -> str:
        """Walk."""
        for step in range(steps):
            report_progress(step + 1, steps, None if step else "off")
            await asyncio.sleep(0)
        return "there"

    registry.add(walk)
    registry.add(send_outside())
    return registry


def send_outside() -> Callable[[str], str]:
    @declare(effect="outside")
    def send(text: str) -> str:
        """Send."""
        return f"sent {text}"

    return send


@pytest.fixture
async def client(registry: Registry) -> Client:
    """A client of a registry without a kernel, as in any Pyodide."""
    return Client(lambda send: connect(registry, send, {}))


async def test_initialize_describes_the_server(client: Client) -> None:
    answer = await client.connection.request(
        "initialize", {"protocolVersion": "2025-11-25", "clientInfo": {}}
    )
    assert answer["serverInfo"]["name"] == "gemini"
    assert answer["capabilities"] == {
        kind: {"listChanged": True} for kind in ("tools", "resources", "prompts")
    }
    assert answer["protocolVersion"] == "2025-11-25"
    assert answer["surface"]["isolated"] is False
    assert set(answer["surface"]["missing"][0]) == {"what", "why", "how"}


async def test_tools_are_listed_as_the_page_registers_them(client: Client) -> None:
    walk, send = (await client.connection.request("tools/list", {}))["tools"]
    assert walk == {
        "name": "walk",
        "description": "Walk.",
        "inputSchema": {
            "type": "object",
            "properties": {"steps": {"type": "integer"}},
            "required": ["steps"],
        },
        "outputSchema": {"type": "string"},
        "annotations": {},
        "effect": "write",
        "group": walk["group"],
    }
    assert send["annotations"]["consequentialHint"] is True


async def test_a_call_returns_the_value(client: Client) -> None:
    assert await client.call("walk", {"steps": 0}) == "there"


async def test_failures_are_answers_too(client: Client) -> None:
    assert (await client.call("walk", {"steps": "x"}))["error"]["type"] == "InvalidArguments"
    assert (await client.call("fly"))["error"]["type"] == "UnknownTool"
    assert (await client.call("send", {"text": "a"}))["error"]["type"] == "Refused"


async def test_progress_is_sent_if_requested(client: Client) -> None:
    assert await client.call("walk", {"steps": 2}, progressToken="t") == "there"
    assert client.received("notifications/progress") == [
        {"progressToken": "t", "progress": 1, "total": 2, "message": "off"},
        {"progressToken": "t", "progress": 2, "total": 2},
    ]
    await client.call("walk", {"steps": 2})
    assert len(client.received("notifications/progress")) == 2


async def test_the_client_sets_the_caller_and_the_limit(client: Client, registry: Registry) -> None:
    @declare()
    def shout(text: str) -> str:
        """Shout."""
        return text.upper()

    registry.add(shout)
    answer = await client.call("shout", {"text": "a" * 10_000}, caller="webmcp", maxChars=1_000)
    assert answer["value"].startswith("AAA")
    assert answer["cut"]["total_chars"] == 10_002
    assert registry.log.rows()[0]["caller"] == "webmcp"


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 5},
        {"name": "walk", "_meta": {"maxChars": "many"}},
        {"name": "walk", "_meta": {"maxChars": 0}},
        {"name": "walk", "_meta": [1]},
    ],
)
async def test_an_invalid_call_is_an_error(client: Client, params: Any) -> None:
    with pytest.raises(ProtocolError) as failed:
        await client.connection.request("tools/call", params)
    assert failed.value.data["data"]["type"] == "ProtocolError"


async def test_a_cancelled_request_cancels_the_tool(client: Client, registry: Registry) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    @declare()
    async def stay() -> None:
        """Stay."""
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    registry.add(stay)
    call = asyncio.create_task(client.call("stay"))
    await started.wait()
    call.cancel()
    await ended.wait()
    assert json.loads(str(registry.log.rows()[-1]["result_preview"]))["error"]["type"] == "Cancelled"


async def test_a_tool_declared_later_is_announced(client: Client, registry: Registry) -> None:
    @declare()
    def later() -> str:
        """Exist later."""
        return "here"

    registry.add(later)
    assert client.received("notifications/tools/list_changed") == [{}]
    assert "later" in [tool["name"] for tool in (await client.connection.request("tools/list", {}))["tools"]]
    registry.remove("later")
    assert len(client.received("notifications/tools/list_changed")) == 2


async def test_a_closed_connection_gets_no_notifications(client: Client, registry: Registry) -> None:
    client.server.close()
    registry.remove("send")
    assert client.notifications == []


async def test_closing_a_connection_withdraws_its_question(client: Client, registry: Registry) -> None:
    person = Person(registry, None)
    call = asyncio.create_task(client.call("send", {"text": "a"}))
    await person.question()
    client.server.close()
    while person.waiting:
        await asyncio.sleep(0)
    assert json.loads(str(registry.log.rows()[-1]["result_preview"]))["error"]["type"] == "Cancelled"
    call.cancel()


async def test_a_thousand_calls_at_once_lose_none(client: Client, registry: Registry) -> None:
    @declare()
    async def square(number: int) -> int:
        """Square."""
        await asyncio.sleep(0)
        return number * number

    registry.add(square)
    answers = await asyncio.gather(*(client.call("square", {"number": n}) for n in range(1_000)))
    assert answers == [n * n for n in range(1_000)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("one\n")
    return folder


@pytest.fixture
def kernel(registry: Registry, project: Path) -> Kernel:
    return Kernel(registry, str(project))


@pytest.fixture
async def page(kernel: Kernel) -> Client:
    """The page, with a user."""
    return Client(lambda send: kernel.connect(send, attended=True))


async def test_a_start_lists_tools_again_only_where_the_user_has_switched_groups(
    page: Client, kernel: Kernel
) -> None:
    assert not page.received("notifications/tools/list_changed")
    kernel.registry.groups.restore({"groups_on": ["memory"]})
    again = Client(lambda send: kernel.connect(send, attended=True))
    assert again.received("notifications/tools/list_changed")


async def test_tools_that_are_off_follow_the_start(page: Client, kernel: Kernel) -> None:
    assert kernel.snapshot()["settings"]["tools_off"] == []
    kernel.switches.list_tools()
    [changed] = await page.until(lambda: page.events("settings_changed"))
    off = [tool.declaration.name for tool in kernel.registry.tools_off()]
    assert off and [row["name"] for row in changed["settings"]["tools_off"]] == off


async def test_only_panels_call_as_the_person(page: Client) -> None:
    with pytest.raises(ProtocolError, match="only panels"):
        await page.call("file_list", {"path": "."}, caller="person")


async def test_the_page_gets_a_snapshot_of_everything(page: Client, kernel: Kernel, project: Path) -> None:
    kernel.files.navigate(str(project))
    terminal = kernel.terminals.create()
    await page.call("file_list", {"path": "."}, caller="script")
    snapshot = await page.connection.request("state/snapshot", {})
    assert snapshot["seq"] == kernel.events.seq
    assert snapshot["terminals"] == [terminal.get_state()]
    assert snapshot["files"]["path"] == str(project)
    assert [entry["name"] for entry in snapshot["files"]["entries"]] == ["a.txt"]
    assert [(call["tool"], call["caller"], call["ok"]) for call in snapshot["calls"]] == [
        ("file_list", "script", True)
    ]
    assert snapshot["surface"]["isolated"] is False


async def test_the_page_receives_events_in_order(page: Client, kernel: Kernel) -> None:
    await page.call("terminal_create", {"x": 5, "y": 6})
    await page.until(lambda: page.events("call_changed"))
    [batch] = page.received("events")
    assert (batch["first"], batch["last"]) == (1, batch["events"][-1]["seq"])
    [created] = page.events("terminal_created")
    assert (created["terminal"]["id"], created["terminal"]["x"]) == ("term-1", 5)
    # The event of its start is superseded by this one.
    [changed] = page.events("call_changed")
    assert (changed["call"]["tool"], changed["call"]["ok"]) == ("terminal_create", True)


async def test_the_page_is_notified_of_text_from_outside(page: Client) -> None:
    await page.call("file_list", {"path": "."}, caller="webmcp")
    await page.call("file_list", {"path": "."}, caller="webmcp")
    await page.call("file_list", {"path": "."}, caller="mcp:other")
    notes = [(note["run"], note["origin"]) for note in page.received("notifications/tainted")]
    assert notes == [("webmcp", "file_list path=."), ("mcp:other", "file_list path=.")]


async def test_a_panel_acts_through_tools(page: Client, kernel: Kernel, project: Path) -> None:
    action = {"action": "navigate", "arguments": {"path": str(project)}}

    assert await page.connection.request("panel/act", action) == {"success": True, "files_count": 1}

    last = kernel.registry.log.rows()[-1]
    assert (last["tool"], last["caller"]) == ("file_navigate", "person")
    with pytest.raises(ProtocolError, match="action must be one of .*new_terminal, "):
        await page.connection.request("panel/act", {"action": "file_navigate"})


async def test_a_panel_has_the_events_of_its_action_with_the_answer(page: Client) -> None:
    await act(page, "new_terminal", x=5, y=6)
    [created] = page.events("terminal_created")
    assert created["terminal"]["x"] == 5


async def test_a_form_calls_a_tool_as_the_person(page: Client, kernel: Kernel) -> None:
    form = {"action": "call_tool", "arguments": {"name": "walk", "arguments": {"steps": 1}}}
    assert await page.connection.request("panel/act", form) == "there"
    assert kernel.registry.log.rows()[-1]["caller"] == "person"

    wrong = {"action": "call_tool", "arguments": {"name": "walk", "arguments": {"steps": "x"}}}
    assert (await page.connection.request("panel/act", wrong))["error"]["type"] == "InvalidArguments"
    none = {"action": "call_tool", "arguments": None}
    assert (await page.connection.request("panel/act", none))["error"]["type"] == "UnknownTool"


async def test_a_form_can_not_call_a_person_only_tool(page: Client, kernel: Kernel) -> None:
    form = {"name": "group_switch", "arguments": {"group": "files", "on": False}}
    with pytest.raises(ProtocolError, match="use its panel"):
        await page.connection.request("panel/act", {"action": "call_tool", "arguments": form})
    assert (await page.call("group_switch", form["arguments"]))["error"]["type"] == "UnknownTool"
    assert not kernel.registry.groups.is_off("files")


async def act(page: Client, panel_action: str, **arguments: Any) -> Any:
    return await page.connection.request("panel/act", {"action": panel_action, "arguments": arguments})


async def test_a_switched_off_group_is_hidden_from_agents_but_not_from_the_user(
    page: Client, kernel: Kernel, project: Path
) -> None:
    assert await act(page, "switch_group", group="files", on=False) is False
    await page.until(lambda: page.received("notifications/tools/list_changed"))
    listed = (await page.connection.request("tools/list", {}))["tools"]
    assert not [row for row in listed if row["group"] == "files"]
    [changed] = await page.until(lambda: page.events("settings_changed"))
    assert "file_read" in [row["name"] for row in changed["settings"]["tools_off"]]
    refused = (await page.call("file_read", {"path": "a.txt"}))["error"]
    assert (refused["type"], refused["data"]) == ("SwitchedOff", {"group": "files"})
    assert "file_read" not in (await page.call("nothing"))["error"]["hint"]
    assert (await act(page, "read_file", path=str(project / "a.txt")))["content"] == "one\n"

    await act(page, "switch_group", group="files", on=True)
    assert (await page.call("file_read", {"path": "a.txt"}))["content"] == "one\n"
    assert (await act(page, "switch_group", group="none", on=False))["error"]["type"] == "InvalidArguments"


async def test_the_console_respects_a_switched_off_group(page: Client) -> None:
    await act(page, "switch_group", group="terminals", on=False)
    answer = await page.connection.request("python/evaluate", {"code": "1"})
    assert answer["error"]["type"] == "SwitchedOff"
    assert (await act(page, "run_python", code="1 + 1"))["result"] == 2


async def test_switched_off_groups_are_saved(registry: Registry, project: Path, tmp_path: Path) -> None:
    first = Kernel(registry, str(project), tmp_path)
    page = Client(lambda send: first.connect(send, attended=True))
    await act(page, "switch_group", group="files", on=False)
    first.close()

    again = Registry()
    second = Kernel(again, str(project), tmp_path)
    second.restore()
    page = Client(lambda send: second.connect(send, attended=True))
    assert page.received("notifications/tools/list_changed")
    assert (await page.call("file_list", {"path": "."}))["error"]["type"] == "SwitchedOff"
    settings = (await page.connection.request("state/snapshot", {}))["settings"]
    assert settings["groups_off"] == [
        "automations",
        "dom_extra",
        "eyes",
        "files",
        "mcp",
        "memory",
        "personal",
        "schedules",
        "web",
    ]
    second.close()


async def test_the_lock_file_of_packages_is_validated_and_saved(
    registry: Registry, project: Path, tmp_path: Path
) -> None:
    kernel = Kernel(registry, str(project), tmp_path)
    page = Client(lambda send: kernel.connect(send, attended=True))
    assert await act(page, "package_list") == {"address": None}
    for wrong in ("mirror", "file:///a.json", "https://user:secret@mirror.test/a.json", "https://mirror.test/",
                  "https:///a.json", "https://mirror.test:99999/a.json", "https://mirror.test/a b.json"):  # fmt: skip
        refused = await act(page, "package_list", address=wrong)
        assert (
            refused["error"]["type"] == "InvalidArguments" and "pyodide-lock.json" in refused["error"]["hint"]
        )
    address = "https://mirror.test/full/pyodide-lock.json"
    assert await act(page, "package_list", address=f" {address} ") == {"address": address}
    kernel.archive.export(str(tmp_path / "export.tar.gz"))
    await act(page, "package_list", address="")
    kernel.archive.replace(str(tmp_path / "export.tar.gz"))
    assert kernel.store.settings.get("package_list") is None
    await act(page, "package_list", address=address)
    kernel.close()

    second = Kernel(Registry(), str(project), tmp_path)
    second.restore()
    page = Client(lambda send: second.connect(send, attended=True))
    assert await act(page, "package_list") == {"address": address}
    await act(page, "package_list", address="")
    second.close()


async def test_a_reset_leaves_the_files_of_a_first_visit(
    registry: Registry, project: Path, tmp_path: Path
) -> None:
    kernel = Kernel(registry, str(project), tmp_path / "data")
    (tmp_path / "data").mkdir()
    page = Client(lambda send: kernel.connect(send, attended=True))
    await act(page, "switch_group", group="files", on=False)
    used = {row["path"]: row["entries"] for row in await act(page, "storage_usage")}
    assert used[str(project)] == 1
    reset = await page.connection.request("storage/reset", {})
    assert sorted(path.name for path in project.iterdir()) == ["README.md", "app.log", "report.py"]
    assert kernel.store.database.rows("SELECT * FROM settings") == []

    kernel.archive.replace(reset["before"])
    assert [path.name for path in project.iterdir()] == ["a.txt"]
    kernel.close()


async def test_an_open_terminal_does_not_overwrite_an_imported_one(
    registry: Registry, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    kernel = Kernel(registry, str(project), tmp_path / "data")
    kernel.restore()
    page = Client(lambda send: kernel.connect(send, attended=True))
    await page.call("terminal_execute", {"command": "echo exported"})
    kernel.terminals.save()
    exported = kernel.store.terminals.load()
    assert exported
    kernel.archive.export(str(tmp_path / "export.tar.gz"))

    kernel.archive.replace(str(tmp_path / "export.tar.gz"))
    await page.call("terminal_execute", {"command": "echo later"})
    kernel.terminals.save()
    assert kernel.store.terminals.load() == exported
    kernel.close()


@in_turn("method", ["approval/answer", "approval/attend", "consent/answer", "consent/grant"])
async def test_python_can_not_answer_questions(client: Client, page: Client, method: str) -> None:
    for end in (client, page):
        with pytest.raises(ProtocolError, match="there is no method"):
            await end.connection.request(method, {"approval_id": 1, "decision": "once", "attended": True})


@pytest.mark.parametrize("action", ["revoke_grant", "revoke_all_grants"])
async def test_python_can_not_revoke_grants(page: Client, action: str) -> None:
    with pytest.raises(ProtocolError, match="action must be one of"):
        await act(page, action)


async def test_the_shown_files_are_refreshed_after_calls(page: Client, project: Path) -> None:
    await page.call("file_navigate", {"path": str(project)})
    await page.call("file_write", {"path": "b.txt", "content": "two"})

    def names() -> Any:
        shown = page.events("files_shown")
        return shown and [entry["name"] for entry in shown[-1]["entries"]] == ["a.txt", "b.txt"]

    await page.until(names)


async def test_the_page_is_notified_when_an_open_file_is_written(
    page: Client, kernel: Kernel, project: Path
) -> None:
    await page.connection.request("panel/act", {"action": "open_file", "arguments": {"path": "a.txt"}})
    [opened] = await page.until(lambda: page.events("editors_changed"))
    [file] = opened["editors"]["files"]
    assert (file["path"], opened["editors"]["active"]) == (str(project / "a.txt"), file["id"])
    await page.call("file_write", {"path": "a.txt", "content": "two and more"})

    await page.until(
        lambda: page.events("editors_changed")[-1]["editors"]["files"][0]["stamp"] != file["stamp"]
    )
    assert kernel.snapshot()["editors"] == page.events("editors_changed")[-1]["editors"]


async def test_relative_paths_start_in_the_directory_of_the_callers_terminal(
    page: Client, kernel: Kernel, project: Path
) -> None:
    (project / "sub").mkdir()
    kernel.terminals.create(working_dir="sub")
    # The user's terminal doesn't matter to an agent.
    assert (await page.call("file_read", {"path": "a.txt"}))["content"] == "one\n"
    await page.call("terminal_create", {"working_dir": "sub"})
    assert (await page.call("file_read", {"path": "../a.txt"}))["content"] == "one\n"
    assert (await page.call("file_read", {"path": "a.txt"}))["error"]["type"] == "FileMissing"


async def test_the_console_evaluates_for_the_page(page: Client) -> None:
    evaluate: Callable[[str], Coroutine[Any, Any, Any]] = lambda code: page.connection.request(  # noqa: E731
        "python/evaluate", {"code": code}
    )
    assert await evaluate("x = 6\nx * 7") == {"value": 42}
    assert await evaluate("x") == {"value": 6}
    failed = await evaluate("1 / 0")
    assert (failed["isError"], failed["error"]["type"]) == (True, "PythonError")
    assert "ZeroDivisionError" in failed["error"]["data"]["traceback"]


async def test_python_run_shares_the_consoles_namespace(page: Client) -> None:
    await page.connection.request("python/evaluate", {"code": "shared = 'seen'"})
    ran = await page.call("python_run", {"code": "print('out'); shared"})
    assert (ran["result"], ran["stdout"]) == ("seen", "out\n")


@in_turn(
    ("tool", "arguments", "error"),
    [
        ("terminal_execute", {"command": "ls", "terminal_id": "term-99"}, "TerminalMissing"),
        ("terminal_read", {"terminal_id": "term-99"}, "TerminalMissing"),
        ("terminal_create", {"backend": "linux"}, "CapabilityMissing"),
        ("terminal_create", {"working_dir": "nowhere"}, "FileMissing"),
        ("terminal_create", {"working_dir": "a.txt"}, "NotADirectory"),
        ("terminal_execute", {"command": "ls", "timeout_s": -1}, "InvalidArguments"),
        ("terminal_read", {"terminal_id": "term-1", "lines": 0}, "InvalidArguments"),
        ("file_read", {"path": "nothing\n🐍"}, "FileMissing"),
        ("file_read", {"path": "\ud800"}, "FileProblem"),
        ("file_list", {"path": "a.txt"}, "NotADirectory"),
        ("python_run", {"code": "raise SystemExit(3)"}, "PythonError"),
        ("python_run", {"code": "("}, "PythonError"),
    ],
)
async def test_wrong_calls_get_a_typed_error(page: Client, tool: str, arguments: Any, error: str) -> None:
    answer = await page.call(tool, arguments)
    assert answer["error"]["type"] == error
    assert answer["error"]["message"]


async def test_a_closed_terminal_can_not_be_used(page: Client) -> None:
    terminal = (await page.call("terminal_create"))["terminal_id"]
    assert await page.call("terminal_close", {"terminal_id": terminal}) == {"success": True}
    for tool in ("terminal_read", "terminal_focus", "terminal_close", "terminal_interrupt"):
        answer = await page.call(tool, {"terminal_id": terminal})
        assert answer["error"]["type"] == "TerminalMissing"
        assert "terminal_create" in answer["error"]["hint"]


async def test_the_user_can_search_files_commands_and_calls(page: Client, project: Path) -> None:
    (project / "notes.txt").write_text("one\nthe needle in it\n")
    await page.call("terminal_execute", {"command": "echo needle two"}, caller="webmcp")
    await page.call("walk", {"steps": 1}, caller="mcp")

    async def search(**arguments: Any) -> Any:
        return await page.connection.request("panel/act", {"action": "search", "arguments": arguments})

    results = (await search(text="needle"))["results"]
    assert {each["kind"] for each in results} == {"file", "command", "call"}
    [file] = [each for each in results if each["kind"] == "file"]
    assert (file["key"], file["line"]) == (str(project / "notes.txt"), 2)
    assert file["snippet"] == [
        {"text": "the ", "match": False},
        {"text": "needle", "match": True},
        {"text": " in it", "match": False},
    ]
    [command] = (await search(text="needle", kinds=["command"]))["results"]
    assert (command["key"], command["about"]) == ("echo needle two", "term-1")
    [call] = (await search(text="walk there", kinds=["call"]))["results"]
    assert call["about"] == "mcp"
    wrong = await search(text="x", kinds=["mail"])
    assert wrong["error"]["type"] == "InvalidArguments"
    assert (await page.call("search", {"text": "x"}))["error"]["type"] == "UnknownTool"


async def test_paths_are_completed(page: Client, project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / ".hidden").touch()
    (project / "sub" / "Beta").mkdir()
    (project / "sub" / "alpha.txt").touch()

    async def complete(path: str) -> Any:
        action = {"action": "complete_path", "arguments": {"path": path}}
        return await page.connection.request("panel/act", action)

    base = f"{project}/sub/"
    assert await complete(base) == [f"{base}Beta/", f"{base}alpha.txt", f"{base}.hidden"]
    assert await complete(f"{base}be") == [f"{base}Beta/"]
    assert await complete("su") == ["sub/"]
    assert await complete("/nowhere/at/all") == []
