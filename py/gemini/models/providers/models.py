"""The models that the user has added, and which of them is used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from gemini.core import ffi
from gemini.core.protocol import Params
from gemini.errors import InvalidArguments, ModelMissing, PageProblem
from gemini.models.providers.choice import BUILTIN, DEVICE, NONE_ON_DEVICE, OWN, Choice, choice_from
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.events import (
    EmbeddingRow,
    LoadingRow,
    ModelChoiceRow,
    ModelsRow,
    ReadingRow,
    SamplingRow,
)
from gemini.models.providers.gateway import NOT_CONNECTED, Gateway

if TYPE_CHECKING:
    from gemini.models.interface.model import Model
    from gemini.models.interface.sampling import Sampling
    from gemini.models.providers.embeddings import Model as EmbeddingModel
    from gemini.models.providers.forms import Forms

Row = dict[str, Any]
SETUP_HINT = (
    "Connect one that runs on this computer, such as Ollama, or the browser's own. Or use a provider such as OpenAI, "
    "Anthropic or Google with a key."
)
KEY_FORGOTTEN = "Its key was saved for one visit only. Add the model again with its key."
NONE_BUILT_IN = "This browser has no built-in model, or this computer doesn't meet its requirements."
BUILTIN_PROBLEMS = {
    "unknown": "Its availability hasn't been checked yet.",
    "downloadable": "The browser must download its model first. Start the download where models are connected.",
    "downloading": "The browser is downloading its model.",
    "unavailable": NONE_BUILT_IN,
    "missing": NONE_BUILT_IN,
}
UNTUNED: SamplingRow = {"temperature": None, "top_p": None, "max_tokens": None, "effort": None}
MAX_PROMPT_CHARS = 20_000


class Models:
    """The user's models.

    Args:
        gateway: The companion's gateway.
        ask_builtin: Sends a request for the built-in model to the page, as gemini.models.providers.builtin describes.
        save: Called with the settings to store when they change.
        on_change: Called with the row when it changes.
    """

    def __init__(
        self,
        gateway: Gateway,
        ask_builtin: Callable[[str, Params], Awaitable[Any]],
        save: Callable[[Row], None],
        on_change: Callable[[ModelsRow], None],
    ) -> None:
        self.gateway = gateway
        self._ask_builtin = ask_builtin
        self._save = save
        self._on_change = on_change
        self._choices: dict[str, Choice] = {}
        self._keys: dict[str, str] = {}
        self._default: str | None = None
        self._agents: dict[str, str] = {}
        self._sampling: dict[str, Row] = {}
        self._embedding: Choice | None = None
        self._embedder: EmbeddingModel | None = None
        self._reading: ReadingRow | None = None
        self.on_embedding: Callable[[], object] = lambda: None
        """Called when the model for embeddings has changed."""
        self.prompt = ""
        self._known_forms: dict[str, str] = {}
        self._forms: Forms | None = None
        self._builtin = "unknown"
        self._refreshes: set[asyncio.Task[None]] = set()
        self._loading: LoadingRow | None = None
        self._script_model: str | None = None

    def restore(self, saved: Row | None) -> None:
        """Restore the settings that an earlier session stored."""
        known = saved or {}
        choices = [choice_from(each) for each in known.get("choices", [])]
        self._choices = {choice.id: choice for choice in choices if choice is not None}
        self._default = known.get("default")
        self._agents = known.get("agents", {})
        self.prompt = known.get("prompt", "")
        self._known_forms = known.get("forms", {})
        self._sampling = known.get("sampling", {})
        self._embedding = choice_from(known.get("embedding"))

    def row(self) -> ModelsRow:
        """Return the row for the page; see `gemini.models.providers.events.ModelsChanged`."""
        default = None if self._default is None else self._choices.get(self._default)
        problem = SETUP_HINT if default is None else self._problem(default)
        selected = self._script_model or (None if problem else self._default)
        return {
            "chosen": selected,
            "why": None if selected else problem,
            "default": self._default,
            "choices": [self._choice_row(choice) for choice in self._choices.values()],
            "agents": dict(self._agents),
            "prompt": self.prompt,
            "providers": [provider.row() for provider in self.gateway.providers.values()],
            "builtin": self._builtin,
            "loading": self._loading,
            "embedding": self._embedding_row(),
            "device": ffi.meaning_folder() is not None,
        }

    def find(self, wanted: str | None, agent: str) -> Model | None:
        """Return the model with an id; without an id, the agent's own model, else the default; None if there is none.

        Raises:
            ModelMissing: There is no model with that id.
        """
        selected = wanted or self._agents.get(agent) or self._default
        if selected is None or (wanted is None and selected not in self._choices):
            return None
        return self.model(selected)

    def model(self, choice_id: str) -> Model:
        """Return the model with an id, whether or not it is ready.

        Raises:
            ModelMissing: There is no model with that id.
        """
        return self.unsaved(self._require(choice_id))

    def unsaved(self, choice: Choice, key: str | None = None) -> Model:
        """Return the model of a choice, which need not be added.

        Args:
            choice: The model.
            key: The key for a custom address; defaults to the one it was added with.
        """
        if choice.provider == BUILTIN:
            from gemini.models.providers.builtin import BuiltinModel
            from gemini.models.providers.prompted import Prompted

            return Prompted(BuiltinModel(self._ask_builtin))
        from gemini.models.interface.sampling import sampling_of
        from gemini.models.providers.remote import RemoteModel

        sampling = sampling_of(self._sampling.get(choice.id))
        source, forms = self._endpoint_source(choice, key), self._shared_forms()
        ask = None if choice.provider == OWN else partial(self.gateway.about, choice.provider, choice.model)
        return RemoteModel(source, choice.model, forms=forms, sampling=sampling, ask_about=ask)

    def add(self, choice: Choice, key: str | None = None) -> str:
        """Add a model, and return its id. The first one becomes the default.

        Args:
            choice: The model.
            key: The key for a custom address; it lasts as long as the interpreter.
        """
        if key is not None:
            Endpoint(choice.api, choice.base_url, key)
            self._keys[choice.id] = key
        self._choices[choice.id] = choice
        self._default = self._default or choice.id
        self._save_and_notify()
        return choice.id

    def remove(self, choice_id: str) -> None:
        """Remove a model. Raises ModelMissing."""
        self._require(choice_id)
        del self._choices[choice_id]
        self._keys.pop(choice_id, None)
        self._sampling.pop(choice_id, None)
        self._agents = {agent: each for agent, each in self._agents.items() if each != choice_id}
        if self._default == choice_id:
            self._default = next(iter(self._choices), None)
        self._save_and_notify()

    def choose(self, choice_id: str | None, agent: str | None = None) -> None:
        """Set the default model, or an agent's; None removes an agent's own. Raises ModelMissing."""
        if choice_id is not None:
            self._require(choice_id)
        if agent is None:
            if choice_id is None:
                raise InvalidArguments(
                    "the default can't be removed", hint="Choose another model as the default."
                )
            self._default = choice_id
        elif choice_id is None:
            self._agents.pop(agent, None)
        else:
            self._agents[agent] = choice_id
        self._save_and_notify()

    def choose_embedding(self, choice: Choice | None, key: str | None = None) -> None:
        """Set the model for embeddings, by which passages are compared; None turns it off.

        Args:
            choice: The model.
            key: The key for a custom address; it lasts as long as the interpreter.

        Raises:
            InvalidArguments: Its API has no embeddings.
        """
        if choice is not None:
            provider = self.gateway.providers.get(choice.provider)
            api = choice.api if provider is None else provider.api
            if choice.provider == BUILTIN or api == "anthropic":
                raise InvalidArguments(
                    f"{choice.label} computes no embeddings",
                    hint="Choose a model of OpenAI, Google, Ollama or another server with OpenAI's API.",
                )
            if key is not None:
                Endpoint(choice.api, choice.base_url, key)
                self._keys[choice.id] = key
        self._embedding, self._embedder = choice, None
        self._save_and_notify()
        self.on_embedding()

    @property
    def is_on_device(self) -> bool:
        """True if the model for embeddings is the one on the device."""
        return self._embedding is not None and self._embedding.provider == DEVICE

    def embedder(self) -> EmbeddingModel | None:
        """Return the model for embeddings; None if it is off."""
        choice = self._embedding
        if choice is not None and choice.provider == DEVICE and self._embedder is None:
            from gemini.models.providers.on_device import DeviceEmbedder

            self._embedder = DeviceEmbedder()
        elif choice is not None and self._embedder is None:
            from gemini.models.providers.embeddings import Embedder

            self._embedder = Embedder(choice.id, choice.model, self._endpoint_source(choice, None))
        return self._embedder

    def tune(self, choice_id: str, sampling: Sampling) -> None:
        """Set the usual settings of a model's requests. Raises ModelMissing."""
        self._require(choice_id)
        self._sampling[choice_id] = sampling.row()
        self._save_and_notify()

    def instruct(self, prompt: str) -> None:
        """Set the user's custom instructions for every model."""
        if len(prompt) > MAX_PROMPT_CHARS:
            raise InvalidArguments(
                f"the instructions have {len(prompt):,} characters; the limit is {MAX_PROMPT_CHARS:,}",
                hint="Put the rest into a file, and mention it in the instructions.",
            )
        self.prompt = prompt.strip()
        self._save_and_notify()

    async def refresh(self) -> None:
        """Check which models are ready, and notify."""
        await asyncio.gather(self.gateway.refresh(), self._refresh_builtin())
        self.notify()

    def refresh_soon(self) -> None:
        """Check in the background which models are ready, after the companion or the page has changed."""

        async def refresh() -> None:
            await self.gateway.refresh()
            # Only if it is in use: the check makes browsers write to the page's console.
            if BUILTIN in self._choices:
                await self._refresh_builtin()
            self.notify()

        task = asyncio.get_running_loop().create_task(refresh())
        self._refreshes.add(task)
        task.add_done_callback(self._refreshes.discard)

    async def _refresh_builtin(self) -> None:
        try:
            self._builtin = str((await self._ask_builtin("availability", {}))["availability"])
        except PageProblem:
            self._builtin = "missing"

    async def endpoint(
        self, choice: Choice, key: str | None = None, *, with_ticket: bool = False
    ) -> Endpoint:
        """Return the endpoint of a model.

        Args:
            choice: The model.
            key: The key for a custom address; defaults to the one it was added with.
            with_ticket: Whether to get the ticket that the companion's gateway requires.

        Raises:
            ModelMissing: The companion isn't connected, or the key is missing.
            ModelRefused: The user refused a ticket.
        """
        if choice.provider != OWN:
            return await self.gateway.endpoint(choice.provider, choice.model if with_ticket else None)
        key = key or self._keys.get(choice.id)
        if choice.with_key and key is None:
            raise ModelMissing(f"there is no key for {choice.label}", hint=KEY_FORGOTTEN)
        found = Endpoint(choice.api, choice.base_url, key)
        return found if found.is_local else replace(found, provider=choice.base_url)

    def set_by_script(self, name: str | None) -> None:
        """Record the name of the model that a script has set, which takes precedence; None if it was removed."""
        self._script_model = name
        self.notify()

    def set_reading(self, reading: ReadingRow | None) -> None:
        """Set the progress of reading files for the model for embeddings on the device."""
        self._reading = reading
        self.notify()

    def set_loading(self, done: int, total: int) -> None:
        """Set the progress of loading the packages."""
        self._loading = {"done": done, "total": total} if done < total else None
        self.notify()

    def notify(self) -> None:
        """Publish the current row."""
        self._on_change(self.row())

    def _endpoint_source(self, choice: Choice, key: str | None) -> Callable[[], Awaitable[Endpoint]]:
        return lambda: self.endpoint(choice, key, with_ticket=True)

    def _shared_forms(self) -> Forms:
        from gemini.models.providers.forms import Forms

        def save(known: dict[str, str]) -> None:
            self._known_forms = known
            self._save_and_notify()

        self._forms = self._forms or Forms(self._known_forms, save)
        return self._forms

    def _require(self, choice_id: str) -> Choice:
        if choice_id not in self._choices:
            known = ", ".join(self._choices) or "none"
            raise ModelMissing(f"there is no model {choice_id[:100]!r}", hint=f"The models are: {known}.")
        return self._choices[choice_id]

    def _choice_row(self, choice: Choice) -> ModelChoiceRow:
        problem = self._problem(choice)
        return {
            "id": choice.id,
            "label": choice.label,
            "provider": choice.provider,
            "model": choice.model,
            "base_url": choice.base_url,
            "ready": problem is None,
            "why": problem,
            "sampling": cast("SamplingRow", {**UNTUNED, **self._sampling.get(choice.id, {})}),
        }

    def _embedding_row(self) -> EmbeddingRow | None:
        choice = self._embedding
        if choice is None:
            return None
        return {
            "label": choice.label,
            "provider": choice.provider,
            "model": choice.model,
            "base_url": choice.base_url,
            "why": self._problem(choice),
            "reading": self._reading if self.is_on_device else None,
        }

    def _problem(self, choice: Choice) -> str | None:
        if choice.provider == BUILTIN:
            return BUILTIN_PROBLEMS.get(self._builtin)
        if choice.provider == DEVICE:
            return None if ffi.meaning_folder() is not None else NONE_ON_DEVICE
        if choice.provider == OWN:
            return KEY_FORGOTTEN if choice.with_key and choice.id not in self._keys else None
        provider = self.gateway.providers.get(choice.provider)
        if provider is None:
            return (
                NOT_CONNECTED
                if not self.gateway.providers
                else f"The companion has no provider {choice.provider}."
            )
        return provider.why

    def _save_and_notify(self) -> None:
        self._save(
            {
                "choices": [choice.as_row() for choice in self._choices.values()],
                "default": self._default,
                "agents": self._agents,
                "prompt": self.prompt,
                "forms": self._known_forms,
                "sampling": self._sampling,
                "embedding": None if self._embedding is None else self._embedding.as_row(),
            }
        )
        self.notify()
