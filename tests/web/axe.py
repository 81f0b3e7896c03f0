"""Accessibility checks with axe-core (https://github.com/dequelabs/axe-core)."""

from __future__ import annotations

from pathlib import Path

from gemini_testing import Surface

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """
const found = await axe.run(arguments[0], { resultTypes: ["violations"] });
return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, any, all, none }) =>
  `${id}: ${help}: ${html.slice(0, 200)} ${[...any, ...all, ...none].map(({ message }) => message).join("; ")}`));
"""


def violations(surface: Surface, selector: str) -> list[str]:
    """Return each violation in the element, as its place and the rule."""
    if surface.javascript("return typeof axe === 'undefined'"):
        surface.driver.execute_script(AXE.read_text(encoding="utf-8"))
    return surface.javascript(RUN, selector)


def violations_in_both_themes(surface: Surface, selector: str) -> list[str]:
    """Return `violations` in the light and the dark theme."""
    found: list[str] = []
    for theme in ("light", "dark"):
        surface.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        found += [f"{theme}: {each}" for each in violations(surface, selector)]
    surface.driver.execute_script("document.documentElement.dataset.theme = 'system'")
    return found
