"""A model that the person has added, as it is kept: never with a key."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, cast, get_args
from urllib.parse import urlsplit

from gemini.errors import InvalidArguments
from gemini.models.endpoint import Api, Endpoint

BUILTIN = "builtin"
"""The provider of the browser's own model."""
OWN = "own"
"""The provider of models at an address of the person's."""
BUILTIN_LABEL = "the browser's own model"


@dataclass(frozen=True)
class Choice:
    """One model.

    Attributes:
        provider: `builtin`, `own`, or one that the companion passes requests on to.
        model: As the provider calls it; empty for the browser's own.
        api, base_url: Where it is asked, if that is an address of the person's own.
        with_key: Whether it was added with a key, which lasts as long as the page.
    """

    provider: str
    model: str
    api: Api = "openai"
    base_url: str = ""
    with_key: bool = False

    @property
    def id(self) -> str:
        """Like no other's, and the same whenever the same model is added."""
        match self.provider:
            case "builtin":
                return BUILTIN
            case "own":
                return f"{urlsplit(self.base_url).netloc}/{self.model}"
            case _:
                return f"{self.provider}/{self.model}"

    @property
    def label(self) -> str:
        """What a person calls it."""
        return BUILTIN_LABEL if self.provider == BUILTIN else self.id

    def as_row(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def choice_of(
    provider: str, model: str, base_url: str | None = None, api: str | None = None, *, with_key: bool = False
) -> Choice:
    """A choice from what a person typed.

    Raises:
        InvalidArguments: there is no such API, or something is missing.
    """
    if provider == BUILTIN:
        return Choice(BUILTIN, "")
    if not model.strip():
        raise InvalidArguments(
            "model: it needs a name, as its provider calls it", hint="Ask the provider for its list."
        )
    if provider != OWN:
        return Choice(provider, model.strip())
    if api not in (None, *get_args(Api)):
        raise InvalidArguments(f"api must be one of {', '.join(get_args(Api))}, not {api!r}")
    known = cast(Api, api or "openai")
    address = (base_url or "").strip().rstrip("/")
    # Says what is wrong with an address.
    Endpoint(known, address)
    return Choice(OWN, model.strip(), known, address, with_key)


def choice_from(row: Any) -> Choice | None:
    """A choice as it was kept; None where an earlier version kept something else."""
    try:
        return Choice(**row)
    except TypeError:
        return None
