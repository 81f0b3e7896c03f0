"""Requests that the companion's guard permits, and requests that it refuses."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from gemini_companion.admission.guard import SUBPROTOCOL, Guard, RefusalLog, new_token
from gemini_companion.serving.policy import Policies
from tests.unit.companion.conftest import MEGABYTE, Companion, Start

FOREIGN = "http://evil.example"


def opened(
    companion: Companion, *, origin: str | None, token: str | None, host: str = "", offers: bool = True
) -> ClientConnection:
    offered = [SUBPROTOCOL] * offers + ([f"token.{token}"] if token is not None else [])
    headers = {"Host": host} if host else {}
    return connect(
        f"ws://{companion.host}/page",
        origin=origin,  # type: ignore[arg-type]
        subprotocols=offered or None,  # type: ignore[arg-type]
        additional_headers=headers,
        compression=None,
        proxy=None,
        max_size=None,
    )


def denied(companion: Companion, **options: object) -> int:
    with pytest.raises(InvalidStatus) as refused:
        opened(companion, **options)  # type: ignore[arg-type]
    response = refused.value.response
    assert companion.token.encode() not in (response.body or b"") + str(response.headers).encode()
    assert "Content-Security-Policy" in response.headers
    return response.status_code


def test_a_token_has_256_bits_and_is_new_each_time() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) == 43


def test_the_surface_is_served_by_both_of_its_names(companion: Companion) -> None:
    for host in companion.server.main.hosts:
        assert companion.ask("/", Host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.:{port}", "[::1]:{port}",
     "127.0.0.1:{port}.evil.example", "user@127.0.0.1:{port}", "0.0.0.0:{port}", ""],
)  # fmt: skip
def test_a_rebound_or_forged_name_is_refused(companion: Companion, host: str) -> None:
    named = host.format(port=companion.server.main.number)
    assert companion.say("GET / HTTP/1.1", f"Host: {named}") == 421


async def status_of(host: str, origin: str | None = None) -> int:
    """Return the status that a guard of sites answers."""

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    guard = Guard(app, hosts=["127.0.0.1:1"], labels_of=["localhost:1"], log=RefusalLog())
    headers = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin else [])]
    await guard({"type": "http", "method": "GET", "path": "/", "headers": headers}, receive, send)
    return sent[0]["status"]


LABEL = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1:1", 200), (f"{LABEL}.localhost:1", 200), (f"n{LABEL}.localhost:1", 200), ("a.localhost:1", 421),
     ("localhost:1", 421), (f"{LABEL}.localhost:2", 421), (f"{LABEL}.localhost", 421), (f"{LABEL}.evil.example:1", 421),
     (f"x.{LABEL}.localhost:1", 421), (f"{LABEL}0.localhost:1", 421), (f".{LABEL}.localhost:1", 421)],
)  # fmt: skip
async def test_a_site_has_its_label_as_host(host: str, status: int) -> None:
    assert await status_of(host) == status


async def test_one_site_can_not_ask_another() -> None:
    host = f"{LABEL}.localhost:1"
    assert await status_of(host, f"http://{host}") == 200
    assert await status_of(host, f"http://n{host}") == 403
    assert await status_of("127.0.0.1:1", f"http://{host}") == 403


def test_a_request_needs_exactly_one_host(companion: Companion) -> None:
    host = f"Host: {companion.host}"
    assert companion.say("GET / HTTP/1.1", host) == 200
    assert companion.say("GET / HTTP/1.1", host, host) == 400
    assert companion.say("GET / HTTP/1.1", host, "Host: evil.example") == 400
    assert companion.say("GET / HTTP/1.1") == 400
    assert companion.say("GET / HTTP/1.0") == 421
    # An absolute URL in the request doesn't replace the header.
    assert companion.say("GET http://evil.example/ HTTP/1.1", host) == 404


def test_the_token_opens_guarded_paths(companion: Companion) -> None:
    for scheme in ("Bearer", "bearer"):
        status, _, body = companion.ask("/mcp", "POST", b"12345", Authorization=f"{scheme} {companion.token}")
        assert (status, body) == (200, b"5")
    status, headers, body = companion.ask("/mcp", "POST", b"12345")
    assert (status, headers["WWW-Authenticate"]) == (401, "Bearer")
    assert b"build.py url" in body and companion.token.encode() not in body


def test_a_wrong_token_is_refused(companion: Companion) -> None:
    token = companion.token
    wrong = [new_token(), token.swapcase(), token[:-1], f"{token}x", "", f" {token} {token}", "ä" * 43]
    for each in wrong:
        assert companion.ask("/mcp", Authorization=f"Bearer {each}")[0] == 401
    assert companion.ask("/mcp", Authorization=f"Basic {token}")[0] == 401
    assert companion.ask(f"/mcp?token={token}")[0] == 401
    named, right = f"Host: {companion.host}", f"Authorization: Bearer {token}"
    assert companion.say("GET /mcp HTTP/1.1", named, right) == 200
    assert companion.say("GET /mcp HTTP/1.1", named, right, right) == 401


@pytest.mark.parametrize(
    "path", ["/mcp", "/mcp/", "/mcp/x", "/%6dcp", "/models/stream", "/page", "/mcp;x/../mcp"]
)
def test_no_spelling_of_a_guarded_path_bypasses_the_token(companion: Companion, path: str) -> None:
    status, _, body = companion.ask(path)
    assert status in (401, 404) and body != b"0"


def test_pages_of_other_origins_can_use_nothing(companion: Companion) -> None:
    right = f"Bearer {companion.token}"
    for origin in (FOREIGN, "null", companion.origin.replace("http:", "https:"), f"{companion.origin}/",
                   companion.server.sites.url.rstrip("/"), "http://localhost"):  # fmt: skip
        assert companion.ask("/mcp", "POST", b"", Origin=origin, Authorization=right)[0] == 403
        assert companion.ask("/x.js", Origin=origin)[0] == 403
    # As a form sends it from elsewhere.
    assert companion.ask("/mcp", "POST", b"", Origin=FOREIGN, Sec_Fetch_Mode="navigate")[0] == 403
    assert companion.ask("/mcp", Origin=FOREIGN, Sec_Fetch_Mode="navigate", Authorization=right)[0] == 403
    assert companion.ask("/x.js", Origin=companion.origin)[0] == 200
    assert companion.ask("/mcp", "POST", b"", Origin=companion.origin, Authorization=right)[0] == 200


def test_a_link_from_elsewhere_shows_the_page(companion: Companion) -> None:
    assert companion.ask("/", Origin="null", Sec_Fetch_Mode="navigate")[0] == 200
    assert companion.ask("/", Sec_Fetch_Mode="navigate", Sec_Fetch_Site="cross-site")[0] == 200


def test_no_answer_allows_another_origin_to_read_it(companion: Companion) -> None:
    for path in ("/", "/x.js", "/none", "/mcp", "/.well-known/control-surface"):
        for origin in ({}, {"Origin": FOREIGN}, {"Origin": companion.origin}):
            headers = companion.ask(path, **origin)[1]
            assert not [name for name in headers if name.lower().startswith("access-control")]
    asked = {"Origin": FOREIGN, "Access_Control_Request_Method": "POST"}
    assert companion.ask("/mcp", "OPTIONS", **asked)[0] == 403


def test_every_answer_has_protective_headers(companion: Companion) -> None:
    answers = [companion.ask(path) for path in ("/", "/x.js", "/none", "/mcp", "/examples")]
    answers.append(companion.ask("/", Host="evil.example"))
    for _, headers, _ in answers:
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert len(headers.get_all("Content-Security-Policy")) == 1


def test_a_page_allows_its_inline_scripts_and_no_others(companion: Companion) -> None:
    policy = companion.ask("/")[1]["Content-Security-Policy"]
    script = next(each for each in policy.split("; ") if each.startswith("script-src"))
    # `printf 'one()' | openssl dgst -sha256 -binary | base64`
    assert "'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='" in script
    assert "unsafe-inline" not in script


def test_only_the_worker_that_checks_python_compiles_webassembly(tmp_path: Path) -> None:
    policies = Policies()
    allowed = policies(tmp_path / "python_checks.js")["Content-Security-Policy"]
    assert allowed == "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
    for name in ("service_worker.js", "other.js", "python_checks.mjs"):
        assert "wasm" not in policies(tmp_path / name)["Content-Security-Policy"]


def test_the_pages_websocket_needs_its_origin_and_the_token(companion: Companion) -> None:
    with opened(companion, origin=companion.origin, token=companion.token) as page:
        assert page.subprotocol == SUBPROTOCOL
        page.send("hello")
        assert page.recv() == "5"
    # The application behind the guard never sees the token.
    assert companion.seen.subprotocols == [SUBPROTOCOL]
    assert companion.token not in companion.seen.headers[0]
    token = companion.token
    assert denied(companion, origin=None, token=token) == 403
    assert denied(companion, origin=FOREIGN, token=token) == 403
    assert denied(companion, origin="null", token=token) == 403
    assert denied(companion, origin=companion.server.sites.url.rstrip("/"), token=token) == 403
    assert denied(companion, origin=companion.origin, token=None) == 401
    assert denied(companion, origin=companion.origin, token=new_token()) == 401
    assert denied(companion, origin=companion.origin, token=token.swapcase()) == 401
    assert denied(companion, origin=companion.origin, token=token, offers=False) == 400
    assert len(companion.seen.headers) == 1


def test_a_body_that_is_too_large_is_cut(start: Start) -> None:
    companion = start(largest_body=MEGABYTE)
    right = {"Authorization": f"Bearer {companion.token}"}
    assert companion.ask("/mcp", "POST", bytes(MEGABYTE), **right)[2] == str(MEGABYTE).encode()
    head = [f"Host: {companion.host}", f"Authorization: Bearer {companion.token}"]
    assert companion.say("POST /mcp HTTP/1.1", *head, f"Content-Length: {MEGABYTE + 1}") == 413
    with companion.raw() as client:
        client.sendall(
            "\r\n".join(["POST /mcp HTTP/1.1", *head, "Transfer-Encoding: chunked", "", ""]).encode()
        )
        piece = b"10000\r\n" + bytes(65536) + b"\r\n"
        for _ in range(17):
            client.sendall(piece)
        assert b" 413 " in client.makefile("rb").readline()


def test_refusals_of_mcp_are_json_rpc_errors(start: Start) -> None:
    companion = start(largest_body=MEGABYTE, json_rpc="/mcp")
    large = {"Authorization": f"Bearer {companion.token}", "Content_Length": str(MEGABYTE + 1)}
    status, headers, content = companion.ask("/mcp", "POST", **large)
    assert (status, headers["content-type"]) == (413, "application/json")
    assert json.loads(content) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "The request's body is larger than this server accepts."},
    }
    status, headers, _ = companion.ask("/models", "POST", **large)
    assert (status, headers["content-type"]) == (413, "text/plain; charset=utf-8")


def test_each_kind_of_refusal_is_logged_once_and_without_secrets(
    companion: Companion, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        for _ in range(5):
            companion.ask("/mcp?secret=1", Authorization=f"Bearer {companion.token}x")
            companion.ask("/?secret=1", Host="evil.example")
            companion.ask(f"/x.js?{companion.token}", Origin=FOREIGN)
    logged = [record.getMessage() for record in caplog.records if record.name == "gemini_companion"]
    assert len(logged) == 3
    everything = caplog.text
    assert companion.token not in everything and "secret" not in everything and "evil" not in everything
