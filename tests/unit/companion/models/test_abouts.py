"""A model as each kind of server describes it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gemini.models.providers.forms import UNKNOWN, About
from gemini_companion.models import Gateway
from gemini_companion.models.errors import ProviderUnknown
from gemini_companion.models.providers import ANTHROPIC, OLLAMA, OPENAI, Kind, Provider
from tests.tiers import in_turn
from tests.unit.companion.models.upstreams import FakeProvider, served

LISTED = {"object": "list", "data": [{"id": "small", "object": "model"}]}
TAGS = {"models": [{"name": "small:latest", "model": "small:latest"}]}
SHOWN = {
    "parameters": 'stop "<end>"\nnum_ctx 16384\ntemperature 0.6',
    "model_info": {"general.architecture": "llama", "llama.context_length": 131072},
}


def loaded(name: str) -> Any:
    """Return Ollama's answer about the models that it has loaded."""
    return {"models": [{"name": name, "context_length": 8192}]}


@pytest.fixture
async def server() -> AsyncIterator[tuple[FakeProvider, str]]:
    provider = FakeProvider()
    async with served(provider) as url:
        yield provider, url


async def ask(
    server: tuple[FakeProvider, str], kind: Kind, answers: Mapping[str, Any], base: str = ""
) -> tuple[About, list[str]]:
    """Return what the server says, and the requests that the server got."""
    fake, url = server

    async def answering(request: Request) -> Response:
        answer = answers.get(request.url.path)
        return Response("no", 404) if answer is None else JSONResponse(answer)

    fake.answering = answering
    gateway = Gateway({"mine": Provider("mine", kind, url + base, key="none")})
    try:
        about = await gateway.about("mine", "small")
    finally:
        await gateway.aclose()
    return about, [f"{each.method} {each.target}" for each in fake.seen]


@in_turn(
    ("kind", "base", "answers", "window"),
    [
        (OLLAMA, "", {"/api/tags": TAGS, "/api/show": SHOWN}, 16384),
        (OLLAMA, "", {"/api/tags": TAGS, "/api/show": {**SHOWN, "parameters": "temperature 1"}}, 131072),
        (OLLAMA, "", {"/api/show": SHOWN, "/api/ps": loaded("small:latest")}, 8192),
        (OLLAMA, "", {"/api/tags": TAGS, "/api/show": SHOWN, "/api/ps": loaded("other")}, 16384),
        (OLLAMA, "", {"/api/tags": TAGS, "/api/show": {"model_info": None}}, None),
        (
            OPENAI, "/v1",
            {"/api/v0/models": {"data": [{"id": "small", "max_context_length": 32768, "loaded_context_length": 4096}]}},
            4096,
        ),
        (OPENAI, "/v1", {"/api/v0/models": {"data": [{"id": "small", "max_context_length": 32768}]}}, 32768),
        (OPENAI, "/v1", {"/props": {"default_generation_settings": {"n_ctx": 12288}}, "/v1/models": LISTED}, 12288),
        (OPENAI, "/v1", {"/v1/models": {"data": [{"id": "small", "max_model_len": 40960}]}}, 40960),
        (OPENAI, "/api/v1", {"/api/v1/models": {"data": [{"id": "small", "context_length": 200_000}]}}, 200_000),
        (OPENAI, "/v1", {"/v1/models": LISTED}, None),
        (OPENAI, "/v1", {"/v1/models": {"data": [{"id": "small", "max_model_len": "many"}]}}, None),
        (OPENAI, "/v1", {"/v1/models": {"data": [{"id": "small", "max_model_len": 1}]}}, None),
        (OPENAI, "/v1", {"/v1/models": ["small"]}, None),
        (OPENAI, "/v1", {}, None),
    ],
)  # fmt: skip
async def test_a_server_tells_its_models_window(
    server: tuple[FakeProvider, str], kind: Kind, base: str, answers: Mapping[str, Any], window: int | None
) -> None:
    assert (await ask(server, kind, answers, base))[0].tokens == window


