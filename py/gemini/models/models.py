"""Which models the person has added, and which of them is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gemini.core.protocol import Params
from gemini.errors import InvalidArguments, ModelMissing, PageProblem
from gemini.models.choice import BUILTIN, OWN, Choice, choice_from
from gemini.models.endpoint import Endpoint
from gemini.models.gateway import NOT_CONNECTED, Gateway

if TYPE_CHECKING:
    from gemini.agents.model import Model
    from gemini.models.forms import Forms

Row = dict[str, Any]
SETUP_HINT = (
    "Add one in the settings, at Language models: the browser's own where it has one, or one that runs on this "
    "computer, such as Ollama's. Or set a key of a provider such as OpenAI, Anthropic or Google."
)
KEY_FORGOTTEN = "Its key was for one visit only. Add it once more."
NONE_BUILT_IN = "This browser has no model of its own, or this computer isn't enough for it."
BUILTIN_PROBLEMS = {
    "unknown": "The browser was not asked yet.",
    "downloadable": "The browser has to download its model first, which the settings start.",
    "downloading": "The browser is downloading its model.",
    "unavailable": NONE_BUILT_IN,
    "missing": NONE_BUILT_IN,
}
MAX_PROMPT_CHARS = 20_000


class Models:
    """The person's models.

    Args:
        gateway: Those that the companion passes requests on to.
        ask_builtin: Asks the page for the browser's own model, as gemini.models.builtin has it.
        keep: Takes what is to be kept whenever it is another.
        changed: Told the row whenever it is another.
    """

    def __init__(
        self,
        gateway: Gateway,
        ask_builtin: Callable[[str, Params], Awaitable[Any]],
        save: Callable[[Row], None],
        on_change: Callable[[Row], None],
    ) -> None:
        self.gateway = gateway
        self._ask_builtin = ask_builtin
        self._save = save
        self._on_change = on_change
        self._choices: dict[str, Choice] = {}
        self._keys: dict[str, str] = {}
        self._default: str | None = None
        self._agents: dict[str, str] = {}
        self.prompt = ""
        self._known_forms: dict[str, str] = {}
        self._forms: Forms | None = None
        self._builtin = "unknown"
        self._refreshes: set[asyncio.Task[None]] = set()
        self._loading: Row | None = None
        self._script_model: str | None = None

    def restore(self, saved: Row | None) -> None:
        """Bring back what an earlier kernel kept."""
        known = saved or {}
        choices = [choice_from(each) for each in known.get("choices", [])]
        self._choices = {choice.id: choice for choice in choices if choice is not None}
        self._default = known.get("default")
        self._agents = known.get("agents", {})
        self.prompt = known.get("prompt", "")
        self._known_forms = known.get("forms", {})

    def row(self) -> Row:
        """All that a page shows: see `gemini.core.events.ModelsChanged`."""
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
            "providers": [vars(providers) for providers in self.gateway.providers.values()],
            "builtin": self._builtin,
            "loading": self._loading,
        }

    def find(self, wanted: str | None, agent: str) -> Model | None:
        """The model of that id; else the agent's; else the default one, or None.

        Raises:
            ModelMissing: there is none of that id.
        """
        selected = wanted or self._agents.get(agent) or self._default
        if selected is None or (wanted is None and selected not in self._choices):
            return None
        return self.model(selected)

    def model(self, choice_id: str) -> Model:
        """The model of that id, whether or not it can be asked now.

        Raises:
            ModelMissing: there is none.
        """
        choice = self._require(choice_id)
        if choice.provider == BUILTIN:
            from gemini.models.builtin import BuiltinModel
            from gemini.models.prompted import Prompted

            return Prompted(BuiltinModel(self._ask_builtin))
        from gemini.models.remote import RemoteModel

        return RemoteModel(self._endpoint_source(choice), choice.model, forms=self._shared_forms())

    def add(self, choice: Choice, key: str | None = None) -> str:
        """Add a model, and give its id. The first one is the default.

        Args:
            choice: The model.
            key: For an address of the person's own; lasts as long as this Python.
        """
        if key is not None:
            Endpoint(choice.api, choice.base_url, key)
            self._keys[choice.id] = key
        self._choices[choice.id] = choice
        self._default = self._default or choice.id
        self._save_and_notify()
        return choice.id

    def remove(self, choice_id: str) -> None:
        """Forget a model. Raises ModelMissing."""
        self._require(choice_id)
        del self._choices[choice_id]
        self._keys.pop(choice_id, None)
        self._agents = {agent: each for agent, each in self._agents.items() if each != choice_id}
        if self._default == choice_id:
            self._default = next(iter(self._choices), None)
        self._save_and_notify()

    def choose(self, choice_id: str | None, agent: str | None = None) -> None:
        """Make a model the default, or that of an agent; None takes an agent's own from it. Raises ModelMissing."""
        if choice_id is not None:
            self._require(choice_id)
        if agent is None:
            if choice_id is None:
                raise InvalidArguments("there is always a default, as long as there is a model")
            self._default = choice_id
        elif choice_id is None:
            self._agents.pop(agent, None)
        else:
            self._agents[agent] = choice_id
        self._save_and_notify()

    def instruct(self, prompt: str) -> None:
        """Set the person's own instructions to every model."""
        if len(prompt) > MAX_PROMPT_CHARS:
            raise InvalidArguments(
                f"instructions have {MAX_PROMPT_CHARS:,} characters at most, not {len(prompt):,}",
                hint="Put the rest into a file, and name it there.",
            )
        self.prompt = prompt.strip()
        self._save_and_notify()

    async def refresh(self) -> None:
        """Look anew which models can be asked, and tell."""
        await asyncio.gather(self.gateway.refresh(), self._refresh_builtin())
        self.notify()

    def refresh_soon(self) -> None:
        """The companion, or the page, is another one: look anew at what of it the person's choices need."""

        async def refresh() -> None:
            await self.gateway.refresh()
            # Who doesn't use it isn't asked for it: browsers write into the page's console.
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
        """Where a model is asked now.

        Args:
            with_ticket: Whether to have what the companion's gateway wants of requests to a model.

        Raises:
            ModelMissing: the companion isn't connected, or there is no key.
            ModelRefused: the person refused a ticket.
        """
        if choice.provider != OWN:
            return await self.gateway.endpoint(choice.provider, choice.model if with_ticket else None)
        key = key or self._keys.get(choice.id)
        if choice.with_key and key is None:
            raise ModelMissing(f"there is no key for {choice.label}", hint=KEY_FORGOTTEN)
        found = Endpoint(choice.api, choice.base_url, key)
        return found if found.is_local else replace(found, provider=choice.base_url)

    def set_by_script(self, name: str | None) -> None:
        """A script has set the model that is asked before all of these, or takes it back."""
        self._script_model = name
        self.notify()

    def set_loading(self, done: int, total: int) -> None:
        """Packages that ask models are loading."""
        self._loading = {"done": done, "total": total} if done < total else None
        self.notify()

    def notify(self) -> None:
        """Tell how all of this is now."""
        self._on_change(self.row())

    def _endpoint_source(self, choice: Choice) -> Callable[[], Awaitable[Endpoint]]:
        return lambda: self.endpoint(choice, with_ticket=True)

    def _shared_forms(self) -> Forms:
        from gemini.models.forms import Forms

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

    def _choice_row(self, choice: Choice) -> Row:
        problem = self._problem(choice)
        return {
            "id": choice.id,
            "label": choice.label,
            "provider": choice.provider,
            "model": choice.model,
            "base_url": choice.base_url,
            "ready": problem is None,
            "why": problem,
        }

    def _problem(self, choice: Choice) -> str | None:
        if choice.provider == BUILTIN:
            return BUILTIN_PROBLEMS.get(self._builtin)
        if choice.provider == OWN:
            return KEY_FORGOTTEN if choice.with_key and choice.id not in self._keys else None
        providers = self.gateway.providers.get(choice.provider)
        if providers is None:
            return (
                NOT_CONNECTED if not self.gateway.providers else f"The companion knows no {choice.provider}."
            )
        return providers.why

    def _save_and_notify(self) -> None:
        self._save(
            {
                "choices": [choice.as_row() for choice in self._choices.values()],
                "default": self._default,
                "agents": self._agents,
                "prompt": self.prompt,
                "forms": self._known_forms,
            }
        )
        self.notify()
