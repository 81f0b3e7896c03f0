"""Errors between the page and a language model.

None of them carries text from a provider or from an HTTP library's exception, which could contain a key, except
ProviderRefused: it quotes the provider's answer with the key removed.
"""

from typing import Any

from gemini.errors import GeminiError


class GatewayProblem(GeminiError):
    """The base of these errors.

    Attributes:
        status: The HTTP status that the page gets.
    """

    status = 502

    def as_answer(self) -> dict[str, Any]:
        """Return the body that OpenAI's and Anthropic's clients read: `{type, error: {type, message, …}}`."""
        return {"type": "error", "error": self.as_json()["error"]}


class ProviderUnknown(GatewayProblem):
    """No provider of that name is configured."""

    status = 404


class PathRefused(GatewayProblem):
    """The gateway doesn't pass this call on, even if the provider has it."""

    status = 403


class KeyMissing(GatewayProblem):
    """The provider needs a key, and there is none."""

    status = 401


class KeyRefused(GatewayProblem):
    """The provider refused the key."""

    status = 401


class KeyUnusable(GatewayProblem):
    """The stored text can't be a key."""

    status = 401


class KeyringUnavailable(GatewayProblem):
    """The system has no keyring, or doesn't open it."""

    status = 503


class TicketMissing(GatewayProblem):
    """The request has no ticket that the user granted."""

    status = 402


class TicketForAnother(GatewayProblem):
    """The request's ticket is for another model."""

    status = 402


class CeilingReached(GatewayProblem):
    """The request could take more than its ticket has left; `data` has the ticket."""

    status = 402


class RequestUnclear(GatewayProblem):
    """The body doesn't bound the request's usage, or has parts that the gateway can't count."""

    status = 400


class RequestTooLarge(GatewayProblem):
    """The request's body is too long."""

    status = 413


class RequestTooSlow(GatewayProblem):
    """The caller stopped in the middle of its request."""

    status = 408


class TooManyRequests(GatewayProblem):
    """A limit of the gateway is reached; `data.retry_after_s` says when there is room again."""

    status = 429


class ProviderUnreachable(GatewayProblem):
    """There is no connection to the provider."""


class CertificateUntrusted(ProviderUnreachable):
    """The provider's certificate isn't trusted on this computer, so nothing was sent."""


class ProviderSlow(GatewayProblem):
    """The provider accepted the connection, and was then silent for too long."""

    status = 504


class ProviderBroken(GatewayProblem):
    """The provider broke off, or its answer can't be passed on."""


class ProviderRefused(GatewayProblem):
    """The provider answered with an error; only `Gateway.test` raises this."""


class ConfigurationProblem(GatewayProblem):
    """The providers file can't be used."""

    status = 500
