"""Listing the models of an endpoint, by `GET /models` of either API."""

import json
from typing import Any, cast

from gemini.core import ffi
from gemini.errors import ModelUnavailable
from gemini.models.endpoint import Endpoint

FIRST_ERROR = 400
PATHS = {"openai": "/models", "anthropic": "/v1/models"}


async def names_at(endpoint: Endpoint) -> list[str]:
    """Return the names of an endpoint's models.

    Raises:
        ModelUnavailable: The endpoint returned no list.
    """
    url = endpoint.base_url.rstrip("/") + PATHS[endpoint.api]
    try:
        fetched = await ffi.fetch(url, "GET", _headers(endpoint), b"")
        content = b"".join([piece async for piece in fetched.pieces()])
    except OSError as error:
        raise ModelUnavailable(
            f"{endpoint.base_url} can't be reached: {error}",
            hint="Check that the server is running and allows requests from this page.",
        ) from error
    if fetched.status >= FIRST_ERROR:
        hint = "Check the address and the key." if endpoint.key else "Check the address. It may need a key."
        raise ModelUnavailable(f"{endpoint.base_url} answered {fetched.status}{_words(content)}", hint=hint)
    try:
        listed = cast("dict[str, Any]", json.loads(content))
        return sorted(str(each["id"]) for each in listed["data"])
    except (ValueError, KeyError, TypeError):
        raise ModelUnavailable(
            f"{endpoint.base_url} returned no list of models",
            hint="Type the provider's name for the model.",
        ) from None


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
