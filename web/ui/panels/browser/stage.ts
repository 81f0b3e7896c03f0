/**
 * The layer with the frames of tabs, placed over the panel's view by CSS anchor positioning, or by this script in a
 * browser that misplaces it. It isn't inside the panel,
 * because a frame that is moved in the document reloads. A user's page has the width of the panel, or of the device
 * that the user has chosen. An agent's page has at least the width of a small screen, so that the layout that the
 * agent sees doesn't depend on how a user arranges panels. A wider page than the panel is scaled down. While the
 * panel is hidden, pages keep their size out of sight, because agents see nothing of a page without layout.
 */

import { expect } from "../../lib/elements.ts";
import type { Workbench } from "../../workbench/workbench.ts";
import type { Device } from "./devices.ts";

const AGENTS_WIDTH = 1024;
const AGENTS_HEIGHT = 400;
const NEAR_PX = 2;
/** Above docked panels. */
const DOCKED = "1";

export type Stage = ReturnType<typeof fitStage>;

/**
 * Keep the stage's size fitted to the visible view.
 *
 * @param stage - in its own layer
 */
export function fitStage(view: HTMLElement, stage: HTMLElement, workbench: Workbench) {
  const layer = expect(stage.parentElement, HTMLElement);
  let device: Device | null = null;
  let isAgents = false;
  const raise = () => {
    layer.style.zIndex = workbench.dock.floats("browser") ? workbench.dock.levelOf("browser") : DOCKED;
  };
  const fit = () => {
    const { clientWidth, clientHeight } = view;
    const isShown = clientWidth > 0 && clientHeight > 0;
    layer.dataset.shown = String(isShown);
    const size = isShown ? { width: clientWidth, height: clientHeight } : lastSize(layer);
    layer.style.width = `${size.width}px`;
    layer.style.height = `${size.height}px`;
    const agents = fitted(size, Math.max(size.width, AGENTS_WIDTH), AGENTS_HEIGHT);
    const persons = fitted(size, device?.width ?? size.width);
    for (const [name, { width, height }] of Object.entries({ agents, persons })) {
      stage.style.setProperty(`--${name}-width`, `${width}px`);
      stage.style.setProperty(`--${name}-height`, `${height}px`);
    }
    const { width, height, scale } = isAgents ? agents : persons;
    stage.style.width = `${width}px`;
    stage.style.height = `${height}px`;
    // A page that is narrower than the panel is in its middle.
    stage.style.left = `${Math.max(0, (size.width - width * scale) / 2)}px`;
    stage.style.setProperty("--scale", String(scale));
    stage.style.transform = scale === 1 ? "" : `scale(${scale})`;
    requestAnimationFrame(place);
  };
  const place = placer(view, layer);
  // Sizes are read when the layout is done. To read them at each change of the dock would force it, with each new terminal.
  new ResizeObserver(fit).observe(view);
  workbench.onChange(raise);
  letDragsPass(layer, workbench.dock.root);
  fit();
  raise();
  return {
    /**
     * @param chosen - null: the panel's width
     * @param ofAgent - whether the page in front is an agent's
     */
    show(chosen: Device | null, ofAgent: boolean) {
      if (device === chosen && isAgents === ofAgent) return;
      device = chosen;
      isAgents = ofAgent;
      fit();
    },
  };
}

/**
 * Return a function that checks the layer's place. WebKitGTK 2.50 says that it has `anchor()`, and puts the layer
 * thousands of pixels away; its frames then get no clicks. In such a browser the script follows the view instead.
 */
function placer(view: HTMLElement, layer: HTMLElement) {
  let follows = false;
  /** Return the place in the window where the layer should be: while the panel is hidden, in the corner. */
  const wanted = () => {
    const around = layer.offsetParent?.getBoundingClientRect() ?? { top: 0, left: 0 };
    return { around, ...placeOf(view.clientWidth === 0 ? around : view.getBoundingClientRect()) };
  };
  const isAway = () => {
    const [{ top, left }, actual] = [wanted(), layer.getBoundingClientRect()];
    return Math.abs(top - actual.top) > NEAR_PX || Math.abs(left - actual.left) > NEAR_PX;
  };
  const follow = () => {
    const { around, top, left } = wanted();
    layer.style.top = `${top - around.top}px`;
    layer.style.left = `${left - around.left}px`;
    // No event says that the view has moved without another size, as when a panel is dragged.
    requestAnimationFrame(follow);
  };
  return () => {
    if (follows || !isAway()) return;
    // Not in a moment of a change of the layout.
    requestAnimationFrame(() => {
      if (follows || !isAway()) return;
      follows = true;
      follow();
    });
  };
}

const placeOf = ({ top, left }: { top: number; left: number }) => ({ top, left });

type Size = { width: number; height: number };

/** Return the size of a page with this width in a panel, and the scale at which it is shown. */
function fitted(panel: Size, width: number, leastHeight = 0) {
  const scale = Math.min(1, panel.width / width);
  return { width, height: Math.max(leastHeight, panel.height / scale), scale };
}

/** Return the size at which pages were last visible, or the size of a small screen. */
function lastSize({ style }: HTMLElement): Size {
  return { width: Number.parseInt(style.width, 10) || AGENTS_WIDTH, height: Number.parseInt(style.height, 10) || 640 };
}

/** Let drags of panels and edges pass over frames, which would take the pointer's moves. */
function letDragsPass(layer: HTMLElement, root: HTMLElement) {
  const set = (dragging: boolean) => layer.toggleAttribute("data-dragging", dragging);
  root.addEventListener("pointerdown", () => set(true), { capture: true });
  for (const type of ["pointerup", "pointercancel", "dragend", "drop"])
    addEventListener(type, () => set(false), { capture: true });
}
