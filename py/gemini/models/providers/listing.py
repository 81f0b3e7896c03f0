"""Listing the models of an endpoint, by `GET /models` of either API."""

import json

from gemini.core import ffi
from gemini.errors import ModelUnavailable
from gemini.models.providers.answers import NoList, base_urls, is_page, names_in
from gemini.models.providers.endpoint import Endpoint

FIRST_ERROR = 400
UNAUTHORIZED = (401, 403)
PATHS = {"openai": "/models", "anthropic": "/v1/models"}


async def names_at(endpoint: Endpoint, *, embeddings: bool = False) -> list[str]:
    """Return the names of an endpoint's models: those that chat, or those for embeddings.

    Raises:
        ModelUnavailable: The endpoint returned no list. `data` has `unlisted`: whether it may have models anyway.
    """
    base_url = endpoint.base_url.rstrip("/")
    try:
        fetched = await ffi.fetch(base_url + PATHS[endpoint.api], "GET", _headers(endpoint), b"")
        content = b"".join([piece async for piece in fetched.pieces()])
    except OSError as error:
        raise ModelUnavailable(str(error), hint=_unreachable_hint()) from error
    if fetched.status in UNAUTHORIZED:
        refused = "refused the key" if endpoint.key else "needs a key"
        raise ModelUnavailable(f"{base_url} {refused}", hint="Paste its key, complete and for this server.")
    if fetched.status >= FIRST_ERROR and not is_page(content):
        hint = "Check the address. Most base URLs end with /v1."
        message = f"{base_url} answered {fetched.status}{_words(content)}"
        raise ModelUnavailable(message, hint=hint, data={"unlisted": True})
    try:
        return names_in(content, embeddings=embeddings)
    except NoList as problem:
        raise ModelUnavailable(
            f"{base_url} {'is a web page, not an API' if problem.is_page else 'returned no list of models'}",
            hint=_base_url_hint(base_url, endpoint.api),
            data={"unlisted": not problem.is_page},
        ) from None


def _base_url_hint(base_url: str, api: str) -> str:
    others = [url for url in base_urls(base_url, api) if url != base_url]
    return f"Try {others[0]}." if others else "Copy the base URL of its API from its documentation."


def _unreachable_hint() -> str:
    return f"Start the server, and let it allow {ffi.own_origin()}: for Ollama, in OLLAMA_ORIGINS."


def _words(content: bytes) -> str:
    """Return an error message from a body in the format of OpenAI, Anthropic or the gateway."""
    try:
        message = json.loads(content)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return ""
    return f": {str(message)[:300]}"


def _headers(endpoint: Endpoint) -> dict[str, str]:
    if endpoint.key is None:
        return {}
    if endpoint.api == "openai" or endpoint.passed_on:
        return {"authorization": f"Bearer {endpoint.key}"}
    return {
        "x-api-key": endpoint.key,
        "anthropic-version": "2023-06-01",
        "anthropic-dangerous-direct-browser-access": "true",
    }
