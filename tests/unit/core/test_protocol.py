"""JSON-RPC 2.0 between two ends."""

import asyncio
import gc
import json
import logging
import warnings
from collections import deque
from collections.abc import Mapping
from typing import Any

import pytest

from gemini.core.protocol import Connection, Encoded, Handler, Params
from gemini.errors import FileMissing, ProtocolError


class Wire:
    """Two connected ends; messages arrive in order on a later turn of the loop, as with a MessagePort."""

    def __init__(self, server: Mapping[str, Handler], client: Mapping[str, Handler] | None = None) -> None:
        self.texts: list[str] = []
        self._in_transit: deque[tuple[Connection, str]] = deque()
        self.client = Connection(lambda text: self._send(self.server, text), client or {})
        self.server = Connection(lambda text: self._send(self.client, text), server)

    def _send(self, to: Connection, text: str) -> None:
        self.texts.append(text)
        self._in_transit.append((to, text))
        asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        to, text = self._in_transit.popleft()
        to.receive(text)


async def echo(params: Params) -> Any:
    return params


async def fail(params: Params) -> Any:
    raise FileMissing(f"{params['path']} isn't there", hint="Look.", data={"path": params["path"]})


async def stumble(_: Params) -> Any:
    raise ValueError("a bug")


async def odd(_: Params) -> Any:
    return object()


async def encoded(_: Params) -> Any:
    return Encoded('{"as it is":1}')


SERVER: dict[str, Handler] = {"echo": echo, "fail": fail, "stumble": stumble, "odd": odd, "encoded": encoded}


async def test_a_request_gets_its_answer() -> None:
    wire = Wire(SERVER)
    assert await wire.client.request("echo", {"a": ["ž🐍", "\ud800", None]}) == {"a": ["ž🐍", "\ud800", None]}
    assert json.loads(wire.texts[0]) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "echo",
        "params": {"a": ["ž🐍", "\ud800", None]},
    }
    assert set(json.loads(wire.texts[1])) == {"jsonrpc", "id", "result"}


async def test_encoded_results_are_sent_unchanged() -> None:
    wire = Wire(SERVER)
    assert await wire.client.request("encoded", {}) == {"as it is": 1}


async def test_a_sync_handler_answers_at_once() -> None:
    order: list[str] = []

    def now(params: Params) -> Any:
        if "fail" in params:
            raise FileMissing("it isn't there")
        return Encoded('"done"', lambda: order.append("then"))

    answers: list[str] = []

    def send(text: str) -> None:
        order.append("sent")
        answers.append(text)

    server = Connection(send, {"now": now})
    server.receive('{"jsonrpc":"2.0","id":1,"method":"now"}')
    server.receive('{"jsonrpc":"2.0","id":2,"method":"now","params":{"fail":true}}')

    # Without a turn of the event loop.
    assert order == ["sent", "then", "sent"]
    assert json.loads(answers[0])["result"] == "done"
    assert json.loads(answers[1])["error"]["data"]["type"] == "FileMissing"


async def test_requests_run_concurrently_and_get_their_own_answers() -> None:
    gates = [asyncio.Event() for _ in range(100)]

    async def wait(params: Params) -> Any:
        await gates[params["n"]].wait()
        if params["n"]:
            gates[params["n"] - 1].set()
        return params["n"]

    wire = Wire({"wait": wait})
    requests = [asyncio.create_task(wire.client.request("wait", {"n": n})) for n in range(100)]
    gates[99].set()
    assert await asyncio.gather(*requests) == list(range(100))


async def test_both_ends_can_send_requests() -> None:
    async def ask_back(params: Params) -> Any:
        return await wire.server.request("double", {"n": params["n"] + 1})

    async def double(params: Params) -> Any:
        return 2 * params["n"]

    wire = Wire({"ask_back": ask_back}, {"double": double})
    assert await wire.client.request("ask_back", {"n": 4}) == 10


@pytest.mark.parametrize(
    ("method", "code", "message", "data"),
    [
        (
            "fail",
            -32603,
            "/a isn't there",
            {"type": "FileMissing", "message": "/a isn't there", "hint": "Look.", "data": {"path": "/a"}},
        ),
        (
            "odd",
            -32603,
            "the result can't be written as JSON: Unable to serialize unknown type: <class 'object'>",
            ...,
        ),
        ("missing", -32601, "there is no method 'missing'", None),
    ],
)
async def test_errors_are_answers(method: str, code: int, message: str, data: Any) -> None:
    wire = Wire(SERVER)
    with pytest.raises(ProtocolError) as failed:
        await wire.client.request(method, {"path": "/a"})
    error = failed.value.data
    assert (error["code"], error["message"]) == (code, message)
    if data is not ...:
        assert error.get("data") == data


async def test_a_bug_is_answered_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    wire = Wire(SERVER)
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    with (
        caplog.at_level(logging.CRITICAL),
        pytest.raises(ProtocolError, match="ValueError: a bug"),
    ):
        await wire.client.request("stumble", {})
    assert await wire.client.request("echo", {"still": "here"}) == {"still": "here"}


async def test_a_cancelled_request_ends_its_handler_and_gets_no_answer() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def stay(_: Params) -> Any:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    wire = Wire({"stay": stay, "echo": echo})
    request = asyncio.create_task(wire.client.request("stay", {}))
    await started.wait()
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    await ended.wait()
    assert json.loads(wire.texts[1]) == {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    }
    await wire.client.request("echo", {})
    assert len(wire.texts) == 4


