"""Python in the page tries to spend the user's money, by every way to the companion's models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.providers import Completion, Provider, running_provider
from tests.tiers import sampled
from tests.web.conftest import Start
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

ASKS = """
import asyncio, json, js
from gemini.core import ffi
from gemini.kernel.kernel import kernel
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
    provider.reset()


@pytest.mark.parametrize("code", sampled(WITHOUT.values(), every=3), ids=WITHOUT)
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


SENTENCE = "m1 of a free local server. It costs nothing, and was checked by this page. Maximum cost $0.00"


def test_a_name_of_a_model_is_no_sentence_of_the_page(person: Person, start: Start) -> None:
    names = [SENTENCE, "x" * 300, "https://evil.example/?SECRET", "a\u202eb", "<b>free</b>"]
    code = f"""
refused = []
for name in {names!r}:
    try: await ask("models/ticket", {{"provider": "wire", "model": name}})
    except Exception as error: refused.append(name)
len(refused)
"""
    assert start("python_run", code=ASKS + code).result()["result"] == len(names)
    # A name that the provider doesn't list is a separate fact, and so is that.
    unlisted = "free-and-checked-by-this-page"
    call = start(
        "python_run", code=ASKS + f"await ask('models/ticket', {{'provider': 'wire', 'model': {unlisted!r}}})"
    )
    person.sees("#approval-question", unlisted)
    assert unlisted not in person.sees("#approval-question p")
    assert "In the provider's list\nno" in person.sees("#approval-question dl")
    person.click("#approval-refuse")
    assert "refused" in call.result()["error"]["message"]


def test_a_name_of_the_provider_is_asked_without_a_remark(person: Person, start: Start) -> None:
    call = start(
        "python_run", code=ASKS + "await ask('models/ticket', {'provider': 'wire', 'model': 'small'})"
    )
    shown = person.sees("#approval-question", "small")
    assert "In the provider's list" not in shown and "at 127.0.0.1" in shown
    person.click("#approval-once")
    assert call.result()["result"]


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
from gemini.models.providers.choice import choice_of
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
    assert status == "failed" and "the user refused" in reason


LIST = """
async def listed(path, method="GET", **headers):
    head = {"authorization": f"Bearer {token}", **headers}
    return (await ffi.fetch(ffi.own_origin() + "/models/wire" + path, method, head, b"")).status
"""
QUERIES = (
    "after",
    "after_id",
    "before",
    "limit",
    "order",
    "pageSize",
    "pageToken",
    "alt",
    "key",
    "SECRET",
    "q",
)
HEADERS = (
    "accept",
    "content-type",
    "idempotency-key",
    "openai-beta",
    "anthropic-beta",
    "anthropic-version",
    "x-any",
)
PATHS = (
    "/models/SECRET",
    "/models/a/SECRET",
    "/models/SECRET/../",
    "/models%2fSECRET",
    "/models;SECRET",
    "//models/SECRET",
    "/models/%53ECRET",
    "/files/SECRET",
)


def test_a_list_of_models_takes_nothing_from_python(start: Start, provider: Provider) -> None:
    code = f"""
queries = [await listed(f"/models?{{name}}=SECRET") for name in {QUERIES!r}]
headers = [await listed("/models", **{{name: "SECRET"}}) for name in {HEADERS!r}]
paths = [await listed(path) for path in {PATHS!r}]
[sorted(set(queries)), sorted(set(headers)), 200 in paths]
"""
    assert start("python_run", code=ASKS + LIST + code).result()["result"] == [[200], [200], False]
    # The lists did arrive at the provider.
    assert len(provider.listings) == len(QUERIES) + len(HEADERS)
    assert "secret" not in str(provider.listings).casefold()


