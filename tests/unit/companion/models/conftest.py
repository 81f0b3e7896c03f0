"""Fixtures of the gateway's tests: no keys of this machine, and a keyring in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette

from gemini_companion.models import Gateway, Limits, Provider
from gemini_companion.models.amounts import Ceiling
from gemini_companion.models.providers import BUILT_IN, KINDS
from gemini_companion.models.proxy import TICKET
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.models.upstreams import KEY, FakeProvider, served


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data-home"))
    for variable in ("TEST_API_KEY", *(each for provider in BUILT_IN for each in provider.variables)):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(autouse=True)
def secrets() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of the provider `test`, in the environment."""
    monkeypatch.setenv("TEST_API_KEY", KEY)
    return KEY


OpenGateway = Callable[..., Any]


@pytest.fixture
async def upstream() -> AsyncIterator[tuple[FakeProvider, str]]:
    provider = FakeProvider()
    async with served(provider) as url:
        yield provider, url


@pytest.fixture
def provider(upstream: tuple[FakeProvider, str]) -> FakeProvider:
    return upstream[0]


@pytest.fixture
async def open_gateway(upstream: tuple[FakeProvider, str]) -> AsyncIterator[OpenGateway]:
    """Serve a gateway in front of the provider `test`; return a client whose base URL is that provider's.

    The client sends a ticket for the model `small`.
    """
    async with AsyncExitStack() as stack:

        async def opened(
            kind: str = "openai", limits: Limits | None = None, **members: Any
        ) -> tuple[httpx2.AsyncClient, Gateway]:
            settings: dict[str, Any] = {"base_url": upstream[1], "variables": ("TEST_API_KEY",), **members}
            gateway = Gateway({"test": Provider("test", KINDS[kind], **settings)}, limits=limits)
            stack.push_async_callback(gateway.aclose)
            url = await stack.enter_async_context(served(Starlette(routes=gateway.routes)))
            ticket = gateway.tickets.issue(gateway.provider("test"), "small", Ceiling())
            client = httpx2.AsyncClient(
                base_url=f"{url}/models/test",
                headers={TICKET: ticket.id},
                timeout=20,
                verify=False,
                trust_env=False,
            )
            return await stack.enter_async_context(client), gateway

        yield opened


@pytest.fixture
async def page(open_gateway: OpenGateway, key: str) -> httpx2.AsyncClient:
    """A client for a provider with OpenAI's API and a key."""
    client, _ = await open_gateway()
    return client