async def test_a_request_cancelled_before_it_starts_leaves_no_handler_behind() -> None:
    """Before Python 3.12 a handler starts on the next turn of the loop, and the cancellation comes first."""
    sent: list[str] = []
    server = Connection(sent.append, SERVER)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        server.receive('{"jsonrpc": "2.0", "id": 1, "method": "echo"}')
        server.receive('{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}')
        server.receive('{"jsonrpc": "2.0", "id": 2, "method": "echo"}')
        while not any('"id":2' in text for text in sent):
            await asyncio.sleep(0)
        gc.collect()
    assert [str(one.message) for one in caught] == []


async def test_a_late_answer_is_dropped() -> None:
    gate = asyncio.Event()

    async def stubborn(_: Params) -> Any:
        while not gate.is_set():
            try:
                await gate.wait()
            except asyncio.CancelledError:
                gate.set()
        return "anyway"

    wire = Wire({"stubborn": stubborn, "echo": echo})
    request = asyncio.create_task(wire.client.request("stubborn", {}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert await wire.client.request("echo", {"a": 1}) == {"a": 1}
    assert "anyway" in "".join(wire.texts)
    assert not any("error" in json.loads(text) for text in wire.texts)


@pytest.mark.parametrize("requested", [99, "99", None, [1], {"a": 1}])
async def test_cancelling_an_unknown_request_is_ignored(requested: Any) -> None:
    wire = Wire(SERVER)
    wire.client.notify("notifications/cancelled", {"requestId": requested})
    assert await wire.client.request("echo", {"a": 1}) == {"a": 1}
    assert len(wire.texts) == 3


async def test_notifications_get_no_answer() -> None:
    wire = Wire(SERVER)
    wire.client.notify("notifications/unknown", {"a": 1})
    wire.client.notify("echo", {"a": 1})
    await wire.client.request("echo", {})
    assert [json.loads(text).get("method") for text in wire.texts[:2]] == ["notifications/unknown", "echo"]
    assert len(wire.texts) == 4


def answers(text: str) -> list[Any]:
    """Return the answers of a single connection to a message."""
    sent: list[Any] = []
    Connection(lambda answer: sent.append(json.loads(answer)), SERVER).receive(text)
    return sent


@pytest.mark.parametrize(
    ("text", "identifier", "code"),
    [
        ("", None, -32700),
        ("{", None, -32700),
        ("NaN isn't a message", None, -32700),
        ("[" * 200_000, None, -32700),
        ('{"jsonrpc":"2.0","id":7,"method":"echo","params":' + "[" * 200_000, 7, -32700),
        ("[]", None, -32600),
        ("5", None, -32600),
        ("null", None, -32600),
        ("{}", None, -32600),
        ('{"id": 3}', 3, -32600),
        ('{"id": 3, "method": 5}', 3, -32600),
        ('{"id": {"a": 1}, "method": "echo"}', None, -32600),
        ('{"id": [1], "result": 1}', None, -32600),
        ('{"id": "a", "method": "nothing"}', "a", -32601),
        ('{"id": 1.5, "method": "echo", "params": [1]}', 1.5, -32602),
        ('{"id": 1, "method": "echo", "params": "a"}', 1, -32602),
    ],
)
async def test_invalid_requests_get_errors(text: str, identifier: Any, code: int) -> None:
    [answer] = answers(text)
    assert answer["id"] == identifier
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 99, "result": 1}',
        '{"id": 99, "error": {"code": 1, "message": "?"}}',
        '{"id": null, "error": {"code": -32700, "message": "unreadable"}}',
        '{"id": "a", "error": "odd"}',
        '{"method": "notifications/cancelled", "params": {"requestId": {}}}',
    ],
)
async def test_unexpected_answers_are_ignored(text: str) -> None:
    # Two ends that answer each other's errors would never stop.
    assert answers(text) == []


@pytest.mark.parametrize("error", ["odd", {"code": 1}, {"code": 1, "message": "reported"}])
async def test_any_error_value_is_an_error(error: Any) -> None:
    connection = Connection(lambda _: None, {})
    request = asyncio.create_task(connection.request("echo", {}))
    await asyncio.sleep(0)
    connection.receive(json.dumps({"jsonrpc": "2.0", "id": 1, "error": error}))
    with pytest.raises(ProtocolError) as failed:
        await request
    assert failed.value.data == error


async def test_closing_ends_running_and_pending_requests() -> None:
    ended = asyncio.Event()
    closed: list[str] = []

    async def stay(_: Params) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    wire = Wire({"stay": stay})
    wire.client.on_close(lambda: closed.append("client"))
    request = asyncio.create_task(wire.client.request("stay", {}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    wire.client.close()
    with pytest.raises(ProtocolError, match="the connection was closed"):
        await request
    wire.server.close()
    await ended.wait()
    assert closed == ["client"]


async def test_a_request_on_a_closed_connection_fails() -> None:
    connection = Connection(lambda text: None, {})
    connection.close()
    with pytest.raises(ProtocolError, match="the connection was closed"):
        async with asyncio.timeout(5):
            await connection.request("ping", {})