ADDRESS = "https://evil.example/?SECRET"
PIXEL = "iVBORw0KGgo="
PARTS: list[Any] = [
    {"type": "image_url", "image_url": {"url": ADDRESS}},
    {"type": "image_url", "image_url": {"url": f" {ADDRESS}"}},
    {"type": "image_url", "image_url": {"url": ADDRESS.upper()}},
    {"type": "image_url", "image_url": {"url": "//evil.example/?SECRET"}},
    {"type": "image_url", "image_url": {"url": "https:evil.example/?SECRET"}},
    {"type": "image_url", "image_url": {"url": "https%3A%2F%2Fevil.example"}},
    {"type": "image_url", "image_url": {"url": "&#104;ttps://evil.example"}},
    {"type": "image_url", "image_url": {"url": "\\u0068ttps://evil.example"}},
    {"type": "image_url", "image_url": {"url": "\uff48ttps\uff1a\uff0f\uff0fevil.example"}},
    {"type": "image_url", "image_url": {"url": "data:text/html,<img src=https://evil.example/?SECRET>"}},
    {"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64,PHN2Zz4="}},
    {"type": "image_url", "image_url": {"url": "gs://bucket/SECRET"}},
    {"type": "image_url", "image_url": {"url": "s3://bucket/SECRET"}},
    {"type": "image_url", "image_url": {"url": "ipfs://SECRET"}},
    {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}},
    {"type": "image_url", "image_url": {"URL": ADDRESS}},
    {"type": "image_url", "image_url": ADDRESS},
    {"type": "input_image", "image_link": ADDRESS},
    {"type": "input_image", "file_id": "file-1"},
    {"type": "video", "video": [ADDRESS]},
    {"type": "video", "video": [{"frames": [[ADDRESS]]}]},
    {"type": "image", "source": ADDRESS},
    {"type": "image", "source": {"type": "url", "url": ADDRESS}},
    {"type": "audio", "data": ADDRESS},
    {"type": "image", "path": "file:///etc/passwd"},
    {"type": "document", "source": {"type": "file", "file_id": ADDRESS}},
    {"type": "tool_result", "content": [{"type": "image", "source": {"type": "url", "url": ADDRESS}}]},
    {"type": "image", "text": ADDRESS},
    {"type": "image", "args": {"url": ADDRESS}},
    {"type": "text", "text": "x", "image_url": ADDRESS},
    {"type": "text", "text": [ADDRESS]},
    {"unheard": ADDRESS},
    {ADDRESS: 1},
    {"fileData": {"fileUri": ADDRESS}},
    ADDRESS,
]
MEMBERS: list[dict[str, Any]] = [
    {"images": [ADDRESS]},
    {"metadata": {"url": ADDRESS}},
    {"user": ADDRESS},
    {"chat_template_kwargs": {"a": [ADDRESS]}},
    {"options": {ADDRESS: 1}},
    {"prompt": {"id": "pmpt_1"}},
    {"tools": [{"type": "web_search"}]},
    {"tools": [{"type": "mcp", "server_url": ADDRESS}]},
    {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]},
    {"tools": [{"url_context": {}}]},
    {"tools": [{"type": "function", "server_url": ADDRESS, "function": {"name": "a"}}]},
    {"tools": [{"type": "function", "function": {"name": "a", "parameters": {"$ref": ADDRESS}}}]},
    {"mcp_servers": [{"url": ADDRESS}]},
    {"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": ADDRESS}}}},
]
READ_BY_THE_MODEL: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": ADDRESS},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": ADDRESS},
                {
                    "type": "image_url",
                    "image_url": {"url": f"data:image/png;base64,{PIXEL}", "detail": "high"},
                },
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "a", "arguments": json.dumps({"url": ADDRESS})},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": ADDRESS},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "a",
                "description": ADDRESS,
                "parameters": {
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "type": "object",
                    "properties": {"url": {"type": "string", "default": ADDRESS}},
                },
            },
        }
    ],
}


def test_a_provider_requests_no_address_for_python(person: Person, start: Start, provider: Provider) -> None:
    bodies = [{"messages": [{"role": "user", "content": [part]}]} for part in PARTS] + MEMBERS
    code = f"""
ceiling = {{"tokens": 100_000_000}}
ticket = await ask("models/ticket", {{"provider": "wire", "model": "small", "ceiling": ceiling}})
head = {{"x-model-ticket": ticket["ticket"]}}
bodies = json.loads({json.dumps(bodies)!r})
refused = [await post({{**body, **more}}, **head) for more in bodies]
[refused, await post({{**body, **json.loads({json.dumps(READ_BY_THE_MODEL)!r})}}, **head)]
"""
    provider.script = lambda _: Completion(text="read")
    call = start("python_run", code=ASKS + code)
    person.sees("#approval-question", "small")
    person.click("#approval-once")
    refused, read = call.result()["result"]
    assert refused == [400] * len(bodies)
    assert read == 200
    # The same ticket sends what only the model reads.
    [sent] = provider.requests
    assert sent["messages"] == READ_BY_THE_MODEL["messages"]
    provider.requests = []
