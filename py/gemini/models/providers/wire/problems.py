"""Conversion of provider errors to our errors."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelServerError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
    UserError,
)

from gemini.errors import (
    ContextExceeded,
    ModelDisconnected,
    ModelLoading,
    ModelProblem,
    ModelRefused,
    ModelUnavailable,
    TicketRefused,
)
from gemini.models.interface.names import shown_name
from gemini.models.providers.answers import is_page

# The status and the error names of the companion's gateway (gemini_companion.models.errors).
PAYMENT = 402
TICKETS = {"TicketMissing", "TicketForAnother", "CeilingReached"}
MAX_CHARS = 500
# llama.cpp answers "Loading model" with it.
LOADING = 503
# llama.cpp, LM Studio, Ollama, litellm's proxy and vLLM; some answer 500.
TOO_LONG = re.compile(
    r"exceed_context_size|context[ _]?(size|length|window)|context the overflows|ContextWindowExceeded"
    r"|tokens to keep from the initial prompt|prompt is too long|input length exceeds",
    re.IGNORECASE,
)
TOO_LONG_STATUSES = {400, 413, 422, 500}
RETRYABLE = (ModelRateLimitError, ModelUnavailableError, ModelServerError)
# Retryable: timeout, conflict, too early, rate limit, and server errors.
RETRYABLE_STATUSES = {408, 409, 425, 429, *range(500, 600)} - {501, 505}


@contextmanager
def translated_errors(name: str) -> Generator[None]:
    """Convert the exceptions of clients to our errors.

    Args:
        name: The model's name.

    Raises:
        ModelProblem: One of its subclasses in gemini.errors.
    """
    name = shown_name(name)
    try:
        yield
    except ContentFilterError as error:
        raise ModelRefused(f"{name} won't answer: {error.message}", hint="Rephrase the request.") from error
    except UnexpectedModelBehavior as error:
        raise ModelDisconnected(f"the answer of {name} can't be read: {_cut(error.message)}") from error
    except ModelAPIError as error:
        raise _own_problem(error) or problem_of(error, name) from error
    except UserError as error:
        raise ModelRefused(f"{name} doesn't support this request: {_cut(error.message)}") from error


def _own_problem(error: BaseException) -> ModelProblem | None:
    """Return the problem that we raised ourselves and that a client has taken for a lost connection."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ModelProblem):
        cause = cause.__cause__
    return cause


def wrong_address(base_url: str, answer: bytes) -> ModelRefused:
    """Return the problem of an address whose server doesn't speak the API.

    Args:
        base_url: The address.
        answer: The server's answer, a web page or other JSON.
    """
    text = answer[:MAX_CHARS].decode(errors="replace")
    sent = "a web page" if is_page(answer) else _cut(text)
    return ModelRefused(
        f"{base_url} is no address of a language model: its server sent {sent}",
        hint="Check the address; that of an OpenAI-compatible server usually ends with /v1.",
    )


def problem_of(error: ModelAPIError, name: str) -> ModelProblem:
    """Return our error for one API error, with the provider's own message."""
    status = error.status_code if isinstance(error, ModelHTTPError) else None
    facts = {"status": status, "retry_after_s": error.retry_after}
    message = _error_text(error)
    error_object = _error_object(error)
    match error:
        case _ if status == PAYMENT and error_object.get("type") in TICKETS:
            return TicketRefused(
                message,
                hint=error_object.get("hint"),
                data={**facts, "reason": error_object["type"]},
            )
        case _ if is_too_long(error, message):
            return ContextExceeded(f"the conversation is too long for {name}: {message}", data=facts)
        case ModelQuotaExceededError():
            hint = "Check your plan and billing on the provider's page, or use another model."
            return ModelRefused(f"{name}: {message}", hint=hint, data=facts)
        case ModelAuthenticationError():
            hint = "Set a valid key for this provider."
            return ModelRefused(f"the key for {name} was refused: {message}", hint=hint, data=facts)
        case ModelNotFoundError():
            hint = "Check the model's name and the address."
            return ModelRefused(f"there is no {name} at this address: {message}", hint=hint, data=facts)
        case ModelConnectionError():
            return ModelDisconnected(_unreached(error, name, message), hint=_local_hint(error), data=facts)
        case _ if status == LOADING and "loading model" in message.lower():
            return ModelLoading(f"{name} is being loaded by its server", data=facts)
        case _ if isinstance(error, RETRYABLE) or status in RETRYABLE_STATUSES:
            return ModelUnavailable(f"{name} can't answer now{_status(status)}: {message}", data=facts)
        case _ if status is None:
            return ModelDisconnected(f"the answer of {name} can't be read: {message}", data=facts)
        case _:
            return ModelRefused(f"{name} refused{_status(status)}: {message}", data=facts)


def is_too_long(error: ModelAPIError, message: str) -> bool:
    """Return whether the conversation exceeds the model's context, in the words of one of many servers."""
    if isinstance(error, ModelContextWindowExceededError):
        return True
    kind = str(_error_object(error).get("type"))
    refused = isinstance(error, ModelHTTPError) and error.status_code in TOO_LONG_STATUSES
    return refused and TOO_LONG.search(f"{kind} {message}") is not None


def _unreached(error: ModelConnectionError, name: str, message: str) -> str:
    if error.in_stream or error.phase == "read":
        return f"the answer of {name} was cut off: {message}"
    return f"{name} can't be reached: {message}"


def _local_hint(error: ModelConnectionError) -> str | None:
    if error.in_stream:
        return None
    return "Check that the provider's server is running and allows requests from this page."


def _status(status: int | None) -> str:
    return f" ({status})" if status else ""


def _error_text(error: ModelAPIError) -> str:
    """Return the error message of a response, in the format of OpenAI, Anthropic or the gateway."""
    body: Any = error.body
    for name in ("error", "message"):
        body = cast("dict[str, Any]", body).get(name, body) if isinstance(body, dict) else body
    if isinstance(body, str) and body.strip():
        return _cut(body)
    return _cut(error.message if hasattr(error, "message") else str(error))


def _error_object(error: ModelAPIError) -> dict[str, Any]:
    """Return the error object of a response; empty if there is none."""
    body: Any = error.body
    found = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    inner = found.get("error")
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else found


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]}…"
