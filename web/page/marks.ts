// Boxes with the refs of elements, drawn over the page while a screenshot is taken.

import * as dom from "./dom.ts";
import { PANEL } from "./panels.ts";
import type { Snapshots } from "./snapshot/snapshots.ts";

const COLORS = ["#c2185b", "#1565c0", "#2e7d32", "#6a1b9a", "#bf360c"];
const MOST = 300;

/**
 * Draw a box with its ref around each element in view that can be acted on.
 * @returns removes them
 */
export function drawMarks(snapshots: Snapshots): () => void {
  const layer = dom.createElement(document, "div");
  layer.setAttribute(PANEL, "");
  layer.style.cssText = "all: initial; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none;";
  const shown = snapshots
    .candidates()
    .filter(({ in_view: inView, covered_by: cover }) => inView && !cover)
    .slice(0, MOST);
  for (const [index, { ref, x, y, width, height }] of shown.entries()) {
    const color = COLORS[index % COLORS.length];
    const box = dom.createElement(document, "div");
    box.style.cssText =
      `all: initial; position: fixed; left: ${x}px; top: ${y}px; width: ${width}px;` +
      `height: ${height}px; box-sizing: border-box; outline: 2px solid ${color};`;
    const label = dom.createElement(document, "div");
    label.textContent = ref;
    label.style.cssText =
      `all: initial; position: absolute; left: 0; top: ${y < 14 ? 0 : -14}px; padding: 0 3px;` +
      `font: bold 11px/14px monospace; color: white; background: ${color};`;
    box.append(label);
    layer.append(box);
  }
  dom.append(dom.documentElement(document), layer);
  return () => layer.remove();
}
