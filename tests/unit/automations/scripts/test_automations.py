"""Automations: saved scripts that agents, users and Python run without a model, and runs saved as such."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

import gemini
from gemini import automations
from gemini.agents import ScriptedModel, call, calls, say
from gemini.computer.shell import embedded
from gemini.core.clock import ManualClock
from gemini.errors import (
    AlreadyExists,
    AutomationBroken,
    AutomationFailed,
    AutomationMissing,
    AutomationProblem,
    GeminiError,
    InvalidArguments,
    NotFound,
    NotStarted,
    PythonError,
    Refused,
    Unsupported,
    UsageProblem,
)
from gemini.kernel.kernel import Kernel
from gemini.models.interface.model import Request
from gemini.pages.tabs.documents import Documents
from gemini.tools import Registry
from tests.unit.pages.tabs.page import ORIGIN, Page

DOCS = Path(__file__).parents[4] / "docs/automations.md"
SHOP = f"{ORIGIN}/shop"
SNAPSHOT = """page "Shop"
[e1] searchbox [10,20 80x24] "Search"
[e2] button [10,60 80x24] "Add to cart"
[e3] button [10,90 80x24] "Add to cart"
"""
GREET = '''
from gemini.automations import step


async def greet(name: str, times: int = 2) -> object:
    """Greet a user in a file.

    Args:
        name: Whom to greet.
    """
    await step("file_write", path="greeting.txt", content=f"Hello {name}! " * times)
    return await step("file_read", path="greeting.txt")
'''


class Shop(Page):
    """A page with a search field and two equal buttons, whose refs change with each document."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.did: list[tuple[str, dict[str, Any]]] = []
        self.refs = {"searchbox": ["e1"], "button": ["e2", "e3"]}
        self.names = {"searchbox": "Search", "button": "Add to cart"}

    def _answer(self, method: str, given: dict[str, Any]) -> Any:
        if method == "snapshot":
            return {"url": SHOP, "title": "Shop", "text": SNAPSHOT, "elements": []}
        if method == "find":
            role = given["role"]
            name = self.names[role]
            rows = [{"ref": ref, "role": role, "text": name, "in_view": True} for ref in self.refs[role]]
            return {"matches": rows if given["text"] in name else [], "total": len(rows)}
        if method == "screenshot":
            return Unsupported("this page draws nothing")
        if method == "tools":
            return {"tools": []}
        if method == "text":
            rest = {"title": "Shop", "kind": "page", "total_chars": 13}
            return {"text": "2 in the cart", "truncated": False, **rest}
        self.did.append((method, given))
        return {"success": True, "url": SHOP, "changed": 1, "dialogs": [], "focus": None}


class World:
    def __init__(self, home: Path) -> None:
        self.home = home
        self.page = Shop()
        self.kernel = Kernel(Registry(), str(home / "project"), home / "saved")
        self.kernel.runs.clock = ManualClock()
        self.kernel.automations.wait_s = 0
        automations.provide(lambda: self.kernel.automations)

    def write(self, name: str, text: str) -> Path:
        path = self.home / f"project/.agents/automations/{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    async def agent(self, *turns: Any, task: str = "Order tea") -> Any:
        """Run an agent by a script, and return its run."""
        model = ScriptedModel([*turns, say("Done.")])
        run = self.kernel.runs.start(task, model=model, tools=["automations", "dom", "files", "terminals"])
        outcome = await run
        assert outcome.status == "done", outcome.reason
        return run


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    for folder in ("saved", "project", "home"):
        (tmp_path / folder).mkdir()
    monkeypatch.setitem(embedded.ENVIRONMENT, "HOME", str(tmp_path / "home"))
    world = World(tmp_path)
    await world.kernel.browser.attach(Documents(world.page.connection))
    yield world
    world.kernel.close()
    automations.provide(None)


async def test_automations_need_a_surface() -> None:
    with pytest.raises(NotStarted):
        gemini.automations.saved()
    with pytest.raises(UsageProblem, match="while an automation runs"):
        await gemini.automations.step("file_read", path="x")


def test_nothing_of_automations_loads_before_its_first_use() -> None:
    code = (
        "import sys, gemini.kernel.kernel\n"
        "print([name for name in sys.modules if name.startswith('gemini.automations.scripts.')])"
    )
    env = {**os.environ, "PYTHONPATH": str(DOCS.parents[1] / "py")}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    declared = {f"gemini.automations.scripts.{name}" for name in ("panel_tools", "setup", "tools")}
    assert set(ast.literal_eval(ran.stdout)) == declared


