"""A model at an HTTP endpoint."""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gemini.errors import (
    ContextExceeded,
    ModelDisconnected,
    ModelProblem,
    ModelRefused,
    ModelUnavailable,
    TicketRefused,
)
from gemini.models.interface.messages import Message, ToolMessage, UserMessage
from gemini.models.interface.model import CallDelta, Held, Model, ModelEvent, Request
from gemini.models.interface.sampling import USUAL, Sampling
from gemini.models.interface.tickets import current_tickets
from gemini.models.interface.window import hint_of
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.forms import BY_SCHEMA, IN_PROMPT, UNKNOWN, About, Form, Forms
from gemini.models.providers.packages import load_packages
from gemini.models.providers.prompted import Prompted
from gemini.models.providers.written import calls_from_text

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
# With a status that otherwise means that a request can be repeated, only these words show that it can't.
NEVER = re.compile(r"--jinja|support|requires?\b|not implemented|unknown|unrecognized", re.IGNORECASE)
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
        ask_about: Returns what the server says about the model; called before the first request, after
                a failure, since the server may have been started again in another way, and until its window is sure.

    Attributes:
        takes_pictures: False once the endpoint has refused pictures, which are left out from then on.
        about: What the server says about the model.
    """

    def __init__(
        self,
        endpoint: Endpoint | Callable[[], Awaitable[Endpoint]],
        name: str,
        *,
        context_tokens: int | None = None,
        forms: Forms = _forms,
        sampling: Sampling = USUAL,
        ask_about: Callable[[], Awaitable[About]] | None = None,
    ) -> None:
        self.name = name
        self._endpoint = endpoint
        self._context_tokens = context_tokens
        self._forms = forms
        self._sampling = sampling
        self._ask_about = ask_about
        self._has_asked = False
        self._form: Form = "forced"
        self.about = UNKNOWN
        self._client: Client | None = None
        self.takes_pictures = True

    @property
    def context_tokens(self) -> int:
        """The context size in tokens: given, reported by the server, known from the price tables, or assumed."""
        if (known_tokens := self._context_tokens or self.about.tokens) is not None:
            return known_tokens
        known = None if self._client is None else self._client.context_tokens
        if known is not None:
            return known
        endpoint = self._endpoint if self._client is None else self._client.endpoint
        is_local = isinstance(endpoint, Endpoint) and endpoint.is_local
        return LOCAL_CONTEXT_TOKENS if is_local else CONTEXT_TOKENS

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer; see `gemini.agents.Model.stream`."""
        try:
            async with aclosing(self._stream(request)) as events:
                async for event in events:
                    yield event
            # By now the model is loaded, and its server knows the window.
            self._has_asked = self._has_asked and self.about.sure
        except (ContextExceeded, ModelDisconnected, ModelUnavailable):
            # The server may be started again in another way, or may not have loaded its model yet.
            self._has_asked = False
            raise

    async def _stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        # The user may be asked for a ticket.
        yield Held(over=False)
        client = await self._connect()
        yield Held(over=True)
        base_url = client.endpoint.base_url
        form = self._forms.find(base_url, self.name, self.about)
        ticket_renewed = False
        request = replace(request, sampling=request.sampling.over(self._sampling))
        if not self._forms.takes_pictures(base_url, self.name, self.about):
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
            except (ModelRefused, ModelUnavailable) as problem:
                if not has_started and refuses_pictures(problem) and has_pictures(request):
                    self._forms.leave_out_pictures(base_url, self.name)
                    request, self.takes_pictures = without_pictures(request), False
                    continue
                if has_started or not (request.tools and refuses_tools(problem)):
                    raise
                next_form = self._forms.step_down(base_url, self.name, form, must_call=request.must_call)
                if next_form is None:
                    raise
                form = next_form

    def _in_form(self, client: "Client", request: Request, form: Form) -> AsyncGenerator[ModelEvent]:
        self._form = form
        by_schema = form in BY_SCHEMA and request.must_call and client.endpoint.api == "openai"
        if request.tools and (form in IN_PROMPT or by_schema):
            return Prompted(cast(Model, client), by_schema=by_schema).stream(request)
        is_forced = request.must_call and form == "forced"
        stream = calls_from_text(client.stream(replace(request, must_call=is_forced)), request.tools)
        return self._checked(stream, client) if is_forced and client.endpoint.api == "openai" else stream

    async def _checked(
        self, stream: AsyncGenerator[ModelEvent], client: "Client"
    ) -> AsyncGenerator[ModelEvent]:
        """Stream an answer that requires a call; without one, a schema requires it from then on."""
        has_called = False
        async with aclosing(stream) as events:
            async for event in events:
                has_called = has_called or isinstance(event, CallDelta)
                yield event
        if not has_called:
            self._forms.call_by_schema(client.endpoint.base_url, self.name)

    @property
    def forgets_tools(self) -> bool:
        """True if the model may forget its tools: people run its server themselves, or tools are in the prompt."""
        return self.about.server is not None or self._form in IN_PROMPT

    @property
    def window_hint(self) -> str:
        """Say how to get a larger context from the server."""
        return hint_of(self.about.server)

    async def prepare(self) -> None:
        """Ask the server about the model, unless it was asked before; see `gemini.models.interface.model.Prepares`."""
        if self._ask_about is not None and not self._has_asked:
            self._has_asked = True
            self.about = await self._ask_about()

    async def _connect(self) -> "Client":
        await self.prepare()
        endpoint = self._endpoint if isinstance(self._endpoint, Endpoint) else await self._endpoint()
        await load_packages(endpoint.api)
        from gemini.models.providers.wire.client import Client

        if self._client is None or self._client.endpoint != endpoint:
            self._client = Client(endpoint, self.name)
        self._client.asks_progress = self.about.server == "llama.cpp" and endpoint.api == "openai"
        return self._client


def refuses_tools(problem: ModelRefused | ModelUnavailable) -> bool:
    """Return whether an endpoint refused a request because of its tools."""
    return _refuses(problem, TOOLS_REFUSED)


def refuses_pictures(problem: ModelRefused | ModelUnavailable) -> bool:
    """Return whether an endpoint refused a request because of its pictures."""
    return _refuses(problem, PICTURES_REFUSED)


def _refuses(problem: ModelRefused | ModelUnavailable, what: re.Pattern[str]) -> bool:
    if _status(problem) not in REFUSING or what.search(problem.message) is None:
        return False
    # llama.cpp answers 500 to tools without --jinja. A 500 may also be about one answer that went wrong.
    return isinstance(problem, ModelRefused) or NEVER.search(problem.message) is not None


def _status(problem: ModelProblem) -> int | None:
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
