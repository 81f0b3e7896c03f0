"""The page's requests to language models, over real sockets."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
from collections.abc import AsyncGenerator

import httpx2
import pytest

from gemini_companion.models import Limits
from gemini_companion.models.errors import (
    KeyMissing,
    KeyRefused,
    ProviderBroken,
    ProviderRefused,
    ProviderSlow,
    ProviderUnknown,
    ProviderUnreachable,
)
from tests.tiers import in_turn
from tests.unit.companion.models.conftest import OpenGateway
from tests.unit.companion.models.upstreams import KEY, FakeProvider, error_of

SOON_S = 20
ASKED = b'{"model": "small"}'


async def left(provider: FakeProvider, queue: asyncio.Queue[bytes | None]) -> None:
    """Wait until a streaming provider has noticed that its client left, which it does when it sends."""
    noticed = asyncio.ensure_future(provider.left.wait())
    while not noticed.done():
        queue.put_nowait(b"data: more\n\n")
        await asyncio.wait([noticed], timeout=0.1)


@pytest.mark.parametrize(
    ("kind", "method", "target", "header", "value"),
    [
        ("openai", "POST", "/chat/completions", "authorization", f"Bearer {KEY}"),
        ("openai", "GET", "/models", "authorization", f"Bearer {KEY}"),
        ("anthropic", "POST", "/v1/messages", "x-api-key", KEY),
        (
            "google",
            "POST",
            "/v1beta/models/small:streamGenerateContent?alt=sse",
            "x-goog-api-key",
            KEY,
        ),
        ("ollama", "POST", "/api/chat", "authorization", f"Bearer {KEY}"),
        ("ollama", "POST", "/v1/chat/completions", "authorization", f"Bearer {KEY}"),
    ],
)
@pytest.mark.usefixtures("key")
async def test_a_request_is_passed_on_with_the_key(
    open_gateway: OpenGateway,
    provider: FakeProvider,
    kind: str,
    method: str,
    target: str,
    header: str,
    value: str,
) -> None:
    page, _ = await open_gateway(kind)
    answer = await page.request(method, target, content=ASKED if method == "POST" else b"")
    assert (answer.status_code, answer.json()["data"][0]["id"]) == (200, "small")
    (seen,) = provider.seen
    assert (seen.method, seen.target) == (method, target)
    assert method == "GET" or json.loads(seen.body)["model"] == "small"
    assert seen.headers[header] == value


async def test_only_allowed_headers_and_parameters_pass(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    sent = {
        "Authorization": "Bearer of-the-page",
        "X-Api-Key": "of-the-page",
        "Cookie": "a=b",
        "Origin": "http://127.0.0.1",
        "X-Forwarded-For": "10.0.0.1",
        "OpenAI-Beta": "assistants=v2",
        "Content-Type": "application/json",
    }
    await page.post(
        "/chat/completions?key=of-the-page&limit=3&alt=of-the-page&alt=sse", headers=sent, content=ASKED
    )
    (seen,) = provider.seen
    assert set(seen.headers) == {
        "host",
        "accept",
        "accept-encoding",
        "authorization",
        "content-length",
        "content-type",
        "openai-beta",
        "user-agent",
    }
    assert (seen.headers["authorization"], seen.target) == (f"Bearer {KEY}", "/chat/completions?alt=sse")
    assert "of-the-page" not in str(seen)


async def test_only_allowed_headers_of_an_answer_pass(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    provider.says(
        b"<script>",
        content_type="text/html",
        set_cookie="a=b",
        x_ratelimit_remaining="4",
        www_authenticate="Basic",
    )
    for _ in range(2):
        answer = await page.get("/models")
        assert not {"set-cookie", "www-authenticate"} & set(answer.headers)
        assert answer.headers["x-ratelimit-remaining"] == "4"
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "cookie" not in provider.seen[1].headers


@in_turn(
    ("method", "path"),
    [
        ("DELETE", "/models/small"),
        ("POST", "/models"),
        ("GET", "/organization/usage"),
        ("POST", "/files"),
        ("GET", "/models/..%2f..%2fadmin"),
        ("GET", "/models/%2e%2e/admin"),
        ("GET", "/models/a%3Fkey=b"),
        ("GET", "/models/"),
        ("GET", "/models/secret"),
        ("GET", "/models/a/secret"),
        ("GET", "//other.example/models"),
        ("OPTIONS", "/models"),
    ],
)
async def test_other_paths_and_methods_are_refused(
    page: httpx2.AsyncClient, provider: FakeProvider, method: str, path: str
) -> None:
    answer = await page.request(method, str(page.base_url).rstrip("/") + path)
    assert (answer.status_code, error_of(answer.content)["type"]) == (403, "PathRefused")
    assert provider.seen == []


async def test_a_path_with_line_breaks_has_no_route(page: httpx2.AsyncClient, provider: FakeProvider) -> None:
    assert (await page.get("/models/a%0d%0aX-A:b")).status_code == 404
    assert provider.seen == []


async def test_an_unknown_provider_is_reported_with_the_known_ones(page: httpx2.AsyncClient) -> None:
    answer = await page.get(str(page.base_url.join("/models/other/models")))
    error = error_of(answer.content)
    assert (answer.status_code, error["type"], error["hint"]) == (404, "ProviderUnknown", "Configured: test.")


async def test_events_pass_one_by_one_as_the_provider_sends_them(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    queue = provider.streams()
    async with asyncio.timeout(SOON_S), page.stream("POST", "/responses", content=ASKED) as answer:
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        chunks = answer.aiter_raw()
        for number in range(5):
            event = f"data: {number}\n\n".encode()
            # The next one is sent when this one has arrived.
            queue.put_nowait(event)
            assert await anext(chunks) == event
        queue.put_nowait(None)
        assert [chunk async for chunk in chunks] == []


async def test_a_page_that_leaves_during_the_answer_ends_the_request(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    queue = provider.streams()
    queue.put_nowait(b"data: 1\n\n")
    async with asyncio.timeout(SOON_S):
        async with page.stream("POST", "/responses", content=ASKED) as answer:
            await anext(answer.aiter_raw())
        await left(provider, queue)


async def test_an_answer_that_is_not_passed_on_ends_the_request(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    queue = provider.streams(status=401)
    async with asyncio.timeout(SOON_S):
        assert (await page.post("/responses", content=ASKED)).status_code == 401
        await left(provider, queue)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_page_that_leaves_before_the_answer_ends_the_request(
    page: httpx2.AsyncClient, provider: FakeProvider, method: str
) -> None:
    provider.silent = True
    path = "/models" if method == "GET" else "/responses"
    asking = asyncio.create_task(page.request(method, path, content=ASKED if method == "POST" else b""))
    async with asyncio.timeout(SOON_S):
        await provider.asked.wait()
        asking.cancel()
        await provider.left.wait()


@pytest.mark.parametrize("status", [200, 400, 500])
@in_turn("place", range(0, len(KEY) + 1, 4))
async def test_an_echoed_key_is_removed_however_it_is_split(
    page: httpx2.AsyncClient, provider: FakeProvider, status: int, place: int
) -> None:
    queue = provider.streams("application/json", status)
    for chunk in (b'{"given": "' + KEY[:place].encode(), KEY[place:].encode() + b'"}', None):
        queue.put_nowait(chunk)
    answer = await page.post("/responses", content=ASKED)
    assert answer.status_code == status
    assert answer.json() == {"given": "[the key was here]"}


async def test_an_echoed_key_is_removed_from_headers(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    provider.says(b"{}", request_id=f"for {KEY}", x_echo=KEY)
    answer = await page.get("/models")
    assert answer.headers["request-id"] == "for [the key was here]"
    assert KEY not in str(answer.headers)


async def test_a_refused_key_is_reported_without_the_providers_message(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    provider.says(f"Incorrect key: {KEY[:8]}***{KEY[-4:]}".encode(), 401)
    answer = await page.get("/models")
    assert (answer.status_code, error_of(answer.content)["type"]) == (401, "KeyRefused")
    assert KEY[-4:] not in answer.text


async def test_a_missing_key_is_reported_and_no_request_is_sent(
    open_gateway: OpenGateway, provider: FakeProvider
) -> None:
    page, _ = await open_gateway()
    answer = await page.get("/models")
    assert (answer.status_code, error_of(answer.content)["type"]) == (401, "KeyMissing")
    assert "TEST_API_KEY" in error_of(answer.content)["hint"]
    assert provider.seen == []


@pytest.mark.parametrize("location", ["http://127.0.0.1:1/stolen", "/elsewhere"])
async def test_a_redirect_is_not_followed(
    page: httpx2.AsyncClient, provider: FakeProvider, location: str
) -> None:
    provider.says(b"", 307, location=location)
    answer = await page.post("/responses", content=ASKED)
    assert (answer.status_code, error_of(answer.content)["type"]) == (502, "ProviderBroken")
    assert "location" not in answer.headers
    assert len(provider.seen) == 1


async def test_an_answer_that_would_hide_a_key_is_refused(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    provider.says(gzip.compress(KEY.encode()), content_encoding="gzip")
    answer = await page.get("/models")
    assert (answer.status_code, error_of(answer.content)["type"]) == (502, "ProviderBroken")


@pytest.mark.usefixtures("key")
async def test_a_silent_provider_is_given_up(open_gateway: OpenGateway, provider: FakeProvider) -> None:
    page, _ = await open_gateway(limits=Limits(idle_s=0.3))
    provider.silent = True
    answer = await page.get("/models")
    assert (answer.status_code, error_of(answer.content)["type"]) == (504, "ProviderSlow")
    await asyncio.wait_for(provider.left.wait(), SOON_S)


@pytest.mark.usefixtures("key")
async def test_a_page_that_stops_reading_is_given_up(
    open_gateway: OpenGateway, provider: FakeProvider
) -> None:
    page, _ = await open_gateway(limits=Limits(idle_s=0.5))
    queue = provider.streams()
    async with page.stream("POST", "/responses", content=ASKED), asyncio.timeout(SOON_S):
        # More than the sockets on the way can buffer.
        for _ in range(64):
            queue.put_nowait(b"x" * 999_999 + b"\n")
        await left(provider, queue)


@pytest.mark.fortnightly
@pytest.mark.usefixtures("key")
async def test_a_page_that_stops_sending_is_given_up(open_gateway: OpenGateway) -> None:
    page, _ = await open_gateway(limits=Limits(idle_s=0.3))
    address = page.base_url
    reader, writer = await asyncio.open_connection(address.host, address.port)
    async with asyncio.timeout(SOON_S):
        writer.write(f"POST {address.path}responses HTTP/1.1\r\nHost: {address.host}\r\n".encode())
        writer.write(b"Content-Length: 10\r\n\r\nhalf")
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"RequestTooSlow" in answer
    writer.close()
    await writer.wait_closed()


async def test_a_provider_on_this_machine_is_asked_directly(
    open_gateway: OpenGateway, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    page, _ = await open_gateway()
    assert (await page.get("/models")).status_code == 200


@pytest.mark.usefixtures("key")
async def test_an_unreachable_provider_is_reported(open_gateway: OpenGateway) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    page, _ = await open_gateway(base_url=f"http://127.0.0.1:{port}")
    answer = await page.get("/models")
    error = error_of(answer.content)
    assert (answer.status_code, error["type"]) == (502, "ProviderUnreachable")
    assert error["hint"].startswith("Start it")


async def test_events_that_break_off_end_with_an_error(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    queue = provider.streams()
    for chunk in (b"data: 1\n\ndata: un", b""):
        queue.put_nowait(chunk)
    lines = (await page.post("/responses", content=ASKED)).text.splitlines()
    assert lines[0] == "data: 1"
    assert lines[-3] == "event: error"
    error = json.loads(lines[-2].removeprefix("data: "))
    assert (error["type"], error["error"]["type"]) == ("error", "ProviderBroken")


async def test_another_answer_that_breaks_off_never_looks_complete(
    page: httpx2.AsyncClient, provider: FakeProvider
) -> None:
    queue = provider.streams("application/json")
    for chunk in (b'{"half":\n', b""):
        queue.put_nowait(chunk)
    with pytest.raises(httpx2.RemoteProtocolError):
        await page.post("/responses", content=ASKED)


@pytest.mark.parametrize("has_length", [True, False], ids=["with length", "in chunks"])
@pytest.mark.usefixtures("key")
async def test_a_request_that_is_too_long_is_refused(
    open_gateway: OpenGateway, provider: FakeProvider, has_length: bool
) -> None:
    page, _ = await open_gateway(limits=Limits(body=1000))

    async def chunks() -> AsyncGenerator[bytes]:
        for _ in range(11):
            yield b"x" * 100

    answer = await page.post("/responses", content=b"x" * 1001 if has_length else chunks())
    assert (answer.status_code, error_of(answer.content)["type"]) == (413, "RequestTooLarge")
    assert provider.seen == []
    assert (await page.post("/responses", content=ASKED.ljust(1000))).status_code == 200


@pytest.mark.usefixtures("key")
async def test_too_many_requests_are_refused_until_there_is_room(
    open_gateway: OpenGateway, provider: FakeProvider
) -> None:
    page, _ = await open_gateway(requests_per_minute=8)
    answers = [await page.get("/models") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert error_of(answers[2].content)["type"] == "TooManyRequests"
    assert 1 <= int(answers[2].headers["retry-after"]) <= 8
    assert len(provider.seen) == 2


@pytest.mark.usefixtures("key")
async def test_concurrent_requests_are_limited(open_gateway: OpenGateway, provider: FakeProvider) -> None:
    page, _ = await open_gateway(concurrent=1)
    queue = provider.streams()
    queue.put_nowait(b"data: 1\n\n")
    async with page.stream("POST", "/responses", content=ASKED) as answer:
        chunks = answer.aiter_raw()
        await anext(chunks)
        assert (await page.get("/models")).status_code == 429
        queue.put_nowait(None)
        assert [chunk async for chunk in chunks] == []
    queue.put_nowait(None)
    assert (await page.post("/responses", content=ASKED)).status_code == 200


async def test_no_log_has_a_key(
    page: httpx2.AsyncClient, provider: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await page.post("/responses", content=ASKED)
    provider.says(b"", 401)
    await page.post("/responses", content=ASKED)
    queue = provider.streams()
    queue.put_nowait(b"")
    await page.post("/responses", content=ASKED)
    assert "KeyRefused: test refused the key from the environment." in caplog.messages
    assert KEY not in caplog.text + "".join(str(vars(record)) for record in caplog.records)


async def test_the_page_knows_providers_without_their_keys(open_gateway: OpenGateway, key: str) -> None:
    _, gateway = await open_gateway()
    (row,) = await gateway.rows()
    assert {name: row[name] for name in ("name", "kind", "has_key", "key_from", "problem")} == {
        "name": "test",
        "kind": "openai",
        "has_key": True,
        "key_from": "environment",
        "problem": None,
    }
    assert key not in str(row)


async def test_a_key_can_be_set_and_deleted(open_gateway: OpenGateway) -> None:
    page, gateway = await open_gateway()
    await gateway.set_key("test", KEY)
    assert [row["key_from"] for row in await gateway.rows()] == ["keyring"]
    assert (await page.get("/models")).status_code == 200
    assert await gateway.delete_key("test")
    assert not await gateway.delete_key("test")
    assert (await page.get("/models")).status_code == 401


@pytest.mark.usefixtures("key")
async def test_a_provider_lists_its_models(open_gateway: OpenGateway, provider: FakeProvider) -> None:
    _, gateway = await open_gateway()
    assert (await gateway.trial("test", "", None, None).models()).models == ["small", "large"]
    provider.says(b"", 401)
    with pytest.raises(KeyRefused):
        await gateway.trial("test", "", None, None).models()
    provider.says(f"no\n{KEY}".encode(), 403)
    with pytest.raises(ProviderRefused, match=r"answered 403: no \[the key was here\]\.$"):
        await gateway.trial("test", "", None, None).models()
    provider.says(b"<html>")
    with pytest.raises(ProviderBroken, match="is a web page, not an API"):
        await gateway.trial("test", "", None, None).models()
    with pytest.raises(ProviderUnknown):
        gateway.trial("other", "", None, None)


@pytest.mark.usefixtures("key")
async def test_a_list_that_never_ends_is_stopped(open_gateway: OpenGateway, provider: FakeProvider) -> None:
    _, gateway = await open_gateway(limits=Limits(idle_s=0.5))
    queue = provider.streams("application/json")
    dripping = asyncio.create_task(left(provider, queue))
    async with asyncio.timeout(SOON_S):
        with pytest.raises(ProviderSlow):
            await gateway.trial("test", "", None, None).models()
        await dripping


async def test_a_failed_test_says_why(open_gateway: OpenGateway, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    _, gateway = await open_gateway(base_url=f"http://127.0.0.1:{port}")
    with pytest.raises(KeyMissing):
        await gateway.trial("test", "", None, None).models()
    monkeypatch.setenv("TEST_API_KEY", KEY)
    with pytest.raises(ProviderUnreachable):
        await gateway.trial("test", "", None, None).models()
