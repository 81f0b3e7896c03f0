"""MCP clients outside of the browser use the page through the companion."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, ElicitResult

from gemini_companion.serving import relay
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import running
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import CONNECTED, client_of, companion_of, opened_by, server_on_used_ports
from tests.web.person import Person

# Protocol versions before 2026-07-28 have a handshake; later ones don't.
NAMES = "return (await document.modelContext.getTools()).map(({ name }) => name)"
ERAS = ("legacy", "auto")
TWICE = "import gemini\n@gemini.tool\ndef {}(n: int) -> int:\n    'Twice.'\n    return 2 * n"
# A busy machine starts a reload late.
HEARD_WITHIN_S = 5


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    """Open the page at the companion's address."""
    with opened_by(companion, browsers) as surface:
        yield surface


def use(companion: Companion, action: Callable[[Client], Awaitable[Any]], mode: Any = "auto") -> Any:
    """Run an action with a connected MCP client."""

    async def main() -> Any:
        async with client_of(companion, mode) as client:
            return await action(client)

    return asyncio.run(main())


def call(companion: Companion, tool: str, /, **arguments: Any) -> Any:
    return use(companion, lambda client: client.call_tool(tool, arguments))


CUT_WHILE_GREETING = """
const { send } = WebSocket.prototype;
await new Promise((resolve) => {
  let isCut = false;
  WebSocket.prototype.send = function (data) {
    if (data.includes("page/hello")) {
      if (!isCut) {
        isCut = true;
        return this.close();
      }
      WebSocket.prototype.send = send;
      resolve();
    }
    return send.call(this, data);
  };
  document.dispatchEvent(new Event("freeze"));
});
"""


@pytest.mark.extended
def test_a_connection_that_fails_during_its_start_is_retried(surface: Surface) -> None:
    surface.console()
    surface.javascript(CUT_WHILE_GREETING)
    surface.wait_for(CONNECTED)
    assert [line for line in surface.console() if "gone" in line] == []


RECONNECT = 'document.dispatchEvent(new Event("freeze"))'
SAYS_UPDATE = "document.querySelector('#missing-list').textContent.includes('Update the companion')"


@pytest.mark.extended
def test_an_older_companion_works_and_the_page_says_that_it_is_to_be_updated(
    companion: Companion, surface: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "installed_version", lambda: "0.0.9")
    surface.javascript(RECONNECT)
    surface.wait_for(SAYS_UPDATE)
    assert "42" in str(call(companion, "python_run", code="6 * 7").structured_content)
    monkeypatch.undo()
    surface.javascript(RECONNECT)
    surface.wait_for(f"!{SAYS_UPDATE}")
    surface.wait_for(CONNECTED)


