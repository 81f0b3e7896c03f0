"""Where a model is asked, and in which provider's language."""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from gemini.errors import InvalidArguments

Api = Literal["openai", "anthropic"]


@dataclass(frozen=True)
class Endpoint:
    """What answers requests.

    Attributes:
        api: Chat Completions of OpenAI (https://platform.openai.com/docs/api-reference/chat), which many others
            speak, too; or Messages of Anthropic (https://docs.anthropic.com/en/api/messages).
        base_url: What the API's paths come after: `https://api.openai.com/v1`, `https://api.anthropic.com`.
        key: Sent with each request; never shown. None sends none.
        provider: Who sells it, as genai-prices calls them; empty where nobody does, and nothing costs.
    """

    api: Api
    base_url: str
    key: str | None = field(default=None, repr=False)
    provider: str = ""

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


def _without_secrets(url: str) -> str:
    """An address that is no address may have a key in it by mistake."""
    return url[:60].rpartition("@")[2]
