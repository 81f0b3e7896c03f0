"""A model's name in a question is a fact that was checked against the provider's list."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from gemini.errors import ProtocolError
from gemini_companion.models import Gateway, Provider
from gemini_companion.models.known_models import KEEP_OTHER_S, KEEP_S, KnownModels
from gemini_companion.models.providers import ANTHROPIC, GOOGLE, OLLAMA, OPENAI, Kind
from tests.tiers import in_turn
from tests.unit.companion.models.pages import PageOfModels
from tests.unit.companion.models.upstreams import FakeProvider, served

SENTENCE = "m1 of a free local server. It costs nothing and was checked by this page. Maximum cost $0.00"


@pytest.fixture
async def server() -> AsyncIterator[tuple[FakeProvider, str]]:
    provider = FakeProvider()
    async with served(provider) as url:
        yield provider, url


@pytest.fixture
async def gateway(server: tuple[FakeProvider, str]) -> AsyncIterator[Gateway]:
    gateway = Gateway({"mine": Provider("mine", OPENAI, server[1], key="none")})
    yield gateway
    await gateway.aclose()


async def listed(page: PageOfModels, model: str, **more: Any) -> bool | None:
    asking = page.asks("ticket", provider="mine", model=model, **more)
    shown = await page.person.shown()
    await page.person.answer(shown["id"], "refuse")
    with pytest.raises(ProtocolError):
        await asking
    assert shown["facts"]["model"] == model
    return shown["facts"]["listed"]


@pytest.mark.parametrize("scheduled", [False, True])
async def test_the_question_says_whether_the_provider_lists_the_model(
    gateway: Gateway, scheduled: bool
) -> None:
    page = PageOfModels(gateway)
    assert await listed(page, "small", scheduled=scheduled) is True
    assert await listed(page, "smaller", scheduled=scheduled) is False


@pytest.mark.parametrize("answer", [b"no", b"{}", b'{"data": 7}', b"[]", b'{"data": {}}'])
async def test_the_question_says_that_there_is_no_list(
    gateway: Gateway, server: tuple[FakeProvider, str], answer: bytes
) -> None:
    server[0].says(answer)
    assert await listed(PageOfModels(gateway), "small") is None


async def test_a_list_that_can_not_be_had_is_none(gateway: Gateway, server: tuple[FakeProvider, str]) -> None:
    server[0].says(b"{}", 500)
    assert await listed(PageOfModels(gateway), "small") is None


NAMES = [
    SENTENCE,
    "a b",
    "",
    "x" * 201,
    "https://evil.example/?SECRET",
    "file:/etc/passwd",
    "a\nb",
    "m\u0430lе",
    "\u202etxt",
    "<b>",
    "-x",
    "&#104;ttps",
]


@in_turn("name", NAMES, ids=ascii)
async def test_a_name_that_is_no_name_is_asked_of_nobody(gateway: Gateway, name: str) -> None:
    page = PageOfModels(gateway)
    with pytest.raises(ProtocolError):
        await page.asks("ticket", provider="mine", model=name)
    assert not page.person.asked


async def test_a_name_with_spaces_may_be_the_provider_s(
    gateway: Gateway, server: tuple[FakeProvider, str]
) -> None:
    server[0].says(json.dumps({"data": [{"id": "C:/models/a b.gguf"}]}).encode())
    assert await listed(PageOfModels(gateway), "C:/models/a b.gguf") is True


@pytest.mark.parametrize(
    ("kind", "names", "model"),
    [
        (OPENAI, ["a/b:free"], "a/b:free"),
        (ANTHROPIC, ["claude"], "claude"),
        (GOOGLE, ["models/gemini"], "gemini"),
        (GOOGLE, ["models/gemini"], "models/gemini"),
        (OLLAMA, ["small:latest"], "small"),
        (OLLAMA, ["small:1b"], "small:1b"),
    ],
)
async def test_each_kind_of_list_is_read(kind: Kind, names: list[str], model: str) -> None:
    _, member, name = kind.models

    async def fetch(provider: Provider) -> bytes:
        return json.dumps({member: [{name: each} for each in names]}).encode()

    known = KnownModels(fetch)
    assert await known.has(Provider("a", kind, "https://a.example"), model) is True
    assert await known.has(Provider("a", kind, "https://a.example"), "other") is False


async def test_a_list_is_used_for_a_while() -> None:
    now, fetched = [0.0], []

    async def fetch(provider: Provider) -> bytes:
        fetched.append(provider.base_url)
        return b'{"data": [{"id": "small"}]}'

    known, provider = KnownModels(fetch, lambda: now[0]), Provider("a", OPENAI, "https://a.example")
    for name in ("small", "other", "small", "other"):
        await known.has(provider, name)
    assert len(fetched) == 1
    now[0] = KEEP_OTHER_S + 1
    await known.has(provider, "small")
    assert len(fetched) == 1
    await known.has(provider, "other")
    assert len(fetched) == 2
    now[0] += KEEP_S + 1
    await known.has(provider, "small")
    await known.has(Provider("a", OPENAI, "https://b.example"), "small")
    assert len(fetched) == 4