@pytest.mark.parametrize("mode", ERAS)
def test_every_tool_of_the_page_is_listed_and_works(
    companion: Companion, surface: Surface, mode: str
) -> None:
    async def action(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        return {tool.name: tool for tool in tools}, await client.call_tool(
            "terminal_execute", {"command": "echo $((6*7))"}
        )

    tools, answer = use(companion, action, mode)
    listed = set(surface.javascript(NAMES))
    assert listed <= set(tools) and set(tools) - listed == {"call_page_tool"} and len(tools) <= 40
    assert tools["file_read"].annotations.read_only_hint is True
    assert not answer.is_error
    assert answer.structured_content["output"] == "42\n"
    assert json.loads(answer.content[0].text) == answer.structured_content


def test_a_failure_is_a_result_that_says_what_to_do(companion: Companion, surface: Surface) -> None:
    answer = call(companion, "file_read", path="/project/nothing.txt")
    assert answer.is_error
    assert answer.structured_content["error"]["type"] == "FileMissing"
    assert answer.content[0].text.startswith("FileMissing: ")
    broken = call(companion, "python_run", code="print('before')\n1 / 0")
    assert broken.is_error
    text = broken.content[0].text
    assert "Traceback" in text and "stdout: before" in text.replace(":\n", ": ")


@pytest.mark.parametrize("mode", ERAS)
def test_an_unknown_tool_is_an_error_of_the_protocol(
    companion: Companion, surface: Surface, mode: str
) -> None:
    async def action(client: Client) -> MCPError:
        with pytest.raises(MCPError, match="there is no tool") as refused:
            await client.call_tool("no_such_tool", {})
        return refused.value

    refused = use(companion, action, mode)
    assert refused.error.code == INVALID_PARAMS
    assert "file_read" in refused.error.data["hint"]


@pytest.mark.fortnightly
def test_a_screenshot_is_image_content(companion: Companion, surface: Surface) -> None:
    answer = call(companion, "browser_screenshot")
    assert not answer.is_error, answer.content
    [image, text] = answer.content
    assert (image.type, image.mime_type) == ("image", "image/png")
    assert "data" not in json.loads(text.text)


@pytest.mark.parametrize("mode", ERAS)
def test_clients_are_notified_of_a_new_tool(companion: Companion, surface: Surface, mode: str) -> None:
    name = f"joined_{mode}"

    async def main() -> Any:
        changes: asyncio.Queue[None] = asyncio.Queue()

        async def note(message: Any) -> None:
            if getattr(message, "method", "") == "notifications/tools/list_changed":
                changes.put_nowait(None)

        async with client_of(companion, mode, message_handler=note) as client:
            listening = asyncio.create_task(_listen(client, changes)) if mode == "auto" else None
            await client.list_tools()
            await asyncio.to_thread(surface.python, TWICE.format(name))
            async with asyncio.timeout(20):
                while name not in [tool.name for tool in (await client.list_tools()).tools]:
                    await changes.get()
            if listening is not None:
                listening.cancel()
            return await client.call_tool(name, {"n": 4})

    assert asyncio.run(main()).structured_content == {"result": 8}


async def _listen(client: Client, changes: asyncio.Queue[None]) -> None:
    async with client.listen(tools_list_changed=True) as events:
        async for _ in events:
            changes.put_nowait(None)


def test_a_call_can_select_its_page(companion: Companion, surface: Surface) -> None:
    [page] = call(companion, "call_page_tool").structured_content["pages"]
    assert page["current"] is True
    answer = call(companion, "call_page_tool", name="file_list", arguments={"path": "/"}, page=page["name"])
    assert not answer.is_error
    wrong = call(companion, "call_page_tool", name="file_list", arguments={"path": "/"}, page="page-99")
    assert wrong.structured_content["error"]["type"] == "UnknownPage"


def test_resources_are_read(companion: Companion, surface: Surface) -> None:
    async def action(client: Client) -> Any:
        listed = [str(each.uri) for each in (await client.list_resources()).resources]
        return listed, await client.read_resource("tabs://list")

    listed, read = use(companion, action)
    assert sorted(listed) == ["dom://current-page", "gemini://manual", "tabs://list"]
    assert json.loads(read.contents[0].text)[0]["id"] == "page"


def test_progress_is_passed_on_and_cancellation_reaches_python(
    companion: Companion, surface: Surface
) -> None:
    surface.python(
        "import asyncio, gemini\nended = []\n"
        "@gemini.tool\nasync def long_work() -> str:\n    'Works.'\n"
        "    from gemini.tools import current_call\n"
        "    current_call().progress(1, 2, 'half')\n"
        "    try:\n        await asyncio.sleep(600)\n"
        "    except asyncio.CancelledError:\n        ended.append(1)\n        raise"
    )

    async def action(client: Client) -> Any:
        half = asyncio.Event()
        reports: list[Any] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            reports.append((progress, total, message))
            half.set()

        task = asyncio.create_task(client.call_tool("long_work", {}, progress_callback=note))
        async with asyncio.timeout(20):
            await half.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return reports

    assert use(companion, action) == [(1, 2, "half")]
    surface.wait_for("gemini.python('ended').then((value) => value === '[1]' || value?.length === 1)")


@pytest.mark.extended
def test_a_client_learns_that_its_call_waits_for_the_user_and_why_a_port_does_not_answer(
    companion: Companion, surface: Surface, person: Person
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{taken.getsockname()[1]}"

        async def action(client: Client) -> Any:
            heard: asyncio.Queue[str | None] = asyncio.Queue()

            async def note(progress: float, total: float | None, message: str | None) -> None:
                heard.put_nowait(message)

            opening = client.call_tool(
                "browser_navigate", {"url": f"http://{place}/"}, progress_callback=note
            )
            task = asyncio.create_task(opening)
            async with asyncio.timeout(20):
                asked = await heard.get()
                await asyncio.to_thread(person.click, 'button "Allow once"')
                return asked, await task, await heard.get()

        asked, answer, then = use(companion, action)
    assert asked == f"Waiting for the user's answer: Open pages: open pages of http://{place}"
    assert then == "The user's answer is there"
    assert answer.is_error and answer.structured_content["error"]["type"] == "PageUnreachable"
    assert f"nothing listens on {place}" in answer.content[0].text


def test_calls_fail_when_their_page_reloads(companion: Companion, surface: Surface, person: Person) -> None:
    async def action(client: Client) -> Any:
        task = asyncio.create_task(client.call_tool("terminal_execute", {"command": "sleep 600"}))
        try:
            await asyncio.to_thread(person.sees, 'group "Calls"', "sleep 600")
            await asyncio.to_thread(surface.driver.execute_script, "setTimeout(() => location.reload())")
            async with asyncio.timeout(HEARD_WITHIN_S):
                return await task
        finally:
            task.cancel()

    answer = use(companion, action)
    assert answer.is_error
    assert answer.structured_content["error"]["type"] == "PageLost"


@pytest.mark.extended
def test_the_user_sees_the_caller(companion: Companion, surface: Surface, person: Person) -> None:
    call(companion, "file_list", path="/project")
    person.sees('group "Calls"', "MCP client")


def test_without_a_page_the_error_says_which_address_to_open(surface_dist: Path) -> None:
    server = server_on_used_ports()
    companion = Companion(surface_dist, server)
    with running(server, companion.app(), **companion.other_apps()):
        answer = call(companion, "file_list", path="/")
        listed = use(companion, lambda client: client.list_tools())
        assert answer.is_error
        assert companion.url in answer.content[0].text
    assert len(listed.tools) > 30


ASK = """
import gemini
from pydantic import BaseModel
class Choice(BaseModel):
    color: str
@gemini.tool
async def ask_twice() -> list[str]:
    'Ask for two colors.'
    first = await gemini.ask_caller('Which color?', Choice)
    second = await gemini.ask_caller(f'Which beside {first.color}?', Choice)
    return [first.color, second.color]
"""


@pytest.mark.parametrize("mode", ERAS)
def test_a_tool_asks_the_client_s_user(companion: Companion, surface: Surface, mode: str) -> None:
    surface.python(ASK)
    asked: list[str] = []

    async def answer(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"color": ("red", "blue")[len(asked) - 1]})

    async def main() -> Any:
        async with client_of(companion, mode, elicitation_callback=answer) as client:
            return await client.call_tool("ask_twice", {})

    assert asyncio.run(main()).structured_content == {"result": ["red", "blue"]}
    assert asked == ["Which color?", "Which beside red?"]


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_that_can_not_ask_its_user_gets_an_error(
    companion: Companion, surface: Surface, mode: str
) -> None:
    surface.python(ASK)
    answer = use(companion, lambda client: client.call_tool("ask_twice", {}), mode)
    assert answer.is_error
    assert answer.structured_content["error"]["type"] == "NobodyToAsk"
