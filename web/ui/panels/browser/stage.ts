/**
 * The layer with the frames of tabs, placed over the panel's view by CSS anchor positioning. It isn't inside the panel,
 * because a frame that is moved in the document reloads. Pages get at least the width of a small screen and are scaled
 * down in a narrower panel, so that the layout that agents see doesn't depend on how a person arranges panels. While
 * the panel is hidden, pages keep their size out of sight, because agents see nothing of a page without layout.
 */

import { expect } from "../../lib/elements.ts";
import type { Workbench } from "../../workbench/workbench.ts";

const LEAST_WIDTH = 1024;
const LEAST_HEIGHT = 400;
/** Above docked panels. */
const DOCKED = "1";

/**
 * Keep the stage's size fitted to the visible view.
 *
 * @param stage - in its own layer
 */
export function fitStage(view: HTMLElement, stage: HTMLElement, workbench: Workbench) {
  const layer = expect(stage.parentElement, HTMLElement);
  const raise = () => {
    layer.style.zIndex = workbench.dock.floats("browser") ? workbench.dock.levelOf("browser") : DOCKED;
  };
  const fit = () => {
    const { clientWidth, clientHeight } = view;
    layer.dataset.shown = String(clientWidth > 0 && clientHeight > 0);
    const size = clientWidth > 0 && clientHeight > 0 ? { width: clientWidth, height: clientHeight } : lastSize(layer);
    layer.style.width = `${size.width}px`;
    layer.style.height = `${size.height}px`;
    const scale = Math.min(1, size.width / LEAST_WIDTH);
    stage.style.width = `${size.width / scale}px`;
    stage.style.height = `${Math.max(LEAST_HEIGHT, size.height / scale)}px`;
    stage.style.setProperty("--scale", String(scale));
    stage.style.transform = scale === 1 ? "" : `scale(${scale})`;
  };
  // Sizes are read when the layout is done. To read them at each change of the dock would force it, with each new terminal.
  new ResizeObserver(fit).observe(view);
  workbench.onChange(raise);
  letDragsPass(layer, workbench.dock.root);
  fit();
  raise();
}

/** Return the size at which pages were last visible, or that of a small screen. */
function lastSize({ style }: HTMLElement) {
  return { width: Number.parseInt(style.width, 10) || LEAST_WIDTH, height: Number.parseInt(style.height, 10) || 640 };
}

/** Let drags of panels and edges pass over frames, which would take the pointer's moves. */
function letDragsPass(layer: HTMLElement, root: HTMLElement) {
  const set = (dragging: boolean) => layer.toggleAttribute("data-dragging", dragging);
  root.addEventListener("pointerdown", () => set(true), { capture: true });
  for (const type of ["pointerup", "pointercancel", "dragend", "drop"])
    addEventListener(type, () => set(false), { capture: true });
}
