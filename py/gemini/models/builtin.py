"""The browser's own language model (https://webmachinelearning.github.io/prompt-api/), by the page, which has it.

`model {method, params}` of the wire to the page (gemini.dom.documents), where web/ui/models/builtin.js answers:

    availability {} -> {availability}        available, downloadable, downloading, unavailable, missing
    open {messages} -> {id, context}         each message {role, content}; `context` in tokens, or null
    read {id} -> {text, done, used}          the next piece; `used` in tokens, when it is done
    close {id} -> null
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any

from gemini.agents.messages import AssistantMessage, Message, SystemMessage
from gemini.agents.model import ModelEvent, Request, Stopped, TextDelta
from gemini.agents.usage import Usage
from gemini.core.protocol import Params

Ask = Callable[[str, Params], Awaitable[Any]]
# Until a session tells better.
CONTEXT_TOKENS = 4_096


class BuiltinModel:
    """Asks the browser's own model, which has no tools: `Prompted` tells it of them.

    Args:
        ask: Asks the page.
    """

    name = "built-in"

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.context_tokens = CONTEXT_TOKENS

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """See `gemini.agents.Model.stream`.

        Raises:
            NoPage: no page is there to ask.
        """
        opened = await self._ask("open", {"messages": _said(request.messages)})
        self.context_tokens = int(opened["context"] or self.context_tokens)
        answer = {"id": opened["id"]}
        try:
            while True:
                piece = await self._ask("read", answer)
                if piece["text"]:
                    yield TextDelta(piece["text"])
                if piece["done"]:
                    break
        finally:
            await self._ask("close", answer)
        yield Usage(input=int(piece["used"] or 0), cost=0.0)
        yield Stopped("end")


def _said(messages: Sequence[Message]) -> list[dict[str, str]]:
    """The conversation in the browser's form: what one side says in a row is one message."""
    said: list[dict[str, str]] = []
    for message in messages:
        role = message.role if isinstance(message, SystemMessage | AssistantMessage) else "user"
        if said and said[-1]["role"] == role:
            said[-1]["content"] += f"\n\n{message.text}"
        else:
            said.append({"role": role, "content": message.text})
    return said
