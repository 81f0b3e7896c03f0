"""The browser's built-in language model (https://webmachinelearning.github.io/prompt-api/), reached through the page.

`model {method, params}` of the wire to the page (gemini.pages.tabs.documents), answered by
web/ui/panels/models/builtin.ts:

    availability {} -> {availability}        available, downloadable, downloading, unavailable, missing
    open {messages} -> {id, context}         each message {role, content}; `context` in tokens, or null
    read {id} -> {text, done, used}          the next piece; `used` in tokens, when it is done
    close {id} -> null
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any

from gemini.core.protocol import Params
from gemini.models.interface.messages import AssistantMessage, Message, SystemMessage
from gemini.models.interface.model import ModelEvent, Request, Stopped, TextDelta
from gemini.models.interface.usage import Usage

Ask = Callable[[str, Params], Awaitable[Any]]
# Used until a session reports its context.
CONTEXT_TOKENS = 4_096


class BuiltinModel:
    """The browser's built-in model. It doesn't support tools; `Prompted` adds them.

    Args:
        ask: Sends a request to the page.
    """

    name = "built-in"

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.context_tokens = CONTEXT_TOKENS

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer; see `gemini.agents.Model.stream`.

        Raises:
            NoPage: No page is connected.
        """
        opened = await self._ask("open", {"messages": _join(request.messages)})
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


def _join(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return the conversation in the browser's format, with consecutive messages of one role joined."""
    joined: list[dict[str, str]] = []
    for message in messages:
        role = message.role if isinstance(message, SystemMessage | AssistantMessage) else "user"
        if joined and joined[-1]["role"] == role:
            joined[-1]["content"] += f"\n\n{message.text}"
        else:
            joined.append({"role": role, "content": message.text})
    return joined
