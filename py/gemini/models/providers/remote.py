"""A model at an HTTP endpoint."""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gemini.errors import ModelRefused, TicketRefused
from gemini.models.interface.messages import Message, ToolMessage, UserMessage
from gemini.models.interface.model import Held, Model, ModelEvent, Request
from gemini.models.interface.sampling import USUAL, Sampling
from gemini.models.interface.tickets import current_tickets
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.forms import Form, Forms
from gemini.models.providers.packages import load_packages
from gemini.models.providers.prompted import Prompted

if TYPE_CHECKING:
    from gemini.models.providers.wire.client import Client

# Assumed if the model's context size is unknown.
CONTEXT_TOKENS = 128_000
# Local servers usually limit the context.
LOCAL_CONTEXT_TOKENS = 32_000
# Matches the errors of endpoints without tools, or without required calls.
TOOLS_REFUSED = re.compile(
    r"\btools?\b|tool[_ -]?(choice|call|use)|\bfunctions?\b|response_format", re.IGNORECASE
)
PICTURES_REFUSED = re.compile(r"\bimages?\b|image_url|vision|multi-?modal|picture|mmproj", re.IGNORECASE)
NOT_SEEN = "(a picture that this model can't see)"
REFUSING = {400, 404, 405, 415, 422, 500, 501}

_forms = Forms()


class RemoteModel:
    """A model that is asked over HTTP.

    The packages load with the first request. An endpoint that refuses tools is asked through `Prompted` from then on.

    Args:
        endpoint: The endpoint, or a function that returns it for each request.
        name: The provider's name for the model.
        context_tokens: The context size; by default the known size of the model.
        forms: Remembers the endpoint's refusals; by default as long as the interpreter lasts.
        sampling: The usual settings of its requests.
        ask_window: Returns the context size that the server reports, or None; called once, with the first request.

    Attributes:
        takes_pictures: False once the endpoint has refused pictures, which are left out from then on.
    """

    def __init__(
        self,
        endpoint: Endpoint | Callable[[], Awaitable[Endpoint]],
        name: str,
        *,
        context_tokens: int | None = None,
        forms: Forms = _forms,
        sampling: Sampling = USUAL,
        ask_window: Callable[[], Awaitable[int | None]] | None = None,
    ) -> None:
        self.name = name
        self._endpoint = endpoint
        self._context_tokens = context_tokens
        self._forms = forms
        self._sampling = sampling
        self._ask_window = ask_window
        self._client: Client | None = None
        self.takes_pictures = True

    @property
    def context_tokens(self) -> int:
        """The context size in tokens: given, reported by the server, known from the price tables, or assumed."""
        if self._context_tokens is not None:
            return self._context_tokens
        known = None if self._client is None else self._client.context_tokens
        if known is not None:
            return known
        endpoint = self._endpoint if self._client is None else self._client.endpoint
        is_local = isinstance(endpoint, Endpoint) and endpoint.is_local
        return LOCAL_CONTEXT_TOKENS if is_local else CONTEXT_TOKENS

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer; see `gemini.agents.Model.stream`."""
        # The user may be asked for a ticket.
        yield Held(over=False)
        client = await self._connect()
        yield Held(over=True)
        base_url = client.endpoint.base_url
        form = self._forms.find(base_url, self.name)
        ticket_renewed = False
        request = replace(request, sampling=request.sampling.over(self._sampling))
        if not self._forms.takes_pictures(base_url, self.name):
            request, self.takes_pictures = without_pictures(request), False
        while True:
            has_started = False
            try:
                async with aclosing(self._in_form(client, request, form)) as events:
                    async for event in events:
                        has_started = True
                        yield event
                return
            except TicketRefused as problem:
                ticket = client.endpoint.ticket
                if has_started or ticket_renewed or ticket is None:
                    raise
                # The ticket is used up: ask the user for another one.
                ticket_renewed = True
                current_tickets().discard(ticket, problem)
                yield Held(over=False)
                client = await self._connect()
                yield Held(over=True)
            except ModelRefused as problem:
                if not has_started and refuses_pictures(problem) and has_pictures(request):
                    self._forms.leave_out_pictures(base_url, self.name)
                    request, self.takes_pictures = without_pictures(request), False
                    continue
                if has_started or not (request.tools and refuses_tools(problem)):
                    raise
                next_form = self._forms.step_down(base_url, self.name, form)
                if next_form is None:
                    raise
                form = next_form

    def _in_form(self, client: "Client", request: Request, form: Form) -> AsyncGenerator[ModelEvent]:
        if form == "prompted" and request.tools:
            return Prompted(cast(Model, client)).stream(request)
        return client.stream(replace(request, must_call=request.must_call and form == "forced"))

    async def _connect(self) -> "Client":
        if self._ask_window is not None:
            ask, self._ask_window = self._ask_window, None
            self._context_tokens = self._context_tokens or await ask()
        endpoint = self._endpoint if isinstance(self._endpoint, Endpoint) else await self._endpoint()
        await load_packages(endpoint.api)
        from gemini.models.providers.wire.client import Client

        if self._client is None or self._client.endpoint != endpoint:
            self._client = Client(endpoint, self.name)
        return self._client


def refuses_tools(problem: ModelRefused) -> bool:
    """Return whether an endpoint refused a request because of its tools."""
    return _status(problem) in REFUSING and TOOLS_REFUSED.search(problem.message) is not None


def refuses_pictures(problem: ModelRefused) -> bool:
    """Return whether an endpoint refused a request because of its pictures."""
    return _status(problem) in REFUSING and PICTURES_REFUSED.search(problem.message) is not None


def _status(problem: ModelRefused) -> int | None:
    facts: Any = problem.data
    return cast("dict[str, Any]", facts).get("status") if isinstance(facts, dict) else None


def has_pictures(request: Request) -> bool:
    """Return whether any message has pictures."""
    return any(isinstance(each, UserMessage | ToolMessage) and each.images for each in request.messages)


def without_pictures(request: Request) -> Request:
    """Return a request with a line in place of pictures."""
    return replace(request, messages=[_without_pictures(message) for message in request.messages])


def _without_pictures(message: Message) -> Message:
    if not isinstance(message, UserMessage | ToolMessage) or not message.images:
        return message
    return message.model_copy(update={"images": (), "text": f"{message.text}\n{NOT_SEEN}".strip()})
