"""Accessibility checks with axe-core (https://github.com/dequelabs/axe-core)."""

from __future__ import annotations

from pathlib import Path

from gemini_testing import Surface
from tests.web.shadow import FOUND

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
EVERY_THEME = ("light", "dark", "contrast-light", "contrast-dark")
# The themes differ only in colors. Transitions to the colors of another theme must end before they are measured.
RUN = """
const [selector, themes] = arguments;
const [found] = FOUND(selector);
if (!found) throw new Error(`${selector} isn't there`);
const root = document.documentElement;
const before = root.dataset.theme;
const wrong = [];
for (const theme of themes) {
  root.dataset.theme = theme;
  await new Promise(requestAnimationFrame);
  await Promise.allSettled(document.getAnimations()
    .filter((each) => each instanceof CSSTransition).map(({ finished }) => finished));
  const enhanced = theme.startsWith("contrast");
  const rules = theme === themes[0] ? { rules: { "color-contrast-enhanced": { enabled: enhanced } } }
    : { runOnly: [enhanced ? "color-contrast-enhanced" : "color-contrast"] };
  const { violations } = await axe.run(found, { resultTypes: ["violations"], ...rules });
  for (const { id, help, nodes } of violations) {
    for (const { html, any, all, none } of nodes) {
      const messages = [...any, ...all, ...none].map(({ message }) => message).join("; ");
      wrong.push(`${theme}: ${id}: ${help}: ${html.slice(0, 200)} ${messages}`);
    }
  }
}
root.dataset.theme = before;
return wrong;
""".replace("FOUND", FOUND)


def violations(surface: Surface, selector: str, *, themes: tuple[str, ...] = EVERY_THEME) -> list[str]:
    """Return each violation in the element in each theme, as the theme, the rule and its place.

    With high contrast, text must have WCAG's level AAA.
    """
    if surface.javascript("return typeof axe === 'undefined'"):
        surface.driver.execute_script(AXE.read_text(encoding="utf-8"))
    return surface.javascript(RUN, selector, themes)