async def test_the_name_of_a_model_that_is_not_there_is_not_sent(server: tuple[FakeProvider, str]) -> None:
    other = {"models": [{"name": "other:latest", "model": "other:latest"}]}
    assert await ask(server, OLLAMA, {"/api/tags": other, "/api/show": SHOWN}) == (
        About(server="ollama"),
        ["GET /api/ps", "GET /api/tags"],
    )
    assert "small" not in str(server[0].seen)


async def test_servers_that_tell_nothing_are_not_asked(server: tuple[FakeProvider, str]) -> None:
    assert await ask(server, ANTHROPIC, {}) == (UNKNOWN, [])
    gateway = Gateway({})
    with pytest.raises(ProviderUnknown):
        await gateway.about("mine", "small")
    await gateway.aclose()


async def test_a_server_that_is_gone_tells_nothing() -> None:
    gone = Provider("gone", OPENAI, "http://127.0.0.1:9/v1", key="none")
    gateway = Gateway({"gone": gone, "ollama": replace(gone, name="ollama", kind=OLLAMA)})
    assert [(await gateway.about(name, "small")).tokens for name in ("gone", "ollama")] == [None, None]
    await gateway.aclose()


VISION = {"id": "small", "type": "vlm", "max_context_length": 32768, "capabilities": ["tool_use"]}
CAPS = {"supports_tools": False, "supports_tool_calls": False}
# `/props` of llama.cpp b11549 (xllamacpp 2026.10.11549, 2026-11-29), shortened, with SmolLM2's own template.
PROPS = {
    "default_generation_settings": {"n_ctx": 2048},
    "chat_template_caps": {**CAPS, "supports_system_role": True},
    "modalities": {"vision": False, "video": False, "audio": False},
}


@in_turn(
    ("kind", "answers", "about"),
    [
        (OPENAI, {"/props": PROPS}, About(2048, False, False, "llama.cpp")),
        (OPENAI, {"/props": {"default_generation_settings": {"n_ctx": 2048}}}, About(2048, server="llama.cpp")),
        (
            OLLAMA, {"/api/tags": TAGS, "/api/show": {**SHOWN, "capabilities": ["completion", "vision"]}},
            About(16384, False, True, "ollama"),
        ),
        (
            # Ollama 0.33 of 2026-08-21: its default window is known once the model is loaded.
            OLLAMA, {"/api/tags": TAGS, "/api/show": {**SHOWN, "parameters": "", "capabilities": ["tools"]}},
            About(131072, True, False, "ollama", sure=False),
        ),
        (
            OPENAI, {"/api/tags": TAGS, "/api/ps": loaded("small:latest"), "/api/show": {"capabilities": ["tools"]}},
            About(8192, True, False, "ollama"),
        ),
        (
            # LM Studio 0.4.1 of 2026-04-29.
            OPENAI, {"/api/v0/models": {"data": [{**VISION, "state": "not-loaded"}]}},
            About(32768, None, True, "lmstudio", sure=False),
        ),
        (
            OPENAI, {"/api/v0/models": {"data": [{**VISION, "type": "llm", "loaded_context_length": 4096}]}},
            About(4096, None, False, "lmstudio"),
        ),
        (
            OLLAMA,
            {
                "/api/tags": TAGS, "/api/ps": loaded("small:latest"),
                "/api/show": {**SHOWN, "capabilities": ["completion", "tools"]},
            },
            About(8192, True, False, "ollama"),
        ),
        (
            OPENAI, {"/v1/models": {"data": [{"id": "small", "owned_by": "vllm", "max_model_len": 40960}]}},
            About(40960, server="vllm"),
        ),
    ],
)  # fmt: skip
async def test_a_server_says_what_its_model_takes(
    server: tuple[FakeProvider, str], kind: Kind, answers: Mapping[str, Any], about: About
) -> None:
    base = "/v1" if kind is OPENAI else ""
    assert (await ask(server, kind, answers, base))[0] == about
