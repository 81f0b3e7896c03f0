"""The address and the API of a model."""

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from gemini.errors import InvalidArguments

# This computer.
LOCAL = re.compile(r"https?://(127\.|localhost[:/]|\[::1\])")
Api = Literal["openai", "anthropic"]


@dataclass(frozen=True)
class Endpoint:
    """The server that answers requests to a model.

    Attributes:
        api: OpenAI's Chat Completions (https://platform.openai.com/docs/api-reference/chat), which many others support,
            or Anthropic's Messages (https://docs.anthropic.com/en/api/messages).
        base_url: The URL that the API's paths are appended to: `https://api.openai.com/v1`,
            `https://api.anthropic.com`.
        key: Sent with each request, and never displayed. None sends no key.
        provider: The seller, by its name in genai-prices or its API's address; empty if usage is free.
        passed_on: Whether the companion forwards requests; `key` is then its token.
        ticket: The ticket for the companion's gateway, sent with each request.
    """

    api: Api
    base_url: str
    key: str | None = field(default=None, repr=False)
    provider: str = ""
    passed_on: bool = False
    ticket: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        # In the browser extension, its own page passes requests on to the companion.
        schemes = ("http", "https", "chrome-extension") if self.passed_on else ("http", "https")
        if parts.scheme not in schemes or not parts.hostname or parts.username is not None:
            raise InvalidArguments(
                f"{_without_secrets(self.base_url)!r} is not a valid address of a provider",
                hint="Use an address such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1.",
            )
        if self.key is not None and not (self.key.isascii() and self.key.isprintable() and self.key.strip()):
            raise InvalidArguments(
                "the key has characters other than visible ASCII",
                hint="Copy it again from the provider's page.",
            )

    @property
    def is_local(self) -> bool:
        """True if the server runs on this computer and isn't a gateway to a provider elsewhere."""
        return LOCAL.match(self.base_url) is not None and not self.provider


def _without_secrets(url: str) -> str:
    """Return an invalid address without a user name and password, which may be a key."""
    return url[:60].rpartition("@")[2]
