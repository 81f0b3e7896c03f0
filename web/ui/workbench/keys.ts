/**
 * Moving and resizing panels by keyboard while a panel's tab or a button beside it has the focus: Alt+arrow moves the
 * panel, Alt+Shift+arrow resizes it.
 *
 * @import { Dock } from "./dock.js"
 */

const STEP = 24;

/** @type {Record<string, {direction: "left" | "right" | "above" | "below", wider: number, higher: number}>} */
const ARROWS = {
  ArrowLeft: { direction: "left", wider: -STEP, higher: 0 },
  ArrowRight: { direction: "right", wider: STEP, higher: 0 },
  ArrowUp: { direction: "above", wider: 0, higher: -STEP },
  ArrowDown: { direction: "below", wider: 0, higher: STEP },
};

/** @param {HTMLElement} root @param {Dock} dock */
export function moveByKeys(root, dock) {
  root.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    const strip = event.target instanceof Element && event.target.closest(".dv-tabs-and-actions-container");
    const tab = strip && strip.querySelector("[role=tab][aria-selected=true]");
    const id = tab instanceof HTMLElement ? tab.dataset.tabPanelId : undefined;
    if (!arrow || id === undefined || !event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) dock.resize(id, arrow.wider, arrow.higher);
    else dock.step(id, arrow.direction);
    focusTab(root, id);
  }, { capture: true });
}

/** Focus a panel's tab, which moving has replaced with another element. @param {HTMLElement} root @param {string} id */
function focusTab(root, id) {
  const tab = root.querySelector(`[data-tab-panel-id="${CSS.escape(id)}"]`);
  if (tab instanceof HTMLElement) tab.focus();
}
