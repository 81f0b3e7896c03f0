"""What the settings of models do for a person: on the road of all tools, but told to nobody else."""

import time
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini.agents.tickets import Tickets, use_tickets
from gemini.models.choice import BUILTIN, choice_of
from gemini.models.models import Models
from gemini.tools import Effect, declare

Name = Annotated[str, Field(max_length=300)]
Key = Annotated[str, Field(min_length=1, max_length=4096)]
QUESTION = "Answer with the one word: ready"
# Models that think first need some room for that.
ANSWER_TOKENS = 2_000


class Added(TypedDict):
    id: str


class Done(TypedDict):
    success: bool


class Names(TypedDict):
    models: list[str]


class Answer(TypedDict):
    """What a model said, and after how many milliseconds it was whole."""

    text: str
    ms: int


class ModelTools:
    """Args:
    models: The person's models.
    """

    def __init__(self, models: Models) -> None:
        self._models = models

    @declare(person_only=True, withholds="key", action="add_model")
    def panel_model_add(
        self,
        provider: Name,
        model: Name,
        base_url: Name | None = None,
        api: Name | None = None,
        key: Key | None = None,
    ) -> Added:
        """Add a model.

        Args:
            provider: `builtin`, `own` for an address of one's own, or one of the companion's.
            model: As its provider calls it.
            base_url: The address, where it is one's own.
            api: `openai` or `anthropic`, where the address is one's own.
            key: For that address; it lasts as long as the page.
        """
        choice = choice_of(provider, model, base_url, api, with_key=key is not None)
        return {"id": self._models.add(choice, key)}

    @declare(person_only=True, action="remove_model")
    def panel_model_remove(self, id: Name) -> Done:
        """Forget a model, and its key."""
        self._models.remove(id)
        return {"success": True}

    @declare(person_only=True, action="choose_model")
    def panel_model_choose(self, id: Name | None, agent: Name | None = None) -> Done:
        """Make a model the default, or that of an agent; without an id the agent has the default again."""
        self._models.choose(id, agent)
        return {"success": True}

    @declare(person_only=True, action="instruct_models")
    def panel_model_prompt(self, text: str) -> Done:
        """Set what every model is told of the person's wishes."""
        self._models.instruct(text)
        return {"success": True}

    @declare(effect=Effect.READ, person_only=True, unlogged=True, action="refresh_models")
    async def panel_model_refresh(self) -> Done:
        """Look anew which models can be asked."""
        await self._models.refresh()
        return {"success": True}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, withholds="key", action="list_models")
    async def panel_model_list(
        self, provider: Name, base_url: Name | None = None, api: Name | None = None, key: Key | None = None
    ) -> Names:
        """Ask a provider for the names of its models."""
        from gemini.models.listing import names_at

        if provider == BUILTIN:
            return {"models": []}
        choice = choice_of(provider, "any", base_url, api, with_key=key is not None)
        return {"models": await names_at(await self._models.endpoint(choice, key))}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="try_model")
    async def panel_model_try(self, id: Name, ticket: Name | None = None) -> Answer:
        """Ask a model for a word.

        Args:
            ticket: What the companion gave for the press.
        """
        from gemini.agents.messages import UserMessage
        from gemini.agents.model import Answer as Whole
        from gemini.agents.model import Request, collect

        request = Request([UserMessage(text=QUESTION)], max_output_tokens=ANSWER_TOKENS)
        began = time.monotonic()
        with use_tickets(Tickets("a word from a model in the settings", ticket)):
            answer = await collect(self._models.model(id), request, Whole())
        return {"text": answer.text.strip()[:500], "ms": round((time.monotonic() - began) * 1000)}
