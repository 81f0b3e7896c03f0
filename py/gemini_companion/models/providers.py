"""Providers of language models: their addresses, how a key is sent, and which requests the gateway passes on."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from gemini_companion.models.errors import ConfigurationProblem, PathRefused
from gemini_companion.models.limits import CONCURRENT, REQUESTS_PER_MINUTE

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
# Models of the page that are no provider's (gemini.models.providers.choice).
RESERVED = frozenset({"own", "builtin"})
# One segment of a path: it has no slash and no escape, and can't be `..`.
PART = r"[A-Za-z0-9_][A-Za-z0-9._:@~-]*"

BEARER = ("authorization", "Bearer ")
OPENAI_CALLS = (
    "GET /models",
    "POST /chat/completions",
    "POST /completions",
    "POST /responses",
    "POST /embeddings",
)


@dataclass(frozen=True)
class Paging:
    """The way in which an API pages a list.

    Attributes:
        size: The parameter with the most rows of a page, and its value.
        token: The member of a page that leads to the next one.
        after: The parameter that this is sent in.
        more: The member that says whether there is a next page; None if `token` does.
    """

    size: tuple[str, str]
    token: str
    after: str
    more: str | None = None


@dataclass(frozen=True)
class Kind:
    """An API that several providers may speak.

    Attributes:
        key_header: The header for a key, and the prefix of the key in it.
        calls: The allowed calls, each a method and a path after the base URL; `{}` is one segment of a path. Those that
            need no ticket have fixed paths.
        models: The path that lists the models, and the members of the answer with the list and with a model's name.
        client: The client that the page uses, `openai` or `anthropic`, and the prefix of its paths.
        headers: Request headers that pass, besides those that pass for every kind.
        defaults: Request headers that are set if the caller sends none.
        paging: How long lists of models are read, by path.
    """

    name: str
    key_header: tuple[str, str]
    calls: tuple[str, ...]
    models: tuple[str, str, str]
    client: tuple[str, str] = ("openai", "")
    headers: frozenset[str] = frozenset()
    defaults: dict[str, str] = field(default_factory=dict[str, str])
    paging: Mapping[str, Paging] = field(default_factory=dict[str, "Paging"])

    def header_of(self, path: str) -> tuple[str, str]:
        """Return the header for a key on a path, and the prefix of the key in it."""
        api, below = self.client
        return BEARER if api == "openai" and path.startswith(f"{below}/") else self.key_header

    def allows(self, method: str, path: str) -> bool:
        """Return whether a call is allowed; `path` is decoded and begins with a slash."""
        return self._allowed.fullmatch(f"{method} {path}") is not None

    @cached_property
    def _allowed(self) -> re.Pattern[str]:
        return re.compile("|".join(re.escape(call).replace(r"\{\}", PART) for call in self.calls))


# https://platform.openai.com/docs/api-reference
OPENAI = Kind(
    "openai", BEARER, OPENAI_CALLS, models=("/models", "data", "id"), headers=frozenset({"openai-beta"})
)
# https://docs.anthropic.com/en/api
ANTHROPIC = Kind(
    "anthropic",
    ("x-api-key", ""),
    ("GET /v1/models", "POST /v1/messages", "POST /v1/messages/count_tokens"),
    models=("/v1/models", "data", "id"),
    client=("anthropic", ""),
    headers=frozenset({"anthropic-version", "anthropic-beta"}),
    defaults={"anthropic-version": "2023-06-01"},
    paging={"/v1/models": Paging(("limit", "1000"), "last_id", "after_id", more="has_more")},
)


def _google_calls(version: str) -> tuple[str, ...]:
    asked = ("generateContent", "streamGenerateContent", "countTokens", "embedContent", "batchEmbedContents")
    return (f"GET /{version}/models", *(f"POST /{version}/models/{{}}:{call}" for call in asked))


# https://ai.google.dev/api
GOOGLE = Kind(
    "google",
    ("x-goog-api-key", ""),
    (
        *(call.replace(" /", " /v1beta/openai/", 1) for call in OPENAI_CALLS),
        *_google_calls("v1"),
        *_google_calls("v1beta"),
    ),
    models=("/v1beta/models", "models", "name"),
    # https://ai.google.dev/gemini-api/docs/openai
    client=("openai", "/v1beta/openai"),
    paging={
        path: Paging(("pageSize", "1000"), "nextPageToken", "pageToken")
        for path in ("/v1/models", "/v1beta/models")
    },
)
# https://docs.ollama.com/api, without the calls that download, create or delete models.
OLLAMA = Kind(
    "ollama",
    BEARER,
    (
        "GET /api/tags",
        "GET /api/ps",
        "GET /api/version",
        "POST /api/show",
        "POST /api/chat",
        "POST /api/generate",
        "POST /api/embed",
        *(call.replace(" /", " /v1/", 1) for call in OPENAI_CALLS),
    ),
    models=("/api/tags", "models", "name"),
    client=("openai", "/v1"),
)
KINDS = {kind.name: kind for kind in (OPENAI, ANTHROPIC, GOOGLE, OLLAMA)}


@dataclass(frozen=True)
class Provider:
    """One configured provider.

    Attributes:
        name: Its segment of the gateway's URLs.
        base_url: The URL that paths are appended to, without a trailing slash.
        variables: The environment variables that may hold its key; the first that is set is used.
        key: `needed`, `optional`, or `none` if no key is ever sent.
        added: Whether the user added it in the page.

    Raises:
        ConfigurationProblem: The name or the URL is invalid, or a key would be sent unencrypted.
    """

    name: str
    kind: Kind
    base_url: str
    variables: tuple[str, ...] = ()
    key: str = "needed"
    requests_per_minute: int = REQUESTS_PER_MINUTE
    concurrent: int = CONCURRENT
    added: bool = False

    def __post_init__(self) -> None:
        if NAME.fullmatch(self.name) is None or self.name in RESERVED:
            raise ConfigurationProblem(
                f"{self.name!r} can't be a provider's name.",
                hint="Use up to 32 lowercase letters, digits and hyphens, but neither own nor builtin.",
            )
        if problem := _problem_of(self.base_url):
            raise ConfigurationProblem(
                f"The base URL of the provider {self.name} {problem}.",
                hint="Use one such as https://models.example/v1.",
            )
        if self.key != "none" and not self.base_url.startswith("https:") and not self.is_local:
            raise ConfigurationProblem(
                f"The provider {self.name} would get its key unencrypted.",
                hint='Use https, or set key = "none" if it needs no key.',
            )

    def require_call(self, method: str, path: str) -> None:
        """Check that the gateway passes a call on.

        Raises:
            PathRefused: It doesn't.
        """
        if not self.kind.allows(method, path):
            raise PathRefused(
                f"The gateway doesn't allow {method} {path!r} for {self.name}.",
                hint=f"Allowed: {', '.join(self.kind.calls)}.",
            )

    @property
    def label(self) -> str:
        """The name for display."""
        return self.host if self.added else LABELS.get(self.name, self.name)

    @property
    def client_url(self) -> str:
        """The base URL of the client that the page uses."""
        return self.base_url + self.kind.client[1]

    @property
    def host(self) -> str:
        """The host and port of the base URL."""
        return urlsplit(self.base_url).netloc

    @property
    def origin(self) -> str:
        """The origin of the base URL."""
        return f"{urlsplit(self.base_url).scheme}://{self.host}"

    @property
    def is_local(self) -> bool:
        """True if the provider is on this machine."""
        return is_loopback(urlsplit(self.base_url).hostname or "")


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _problem_of(url: str) -> str | None:
    """Return the problem with a base URL, as the end of a sentence, or None."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "isn't a URL"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "isn't an http or https URL"
    if "@" in parts.netloc or parts.query or parts.fragment:
        return "has more than a host and a path"
    if re.fullmatch(r"[\x21-\x7e]+", url) is None or url.endswith("/"):
        return "has invalid characters, or a slash at its end"
    return None


LABELS = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "ollama": "Ollama",
    "lmstudio": "LM Studio",
}
BUILT_IN = (
    Provider("openai", OPENAI, "https://api.openai.com/v1", ("OPENAI_API_KEY",)),
    Provider("anthropic", ANTHROPIC, "https://api.anthropic.com", ("ANTHROPIC_API_KEY",)),
    Provider(
        "google", GOOGLE, "https://generativelanguage.googleapis.com", ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    ),
    Provider("ollama", OLLAMA, "http://127.0.0.1:11434", ("OLLAMA_API_KEY",), key="optional"),
    Provider("lmstudio", OPENAI, "http://127.0.0.1:1234/v1", ("LMSTUDIO_API_KEY",), key="optional"),
)
