"""Trying addresses and keys before anything is saved, and adding servers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from gemini.models.providers.forms import About
from gemini_companion.models import Gateway, Keys, trials
from gemini_companion.models.added import AddedServers, address_of, name_for
from gemini_companion.models.errors import (
    CertificateUntrusted,
    ConfigurationProblem,
    KeyMissing,
    KeyRefused,
    ProviderBroken,
    ProviderRefused,
    ProviderUnreachable,
)
from gemini_companion.models.providers import OPENAI, Provider
from gemini_companion.models.trying import facts_of
from tests.tls import server_context
from tests.unit.companion.keyrings import MemoryKeyring
from tests.unit.companion.models.test_abouts import PROPS
from tests.unit.companion.models.upstreams import KEY, FakeProvider


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Gateway]:
    gateway = Gateway({}, Keys(), added=AddedServers(tmp_path / "servers.json"))
    yield gateway
    await gateway.aclose()


def below_v1(provider: FakeProvider) -> None:
    """Serve the API below /v1, and a web page elsewhere."""

    async def answering(request: Request) -> Response:
        if request.url.path == "/v1/models":
            rows = [
                {"id": "old", "created": 1},
                {"id": "text-embedding", "created": 9},
                {"id": "new", "created": 2},
            ]
            return JSONResponse({"data": rows})
        return HTMLResponse("<!doctype html><title>Hello</title>", 200 if request.method == "GET" else 404)

    provider.answering = answering


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        (" localhost:1234/v1/ ", "http://localhost:1234/v1"),
        ("192.168.1.5:11434", "http://192.168.1.5:11434"),
        ("models.example/v1", "https://models.example/v1"),
        ("https://openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1"),
        ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com"),
    ],
)
def test_an_address_is_completed(typed: str, address: str) -> None:
    assert address_of(typed) == address


@pytest.mark.parametrize(
    "typed", ["", "http://", "ftp://a.example", "http://me:secret@a.example", "a b", "http://[", "x" * 400]
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(ConfigurationProblem) as refused:
        address_of(typed)
    assert "secret" not in str(refused.value)


async def test_the_base_url_is_found_below_v1(gateway: Gateway, upstream: tuple[FakeProvider, str]) -> None:
    provider, url = upstream
    below_v1(provider)
    for typed in (url, url.removeprefix("http://"), f"{url}/v1", f"{url}/v1/chat/completions", f"{url}/"):
        found = await gateway.trial(None, typed, None, None).models()
        # The newest comes first, and models that don't chat are left out.
        assert (found.provider.base_url, found.models) == (f"{url}/v1", ["new", "old"])
    with pytest.raises(ProviderBroken, match="is a web page, not an API"):
        await gateway.trial(None, f"{url}/other", None, None).models()


async def test_a_server_says_whether_it_needs_a_key(
    gateway: Gateway, upstream: tuple[FakeProvider, str]
) -> None:
    provider, url = upstream
    provider.says(b"", 401)
    with pytest.raises(KeyMissing, match="needs a key"):
        await gateway.trial(None, url, None, None).models()
    with pytest.raises(KeyRefused, match="refused the key") as refused:
        await gateway.trial(None, url, None, KEY).models()
    assert KEY not in str(refused.value)
    assert provider.seen[-1].headers["authorization"] == f"Bearer {KEY}"
    with pytest.raises(ConfigurationProblem, match="unencrypted"):
        gateway.trial(None, "http://192.168.1.5/v1", None, KEY)


async def test_a_port_without_a_server_is_reported(gateway: Gateway) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(ProviderUnreachable, match=f"Nothing answers at 127.0.0.1:{port}"):
        await gateway.trial(None, f"127.0.0.1:{port}", None, None).models()


async def test_a_model_answers_one_question(gateway: Gateway, upstream: tuple[FakeProvider, str]) -> None:
    provider, url = upstream

    async def answering(request: Request) -> Response:
        asked = await request.json()
        if "max_completion_tokens" in asked:
            return JSONResponse({"error": {"message": "unknown member"}}, 422)
        return JSONResponse({"choices": [{"message": {"content": f" ready, says {asked['model']} "}}]})

    provider.answering = answering
    tried = await gateway.trial(None, f"{url}/v1", None, None).answer("small")
    assert tried.text == "ready, says small"
    provider.says(b'{"content": [{"type": "text", "text": "ready"}]}')
    tried = await gateway.trial(None, url, "anthropic", KEY).answer("claude")
    assert (tried.text, tried.facts) == ("ready", [])
    assert provider.seen[-1].target == "/v1/messages"
    assert provider.seen[-1].headers["x-api-key"] == KEY
    provider.says(b'{"error": {"message": "no such model"}}', 404)
    with pytest.raises(ProviderRefused, match="answered 404: no such model"):
        await gateway.trial(None, f"{url}/v1", None, None).answer("small")


class SmallServer:
    """A server as llama.cpp b11549 answers (xllamacpp 2026.10.11549, 2026-11-29), with SmolLM2's own template.

    It leaves out tools, follows a schema, and its answer to anything else never ends.
    """

    def __init__(self, loading: int = 0) -> None:
        self.loading = loading
        self.asked: list[str] = []

    async def __call__(self, request: Request) -> Response:
        if request.url.path == "/props":
            return JSONResponse(PROPS)
        if request.method != "POST":
            return JSONResponse({}, 404)
        if self.loading > 0:
            self.loading -= 1
            error = {"message": "Loading model", "type": "unavailable_error", "code": 503}
            return JSONResponse({"error": error}, 503)
        asked = await request.json()
        self.asked.append(next((name for name in ("tools", "response_format") if name in asked), "words"))
        return StreamingResponse(self._answer(asked), media_type="text/event-stream")

    async def _answer(self, asked: dict[str, object]) -> AsyncIterator[str]:
        if "response_format" in asked:
            yield _delta('{"ready": ')
            yield _delta("true}")
            yield "data: [DONE]\n\n"
            return
        while True:
            yield _delta("I'm ready. ")
            # The reader runs in the same loop.
            await asyncio.sleep(0)


def _delta(text: str) -> str:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n"


async def test_the_first_words_are_enough_and_say_what_an_agent_can_expect(
    gateway: Gateway, upstream: tuple[FakeProvider, str]
) -> None:
    provider, url = upstream
    provider.answering = server = SmallServer()
    tried = await gateway.trial(None, f"{url}/v1", None, None).answer("small")
    assert tried.text.startswith("I'm ready. I'm ready.") and len(tried.text) < 200
    assert tried.facts == [
        "It streams its answers.",
        "It doesn’t call a tool of the API. They are described in the prompt instead.",
        "It follows a JSON schema, so calls can be required.",
        "It takes no pictures.",
        "Its context has 2,048 tokens; an agent’s first request takes about 550. Start it with a larger -c, such as "
        "llama-server -c 8192; its slots (-np) share that.",
    ]
    # The server says that it drops tools, so that isn't tried.
    assert server.asked == ["words", "response_format"]


async def test_a_server_that_loads_its_model_is_asked_again(
    gateway: Gateway, upstream: tuple[FakeProvider, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "AGAIN_S", 0.0)
    provider, url = upstream
    provider.answering = server = SmallServer(loading=2)
    tried = await gateway.trial(None, f"{url}/v1", None, None).answer("small")
    assert tried.text.startswith("I'm ready.") and server.loading == 0


@pytest.mark.parametrize("broken", [b'data: {"choices": [', b"<html>", b'data: {"error": {"message": "no"}}'])
async def test_a_broken_answer_is_reported(
    gateway: Gateway, upstream: tuple[FakeProvider, str], broken: bytes
) -> None:
    provider, url = upstream

    async def answering(request: Request) -> Response:
        return Response(broken + b"\n\n", media_type="text/event-stream")

    provider.answering = answering
    trial = gateway.trial(None, f"{url}/v1", None, None)
    with pytest.raises(ProviderBroken, match="no answer of a model"):
        await trial.answer("small")


async def test_a_model_that_does_not_stop_thinking_is_known_as_such(
    gateway: Gateway, upstream: tuple[FakeProvider, str]
) -> None:
    provider, url = upstream
    left = asyncio.Event()

    async def thoughts() -> AsyncIterator[str]:
        try:
            while True:
                delta = {"choices": [{"delta": {"reasoning_content": "Well, let me see. "}}]}
                yield f"data: {json.dumps(delta)}\n\n"
                await asyncio.sleep(0)
        finally:
            left.set()

    async def answering(request: Request) -> Response:
        return StreamingResponse(thoughts(), media_type="text/event-stream")

    provider.answering = answering
    words = await gateway.trial(None, f"{url}/v1", None, None).first_words("small")
    assert words.text == "" and words.thought.startswith("Well, let me see.") and len(words.thought) < 900
    assert facts_of(About(), words, None, None)[1] == "It was still thinking: no answer yet."
    await left.wait()


async def test_a_certificate_that_is_not_trusted_is_named(gateway: Gateway, tmp_path: Path) -> None:
    context, _ = server_context("localhost", tmp_path)
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.read(1))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with pytest.raises(CertificateUntrusted, match=f"localhost:{port} isn't trusted") as refused:
            await gateway.trial(None, f"https://localhost:{port}/v1", None, KEY).models()
    assert "SSL_CERT_FILE" in (refused.value.hint or "") and asked == []


async def test_an_added_server_lasts_and_leaves_with_its_key(
    tmp_path: Path, upstream: tuple[FakeProvider, str], secrets: MemoryKeyring
) -> None:
    provider, url = upstream
    file = tmp_path / "servers.json"
    first = Gateway({"test": Provider("test", OPENAI, f"{url}/v1")}, added=AddedServers(file))
    # The provider that has this address is used.
    assert await first.add(f"{url}/v1", "openai") == "test"
    name = await first.add(url, "openai")
    assert name.startswith("local-") and await first.add(url, "openai") == name
    assert file.stat().st_mode & 0o777 == 0o600
    await first.set_key(name, KEY)

    second = Gateway({}, added=AddedServers(file))
    assert (await second.trial(name, "", None, None).models()).models == ["small", "large"]
    assert provider.seen[-1].headers["authorization"] == f"Bearer {KEY}"
    [row] = await second.rows()
    assert (row["added"], row["local"], row["key_from"]) == (True, True, "keyring")
    assert await second.remove(name)
    assert secrets.saved == {} and json.loads(file.read_text()) == {}
    assert not await first.remove("test")
    await first.aclose()
    await second.aclose()


async def test_a_new_server_never_gets_the_key_of_an_earlier_one(
    gateway: Gateway, secrets: MemoryKeyring
) -> None:
    secrets.saved[("control-surface", "a-b-example")] = KEY
    assert await gateway.add("https://a-b.example", "openai") == "a-b-example"
    assert secrets.saved == {}
    assert await gateway.add("https://a.b.example", "openai") == "a-b-example-2"
    # The page has its own meaning for this name.
    assert await gateway.add("http://own", "openai") == "own-2"


def test_a_name_is_short() -> None:
    assert name_for("https://" + "long." * 20 + "example/v1", {}) == "long-long-long-long-long-long-lo"


@pytest.mark.parametrize(
    "content", ["[]", '{"a": {"kind": "none", "base_url": "http://a.example"}}', '{"a": {}}', "{"]
)
def test_a_damaged_file_has_no_servers(tmp_path: Path, content: str) -> None:
    file = tmp_path / "servers.json"
    file.write_text(content)
    file.chmod(0o600)
    assert AddedServers(file).providers() == {}


class EmbeddingServer:
    """Servers for embeddings, as llama.cpp b11549 answers: a list at both base URLs, and OpenAI's form below /v1."""

    def __init__(
        self, models: tuple[str, ...] = ("small",), for_embeddings: str = "small", below: str = ""
    ) -> None:
        self.models = models
        self.for_embeddings = for_embeddings
        self.below = below

    async def __call__(self, request: Request) -> Response:
        path = request.url.path.removeprefix(self.below)
        if path in ("/models", "/v1/models") and self.models:
            return JSONResponse({"data": [{"id": name} for name in self.models]})
        if request.method != "POST" or path not in ("/embeddings", "/v1/embeddings"):
            return JSONResponse({"error": {"message": "File Not Found"}}, 404)
        if (await request.json())["model"] not in (self.for_embeddings, "default"):
            message = "This server does not support embeddings. Start it with `--embeddings`"
            return JSONResponse({"error": {"message": message}}, 501)
        if path == "/embeddings":
            return JSONResponse([{"index": 0, "embedding": [[0.1, 0.2]]}])
        return JSONResponse({"data": [{"index": 0, "embedding": [0.1, 0.2]}]})