async def test_the_example_of_the_documentation_is_an_automation(world: World) -> None:
    [code] = re.findall(r"<!-- example: automations -->\n```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    world.write("order-tea", code)
    world.page.refs = {"textbox": ["e4"], "button": ["e5"]}
    world.page.names = {"textbox": "Tea", "button": "Add"}
    await gemini.automations.run("order-tea", {"address": SHOP, "packs": 2})
    assert [method for method, _ in world.page.did] == ["type", "click", "click"]


async def test_a_file_with_a_typed_function_runs_without_a_model(world: World) -> None:
    world.write("greet", GREET)
    [row] = gemini.automations.saved()
    assert row["name"] == "greet" and row["description"] == "Greet a user in a file."
    assert row["parameters"]["required"] == ["name"]
    assert row["parameters"]["properties"]["name"] == {"type": "string", "description": "Whom to greet."}
    done = await gemini.automations.run("greet", {"name": "Ann"})
    assert "Hello Ann! Hello Ann! " in str(done["result"])
    assert [step["tool"] for step in done["steps"]] == ["file_write", "file_read"]
    with pytest.raises(InvalidArguments):
        await gemini.automations.run("greet", {"times": "often"})
    with pytest.raises(AutomationMissing, match="no automation 'gret'"):
        await gemini.automations.run("gret")


async def test_an_agent_lists_and_runs_automations(world: World) -> None:
    world.write("greet", GREET)
    run = await world.agent(
        call("automation_list"), call("automation_run", name="greet", arguments={"name": "Ann"})
    )
    listed, ran = [json.loads(made.result) for step in run.steps for made in step.calls]
    assert listed[0]["name"] == "greet"
    assert "Hello Ann!" in str(ran["result"])
    # The tools are off for other callers at first.
    with pytest.raises(GeminiError, match="switched off"):
        await world.kernel.registry.call("automation_list", caller="webmcp")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("async def f(:", "it isn't Python"),
        ("x = 1", "it has no function"),
        ('async def f(a):\n    """Do it."""', "the parameter a has no type"),
        ('async def f(a: print("ran")):\n    """Do it."""', "isn't a known type"),
        ("async def f(a: list['print(1)']):\n    '''Do it.'''", "isn't a known type"),
        ('async def f(a: int = print("ran")):\n    """Do it."""', "isn't a literal"),
        ('async def f(*a: int):\n    """Do it."""', "only parameters with names"),
        ("async def f(a: int):\n    pass", "has no description"),
        ('def f():\n    """A."""\ndef g():\n    """B."""', "several functions"),
    ],
)
async def test_a_file_that_is_broken_says_why_and_is_not_run(
    world: World, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    world.write("bad", f"{text}\nprint('ran')\n")
    [row] = gemini.automations.saved()
    assert reason in str(row["problem"])
    with pytest.raises(AutomationBroken, match="line"):
        await gemini.automations.run("bad")
    assert capsys.readouterr().out == ""


async def test_an_error_of_the_file_itself_is_reported(world: World) -> None:
    world.write("bad", 'def bad() -> int:\n    """Divide."""\n    return 1 // 0\n')
    with pytest.raises(PythonError, match="ZeroDivisionError"):
        await gemini.automations.run("bad")


async def order(world: World) -> Any:
    return await world.agent(
        call("browser_navigate", url=SHOP),
        call("browser_snapshot"),
        calls(
            ("browser_type", {"ref": "e1", "text": "green tea", "submit": True}),
            ("browser_click", {"ref": "e3"}),
        ),
        call("browser_get_text"),
    )


async def test_a_run_is_saved_and_runs_again_with_elements_found_again(world: World) -> None:
    run = await order(world)
    path = gemini.automations.save(run.id, "order-tea")
    assert Path(path) == world.home / "project/.agents/automations/order-tea.py"
    text = Path(path).read_text()
    assert f'async def order_tea(url: str = "{SHOP}", search: str = "green tea") -> object:' in text
    assert '"""Order tea' in text and "        search: The text for “Search”." in text
    assert 'ref=element("button", "Add to cart", 2)' in text
    # The name of the run may have these letters, too.
    assert not re.search(r"\be1\b", text) and "browser_snapshot" not in text

    world.page.did.clear()
    world.page.refs = {"searchbox": ["e7"], "button": ["e8", "e9"]}
    done = await gemini.automations.run("order-tea", {"search": "mint"})
    assert done["result"]["text"] == "2 in the cart"
    assert [(method, given["ref"]) for method, given in world.page.did] == [("type", "e7"), ("click", "e9")]
    assert world.page.did[0][1]["text"] == "mint"
    with pytest.raises(AlreadyExists):
        gemini.automations.save(run.id, "order-tea")
    with pytest.raises(InvalidArguments):
        gemini.automations.save(run.id, "Order Tea")


async def test_a_run_without_calls_is_not_saved(world: World) -> None:
    run = await world.agent()
    with pytest.raises(AutomationProblem, match="no call"):
        gemini.automations.save(run.id, "nothing")


async def test_a_text_that_the_user_consented_to_is_not_written(world: World) -> None:
    answer = world.page.script
    world.page.script = lambda method, given: (
        {**answer(method, given), "consented": True} if method == "type" else answer(method, given)
    )
    run = await order(world)
    text = Path(gemini.automations.save(run.id, "sign-in")).read_text()
    assert "green tea" not in text and "search: SecretStr" in text
    with pytest.raises(InvalidArguments):
        await gemini.automations.run("sign-in")
    done = await gemini.automations.run("sign-in", {"search": "secret"})
    assert world.page.did[-2][1]["text"] == "secret"
    assert "secret" not in str(done["steps"])
    assert "secret" not in str(world.kernel.registry.log.rows())


def goes_on(seen: list[str]) -> Callable[[Request], Any]:
    """Return a turn that remembers the message from the automation."""

    def turn(request: Request) -> Any:
        seen.extend(message.text for message in request.messages if hasattr(message, "purpose"))
        return call("done", result="2 in the cart, by the model")

    return turn


async def test_a_model_goes_on_from_the_step_that_failed(world: World) -> None:
    run = await order(world)
    gemini.automations.save(run.id, "order-tea")
    world.page.names["button"] = "Buy"
    with pytest.raises(
        AutomationFailed, match=r"step 3, browser_click.*no button 'Add to cart' number 2"
    ) as failed:
        await gemini.automations.run("order-tea")
    assert [step["tool"] for step in failed.value.data["done"]] == ["browser_navigate", "browser_type"]

    seen: list[str] = []
    world.kernel.runs.model = ScriptedModel([goes_on(seen)])
    done = await gemini.automations.run("order-tea")
    assert done["result"] == "2 in the cart, by the model"
    task, message = (
        next(text for text in seen if text.startswith(start)) for start in ("The auto", "A message")
    )
    assert "Repeat nothing that is done" in task
    # The file isn't trusted.
    assert "<<untrusted" in message and "async def order_tea" in message
    assert "1. browser_navigate" in message and "The step that failed: 3. browser_click" in message
    # The model continues in the tab of the automation.
    [tab] = [
        tab for tab in world.kernel.browser.tabs.values() if tab.owner and tab.owner.run == done.get("run_id")
    ]
    assert tab.url == SHOP


async def test_no_model_goes_on_after_a_refusal(world: World) -> None:
    run = await order(world)
    gemini.automations.save(run.id, "order-tea")
    world.page.refuses = True
    world.kernel.runs.model = ScriptedModel([])
    with pytest.raises(AutomationFailed) as failed:
        await gemini.automations.run("order-tea")
    assert isinstance(failed.value.__cause__, Refused)


async def test_an_element_without_a_name_fails_instead_of_pressing_another(world: World) -> None:
    run = await world.agent(call("browser_navigate", url=SHOP), call("browser_click", ref="e9"))
    gemini.automations.save(run.id, "blind")
    with pytest.raises(AutomationFailed) as failed:
        await gemini.automations.run("blind")
    assert isinstance(failed.value.__cause__, NotFound)


async def test_terminals_that_a_run_made_are_made_again(world: World) -> None:
    made = await world.agent(
        call("terminal_create"),
        call("terminal_focus", terminal_id="term-1"),
    )
    terminal = json.loads(made.steps[0].calls[0].result)["terminal_id"]
    assert made.steps[1].calls[0].arguments == json.dumps({"terminal_id": terminal})
    text = Path(gemini.automations.save(made.id, "look")).read_text()
    assert 'made_1 = await step("terminal_create")' in text
    assert 'return await step("terminal_focus", terminal_id=made_1["terminal_id"])' in text
