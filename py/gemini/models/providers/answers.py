"""Reading a server's list of models, in the page and in the companion."""

import json
import re
from typing import Any, Literal, cast
from urllib.parse import urlsplit

# Models that don't chat: for embeddings, speech, images and moderation.
OTHER_USES = re.compile(
    r"embed|whisper|\btts|dall-e|image|audio|moderation|realtime|transcribe|rerank|\bsora|\bveo|imagen|\baqa\b",
    re.IGNORECASE,
)
EMBEDDINGS = re.compile(r"embed|\bbge|\be5\b|\bgte\b|minilm", re.IGNORECASE)
VERSIONED = re.compile(r"/v\d+[a-z0-9]*(/|$)")
# The ends of addresses of calls, which users copy with the base URL.
CALLS = re.compile(r"/(chat/completions|completions|responses|embeddings|models|v1/messages|messages)/?$")
MAX_NAMES = 1_000


class NoList(ValueError):
    """The content isn't a list of models; `is_page` says whether it is a web page."""

    def __init__(self, *, is_page: bool) -> None:
        super().__init__("no list of models")
        self.is_page = is_page


def names_in(
    content: bytes, listed: str = "data", member: str = "id", *, embeddings: bool = False
) -> list[str]:
    """Return the names of the models that chat, the newest first if their dates are known.

    Args:
        content: The answer to `GET /models`.
        listed: The member with the list.
        member: The member of a row with the name.
        embeddings: Whether to return the models for embeddings instead, if their names show them.

    Raises:
        NoList: The content has another form.
    """
    try:
        rows = cast("list[dict[str, Any]]", json.loads(content)[listed])
        names = [str(row[member]) for row in sorted(rows, key=_age)]
    except (ValueError, KeyError, TypeError):
        raise NoList(is_page=is_page(content)) from None
    wanted = [
        name for name in names if (EMBEDDINGS.search(name) if embeddings else not OTHER_USES.search(name))
    ]
    return (wanted or names)[:MAX_NAMES]


def is_page(content: bytes) -> bool:
    """Return whether an answer is HTML, as of a web page."""
    return content.lstrip()[:1] == b"<"


def _age(row: dict[str, Any]) -> int:
    created = row.get("created")
    return -created if isinstance(created, int) else 0


def api_of(address: str) -> Literal["openai", "anthropic"]:
    """Return the API that a server probably speaks, by its address."""
    return "anthropic" if "anthropic" in address.lower() else "openai"


def completed(text: str) -> str:
    """Return the base URL that a user means: with a scheme, and without the end of one call.

    An address of a private network has no certificate, so its scheme is http.
    """
    address = CALLS.sub("", text.strip().rstrip("/")).rstrip("/")
    if "://" in text or " " in address:
        return address
    try:
        host = urlsplit(f"http://{address}").hostname or ""
    except ValueError:
        return address
    return f"{'http' if is_private(host) else 'https'}://{address}"


def is_private(host: str) -> bool:
    """Return whether a host is this machine, or an address or a name of a private network."""
    if host == "localhost" or host.endswith((".local", ".lan", ".internal", ".home.arpa")):
        return True
    # Imported on first use, as in most visits nothing asks.
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def base_urls(address: str, api: str) -> list[str]:
    """Return the base URLs that an address may mean, the likeliest first.

    OpenAI's API is usually below `/v1`, which users forget.
    """
    if api == "anthropic":
        return [address.removesuffix("/v1")]
    if VERSIONED.search(address):
        return [address]
    has_path = address.partition("://")[2].find("/") >= 0
    return [address, f"{address}/v1"] if has_path else [f"{address}/v1", address]
