/**
 * Moving and resizing panels by keyboard while a panel's tab or a button next to it has the focus: Alt+arrow moves the
 * panel, Alt+Shift+arrow resizes it.
 */

import type { Dock } from "./dock.ts";
import { focusIn } from "../lib/elements.ts";

const STEP = 24;

const ARROWS: Record<string, { direction: "left" | "right" | "above" | "below"; wider: number; higher: number }> = {
  ArrowLeft: { direction: "left", wider: -STEP, higher: 0 },
  ArrowRight: { direction: "right", wider: STEP, higher: 0 },
  ArrowUp: { direction: "above", wider: 0, higher: -STEP },
  ArrowDown: { direction: "below", wider: 0, higher: STEP },
};

export function moveByKeys(root: HTMLElement, dock: Dock) {
  root.addEventListener(
    "keydown",
    (event) => {
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
    },
    { capture: true },
  );
}

/** Focus a panel's tab, which moving has replaced with another element. */
function focusTab(root: HTMLElement, id: string) {
  focusIn(root, `[data-tab-panel-id="${CSS.escape(id)}"]`);
}
