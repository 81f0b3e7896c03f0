/**
 * Moving between the panels: F6 and Shift+F6 by keyboard (also out of a terminal, which takes Tab for
 * itself), and the switch that shows one panel at a time on narrow screens.
 */

import { byId } from "./elements.js";

const FOCUSABLE = "a[href], button:not(:disabled), input, textarea, summary, [tabindex='0']";

/** @returns {(id: string) => void} opens a panel, and puts the focus into it */
export function connectRegions() {
  const main = byId("workbench", HTMLElement);
  const panels = [...main.querySelectorAll("section.panel")].filter((panel) => panel instanceof HTMLElement);
  const switches = ["panel-switch", "side-switch"].map((id) => [...byId(id, HTMLElement).querySelectorAll("button")]);
  const buttons = switches.flat();
  const show = (/** @type {string} */ id) => {
    main.dataset.panel = id;
    for (const group of switches.filter((each) => each.some(({ value }) => value === id))) mark(group, id);
    if (switches[1]?.some(({ value }) => value === id)) main.dataset.side = id;
  };
  for (const button of buttons) button.addEventListener("click", () => show(button.value));
  const move = (/** @type {number} */ step) => {
    // Where one panel is shown at a time, those that aren't shown can be; else they are closed.
    const reached = panels.filter((panel) => visible(panel) || visible(byId("panel-switch", HTMLElement)));
    const current = reached.findIndex((panel) => panel.contains(document.activeElement));
    const start = current < 0 && step < 0 ? 0 : current;
    const panel = reached.at((start + step + reached.length) % reached.length);
    if (!panel) return;
    show(panel.id);
    focusInside(panel);
  };
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    move(event.shiftKey ? -1 : 1);
  }, { capture: true });
  return (id) => {
    show(id);
    focusInside(byId(id, HTMLElement));
  };
}

/** @param {HTMLButtonElement[]} buttons @param {string} id */
function mark(buttons, id) {
  for (const button of buttons) {
    if (button.value === id) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

/** @param {HTMLElement} panel */
function focusInside(panel) {
  const preferred = [...panel.querySelectorAll("[data-focus-first]")].filter(visible);
  const target = [...preferred, ...panel.querySelectorAll(FOCUSABLE)].find(visible) ?? panel;
  if (target instanceof HTMLElement) target.focus();
}

/** @param {Element} element */
function visible(element) {
  return element.checkVisibility();
}
