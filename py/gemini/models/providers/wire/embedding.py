"""Embeddings by OpenAI's API, which Google, Ollama and most other providers speak, too.

https://platform.openai.com/docs/api-reference/embeddings/create,
https://ai.google.dev/gemini-api/docs/openai#embeddings.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

import httpx2
from pydantic_ai.exceptions import ModelAuthenticationError, ModelHTTPError, ModelNotFoundError

from gemini.core import ffi
from gemini.errors import ModelDisconnected, ModelProblem
from gemini.models.interface.usage import Usage
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.prices import cost
from gemini.models.providers.wire.client import TICKET
from gemini.models.providers.wire.fetching import FetchTransport
from gemini.models.providers.wire.problems import problem_of, wrong_address

# A local server may first load the model.
TIMEOUT_S = 120.0
KINDS = {401: ModelAuthenticationError, 403: ModelAuthenticationError, 404: ModelNotFoundError}


async def embed(endpoint: Endpoint, name: str, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
    """Return the embedding of each text, and the usage.

    Raises:
        ModelProblem: One of its subclasses in gemini.errors.
    """
    headers = {} if endpoint.key is None else {"authorization": f"Bearer {endpoint.key}"}
    if endpoint.ticket is not None:
        headers[TICKET] = endpoint.ticket
    body = {"model": name, "input": list(texts), "encoding_format": "float"}
    try:
        async with httpx2.AsyncClient(
            transport=FetchTransport() if ffi.IN_BROWSER else None,
            timeout=httpx2.Timeout(TIMEOUT_S, connect=30.0),
        ) as http:
            url = f"{endpoint.base_url.rstrip('/')}/embeddings"
            response = await http.post(url, json=body, headers=headers)
    except httpx2.HTTPError as error:
        raise ModelDisconnected(
            f"{name} can't be reached: {error}",
            hint="Check that the provider's server is running and allows requests from this page.",
        ) from error
    if not response.is_success:
        raise _problem(response, name)
    vectors, tokens = _read(response.content, endpoint, name, len(texts))
    usage = Usage(input=tokens)
    return vectors, usage.model_copy(update={"cost": cost(name, endpoint.provider, usage)})


def _read(content: bytes, endpoint: Endpoint, name: str, count: int) -> tuple[list[list[float]], int]:
    """Return the vectors in the order of the inputs, and the tokens; servers may leave out the usage."""
    try:
        answer: Any = json.loads(content)
    except ValueError:
        raise wrong_address(endpoint.base_url, content) from None
    try:
        rows = sorted(answer["data"], key=lambda row: row["index"])
        vectors = [[float(number) for number in row["embedding"]] for row in rows]
    except (KeyError, TypeError, ValueError):
        raise wrong_address(endpoint.base_url, content) from None
    if len(vectors) != count or len({len(vector) for vector in vectors}) > 1:
        raise ModelDisconnected(f"{name} returned {len(vectors)} embeddings for {count} texts")
    usage = answer.get("usage")
    tokens = cast("dict[str, Any]", usage).get("prompt_tokens") if isinstance(usage, dict) else 0
    return vectors, tokens if isinstance(tokens, int) else 0


def _problem(response: httpx2.Response, name: str) -> ModelProblem:
    try:
        body: object = response.json()
    except ValueError:
        body = response.text
    status = response.status_code
    error = ModelHTTPError.for_category(
        KINDS.get(status), status_code=status, model_name=name, body=body, headers=dict(response.headers)
    )
    return problem_of(error, name)
