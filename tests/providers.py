"""A fake provider of language models on loopback, in the wire formats of OpenAI and Anthropic.

    POST /v1/chat/completions   https://platform.openai.com/docs/api-reference/chat-streaming
    POST /v1/messages           https://docs.anthropic.com/en/api/messages-streaming
    POST /v1/embeddings         https://platform.openai.com/docs/api-reference/embeddings/create
    GET  /v1/models             of both

It streams each answer event by event and records requests.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Json = dict[str, Any]


@dataclass(frozen=True)
class Completion:
    """A streamed completion.

    Attributes:
        calls: The tool calls: name and JSON text of the arguments.
        cut_after: The number of events after which the connection breaks off.
        silent_after: The number of events after which the provider stops sending.
        broken_at: The index of an event that isn't JSON.
        fails_at: The index of an event that reports an overload.
        stop: OpenAI's finish_reason; derived from `calls` by default.
        signature: Must be sent back: of the thinking block for Anthropic, of the first call as Gemini's
            OpenAI-compatible API has it.
        refusal: The text of a refusal, as OpenAI streams it.
        deltas: What compatible servers send before the text of an answer, in OpenAI's format.
        progress: llama.cpp's progress of the prompt, before everything else.
        model: The name that the answer has, in OpenAI's format.
    """

    text: str = ""
    calls: Sequence[tuple[str, str]] = ()
    thought: str = ""
    cut_after: int | None = None
    silent_after: int | None = None
    broken_at: int | None = None
    fails_at: int | None = None
    stop: str | None = None
    signature: str = ""
    refusal: str = ""
    deltas: Sequence[Json] = ()
    progress: Sequence[Json] = ()
    model: str = "small"
    tokens: tuple[int, int] = (100, 20)


@dataclass(frozen=True)
class HttpError:
    """An HTTP error."""

    status: int
    message: str = "no"
    type: str = "error"
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Other:
    """An answer that is no provider's, as of a wrong address."""

    body: str
    media_type: str
    status: int = 200


@dataclass(frozen=True)
class Raw:
    """A stream of events as bytes, after which the connection breaks off."""

    pieces: Sequence[bytes]


Reply = Completion | HttpError | Other | Raw
Script = Callable[[Json], Reply]


def call(name: str, /, **arguments: Any) -> Completion:
    return Completion(calls=[(name, json.dumps(arguments))])


