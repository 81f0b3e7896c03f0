"""A provider on loopback, and runs that use it."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.models import Endpoint, Forms, RemoteModel
from gemini.tools import Registry, declare
from gemini.tools.content import Content, Image
from tests.providers import Provider, running_provider

Make = Callable[..., RemoteModel]


class World:
    """A tool that reads, and one that records the data it sends."""

    def __init__(self) -> None:
        self.page = "a page"
        self.sent: list[str] = []

    @declare(effect="read", untrusted=True, group="net")
    def read_page(self, url: str) -> str:
        """Read a page."""
        return self.page

    @declare(effect="read", group="net")
    def look(self, at: str) -> Content:
        """Return a picture."""
        return Content(f"This is {at}:", Image(at.encode()))

    @declare(effect="read", group="net")
    def photograph(self) -> dict[str, str]:
        """Return a picture as a saved screenshot has it."""
        return {"path": "/project/photo.jpeg", "format": "jpeg", "data": base64.b64encode(b"photo").decode()}

    @declare(effect="write", group="net")
    def send(self, text: str) -> str:
        """Send something out."""
        self.sent.append(text)
        return f"sent {len(self.sent)}"


@pytest.fixture(scope="session")
def served() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(served: Provider) -> Provider:
    served.reset()
    return served


@pytest.fixture(params=["openai", "anthropic"])
def api(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def model(provider: Provider, api: str) -> RemoteModel:
    endpoint = Endpoint(
        "openai" if api == "openai" else "anthropic", provider.base_url(api), "a key for tests"
    )
    return RemoteModel(endpoint, "small", forms=Forms())


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def runs(world: World, tmp_path: Path) -> Runs:
    registry = Registry()
    registry.results_folder = tmp_path / "results"
    registry.add_room(world)
    runs = Runs(registry)
    runs.clock = ManualClock()
    return runs
