"""What a page is told and given, so that it can ask language models by the gateway.

Python in the page asks:

    models/access {} -> {token, providers: [{name, api, path, local, ready, why}]}
    models/ticket {provider, model, for?, ceiling?, words?} -> {ticket, provider, model, ceiling, spent}
                                                         asks the person

The page itself asks, and Python can't (web/ui/companion/link.js):

    models/grant {provider, model} -> {ticket, …}        a press of the person's, such as Run or Send, grants a ticket
    models/ceiling {requests, tokens, dollars} -> {}     what tickets allow from now on, unless a question says another

`token` opens the gateway and nothing else; a request to a model needs a ticket, too, in the header `x-model-ticket`. A
provider speaks `api`, `openai` or `anthropic`, below `path`; `local` is one on this machine; `why` says what a provider
that isn't `ready` lacks.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Handler, Params
from gemini_companion.consent import Questions
from gemini_companion.gateway.providers import Provider
from gemini_companion.gateway.proxy import Gateway
from gemini_companion.gateway.tickets import Ceiling, Issued
from gemini_companion.parameters import Asked, taking

KIND = "model"
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Dollars = Annotated[float, Field(gt=0, le=10_000, strict=False, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=300)]


class Nothing(Asked): ...


class Limits(Asked):
    requests: Count | None = None
    tokens: Count | None = None
    dollars: Dollars | None = None


class OfModel(Asked):
    provider: Name
    model: Name


class Wanted(OfModel):
    purpose: Annotated[str | None, Field(alias="for", max_length=300)] = None
    ceiling: Limits = Limits()
    words: dict[str, Any] | None = None


class ModelAccess:
    """Args:
    gateway: Who serves language models.
    token: Of the gateway's routes alone.
    """

    def __init__(self, gateway: Gateway, token: str) -> None:
        self._gateway = gateway
        self._token = token

    def of_page(self, questions: Questions) -> "PageAccess":
        """What one page has of it.

        Args:
            questions: Asks the person at the page.
        """
        return PageAccess(self._gateway, self._token, questions)


class PageAccess:
    """The tickets of one page, and its way to more."""

    def __init__(self, gateway: Gateway, token: str, questions: Questions) -> None:
        self._gateway = gateway
        self._token = token
        self._questions = questions
        self._issued = Issued(gateway.tickets)
        self._ceiling = Ceiling()

    def handlers(self) -> Mapping[str, Handler]:
        """By method, for a page's connection."""
        return {
            "models/access": taking(Nothing, self._access),
            "models/ticket": taking(Wanted, self._ticket),
            "models/grant": taking(OfModel, self._grant),
            "models/ceiling": taking(Limits, self._set_ceiling),
        }

    def close(self) -> None:
        """The page has gone, and its tickets with it."""
        self._issued.close()

    async def _access(self, _: Nothing) -> Any:
        return {"token": self._token, "providers": await self._gateway.choices()}

    async def _ticket(self, asked: Wanted) -> Params:
        provider = self._gateway.provider(asked.provider)
        ceiling = self._wanted(asked.ceiling)
        facts = self._facts(provider, asked.model, ceiling)
        words = {**(asked.words or {}), **({"for": asked.purpose} if asked.purpose else {})}
        await self._questions.ask(KIND, facts, words, ("once",))
        return self._issued.issue(provider, asked.model, ceiling).row()

    async def _grant(self, asked: OfModel) -> Params:
        provider = self._gateway.provider(asked.provider)
        return self._issued.issue(provider, asked.model, self._ceiling).row()

    async def _set_ceiling(self, told: Limits) -> Params:
        usual = Ceiling()
        self._ceiling = Ceiling(
            told.requests or usual.requests, told.tokens or usual.tokens, told.dollars or usual.dollars
        )
        return {}

    def _wanted(self, limits: Limits) -> Ceiling:
        """What Python asks for, which the person is shown; else the usual."""
        usual = self._ceiling
        return Ceiling(
            limits.requests or usual.requests, limits.tokens or usual.tokens, limits.dollars or usual.dollars
        )

    def _facts(self, provider: Provider, model: str, ceiling: Ceiling) -> dict[str, Any]:
        price = self._gateway.price(provider, model)
        shown = ceiling.row() if price else {**ceiling.row(), "dollars": None}
        return {
            "provider": provider.name,
            "model": model,
            "host": provider.host,
            "local": provider.is_local,
            "price": price.row() if price else None,
            "ceiling": shown,
        }
