/**
 * Where the frames of tabs are: a layer over the panel's view, which isn't in the panel, since a frame that is moved in
 * the document loads anew. CSS holds it in place (anchor positioning). Pages get at least the width of a small screen;
 * where the panel is narrower, they are drawn smaller, so that what an agent sees doesn't depend on how a person
 * arranges the panels. Where the panel isn't shown they keep their size, out of sight: agents see nothing of what has
 * no layout.
 *
 * @import { Workbench } from "../workbench/workbench.js"
 */

const LEAST_WIDTH = 1024;
const LEAST_HEIGHT = 400;
/** Over what is docked. */
const DOCKED = "1";

/**
 * Keeps the stage fitted to what is seen of it.
 *
 * @param {HTMLElement} view
 * @param {HTMLElement} stage in a layer of its own
 * @param {Workbench} workbench
 */
export function fitStage(view, stage, workbench) {
  const layer = /** @type {HTMLElement} */ (stage.parentElement);
  const fit = () => {
    const { clientWidth, clientHeight } = view;
    layer.dataset.shown = String(clientWidth > 0 && clientHeight > 0);
    layer.style.zIndex = workbench.dock.floats("browser") ? workbench.dock.levelOf("browser") : DOCKED;
    const size = clientWidth > 0 && clientHeight > 0 ? { width: clientWidth, height: clientHeight } : lastSize(layer);
    layer.style.width = `${size.width}px`;
    layer.style.height = `${size.height}px`;
    const scale = Math.min(1, size.width / LEAST_WIDTH);
    stage.style.width = `${size.width / scale}px`;
    stage.style.height = `${Math.max(LEAST_HEIGHT, size.height / scale)}px`;
    stage.style.setProperty("--scale", String(scale));
    stage.style.transform = scale === 1 ? "" : `scale(${scale})`;
  };
  new ResizeObserver(fit).observe(view);
  workbench.onChange(fit);
  letDragsPass(layer, workbench.dock.root);
  fit();
}

/** The size that pages had when they were last seen; at first that of a small screen. @param {HTMLElement} layer */
function lastSize({ style }) {
  return { width: Number.parseInt(style.width, 10) || LEAST_WIDTH, height: Number.parseInt(style.height, 10) || 640 };
}

/** A frame would take the moves of a pointer that drags a panel or its edge. @param {HTMLElement} layer @param {HTMLElement} root */
function letDragsPass(layer, root) {
  const set = (/** @type {boolean} */ dragging) => layer.toggleAttribute("data-dragging", dragging);
  root.addEventListener("pointerdown", () => set(true), { capture: true });
  for (const type of ["pointerup", "pointercancel", "dragend", "drop"]) addEventListener(type, () => set(false), { capture: true });
}
