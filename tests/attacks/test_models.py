"""Python in the page tries to spend the user's money, by every way to the companion's models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.providers import Provider, running_provider
from tests.web.conftest import Start
from tests.web.person import Person

ASKS = """
import asyncio, json, js
from gemini.core import ffi
from gemini.server.kernel import kernel
ask = kernel.host.request
token = (await ask("models/access", {}))["token"]
async def post(body, path="/chat/completions", **headers):
    head = {"authorization": f"Bearer {token}", "content-type": "application/json", **headers}
    fetched = await ffi.fetch(ffi.own_origin() + "/models/wire" + path, "POST", head, json.dumps(body).encode())
    return fetched.status
body = {"model": "small", "messages": [{"role": "user", "content": "spend"}]}
"""
WITHOUT = {
    "no-ticket": "await post(body)",
    "forged-ticket": "await post(body, **{'x-model-ticket': 'x' * 32})",
    "the-token-as-ticket": "await post(body, **{'x-model-ticket': token})",
    "embeddings": "await post({'model': 'small', 'input': 'x'}, '/embeddings')",
    "responses": "await post({'model': 'small', 'input': 'x'}, '/responses')",
}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def surface_of_module(
    surface_dist: Path, provider: Provider, browsers: BrowserPool, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surface]:
    folder = tmp_path_factory.mktemp("configuration")
    provider.configure(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        with companion_of(surface_dist) as companion, opened_by(companion, browsers) as surface:
            yield surface


@pytest.fixture(autouse=True)
def nothing_was_requested(provider: Provider) -> Iterator[None]:
    yield
    assert provider.requests == []


@pytest.mark.parametrize("code", WITHOUT.values(), ids=WITHOUT)
def test_nothing_is_requested_without_a_ticket(start: Start, code: str) -> None:
    assert start("python_run", code=ASKS + code).result()["result"] == 402


def test_only_the_user_grants_a_ticket(person: Person, start: Start) -> None:
    words = "{'tool': 'file_read', 'model': 'a free one', 'ceiling': {'dollars': 0}}"
    wanted = f"await ask('models/ticket', {{'provider': 'wire', 'model': 'small', 'words': {words}}})"
    call = start("python_run", code=ASKS + wanted)
    question = person.sees("#approval-question", "small")
    assert "wire" in question and "unknown" in question and "a free one" not in question
    person.click("#approval-refuse")
    assert "refused" in call.result()["error"]["message"]


def test_a_ticket_is_for_its_model(person: Person, start: Start) -> None:
    code = """
ticket = (await ask("models/ticket", {"provider": "wire", "model": "small"}))["ticket"]
head = {"x-model-ticket": ticket}
[
    await post({**body, "model": "large"}, **head),
    await post({**body, "Model": "large"}, **head),
    await post({**body, "tools": [{"type": "web_search"}]}, **head),
    await post({**body, "n": 1_000}, **head),
]
"""
    call = start("python_run", code=ASKS + code)
    person.sees("#approval-question", "small")
    person.click("#approval-once")
    assert call.result()["result"] == [402, 400, 400, 402]


def test_a_run_that_python_starts_asks_and_ends_when_refused(person: Person, start: Start) -> None:
    code = """
from gemini.models.choice import choice_of
models = kernel.models
models.choose(models.add(choice_of("wire", "small")))
import gemini
outcome = await gemini.agents.run("Spend", tools=["files"])
[outcome.status, outcome.reason]
"""
    call = start("python_run", code=ASKS + code)
    person.sees("#approval-question", "small")
    person.click("#approval-refuse")
    status, reason = call.result()["result"]
    assert status == "failed" and "the person refused" in reason
