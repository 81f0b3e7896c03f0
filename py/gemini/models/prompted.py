"""To come."""

from collections.abc import AsyncGenerator

from gemini.agents.model import Model, ModelEvent, Request


class Prompted:
    def __init__(self, model: Model) -> None:
        self._model = model

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        raise NotImplementedError
