"""Lists of models: the gateway reads all pages of a list itself, so that nothing of its request is Python's."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Any, cast

from gemini_companion.models.errors import ProviderBroken
from gemini_companion.models.keys import Key
from gemini_companion.models.providers import Paging, Provider
from gemini_companion.models.upstream import Answer, Call, Upstream

LONGEST_LIST = 16 * 1024 * 1024
MAX_PAGES = 20
FIRST_ERROR = 400
Row = dict[str, Any]


@contextlib.asynccontextmanager
async def answered(
    upstream: Upstream, provider: Provider, key: Key | None, call: Call
) -> AsyncGenerator[Answer]:
    """Send a call, and yield its answer; the answer of a paged list has the rows of all pages.

    Raises:
        GatewayProblem: As `Upstream.answer` does.
    """
    paging = provider.kind.paging.get(call.path) if call.method == "GET" else None
    if paging is None:
        async with upstream.answer(provider, key, call) as answer:
            yield answer
        return
    status, headers, content = await _page(upstream, provider, key, replace(call, query=(paging.size,)))
    content = (
        await _complete(upstream, provider, key, call, paging, content) if status < FIRST_ERROR else content
    )
    yield Answer(status, headers, _chunk(content))


async def list_of(upstream: Upstream, provider: Provider, key: Key | None) -> bytes | None:
    """Return a provider's list of models, as its API has it; None if it has none.

    Raises:
        GatewayProblem: There is no answer.
    """
    async with answered(upstream, provider, key, Call("GET", provider.kind.models[0])) as answer:
        content = await _whole(provider, answer)
        return None if answer.status >= FIRST_ERROR else content


async def _complete(
    upstream: Upstream, provider: Provider, key: Key | None, call: Call, paging: Paging, content: bytes
) -> bytes:
    """Return the first page with the rows of those after it."""
    first = _parse(content)
    rows = _rows(provider, first)
    token = _next(paging, first)
    for _ in range(MAX_PAGES):
        if token is None or rows is None:
            break
        query = (paging.size, (paging.after, token))
        status, _, more = await _page(upstream, provider, key, replace(call, query=query))
        page = _parse(more)
        added = _rows(provider, page)
        if status >= FIRST_ERROR or not added:
            break
        rows += added
        token = _next(paging, page)
    if rows is None:
        return content
    first.pop(paging.token, None)
    if paging.more is not None:
        first[paging.more] = False
    return json.dumps(first).encode()


async def _page(
    upstream: Upstream, provider: Provider, key: Key | None, call: Call
) -> tuple[int, dict[str, str], bytes]:
    async with upstream.answer(provider, key, call) as answer:
        return answer.status, answer.headers, await _whole(provider, answer)


async def _whole(provider: Provider, answer: Answer) -> bytes:
    content = bytearray()
    async for chunk in answer.chunks:
        content += chunk
        if len(content) > LONGEST_LIST:
            raise ProviderBroken(
                f"The list of models of {provider.name} is too long.",
                hint="Check base_url in the providers file.",
            )
    return bytes(content)


def _parse(content: bytes) -> Row:
    try:
        page: Any = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return cast(Row, page) if isinstance(page, dict) else {}


def _rows(provider: Provider, page: Row) -> list[Any] | None:
    rows = page.get(provider.kind.models[1])
    return cast("list[Any]", rows) if isinstance(rows, list) else None


def _next(paging: Paging, page: Row) -> str | None:
    token = page.get(paging.token)
    goes_on = paging.more is None or page.get(paging.more) is True
    return token if goes_on and isinstance(token, str) and token else None


async def _chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content
