"""Real servers in code mode: a kernel's code calls them through the companion, which asks the user."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gemini.code_mode import stubs
from gemini.code_mode.finding import MAX_CHARACTERS
from gemini.core.protocol import Params
from gemini.kernel.kernel import Kernel
from gemini.pages.mcp_servers import saving
from gemini.tools import Registry
from tests.unit.companion.mcp_servers.conftest import Bench

CLIENT = "mcp:claude “Claude”"
VALUE = "tok-aB3dE5gH7jK9mN1pQ3"


@pytest.fixture
def kernel(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    monkeypatch.setattr(stubs.write, "__defaults__", (tmp_path / "stubs",))
    monkeypatch.setattr(saving.result_of, "__defaults__", (tmp_path / "mcp",))
    kernel = Kernel(Registry(), home=str(tmp_path))
    kernel.registry.results_folder = tmp_path / "results"
    kernel.registry.groups.switch("mcp", True)

    async def request(method: str, params: Params) -> Any:
        return await bench.ask(method, **params)

    kernel.host.request = request
    return kernel


async def run(kernel: Kernel, code: str) -> list[dict[str, Any]]:
    row = json.loads(await kernel.registry.call_json("run", {"code": code}, caller=CLIENT))
    return row.get("content") or [{"type": "error", "text": row["error"]["message"]}]


async def asked(kernel: Kernel, bench: Bench, code: str, *decisions: str) -> tuple[list[Any], list[Any]]:
    """Run code; answer the questions in order. Return the blocks, and what was shown."""
    running = asyncio.create_task(run(kernel, code))
    shown = [await bench.person.decide(each) for each in decisions]
    return await running, shown


async def test_code_calls_a_server_that_the_user_allows(kernel: Kernel, bench: Bench, tmp_path: Path) -> None:
    await bench.add("calc", "honest_server.py")
    [block], shown = await asked(kernel, bench, "(await mcp.calc.add(2, b=3)).total", "always", "once")
    assert block["text"] == "5"
    assert [each["kind"] for each in shown] == ["mcp-server", "mcp-tool"]
    assert CLIENT in json.dumps(shown[1]["words"], ensure_ascii=False)
    await run(kernel, "1")
    stub = (tmp_path / "stubs/mcp.pyi").read_text()
    assert "def add(self, a: int, b: int = 1) -> Add:" in stub and "    total: int" in stub
    [block] = await run(kernel, "await mcp.calc()")
    assert "mcp.calc.add(a: int, b=1)" in block["text"]


async def test_pictures_failures_and_resources(kernel: Kernel, bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    blocks, _ = await asked(kernel, bench, "await mcp.calc.picture()", "once")
    assert [each["type"] for each in blocks][-1] == "image"
    [block], _ = await asked(kernel, bench, "await mcp.calc.fail()", "once")
    assert "ToolFailed" in block["text"] and "the shelf is empty" in block["text"]
    code = "open((await mcp.calc.read_resource('note://today'))[0].path).read()"
    [block], _ = await asked(kernel, bench, code, "once")
    assert block["text"] == "Buy milk."


async def test_code_never_sees_a_secret_of_a_server(kernel: Kernel, bench: Bench) -> None:
    await bench.secrets.save("github", [], ["mcp"], VALUE)
    await bench.add("calc", "honest_server.py", TOKEN="secret:github")
    code = "v = await mcp.calc.variable('TOKEN')\nprint(v[::-1], v)"
    [block], _ = await asked(kernel, bench, code, "always", "once")
    placeholder = bench.visits.of(bench.person.questions).placeholder("github")
    assert block["text"] == f"{placeholder[::-1]} {placeholder}"


async def test_a_refused_call_says_so(kernel: Kernel, bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    [block], _ = await asked(kernel, bench, "await mcp.calc.add(1)", "refuse")
    assert "Refused" in block["text"]


async def test_two_thousand_tools_and_odd_ones_are_functions(kernel: Kernel, bench: Bench) -> None:
    await bench.add("many", "hostile_server.py", "many")
    await bench.add("odd", "hostile_server.py", "names")
    for name in ("many", "odd"):
        await bench.start(name)
    [block], _ = await asked(kernel, bench, "await mcp.many.tool_1999()", "once")
    assert block["text"] == "seen"
    [block], _ = await asked(kernel, bench, "await mcp.odd.look_up_2()", "once")
    assert block["text"] == "seen"
    [block] = await run(kernel, "await mcp.many()")
    assert block["text"].startswith("2,001 rows of Function") and len(block["text"]) < 3_000
    [block] = await run(kernel, "await mcp.many.tool_2050()")
    assert "has no 'tool_2050'" in block["text"] and len(block["text"]) < 3_000
    row = json.loads(await kernel.registry.call_json("find", {"query": "look tool 1999"}, caller=CLIENT))
    assert len(row["content"][0]["text"]) <= MAX_CHARACTERS
