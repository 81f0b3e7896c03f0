"""A model that the user has added, as it is stored: never with a key."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, cast, get_args
from urllib.parse import urlsplit

from gemini.errors import InvalidArguments
from gemini.models.interface.names import shown_name
from gemini.models.providers.answers import api_of, base_urls, completed
from gemini.models.providers.endpoint import Api, Endpoint

BUILTIN = "builtin"
"""The provider of the browser's built-in model."""
OWN = "own"
"""The provider of models at a custom address."""
DEVICE = "device"
"""The provider of the model for embeddings on the device."""
DEVICE_MODEL = "all-MiniLM-L6-v2"
NONE_ON_DEVICE = "This build of the page has no model for search by meaning."
BUILTIN_LABEL = "Built-in browser model"


@dataclass(frozen=True)
class Choice:
    """One model.

    Attributes:
        provider: `builtin`, `own`, `device` (for embeddings alone), or a provider of the companion's gateway.
        model: The provider's name for the model; empty for the built-in model.
        api: The API of a custom address.
        base_url: The custom address, if any.
        with_key: Whether the model was added with a key, which lasts as long as the page.
    """

    provider: str
    model: str
    api: Api = "openai"
    base_url: str = ""
    with_key: bool = False

    @property
    def id(self) -> str:
        """A unique id, which is the same whenever the same model is added."""
        match self.provider:
            case "builtin":
                return BUILTIN
            case "device":
                return f"{DEVICE}/{self.model}"
            case "own":
                return f"{urlsplit(self.base_url).netloc}/{self.model}"
            case _:
                return f"{self.provider}/{self.model}"

    @property
    def label(self) -> str:
        """The name for display: the model, and where it runs."""
        if self.provider == BUILTIN:
            return BUILTIN_LABEL
        if self.provider == DEVICE:
            return f"This computer ({self.model})"
        place = urlsplit(self.base_url).netloc if self.provider == "own" else self.provider
        # The companion names a server of this computer by its port (py/gemini_companion/models/local_servers.py).
        return f"{shown_name(self.model)} ({re.sub(r'^local-(?=[0-9]+$)', '127.0.0.1:', place)})"

    def as_row(self) -> dict[str, Any]:
        """Return the choice as JSON."""
        return asdict(self)


def choice_of(
    provider: str, model: str, base_url: str | None = None, api: str | None = None, *, with_key: bool = False
) -> Choice:
    """Return a choice for the user's text.

    Raises:
        InvalidArguments: The API is unknown, or a value is missing or invalid.
    """
    if provider == BUILTIN:
        return Choice(BUILTIN, "")
    if not model.strip():
        raise InvalidArguments("model: it is empty", hint="Type the provider's name for the model.")
    if provider != OWN:
        return Choice(provider, model.strip())
    if api not in (None, *get_args(Api)):
        raise InvalidArguments(f"api must be one of {', '.join(get_args(Api))}, not {api!r}")
    typed = completed(base_url or "")
    known = cast(Api, api or api_of(typed))
    # Only the companion tries several.
    address = base_urls(typed, known)[0]
    # Validates the address.
    Endpoint(known, address)
    return Choice(OWN, model.strip(), known, address, with_key)


def choice_from(row: Any) -> Choice | None:
    """Return a stored choice; None if an earlier version stored something else."""
    try:
        return Choice(**row)
    except TypeError:
        return None
