"""A registry for each test, and calls as clients outside of Python make them."""

import json
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

import gemini
from gemini.tools import Registry, declare
from gemini.tools.tool import Tool

Add = Callable[..., Tool]
Call = Callable[..., Coroutine[Any, Any, Any]]


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    registry = Registry()
    registry.results_folder = tmp_path / "results"
    return registry


@pytest.fixture
def add(registry: Registry) -> Add:
    """`add(function, **options)` declares a function and registers it."""
    return lambda function, **options: registry.add(declare(**options)(function))


@pytest.fixture
def call(registry: Registry) -> Call:
    """`await call(tool, arguments, **options)` returns the parsed JSON answer."""

    async def call(tool: str, arguments: Any = None, *, caller: str = "test", **options: Any) -> Any:
        return json.loads(await registry.call_json(tool, arguments, caller=caller, **options))

    return call


@pytest.fixture
def shared() -> Iterator[Registry]:
    """The registry that `@gemini.tool` adds to; tools added by a test are removed afterwards."""
    before = {tool.declaration.name for tool in gemini.registry}
    yield gemini.registry
    for tool in list(gemini.registry):
        if tool.declaration.name not in before:
            gemini.registry.remove(tool.declaration.name)
