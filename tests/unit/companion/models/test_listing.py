"""Lists of models: nothing of Python's goes with the request, and all pages arrive."""

from __future__ import annotations

import json

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.unit.companion.models.conftest import OpenGateway
from tests.unit.companion.models.upstreams import FakeProvider

SECRET = "SECRET"
QUERIES = (
    "after=SECRET",
    "after_id=SECRET",
    "before=SECRET",
    "before_id=SECRET",
    "limit=SECRET",
    "order=SECRET",
    "pageSize=SECRET",
    "pageToken=SECRET",
    "alt=SECRET",
    "key=SECRET",
    "SECRET",
    "SECRET=",
    "limit=1&limit=SECRET",
    "%53ECRET=1",
)
HEADERS = (
    "accept",
    "content-type",
    "idempotency-key",
    "openai-beta",
    "anthropic-beta",
    "anthropic-version",
    "user-agent",
    "referer",
    "x-request-id",
)
PATHS = {
    "openai": "/models",
    "anthropic": "/v1/models",
    "google": "/v1beta/models",
    "ollama": "/api/tags",
}


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("kind", PATHS)
async def test_nothing_of_the_request_goes_to_the_provider(
    open_gateway: OpenGateway, provider: FakeProvider, kind: str
) -> None:
    page, _ = await open_gateway(kind)
    for query in QUERIES:
        assert (await page.get(f"{PATHS[kind]}?{query}")).status_code == 200
    for header in HEADERS:
        assert (await page.get(PATHS[kind], headers={header: SECRET})).status_code == 200
    body = await page.request("GET", PATHS[kind], content=b"SECRET")
    assert body.status_code == 200
    assert len(provider.seen) == len(QUERIES) + len(HEADERS) + 1
    assert SECRET.casefold() not in str(provider.seen).casefold()


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("kind", ["anthropic", "google"])
async def test_all_pages_of_a_list_arrive(
    open_gateway: OpenGateway, provider: FakeProvider, kind: str
) -> None:
    async def paged(request: Request) -> Response:
        asked = dict(request.query_params)
        number = int(asked.get("after_id") or asked.get("pageToken") or 0) + 1
        if kind == "anthropic":
            return JSONResponse(
                {"data": [{"id": f"m{number}"}], "last_id": str(number), "has_more": number < 3}
            )
        more = {"nextPageToken": str(number)} if number < 3 else {}
        return JSONResponse({"models": [{"name": f"m{number}"}], **more})

    provider.answering = paged
    page, _ = await open_gateway(kind)
    answer = (await page.get(PATHS[kind])).json()
    rows = answer["data"] if kind == "anthropic" else answer["models"]
    assert [row.get("id") or row.get("name") for row in rows] == ["m1", "m2", "m3"]
    # A client that follows pages automatically stops here.
    assert not answer.get("has_more") and "nextPageToken" not in answer


@pytest.mark.usefixtures("key")
async def test_a_list_that_never_ends_is_cut(open_gateway: OpenGateway, provider: FakeProvider) -> None:
    provider.says(json.dumps({"data": [{"id": "m"}], "last_id": "m", "has_more": True}).encode())
    page, _ = await open_gateway("anthropic")
    assert len((await page.get("/v1/models")).json()["data"]) == len(provider.seen) < 50


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize(
    ("status", "content"), [(500, b'{"error": 1}'), (200, b"no JSON"), (200, b"[]"), (200, b'{"data": 7}')]
)
async def test_other_answers_pass_unchanged(
    open_gateway: OpenGateway, provider: FakeProvider, status: int, content: bytes
) -> None:
    provider.says(content, status, content_type="application/json")
    page, _ = await open_gateway("anthropic")
    answer = await page.get("/v1/models")
    assert (answer.status_code, answer.content) == (status, content)
