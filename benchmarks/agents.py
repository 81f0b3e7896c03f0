"""Measures the overhead of an agent's step without its model: snapshots, actions, screenshots and storage.

A scripted model with a simulated thinking time works in a tab with an ordinary page. A step's time is the one that
the run reports, minus the model's. The baseline is a trivial tool call by a script of the page, in the same run.
"""

import statistics
from pathlib import Path
from typing import Any

from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from gemini_testing.browser import launch
from gemini_testing.surface import Surface

DIST = Path(__file__).parents[1] / "dist"
MAX_STEP_MS = 150
ROUNDS = 3
STEPS = 30
# Longer than a screenshot takes, as with a real model.
THINKING_S = 0.4
# A shop: a form, a list of 40 articles with buttons and links, and a counter that each button increments.
PAGE = """<!doctype html><title>Shop</title><style>li {{ padding: .4rem }} img {{ width: 4rem; height: 3rem }}</style>
<h1>Shop</h1><p role=status id=count>0 in the cart</p>
<form><label>Name <input name=name></label> <label>Search <input name=search></label>
<button type=button>Find</button></form>
<ul>{articles}</ul><script>let count = 0; addEventListener("click", ({{ target }}) => {{
  if (target.matches("li button")) document.querySelector("#count").textContent = `${{++count}} in the cart`;
}});</script>"""
ARTICLE = (
    '<li><a href="#{n}">Article {n}</a> <b>{price} Euro</b> <button type=button>Buy article {n}</button></li>'
)
RUN = """
import asyncio, time
from gemini.agents import ScriptedModel, Step, call

KINDS = [
    lambda n: call("browser_click", selector=f"li:nth-child({n}) button"),
    lambda n: call("browser_type", selector="[name=search]", text=f"article {n}"),
    lambda n: call("browser_get_text"),
]

class Thinking(ScriptedModel):
    # Calls STEPS tools, through the tools that its strategy provides.

    def __init__(self):
        super().__init__([self.next] * 200)
        self.count, self.spent = 0, 0.0

    def next(self, request):
        names = {row.name for row in request.tools}
        if "verdict" in names:
            return call("verdict", done=True, missing="")
        if self.count == STEPS and "done" in names:
            return call("done", result="bought")
        if "plan" in names:
            rest = range(self.count, min(self.count + 5, STEPS))
            return call("plan", steps=[{"what": f"Step {n}", "tool": KINDS[n % 3](n + 1).calls[0][0]} for n in rest])
        self.count += 1
        return KINDS[(self.count - 1) % 3](self.count)

    async def stream(self, request):
        before = time.monotonic()
        await asyncio.sleep(THINKING)
        async for event in super().stream(request):
            yield event
        self.spent += time.monotonic() - before

model, model_seconds = Thinking(), [0.0]
run = gemini.agents.run("Buy", model=model, tools=["dom"], strategy=STRATEGY, max_steps=2 * STEPS)
run.on_event(lambda event: model_seconds.append(model.spent) if isinstance(event, Step) else None)
outcome = await run
failed = [call.result for step in run.steps for call in step.calls if call.failed]
assert outcome.status == "done" and not failed, [outcome, *failed[:1]]
[[step.calls[0].tool, (step.seconds - after + before) * 1000, step.calls[0].seconds * 1000]
 for step, before, after in zip(run.steps, model_seconds, model_seconds[1:])
 if step.calls and step.calls[0].tool != "done"]
"""
TRIVIAL = """
const before = performance.now();
for (let i = 0; i < 20; i += 1) await gemini.callTool("terminal_list");
return (performance.now() - before) / 20;
"""


def open_page(surface: Surface) -> None:
    """Write the shop's page and open it in a tab."""
    page = PAGE.format(articles="".join(ARTICLE.format(n=n, price=n * 3) for n in range(1, 41)))
    surface.call("file_write", path="/project/shop.html", content=page)
    surface.call("browser_tabs", action="open", url="/project/shop.html")


def measure(surface: Surface, strategy: str) -> list[list[Any]]:
    """Return `[tool, milliseconds of the step, milliseconds of the call]` for each step of several runs."""
    code = f"STEPS, THINKING, STRATEGY = {STEPS}, {THINKING_S}, {strategy!r}\n{RUN}"
    runs = [surface.python(code) for _ in range(ROUNDS + 1)]
    # The first run loads modules.
    return [row for run in runs[1:] for row in run]


def report(name: str, milliseconds: list[float], trivial_ms: float) -> None:
    """Print the median and the maximum, and the ratio to a trivial call."""
    middle, longest = statistics.median(milliseconds), max(milliseconds)
    times = f"{middle:.0f} ms (median of {len(milliseconds)}; the longest {longest:.0f})"
    print(f"{name}: {times}, {middle / trivial_ms:.0f} trivial calls")


def main() -> None:
    """Print the figures."""
    server = Server(0)
    companion = Companion(DIST, server)
    with running(server, companion.app(), **companion.other_apps()):
        surface = Surface(launch(), companion.entrance.address())
        try:
            surface.load()
            open_page(surface)
            measured = {strategy: measure(surface, strategy) for strategy in ("react", "plan")}
            trivial_ms: float = surface.javascript(TRIVIAL)
        finally:
            surface.driver.quit()
    for strategy, rows in measured.items():
        report(f"{strategy}: a step", [step for _, step, _ in rows], trivial_ms)
        report("  of which outside the tool call", [step - call for _, step, call in rows], trivial_ms)
        for tool in sorted({tool for tool, _, _ in rows}):
            report(f"  {tool}", [step for name, step, _ in rows if name == tool], trivial_ms)
    print(f"goal: {MAX_STEP_MS} ms at most, without the model")


if __name__ == "__main__":
    main()
