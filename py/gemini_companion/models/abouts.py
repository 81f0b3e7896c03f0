"""A model as its server describes it: the size of its window, and whether it takes tools and pictures.

Every server says it in its own way, and some don't at all.

- Ollama (https://docs.ollama.com/api, 0.33 of 2026-08-21): `context_length` in `GET /api/ps` for a loaded model, else
  the parameter `num_ctx`, or the model's `context_length`, in `POST /api/show`, which has the model's `capabilities`,
  too. It loads a model without `num_ctx` with 4,096, 32,768 or 262,144 tokens, by the memory of the graphics card, and
  cuts what doesn't fit without a word.
- LM Studio (https://lmstudio.ai/docs/developer/rest, 0.4.1 of 2026-04-29): `loaded_context_length` or
  `max_context_length`, and the `type` `vlm` of models that take pictures, in `GET /api/v0/models`. It describes tools
  itself to models that weren't trained for them, so its `capabilities` don't matter.
- llama.cpp's server: `default_generation_settings.n_ctx`, `chat_template_caps` and `modalities` in `GET /props`. It
  leaves tools out of the prompt, with status 200, if the model's template has none.
- vLLM (`max_model_len`), OpenRouter (`context_length`), Groq (`context_window`) and others in the list of models.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, cast

from gemini.models.providers.forms import UNKNOWN, About
from gemini_companion.models.errors import GatewayProblem
from gemini_companion.models.keys import Key
from gemini_companion.models.providers import OLLAMA, Provider
from gemini_companion.models.upstream import Call, Upstream

Row = dict[str, Any]
Fetch = Callable[..., Awaitable[Any]]
# A request to the model waits for it, once.
WITHIN_S = 3.0
LONGEST_ANSWER = 16 * 1024 * 1024
FIRST_ERROR = 400
# Fewer tokens are no window, and more are a mistake.
FEWEST, MOST = 256, 100_000_000
# The price tables know the models of these, which tell nothing.
KNOWN = frozenset({"api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com"})
LISTED = ("max_model_len", "context_length", "context_window", "max_context_length")
NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


async def about_model(upstream: Upstream, provider: Provider, key: Key | None, model: str) -> About:
    """Return what a model's server says about it.

    Args:
        upstream: The connections to providers.
        provider: The provider.
        key: The provider's key.
        model: The model's name.
    """
    if provider.host in KNOWN or provider.kind.client[0] != "openai":
        return UNKNOWN

    async def fetch(method: str, path: str, body: Row | None = None, *, at_origin: bool = False) -> Any:
        return await _fetch(upstream, provider, key, method, path, body, at_origin=at_origin)

    try:
        async with asyncio.timeout(WITHIN_S):
            if provider.kind is OLLAMA:
                return await _ollama(fetch, model)
            if provider.is_local or provider.added:
                # Only servers that users run themselves have these paths. llama.cpp has some of Ollama's, too.
                about = await _lm_studio(fetch, model) or await _llama_cpp(fetch)
                return about or await _ollama_by_address(fetch, model) or await _list(fetch, model)
            return await _list(fetch, model)
    except TimeoutError:
        return UNKNOWN


async def _ollama(fetch: Fetch, model: str) -> About:
    names = {model, f"{model}:latest"}
    running = _rows(await fetch("GET", "/api/ps"), "models")
    loaded = _first(row for row in running if {row.get("name"), row.get("model")} & names)
    window = _size(loaded.get("context_length"))
    listed = _rows(await fetch("GET", "/api/tags"), "models")
    # The question for a size needs no ticket, so it takes no text that isn't the server's own.
    if not any({row.get("name"), row.get("model")} & names for row in listed):
        return About(window, server="ollama")
    shown = _row(await fetch("POST", "/api/show", {"model": model}))
    said = shown.get("capabilities")
    can = cast("list[Any]", said) if isinstance(said, list) else None
    tools, pictures = (None, None) if can is None else ("tools" in can, "vision" in can)
    if window is None and (chosen := NUM_CTX.search(str(shown.get("parameters") or ""))):
        window = _size(int(chosen[1]))
    most = _row(shown.get("model_info"))
    longest = _size(most.get(f"{most.get('general.architecture')}.context_length"))
    return About(window or longest, tools, pictures, "ollama", sure=window is not None)


async def _lm_studio(fetch: Fetch, model: str) -> About | None:
    found = _named(_rows(await fetch("GET", "/api/v0/models", at_origin=True), "data"), model)
    loaded, longest = (_size(found.get(f"{which}_context_length")) for which in ("loaded", "max"))
    if loaded is None and longest is None:
        return None
    kind = found.get("type")
    pictures = kind == "vlm" if kind in ("vlm", "llm") else None
    return About(loaded or longest, None, pictures, "lmstudio", sure=loaded is not None)


async def _llama_cpp(fetch: Fetch) -> About | None:
    props = _row(await fetch("GET", "/props", at_origin=True))
    settings = _row(props.get("default_generation_settings"))
    if not settings:
        return None
    tools = _row(props.get("chat_template_caps")).get("supports_tools")
    pictures = _row(props.get("modalities")).get("vision")
    return About(_size(settings.get("n_ctx")), _fact(tools), _fact(pictures), "llama.cpp")


async def _list(fetch: Fetch, model: str) -> About:
    found = _named(_rows(await fetch("GET", "/models"), "data"), model)
    window = next((size for name in LISTED if (size := _size(found.get(name))) is not None), None)
    return About(window, server="vllm" if found.get("owned_by") == "vllm" else None)


async def _ollama_by_address(fetch: Fetch, model: str) -> About | None:
    """Return what Ollama says of a model if it was added by an address of OpenAI's API; None if it isn't Ollama."""
    about = await _ollama(partial(fetch, at_origin=True), model)
    return None if about == About(server="ollama") else about


def _fact(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


async def _fetch(
    upstream: Upstream,
    provider: Provider,
    key: Key | None,
    method: str,
    path: str,
    body: Row | None,
    *,
    at_origin: bool,
) -> Any:
    """Return the JSON of an answer; None if there is none, as from other servers than the one that has this path."""
    content = None if body is None else json.dumps(body).encode()
    call = Call(method, path, headers={"content-type": "application/json"} if content else {}, body=content)
    received = bytearray()
    try:
        async with upstream.answer(provider, key, call, at_origin=at_origin) as answer:
            if answer.status >= FIRST_ERROR:
                return None
            async for chunk in answer.chunks:
                received += chunk
                if len(received) > LONGEST_ANSWER:
                    return None
        return json.loads(received)
    except (GatewayProblem, ValueError, RecursionError):
        # The request to the model itself reports what is wrong with the server.
        return None


def _row(value: Any) -> Row:
    return cast(Row, value) if isinstance(value, dict) else {}


def _rows(value: Any, member: str) -> list[Row]:
    found = _row(value).get(member)
    return [_row(each) for each in cast("list[Any]", found)] if isinstance(found, list) else []


def _named(rows: list[Row], model: str) -> Row:
    return _first(row for row in rows if row.get("id") == model)


def _first(rows: Iterable[Row]) -> Row:
    return next(iter(rows), Row())


def _size(value: Any) -> int | None:
    return value if type(value) is int and FEWEST <= value <= MOST else None
