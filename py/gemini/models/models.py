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
HOW = (
    "Add one in the settings, at Language models: the browser's own where it has one, or one that runs on this "
    "computer, such as Ollama's. Or set a key of a provider such as OpenAI, Anthropic or Google."
)
KEY_GONE = "Its key was for one visit only. Add it once more."
NONE_BUILT_IN = "This browser has no model of its own, or this computer isn't enough for it."
BUILTIN_LACKS = {
    "unknown": "The browser was not asked yet.",
    "downloadable": "The browser has to download its model first, which the settings start.",
    "downloading": "The browser is downloading its model.",
    "unavailable": NONE_BUILT_IN,
    "missing": NONE_BUILT_IN,
}
LONGEST_PROMPT = 20_000


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
        keep: Callable[[Row], None],
        changed: Callable[[Row], None],
    ) -> None:
        self.gateway = gateway
        self._ask_builtin = ask_builtin
        self._keep = keep
        self._changed = changed
        self._choices: dict[str, Choice] = {}
        self._keys: dict[str, str] = {}
        self._default: str | None = None
        self._agents: dict[str, str] = {}
        self.prompt = ""
        self._known_forms: dict[str, str] = {}
        self._forms: Forms | None = None
        self._builtin = "unknown"
        self._looking: set[asyncio.Task[None]] = set()
        self._loading: Row | None = None
        self._of_script: str | None = None

    def restore(self, kept: Row | None) -> None:
        """Bring back what an earlier kernel kept."""
        known = kept or {}
        choices = [choice_from(each) for each in known.get("choices", [])]
        self._choices = {choice.id: choice for choice in choices if choice is not None}
        self._default = known.get("default")
        self._agents = known.get("agents", {})
        self.prompt = known.get("prompt", "")
        self._known_forms = known.get("forms", {})

    def row(self) -> Row:
        """All that a page shows: see `gemini.core.events.ModelsChanged`."""
        default = None if self._default is None else self._choices.get(self._default)
        lacks = HOW if default is None else self._lacks(default)
        chosen = self._of_script or (None if lacks else self._default)
        return {
            "chosen": chosen,
            "why": None if chosen else lacks,
            "default": self._default,
            "choices": [self._choice_row(choice) for choice in self._choices.values()],
            "agents": dict(self._agents),
            "prompt": self.prompt,
            "providers": [vars(served) for served in self.gateway.served.values()],
            "builtin": self._builtin,
            "loading": self._loading,
        }

    def find(self, wanted: str | None, agent: str) -> Model | None:
        """The model of that id; else the agent's; else the default one, or None.

        Raises:
            ModelMissing: there is none of that id.
        """
        chosen = wanted or self._agents.get(agent) or self._default
        if chosen is None or (wanted is None and chosen not in self._choices):
            return None
        return self.model(chosen)

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

        return RemoteModel(self._where(choice), choice.model, forms=self._remembered())

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
        self._keep_and_tell()
        return choice.id

    def remove(self, choice_id: str) -> None:
        """Forget a model. Raises ModelMissing."""
        self._require(choice_id)
        del self._choices[choice_id]
        self._keys.pop(choice_id, None)
        self._agents = {agent: each for agent, each in self._agents.items() if each != choice_id}
        if self._default == choice_id:
            self._default = next(iter(self._choices), None)
        self._keep_and_tell()

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
        self._keep_and_tell()

    def instruct(self, prompt: str) -> None:
        """Set the person's own instructions to every model."""
        if len(prompt) > LONGEST_PROMPT:
            raise InvalidArguments(
                f"instructions have {LONGEST_PROMPT:,} characters at most, not {len(prompt):,}",
                hint="Put the rest into a file, and name it there.",
            )
        self.prompt = prompt.strip()
        self._keep_and_tell()

    async def refresh(self) -> None:
        """Look anew which models can be asked, and tell."""
        await asyncio.gather(self.gateway.refresh(), self._look_at_builtin())
        self.tell()

    def refresh_soon(self) -> None:
        """The companion, or the page, is another one: look anew at what of it the person's choices need."""

        async def look() -> None:
            await self.gateway.refresh()
            # Who doesn't use it isn't asked for it: browsers write into the page's console.
            if BUILTIN in self._choices:
                await self._look_at_builtin()
            self.tell()

        task = asyncio.get_running_loop().create_task(look())
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look_at_builtin(self) -> None:
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
            raise ModelMissing(f"there is no key for {choice.label}", hint=KEY_GONE)
        found = Endpoint(choice.api, choice.base_url, key)
        return found if found.is_local else replace(found, provider=choice.base_url)

    def set_by_script(self, name: str | None) -> None:
        """A script has set the model that is asked before all of these, or takes it back."""
        self._of_script = name
        self.tell()

    def load(self, done: int, total: int) -> None:
        """Packages that ask models are loading."""
        self._loading = {"done": done, "total": total} if done < total else None
        self.tell()

    def tell(self) -> None:
        """Tell how all of this is now."""
        self._changed(self.row())

    def _where(self, choice: Choice) -> Callable[[], Awaitable[Endpoint]]:
        return lambda: self.endpoint(choice, with_ticket=True)

    def _remembered(self) -> Forms:
        from gemini.models.forms import Forms

        def keep(known: dict[str, str]) -> None:
            self._known_forms = known
            self._keep_and_tell()

        self._forms = self._forms or Forms(self._known_forms, keep)
        return self._forms

    def _require(self, choice_id: str) -> Choice:
        if choice_id not in self._choices:
            known = ", ".join(self._choices) or "none"
            raise ModelMissing(f"there is no model {choice_id[:100]!r}", hint=f"The models are: {known}.")
        return self._choices[choice_id]

    def _choice_row(self, choice: Choice) -> Row:
        lacks = self._lacks(choice)
        return {
            "id": choice.id,
            "label": choice.label,
            "provider": choice.provider,
            "model": choice.model,
            "base_url": choice.base_url,
            "ready": lacks is None,
            "why": lacks,
        }

    def _lacks(self, choice: Choice) -> str | None:
        if choice.provider == BUILTIN:
            return BUILTIN_LACKS.get(self._builtin)
        if choice.provider == OWN:
            return KEY_GONE if choice.with_key and choice.id not in self._keys else None
        served = self.gateway.served.get(choice.provider)
        if served is None:
            return NOT_CONNECTED if not self.gateway.served else f"The companion knows no {choice.provider}."
        return served.why

    def _keep_and_tell(self) -> None:
        self._keep(
            {
                "choices": [choice.kept() for choice in self._choices.values()],
                "default": self._default,
                "agents": self._agents,
                "prompt": self.prompt,
                "forms": self._known_forms,
            }
        )
        self.tell()
