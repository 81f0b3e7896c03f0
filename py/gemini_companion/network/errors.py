"""Errors of the network door."""

import json
from typing import Any

from gemini.errors import GeminiError


class NetworkProblem(GeminiError):
    """The base of these errors.

    Attributes:
        status: The HTTP status of the door's answer.
    """

    status = 502

    def as_answer(self) -> dict[str, Any]:
        """Return `{type, message, hint?}`."""
        hint = {"hint": self.hint} if self.hint else {}
        return {"type": type(self).__name__, "message": self.message, **hint}

    def as_header(self) -> str:
        """Return the answer as the value of one header."""
        return json.dumps(self.as_answer())


class RequestMalformed(NetworkProblem):
    """The request isn't what web/kernel/network.ts sends, or wasn't sent by the page's kernel."""

    status = 400


class PageUnknown(NetworkProblem):
    """No connected page has the key of the request."""

    status = 404


class AddressRefused(NetworkProblem):
    """The URL may not be reached, whatever the user says."""

    status = 403


class ConsentRefused(NetworkProblem):
    """The user refused, or can't be asked."""

    status = 403


class SecretRefused(NetworkProblem):
    """A placeholder of a secret is where the secret may not be sent, or the value isn't available."""

    status = 403


class AnswerUnreadable(NetworkProblem):
    """The answer is compressed in a way in which secrets can't be found."""


class RequestTooLarge(NetworkProblem):
    """The request's body is too long."""

    status = 413


class AnswerTooLarge(NetworkProblem):
    """The answer's body or headers are too long."""


class TooManyRequests(NetworkProblem):
    """The page has too many requests under way."""

    status = 429


class HostUnknown(NetworkProblem):
    """The name has no address."""


class HostUnreachable(NetworkProblem):
    """The host accepts no connection, or has no valid certificate."""


class HostSlow(NetworkProblem):
    """The host was silent for too long, or the answer took too long."""

    status = 504


class HostBroken(NetworkProblem):
    """The connection or its HTTP broke."""


class RedirectRefused(NetworkProblem):
    """There are too many redirects, or the caller doesn't want any."""
