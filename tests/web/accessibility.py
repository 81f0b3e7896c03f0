"""What axe-core (https://github.com/dequelabs/axe-core) finds wrong with a part of the page."""

from __future__ import annotations

from pathlib import Path

from gemini_testing import Surface

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"

RUN = """
const [context] = arguments;
const { violations } = await axe.run(context, { resultTypes: ["violations"] });
return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
"""


def violations(surface: Surface, selector: str) -> list[str]:
    """The rules that something in the part breaks, each with the elements."""
    if surface.javascript("return typeof axe === 'undefined'"):
        surface.driver.execute_script(AXE.read_text(encoding="utf-8"))
    return surface.javascript(RUN, selector)
