"""The kernel's description of a request, and the facts that the user is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gemini_companion.network import headers as rules
from gemini_companion.network.errors import RequestMalformed
from gemini_companion.network.fetching import Call
from gemini_companion.network.targets import Target, parse

Access = Literal["read", "send"]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
READS = ("GET", "HEAD")
# A longer URL or query could carry data that a program has read.
LONGEST_READ, LONGEST_QUERY = 1024, 256


class RequestDescription(BaseModel):
    """The header in which web/kernel/network.ts describes a request.

    Attributes:
        words: Python's claims about the request: who asked, and why.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    url: str
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    headers: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []
    redirect: Literal["follow", "error", "manual"] = "follow"
    words: dict[str, Any] = {}

    @classmethod
    def read(cls, header: str) -> RequestDescription:
        """Parse the header's value.

        Raises:
            RequestMalformed: It is invalid.
        """
        try:
            return cls.model_validate_json(header)
        except ValidationError as problem:
            first = problem.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            message = f"the request's description is wrong at {where or 'its start'}: {first['msg']}"
            raise RequestMalformed(message) from None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The headers as pairs of name and value."""
        return [(name, value) for name, value in self.headers]

    def target(self, *, local: bool = False) -> Target:
        """Parse the URL as `targets.parse`. Raises AddressRefused."""
        return parse(self.url, local=local)


def access(call: Call) -> Access:
    """Return whether a request only reads, or could send data that a program has put together."""
    target = call.target
    short = len(target.url) <= LONGEST_READ and len(target.query) <= LONGEST_QUERY
    reads = call.method in READS and call.size == 0 and short and rules.are_plain(call.headers)
    return "read" if reads else "send"


def facts(call: Call) -> Mapping[str, Any]:
    """Return the facts that the user is asked about, all from the door's own knowledge."""
    return {
        "url": call.target.url,
        "method": call.method,
        "bytes": call.size,
        "origin": call.target.origin,
        "access": access(call),
    }
