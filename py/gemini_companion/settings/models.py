"""The user's methods for language models: finding servers, trying them, and saving addresses and keys.

Only the page itself can send them, not Python in it (link.ts). Typing an address into the page's dialog is the user's
consent to list the models there.

    settings/providers {} -> {keyring, file, providers, allowances}
    settings/local_models {} -> {servers: [{provider, base_url, models}]}    servers on this machine that answer now
    settings/look_up {provider?, address?, api?, key?} -> {provider, base_url, api, models, duration_ms}
    settings/look_up_embeddings {address} -> {provider, base_url, models, embeds, duration_ms}
    settings/try_model {provider?, address?, api?, key?, model} -> {text, facts, duration_ms}
    settings/add_server {address, api} -> {provider}
    settings/remove_server {provider} -> {removed}                           with its key
    settings/set_key {provider, key, in_file?} -> {}
    settings/delete_key {provider} -> {deleted}
    settings/revoke_allowance {provider, model} -> {revoked}                 for scheduled runs
    settings/allowance_uses {} -> {uses}                                     as `Uses.rows`, for the activity

`providers` come from `Gateway.rows`, `allowances` from `Allowances.rows`; `keyring` is the name of the system's
keyring, or null, and `file` the path of the file that stores keys without one. `provider` of a result is null for an
address that isn't added. `embeds` says whether the first model computes embeddings: it is asked for those of one word.
"""

import asyncio
import time
from collections.abc import Awaitable, Mapping
from typing import Any, Literal, TypeVar

from gemini.core.protocol import Handler
from gemini.errors import InvalidArguments
from gemini_companion.models import Gateway
from gemini_companion.models.added import address_of
from gemini_companion.models.errors import GatewayProblem
from gemini_companion.models.trials import Found, Trial
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.storage.system_keyring import keyring_name

Row = dict[str, Any]
Result = TypeVar("Result")
# A server on this machine answers at once.
LOCAL_WITHIN_S = 3.0


class ProviderParams(MethodParams):
    """The parameters of `settings/delete_key` and `settings/remove_server`."""

    provider: str


class SetKeyParams(ProviderParams):
    """The parameters of `settings/set_key`. With `in_file`, the user agrees to a file if there is no keyring."""

    key: str
    in_file: bool = False


class AllowanceParams(ProviderParams):
    """The parameters of `settings/revoke_allowance`."""

    model: str


class AddParams(MethodParams):
    """The parameters of `settings/add_server`."""

    address: str
    api: Literal["openai", "anthropic"]


class LookUpParams(MethodParams):
    """The parameters of `settings/look_up`: a provider, or an address."""

    provider: str | None = None
    address: str | None = None
    api: Literal["openai", "anthropic"] | None = None
    key: str | None = None


class AddressParams(MethodParams):
    """The parameters of `settings/look_up_embeddings`."""

    address: str


class TryParams(LookUpParams):
    """The parameters of `settings/try_model`."""

    model: str


class ModelSettings:
    """The settings of language models, for all pages.

    Args:
        gateway: Serves language models.
    """

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "settings/providers": validated(NoParams, self._providers),
            "settings/local_models": validated(NoParams, self._local_models),
            "settings/look_up": validated(LookUpParams, self._look_up),
            "settings/look_up_embeddings": validated(AddressParams, self._look_up_embeddings),
            "settings/try_model": validated(TryParams, self._try_model),
            "settings/add_server": validated(AddParams, self._add_server),
            "settings/remove_server": validated(ProviderParams, self._remove_server),
            "settings/set_key": validated(SetKeyParams, self._set_key),
            "settings/delete_key": validated(ProviderParams, self._delete_key),
            "settings/revoke_allowance": validated(AllowanceParams, self._revoke_allowance),
            "settings/allowance_uses": validated(NoParams, self._allowance_uses),
        }

    async def _providers(self, _: NoParams) -> Row:
        keyring, providers = await asyncio.gather(asyncio.to_thread(keyring_name), self._gateway.rows())
        return {
            "keyring": keyring,
            "file": str(self._gateway.key_file),
            "providers": providers,
            "allowances": self._gateway.allowances.rows(),
        }

    async def _local_models(self, _: NoParams) -> Row:
        local = [row["name"] for row in await self._gateway.rows() if row["local"]]
        found = await asyncio.gather(*map(self._answering, local))
        return {"servers": [row for row in found if row is not None]}

    async def _answering(self, name: str) -> Row | None:
        """Return a server that answers now, or None."""
        try:
            async with asyncio.timeout(LOCAL_WITHIN_S):
                found = await self._gateway.trial(name, "", None, None).models()
        except (GatewayProblem, TimeoutError):
            return None
        return {"provider": name, "base_url": found.provider.base_url, "models": found.models}

    async def _look_up(self, params: LookUpParams) -> Row:
        found, duration_ms = await _time(self._trial(params).models())
        provider = found.provider
        return {
            "provider": self._name_of(found),
            "base_url": provider.base_url,
            "api": provider.kind.client[0],
            "models": found.models,
            "duration_ms": duration_ms,
        }

    async def _look_up_embeddings(self, params: AddressParams) -> Row:
        trial = self._gateway.trial(None, params.address, "openai", None)
        found, duration_ms = await _time(trial.embedding_models())
        return {
            "provider": self._name_of(found),
            "base_url": found.provider.base_url,
            "models": found.models,
            "embeds": found.embeds,
            "duration_ms": duration_ms,
        }

    async def _try_model(self, params: TryParams) -> Row:
        tried = await self._trial(params).answer(params.model)
        return {"text": tried.text[:500], "facts": tried.facts, "duration_ms": tried.duration_ms}

    def _trial(self, params: LookUpParams) -> Trial:
        if (params.provider is None) == (params.address is None):
            raise InvalidArguments("either a provider or an address is needed")
        return self._gateway.trial(params.provider, params.address or "", params.api, params.key)

    def _name_of(self, found: Found) -> str | None:
        return found.provider.name if self._gateway.has(found.provider) else None

    async def _add_server(self, params: AddParams) -> Row:
        return {"provider": await self._gateway.add(address_of(params.address), params.api)}

    async def _remove_server(self, params: ProviderParams) -> Row:
        return {"removed": await self._gateway.remove(params.provider)}

    async def _set_key(self, params: SetKeyParams) -> Row:
        await self._gateway.set_key(params.provider, params.key, in_file=params.in_file)
        return {}

    async def _delete_key(self, params: ProviderParams) -> Row:
        return {"deleted": await self._gateway.delete_key(params.provider)}

    async def _allowance_uses(self, _: NoParams) -> Row:
        return {"uses": self._gateway.allowances.uses.rows()}

    async def _revoke_allowance(self, params: AllowanceParams) -> Row:
        return {"revoked": self._gateway.allowances.revoke(params.provider, params.model)}


async def _time(work: Awaitable[Result]) -> tuple[Result, float]:
    began = time.perf_counter()
    result = await work
    return result, round((time.perf_counter() - began) * 1000, 1)
