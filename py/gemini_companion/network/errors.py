"""Why the door gives no answer.

NetworkProblem
├── RequestMalformed    not what web/kernel/network.js sends, or not sent by the page's kernel
├── PageUnknown         no connected page has the key of the request
├── AddressRefused      the URL can't be reached from here, whatever the person says
├── ConsentRefused      the person refused, or can't be asked
├── RequestTooLarge, AnswerTooLarge
├── TooManyRequests
├── HostUnknown         its name has no address
├── HostUnreachable     no connection, or no valid certificate
├── HostSlow
├── HostBroken          the connection or its HTTP broke
└── RedirectRefused     too many redirects, or one that the caller doesn't want
"""

import json
from typing import Any

from gemini.errors import GeminiError


class NetworkProblem(GeminiError):
    """Base of them all.

    Attributes:
        status: The HTTP status of the door's answer.
    """

    status = 502

    def as_answer(self) -> dict[str, Any]:
        """Return `{type, message, hint?}`."""
        hint = {"hint": self.hint} if self.hint else {}
        return {"type": type(self).__name__, "message": self.message, **hint}

    def as_header(self) -> str:
        """Return the answer as one header's value."""
        return json.dumps(self.as_answer())


class RequestMalformed(NetworkProblem):
    status = 400


class PageUnknown(NetworkProblem):
    status = 404


class AddressRefused(NetworkProblem):
    status = 403


class ConsentRefused(NetworkProblem):
    status = 403


class RequestTooLarge(NetworkProblem):
    status = 413


class AnswerTooLarge(NetworkProblem):
    pass


class TooManyRequests(NetworkProblem):
    status = 429


class HostUnknown(NetworkProblem):
    pass


class HostUnreachable(NetworkProblem):
    pass


class HostSlow(NetworkProblem):
    status = 504


class HostBroken(NetworkProblem):
    pass


class RedirectRefused(NetworkProblem):
    pass
