"""What can go wrong between the page and a language model.

    GatewayProblem
    ├── ProviderUnknown       no provider of that name is configured
    ├── PathRefused           the provider has it, perhaps, but the gateway doesn't pass it
    ├── KeyMissing            the provider wants a key and there is none
    ├── KeyRefused            the provider doesn't take the key that there is
    ├── KeyUnusable           what is kept as a key can't be one
    ├── KeyringUnavailable    the system keeps no secrets, or doesn't give them out now
    ├── TicketMissing         the request has no ticket that the person granted
    ├── TicketForAnother      its ticket is for another model
    ├── CeilingReached        it could take more than its ticket has left; `data` has the ticket
    ├── RequestUnclear        its body doesn't say what it can take, or has what the gateway can't count
    ├── RequestTooLarge
    ├── RequestTooSlow        the caller stopped in the middle of its request
    ├── TooManyRequests       `data.retry_after_s` says when there will be room again
    ├── ProviderUnreachable
    ├── ProviderSlow          connected, and then silent for too long
    ├── ProviderBroken        it broke off, or answered with what can't be passed on
    ├── ProviderRefused       it answered with an error; only `Gateway.test` tells it so
    └── ConfigurationProblem  the file of providers can't be used

None of them carries text of the provider's or of an HTTP library's exception, where a key might stand; the one that
quotes a provider's answer, ProviderRefused, has it scrubbed.
"""

from typing import Any

from gemini.errors import GeminiError


class GatewayProblem(GeminiError):
    """Base of them all; `status` is the HTTP status that the page gets."""

    status = 502

    def as_answer(self) -> dict[str, Any]:
        """The answer's body, which OpenAI's and Anthropic's clients read: `{type, error: {type, message, …}}`."""
        return {"type": "error", "error": self.as_json()["error"]}


class ProviderUnknown(GatewayProblem):
    status = 404


class PathRefused(GatewayProblem):
    status = 403


class KeyMissing(GatewayProblem):
    status = 401


class KeyRefused(GatewayProblem):
    status = 401


class KeyUnusable(GatewayProblem):
    status = 401


class KeyringUnavailable(GatewayProblem):
    status = 503


class TicketMissing(GatewayProblem):
    status = 402


class TicketForAnother(GatewayProblem):
    status = 402


class CeilingReached(GatewayProblem):
    status = 402


class RequestUnclear(GatewayProblem):
    status = 400


class RequestTooLarge(GatewayProblem):
    status = 413


class RequestTooSlow(GatewayProblem):
    status = 408


class TooManyRequests(GatewayProblem):
    status = 429


class ProviderUnreachable(GatewayProblem): ...


class ProviderSlow(GatewayProblem):
    status = 504


class ProviderBroken(GatewayProblem): ...


class ProviderRefused(GatewayProblem): ...


class ConfigurationProblem(GatewayProblem):
    status = 500
