"""Where a model is asked, and in which provider's language."""

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from gemini.errors import InvalidArguments

# The person's own machine.
LOCAL = re.compile(r"https?://(127\.|localhost[:/]|\[::1\])")
Api = Literal["openai", "anthropic"]


@dataclass(frozen=True)
class Endpoint:
    """What answers requests.

    Attributes:
        api: Chat Completions of OpenAI (https://platform.openai.com/docs/api-reference/chat), which many others
            speak, too; or Messages of Anthropic (https://docs.anthropic.com/en/api/messages).
        base_url: What the API's paths come after: `https://api.openai.com/v1`, `https://api.anthropic.com`.
        key: Sent with each request; never shown. None sends none.
        provider: Who sells it, as genai-prices calls them, or their API's address; empty where nobody does.
        passed_on: By the companion, whose token `key` is.
        ticket: What the person granted for this model, where the companion wants that; sent with each request.
    """

    api: Api
    base_url: str
    key: str | None = field(default=None, repr=False)
    provider: str = ""
    passed_on: bool = False
    ticket: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise InvalidArguments(
                f"{_without_secrets(self.base_url)!r} is no address of a provider",
                hint="Give one such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1.",
            )
        if self.key is not None and not (self.key.isascii() and self.key.isprintable() and self.key.strip()):
            raise InvalidArguments(
                "a key consists of visible ASCII characters",
                hint="Copy it once more from the provider's page.",
            )

    @property
    def is_local(self) -> bool:
        """Whether it is on the person's own machine, and no way to elsewhere."""
        return LOCAL.match(self.base_url) is not None and not self.provider


def _without_secrets(url: str) -> str:
    """An address that is no address may have a key in it by mistake."""
    return url[:60].rpartition("@")[2]
