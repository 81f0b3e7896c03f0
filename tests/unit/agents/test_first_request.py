"""The size of an agent's first request, which the dialog that connects a model names."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini.agents.loop.compaction import characters_of
from gemini.agents.loop.small_window import SMALL_TOKENS
from gemini.agents.runs.runs import Runs
from gemini.agents.runs.spec import Strategy
from gemini.kernel.kernel import Kernel
from gemini.models.interface.scripted import ScriptedModel, call
from gemini.tools import Registry
from gemini_companion.models import trying


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    """Return the runs of a whole surface, with all of its tools."""
    (tmp_path / "project").mkdir()
    return Kernel(Registry(), str(tmp_path / "project"), tmp_path / "saved").runs


@pytest.mark.parametrize("context", [1_024, 2_048, 4_096, 32_000])
async def test_the_dialog_names_the_size_of_the_first_request(runs: Runs, context: int) -> None:
    model = ScriptedModel([call("done", result="Over")], context_tokens=context)
    await runs.start("Write a program that counts the words of notes.txt, and run it", model=model)
    [request] = model.requests
    chars = characters_of(request.messages, request.tools)
    # Tools are JSON, of which a token has fewer characters than of prose; templates add words.
    assert 2.2 < chars / trying.first_request(context) < 3.2


@pytest.mark.parametrize("strategy", ["react", "code"])
@pytest.mark.parametrize("context", [1_024, 2_048, 7_000])
async def test_an_agent_has_the_two_tools_of_code_mode_in_a_small_context(
    runs: Runs, context: int, strategy: Strategy
) -> None:
    model = ScriptedModel([call("done", result="Over")], context_tokens=context)
    await runs.start("Count the words of notes.txt", model=model, strategy=strategy)
    [request] = model.requests
    assert [row.name for row in request.tools] == ["run", "find", "done", "fail", "ask"]
    assert characters_of(request.messages, request.tools) < 2_000
    assert "```python" in request.messages[0].text


def test_the_companion_knows_the_limits_of_a_small_context() -> None:
    assert trying.SMALL_CONTEXT == SMALL_TOKENS