class Provider:
    """The provider: its recorded requests and its replies, listed in order or computed by `script`."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.script: Script | None = None
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.embedded: list[str] = []
        """The texts that embeddings were asked for."""
        self.listings: list[str] = []
        """The requests for the list of models: the address and the headers."""
        self.lists = threading.Event()
        """Cleared while a test holds back the list of models."""
        self.lists.set()
        self.url = ""
        self.silent = threading.Event()
        """Set when an answer stops halfway."""
        self.left = threading.Event()
        """Set when a client leaves before the end of an answer."""

    def reset(self) -> None:
        """Reset, for another test."""
        self.embedded, self.listings = [], []
        self.replies, self.requests, self.headers, self.script = [], [], [], None
        self.left.clear()
        self.silent.clear()
        self.lists.set()

    def base_url(self, api: str) -> str:
        return f"{self.url}/v1" if api == "openai" else self.url

    def configure(self, folder: Path) -> None:
        """Write a folder of configurations in which companions know the provider as `wire`."""
        file = folder / "control-surface" / "providers.toml"
        file.parent.mkdir()
        file.write_text(f'[providers.wire]\nbase_url = "{self.base_url("openai")}"\nkey = "none"\n', "utf-8")

    async def answer(self, request: Request) -> Response:
        body: Json = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        reply = self.script(body) if self.script else self.replies.pop(0)
        is_openai = request.url.path.endswith("completions")
        if isinstance(reply, HttpError):
            error = {"type": reply.type, "message": reply.message}
            failure = {"error": error} if is_openai else {"type": "error", "error": error}
            return JSONResponse(failure, reply.status, headers=reply.headers)
        if isinstance(reply, Other):
            return Response(reply.body, reply.status, media_type=reply.media_type)
        if isinstance(reply, Raw):
            return StreamingResponse(_broken_off(reply), media_type="text/event-stream")
        events = list(openai_events(reply) if is_openai else anthropic_events(reply))
        return StreamingResponse(self._sent(reply, events), media_type="text/event-stream")

    async def _sent(self, reply: Completion, events: list[str]) -> AsyncIterator[str]:
        is_complete = False
        try:
            for number, event in enumerate(events):
                if number == reply.cut_after:
                    raise ConnectionAbortedError("as the test requested")
                if number == reply.silent_after:
                    self.silent.set()
                    await asyncio.sleep(3600)
                if number == reply.fails_at:
                    yield OVERLOADED
                    return
                yield "data: {broken\n\n" if number == reply.broken_at else event
                # So that each event is sent separately.
                await asyncio.sleep(0.002)
            is_complete = True
        finally:
            if not is_complete:
                self.left.set()

    async def embeddings(self, request: Request) -> Response:
        """Answer with vectors by topic; an error in `replies` comes first."""
        body: Json = await request.json()
        self.headers.append(dict(request.headers))
        if self.replies and isinstance(self.replies[0], HttpError):
            reply = self.replies.pop(0)
            assert isinstance(reply, HttpError)
            error = {"error": {"type": reply.type, "message": reply.message}}
            return JSONResponse(error, reply.status, headers=reply.headers)
        self.embedded += body["input"]
        rows = [
            {"object": "embedding", "index": index, "embedding": by_topic(text)}
            for index, text in enumerate(body["input"])
        ]
        used = sum(len(text) for text in body["input"]) // 4
        usage = {"prompt_tokens": used, "total_tokens": used}
        # Clients go by the index.
        return JSONResponse({"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage})

    async def models(self, request: Request) -> Response:
        self.listings.append(f"{request.url} {dict(request.headers)}")
        await asyncio.to_thread(self.lists.wait, 60)
        return JSONResponse({"data": [{"id": "small"}, {"id": "large"}]})


async def _broken_off(reply: Raw) -> AsyncIterator[bytes]:
    for piece in reply.pieces:
        yield piece
        # So that each piece is sent separately.
        await asyncio.sleep(0.002)
    raise ConnectionAbortedError("as the test requested")


TOPICS = (("tea", "drink", "beverage"), ("port", "socket", "listen"), ("invoice", "bill", "paid"))


def by_topic(text: str) -> list[float]:
    """Return a vector with a number for each topic, so that passages on one topic are alike without a common word."""
    text = text.lower()
    return [0.01, *(float(sum(text.count(word) for word in words)) for words in TOPICS)]


# Has the fields of both APIs; clients ignore the other API's.
OVERLOADED = (
    "event: error\n"
    'data: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded", "code": "overloaded"}}\n\n'
)
CHUNK: Json = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "small"}


def openai_events(reply: Completion) -> Iterator[str]:
    def chunk(delta: Json, stop: str | None = None, **more: Any) -> str:
        choices = [{"index": 0, "delta": delta, "finish_reason": stop}]
        return _data(
            {
                "id": "c1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": reply.model,
                "choices": choices,
                **more,
            }
        )

    for each in reply.progress:
        yield chunk({"role": "assistant", "content": None}, prompt_progress=each)
    yield chunk({"role": "assistant", "content": ""})
    for piece in _pieces(reply.thought):
        yield chunk({"reasoning_content": piece})
    for delta in reply.deltas:
        yield chunk(delta)
    for piece in _pieces(reply.text):
        yield chunk({"content": piece})
    for piece in _pieces(reply.refusal):
        yield chunk({"refusal": piece})
    for index, (name, arguments) in enumerate(reply.calls):
        call: Json = {
            "index": index,
            "id": "call_1",
            "type": "function",
            "function": {"name": name, "arguments": ""},
        }
        if reply.signature and index == 0:
            call["extra_content"] = {"google": {"thought_signature": reply.signature}}
        yield chunk({"tool_calls": [call]})
        for piece in _pieces(arguments):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, reply.stop or ("tool_calls" if reply.calls else "stop"))
    prompt, completion = reply.tokens
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    yield _data(
        {
            "id": "c1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "small",
            "choices": [],
            "usage": usage,
        }
    )
    yield "data: [DONE]\n\n"


STOPS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}


def anthropic_events(reply: Completion) -> Iterator[str]:
    def event(type_: str, **more: Any) -> str:
        return f"event: {type_}\n" + _data({"type": type_, **more})

    prompt, completion = reply.tokens
    message: Json = {"id": "m1", "type": "message", "role": "assistant", "model": "small", "content": []}
    message |= {
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": prompt, "output_tokens": 1},
    }
    yield event("message_start", message=message)
    blocks: list[tuple[Json, list[Json]]] = []
    if reply.thought:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(reply.thought)]
        deltas += [{"type": "signature_delta", "signature": reply.signature}] if reply.signature else []
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, deltas))
    if reply.text:
        blocks.append(
            (
                {"type": "text", "text": ""},
                [{"type": "text_delta", "text": each} for each in _pieces(reply.text)],
            )
        )
    for name, arguments in reply.calls:
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(arguments)]
        blocks.append(({"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}, deltas))
    for index, (block, deltas) in enumerate(blocks):
        yield event("content_block_start", index=index, content_block=block)
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    stop = reply.stop or ("tool_calls" if reply.calls else "stop")
    yield event(
        "message_delta",
        delta={"stop_reason": STOPS[stop], "stop_sequence": None},
        usage={"output_tokens": completion},
    )
    yield event("message_stop")


def _pieces(text: str) -> list[str]:
    """Return the text in pieces of arbitrary size, as providers send it."""
    return [text[at : at + 7] for at in range(0, len(text), 7)]


def _data(value: Json) -> str:
    return f"data: {json.dumps(value)}\n\n"


@contextmanager
def running_provider() -> Generator[Provider]:
    """Run a provider on a free port."""
    provider = Provider()
    app = Starlette(
        routes=[
            Route("/v1/chat/completions", provider.answer, methods=["POST"]),
            Route("/v1/messages", provider.answer, methods=["POST"]),
            Route("/v1/embeddings", provider.embeddings, methods=["POST"]),
            Route("/v1/models", provider.models),
        ],
        middleware=[
            Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])
        ],
    )
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        provider.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread = threading.Thread(target=lambda: server.run([listening]), daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            server.should_exit = True
            thread.join()
