"""What axe-core finds wrong with the accessibility of a part of the page."""

from __future__ import annotations

from pathlib import Path

from gemini_testing import Surface

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"


def violations(surface: Surface, selector: str) -> list[str]:
    """One line for each rule of axe-core (https://github.com/dequelabs/axe-core) that an element below breaks."""
    if not surface.javascript("return typeof globalThis.axe === 'object'"):
        surface.driver.execute_script(AXE.read_text(encoding="utf-8"))
    found = surface.javascript(
        "return (await axe.run(arguments[0], { resultTypes: ['violations'] })).violations", selector
    )
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]
    ]
