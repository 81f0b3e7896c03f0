"""A surface whose client works in code mode."""

import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gemini.code_mode import stubs
from gemini.kernel.kernel import Kernel
from gemini.tools import Registry

CLIENT = "mcp:claude “Claude”"
Run = Callable[..., Coroutine[Any, Any, str]]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    home = tmp_path / "project"
    home.mkdir()
    monkeypatch.setattr(stubs.write, "__defaults__", (tmp_path / "stubs",))
    registry = Registry()
    registry.results_folder = tmp_path / "results"
    return Kernel(registry, home=str(home))


@pytest.fixture
def run(kernel: Kernel) -> Run:
    """Runs code as a client; returns the text of the answer, or the error."""

    async def run(code: str, caller: str = CLIENT, **options: Any) -> str:
        row = await answer(kernel, "run", caller, code=code, **options)
        if "content" not in row:
            return str(row["error"])
        return "\n".join(str(block.get("text", block["type"])) for block in row["content"])

    return run


async def answer(kernel: Kernel, tool: str, caller: str = CLIENT, **arguments: Any) -> dict[str, Any]:
    """Return the answer of one of the two tools."""
    return json.loads(await kernel.registry.call_json(tool, arguments, caller=caller))
