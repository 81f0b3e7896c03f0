"""The actions of the model settings. They go through the registry as all tools do, but only the user can call them."""

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini import tools
from gemini.errors import ModelMissing
from gemini.models.interface.tickets import Tickets, use_tickets
from gemini.models.providers.choice import BUILTIN, DEVICE, DEVICE_MODEL, Choice, choice_of
from gemini.models.providers.models import Models
from gemini.tools import Effect

if TYPE_CHECKING:
    from gemini.models.interface.model import Model

declare = partial(tools.declare, group="models")

Name = Annotated[str, Field(max_length=300)]
Key = Annotated[str, Field(min_length=1, max_length=4096)]
QUESTION = "Answer with the one word: ready"
# Leave room for reasoning before the answer.
ANSWER_TOKENS = 2_000


class Added(TypedDict):
    """The id of a model that was added."""

    id: str


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class Names(TypedDict):
    """The names of a provider's models."""

    models: list[str]


class Answer(TypedDict):
    """A model's answer, and the milliseconds until it was complete."""

    text: str
    ms: int


class Embedded(TypedDict):
    """The numbers of an embedding, and the milliseconds until it was complete."""

    numbers: int
    ms: int


class ModelTools:
    """The actions of the model settings.

    Args:
        models: The user's models.
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
        default: bool = False,
    ) -> Added:
        """Add a model.

        Args:
            provider: `builtin`, `own` for a custom address, or a provider of the companion.
            model: The provider's name for the model.
            base_url: The custom address.
            api: `openai` or `anthropic`, for a custom address.
            key: The key for a custom address; it lasts as long as the page.
            default: Whether it becomes the default, as the first one does anyway.
        """
        choice = choice_of(provider, model, base_url, api, with_key=key is not None)
        added = self._models.add(choice, key)
        if default:
            self._models.choose(added)
        return {"id": added}

    @declare(person_only=True, action="remove_model")
    def panel_model_remove(self, id: Name) -> Done:
        """Remove a model and its key."""
        self._models.remove(id)
        return {"success": True}

    @declare(person_only=True, action="choose_model")
    def panel_model_choose(self, id: Name | None, agent: Name | None = None) -> Done:
        """Set the default model, or that of an agent; without an id, the agent uses the default again."""
        self._models.choose(id, agent)
        return {"success": True}

    @declare(person_only=True, action="choose_embedding_model")
    def panel_model_embedding(
        self, provider: Name | None, model: Name = "", base_url: Name | None = None
    ) -> Done:
        """Set the model for embeddings; without a provider, it is off.

        Args:
            provider: `device` for the one on this computer, `own` for a custom address, or a provider of the companion.
            model: The provider's name for the model.
            base_url: The custom address, of a server with OpenAI's API.
        """
        api = None if base_url is None else "openai"
        choice = None if provider is None else Choice(DEVICE, DEVICE_MODEL)
        if provider not in (None, DEVICE):
            choice = choice_of(provider, model, base_url, api)
        self._models.choose_embedding(choice)
        return {"success": True}

    @declare(effect=Effect.READ, person_only=True, action="try_embedding_model")
    async def panel_model_try_embedding(self, ticket: Name | None = None) -> Embedded:
        """Test the model for embeddings with a short text.

        Args:
            ticket: The ticket that the companion issued when the user pressed the button.
        """
        from gemini.models.providers.embeddings import OFF

        model = self._models.embedder()
        if model is None:
            raise ModelMissing(OFF, hint="Choose one first.")
        began = time.monotonic()
        with use_tickets(Tickets("a test of the model for embeddings", ticket)):
            [vector], _ = await model.embed([QUESTION])
        return {"numbers": len(vector), "ms": round((time.monotonic() - began) * 1000)}

    @declare(person_only=True, action="tune_model")
    def panel_model_tune(
        self,
        id: Name,
        temperature: float | None = None,
        top_p: float | None = None,
        max_tokens: int | None = None,
        effort: str | None = None,
    ) -> Done:
        """Set the usual settings of a model's requests; those that are missing are left to its provider."""
        from gemini.models.interface.sampling import sampling_of

        given = {"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "effort": effort}
        self._models.tune(id, sampling_of(given))
        return {"success": True}

    @declare(person_only=True, action="instruct_models")
    def panel_model_prompt(self, text: str) -> Done:
        """Set the custom instructions for every model."""
        self._models.instruct(text)
        return {"success": True}

    @declare(effect=Effect.READ, person_only=True, unlogged=True, action="refresh_models")
    async def panel_model_refresh(self) -> Done:
        """Check which models are ready."""
        await self._models.refresh()
        return {"success": True}

    @declare(effect=Effect.READ, person_only=True, unlogged=True, action="prepare_models")
    async def panel_model_prepare(self, api: Name = "openai") -> Done:
        """Load the packages for an API, while the user still looks at the dialog: their first message needs them.

        Args:
            api: `openai` or `anthropic`.
        """
        from gemini.models.providers.packages import load_packages

        await load_packages("anthropic" if api == "anthropic" else "openai")
        return {"success": True}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, withholds="key", action="list_models")
    async def panel_model_list(
        self,
        provider: Name,
        base_url: Name | None = None,
        api: Name | None = None,
        key: Key | None = None,
        embeddings: bool = False,
    ) -> Names:
        """List the models of a provider: those that chat, or those for embeddings."""
        from gemini.models.providers.listing import names_at

        if provider == BUILTIN:
            return {"models": []}
        choice = choice_of(provider, "any", base_url, api, with_key=key is not None)
        endpoint = await self._models.endpoint(choice, key)
        return {"models": await names_at(endpoint, embeddings=embeddings)}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="try_model")
    async def panel_model_try(self, id: Name, ticket: Name | None = None) -> Answer:
        """Test a model with a short question.

        Args:
            id: The id of the model.
            ticket: The ticket that the companion issued when the user pressed the button.
        """
        with use_tickets(Tickets("a test of a model in the settings", ticket)):
            return await _answer(self._models.model(id))

    @declare(effect=Effect.READ, untrusted=True, person_only=True, withholds="key", action="try_new_model")
    async def panel_model_try_new(
        self,
        provider: Name,
        model: Name,
        base_url: Name | None = None,
        api: Name | None = None,
        key: Key | None = None,
    ) -> Answer:
        """Test a model that isn't added: the browser's own, or one at a custom address."""
        return await _answer(self._models.unsaved(choice_of(provider, model, base_url, api), key))


async def _answer(model: "Model") -> Answer:
    from gemini.models.interface.messages import UserMessage
    from gemini.models.interface.model import Answer as Whole
    from gemini.models.interface.model import Request, collect

    request = Request([UserMessage(text=QUESTION)], max_output_tokens=ANSWER_TOKENS)
    began = time.monotonic()
    answer = await collect(model, request, Whole())
    return {"text": answer.text.strip()[:500], "ms": round((time.monotonic() - began) * 1000)}
