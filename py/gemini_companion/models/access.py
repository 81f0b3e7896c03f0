"""A page's access to language models through the gateway.

Python in the page sends:

    models/access {} -> {token, providers: [{name, api, path, local, ready, why}]}
    models/ticket {provider, model, for?, ceiling?, scheduled?, words?} -> {ticket, provider, model, ceiling, spent}
                                                         asks the user, unless an allowance covers a scheduled run
    models/about {provider, model} -> {tokens, tools, pictures, server, sure}    as `About`, from the server

The page itself sends, and Python can't (web/ui/companion/link.ts):

    models/grant {provider, model} -> {ticket, …}        issues a ticket when the user presses Run or Send
    models/ceiling {requests, tokens, dollars} -> {}     sets the ceiling of later tickets that name no other

`token` opens the gateway and nothing else; a request to a model also needs a ticket, in the header `x-model-ticket`. A
provider speaks `api`, `openai` or `anthropic`, below `path`; `local` is true for one on this machine; `why` says what a
provider that isn't `ready` lacks. A ticket for a scheduled run has the page's own ceiling: the user can answer
"always", which saves an allowance (`gemini_companion.models.allowances`).
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Handler, Params
from gemini_companion.models.allowances import RUNS_A_DAY, Allowance
from gemini_companion.models.amounts import Ceiling
from gemini_companion.models.known_models import LONGEST_NAME
from gemini_companion.models.providers import Provider
from gemini_companion.models.proxy import Gateway
from gemini_companion.models.tickets import Issued
from gemini_companion.pages.consent import Decision, Grant, Questions
from gemini_companion.pages.parameters import MethodParams, NoParams, validated

KIND = "model"
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Dollars = Annotated[float, Field(gt=0, le=10_000, strict=False, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[\x20-\x7e]+$")]


class CeilingParams(MethodParams):
    """The parameters of `models/ceiling`."""

    requests: Count | None = None
    tokens: Count | None = None
    dollars: Dollars | None = None


class ModelParams(MethodParams):
    """The parameters of `models/grant` and `models/about`."""

    provider: Name
    model: Name


class TicketParams(ModelParams):
    """The parameters of `models/ticket`."""

    purpose: Annotated[str | None, Field(alias="for", max_length=300)] = None
    ceiling: CeilingParams = CeilingParams()
    scheduled: bool = False
    words: dict[str, Any] | None = None


class ModelAccess:
    """Access to the gateway, for all pages.

    Args:
        gateway: Serves language models.
        token: A token for the gateway's routes alone.
    """

    def __init__(self, gateway: Gateway, token: str) -> None:
        self._gateway = gateway
        self._token = token

    def for_page(self, questions: Questions) -> "PageAccess":
        """Return the access of one page.

        Args:
            questions: Asks the user at the page.
        """
        return PageAccess(self._gateway, self._token, questions)


class PageAccess:
    """One page's access: its tickets, and how it gets more.

    Args:
        gateway: Serves language models.
        token: A token for the gateway's routes alone.
        questions: Asks the user at the page.
    """

    def __init__(self, gateway: Gateway, token: str, questions: Questions) -> None:
        self._gateway = gateway
        self._token = token
        self._questions = questions
        self._issued = Issued(gateway.tickets)
        self._ceiling = Ceiling()
        # The questions for scheduled runs that wait, by provider and model: one answer can be for all of them.
        self._asking: dict[tuple[str, str], set[asyncio.Task[Decision]]] = {}

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "models/access": validated(NoParams, self._access),
            "models/ticket": validated(TicketParams, self._ticket),
            "models/about": validated(ModelParams, self._about),
            "models/grant": validated(ModelParams, self._grant),
            "models/ceiling": validated(CeilingParams, self._set_ceiling),
        }

    def close(self) -> None:
        """Revoke the page's tickets."""
        self._issued.close()

    async def _access(self, _: NoParams) -> Any:
        return {"token": self._token, "providers": await self._gateway.choices()}

    async def _ticket(self, params: TicketParams) -> Params:
        provider = self._gateway.provider(params.provider)
        words = {**(params.words or {}), **({"for": params.purpose} if params.purpose else {})}
        if params.scheduled:
            return await self._scheduled(provider, params.model, words)
        ceiling = self._ceiling_of(params.ceiling)
        facts = await self._facts(provider, params.model, ceiling)
        await self._questions.ask(KIND, facts, words, ("once",))
        return self._issued.issue(provider, params.model, ceiling).row()

    async def _scheduled(self, provider: Provider, model: str, words: Mapping[str, Any]) -> Params:
        """Issue a ticket under the allowance; ask the user if there is none, or if it is used up."""
        allowance = self._gateway.allowances.find(provider, model)
        ceiling = self._ceiling
        if allowance is None or not allowance.has_rest:
            facts = await self._facts(provider, model, ceiling)
            facts["day"] = Ceiling(**facts["ceiling"]).times(RUNS_A_DAY).row()
            facts["used_up"] = allowance is not None
            allowance = await self._ask_for_runs(provider, model, facts, words)
        if allowance is not None:
            ceiling = allowance.run
        return self._issued.issue(provider, model, ceiling, allowance).row()

    async def _ask_for_runs(
        self, provider: Provider, model: str, facts: Mapping[str, Any], words: Mapping[str, Any]
    ) -> Allowance | None:
        """Ask the user for one scheduled run, or for all; return the allowance if they answer "always"."""
        answers: tuple[Grant, ...] = ("once",) if facts["used_up"] else ("once", "always")
        asking = asyncio.create_task(self._questions.ask(KIND, facts, words, answers))
        waiting = self._asking.setdefault((provider.name, model), set())
        waiting.add(asking)
        try:
            decision = await asking
        except asyncio.CancelledError:
            allowance = self._gateway.allowances.find(provider, model)
            if allowance is None or not asking.cancelled() or _is_cancelled():
                raise
            return allowance
        finally:
            waiting.discard(asking)
        if decision.decision != "always":
            return None
        allowance = self._gateway.allowances.allow(provider, model, Ceiling(**facts["ceiling"]))
        for other in waiting:
            other.cancel()
        return allowance

    async def _about(self, params: ModelParams) -> Params:
        return asdict(await self._gateway.about(params.provider, params.model))

    async def _grant(self, params: ModelParams) -> Params:
        provider = self._gateway.provider(params.provider)
        return self._issued.issue(provider, params.model, self._ceiling).row()

    async def _set_ceiling(self, params: CeilingParams) -> Params:
        usual = Ceiling()
        self._ceiling = Ceiling(
            params.requests or usual.requests, params.tokens or usual.tokens, params.dollars or usual.dollars
        )
        return {}

    def _ceiling_of(self, limits: CeilingParams) -> Ceiling:
        """Return the ceiling that Python asks for, which the user is shown; the current one by default."""
        usual = self._ceiling
        return Ceiling(
            limits.requests or usual.requests, limits.tokens or usual.tokens, limits.dollars or usual.dollars
        )

    async def _facts(self, provider: Provider, model: str, ceiling: Ceiling) -> dict[str, Any]:
        listed = await self._gateway.require_name(provider, model)
        price = self._gateway.price(provider, model)
        shown = ceiling.row() if price else {**ceiling.row(), "dollars": None}
        return {
            "provider": provider.name,
            "model": model,
            "listed": listed,
            "host": provider.host,
            "local": provider.is_local,
            "price": price.row() if price else None,
            "ceiling": shown,
        }


def _is_cancelled() -> bool:
    """Return whether the running task itself is being cancelled, as when the page withdraws its request."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