@pytest.mark.parametrize(
    "typed", ["{host}", "http://{host}", "http://{host}/v1/embeddings", "http://{host}/v1/"]
)
async def test_the_base_url_for_embeddings_is_the_one_that_computes_them(
    gateway: Gateway, upstream: tuple[FakeProvider, str], typed: str
) -> None:
    provider, url = upstream
    provider.answering = EmbeddingServer()
    address = typed.format(host=url.removeprefix("http://"))
    found = await gateway.trial(None, address, "openai", None).embedding_models()
    assert (found.provider.base_url, found.models, found.embeds) == (f"{url}/v1", ["small"], True)


async def test_a_base_url_with_a_path_is_completed_where_its_embeddings_have_another_form(
    gateway: Gateway, upstream: tuple[FakeProvider, str]
) -> None:
    provider, url = upstream
    provider.answering = EmbeddingServer(below="/llama")
    found = await gateway.trial(None, f"{url}/llama", "openai", None).embedding_models()
    assert found.provider.base_url == f"{url}/llama/v1"


async def test_a_server_without_a_list_computes_embeddings(
    gateway: Gateway, upstream: tuple[FakeProvider, str]
) -> None:
    provider, url = upstream
    provider.answering = EmbeddingServer(models=())
    found = await gateway.trial(None, url, "openai", None).embedding_models()
    assert (found.provider.base_url, found.models, found.embeds) == (f"{url}/v1", [], True)


async def test_a_server_that_computes_no_embeddings_says_why(
    gateway: Gateway, upstream: tuple[FakeProvider, str]
) -> None:
    provider, url = upstream
    provider.answering = EmbeddingServer(for_embeddings="another")
    with pytest.raises(ProviderRefused, match="does not support embeddings. Start it with `--embeddings`"):
        await gateway.trial(None, url, "openai", None).embedding_models()
    # Another of several models may.
    provider.answering = EmbeddingServer(("small", "another"), for_embeddings="another")
    found = await gateway.trial(None, url, "openai", None).embedding_models()
    assert (found.models, found.embeds) == (["small", "another"], False)
    below_v1(provider)
    with pytest.raises(ProviderRefused):
        await gateway.trial(None, url, "openai", None).embedding_models()
