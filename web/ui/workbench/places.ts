/**
 * The default positions of panels. Each panel has an area, and areas have positions relative to each other. They apply
 * when a panel opens for the first time; after that it stays where the user put it.
 */

import type { Dock } from "./dock.ts";
import type { Area } from "./panel_kind.ts";
import type { Place, Side } from "./positions.ts";

/** The areas that a new area is created next to, and the side, in order of preference. */
const BESIDE: Record<Area, [Area, Side][]> = {
  side: [],
  agent: [],
  document: [
    ["below", "above"],
    ["own", "above"],
    ["side", "right"],
    ["agent", "left"],
  ],
  below: [
    ["document", "below"],
    ["own", "left"],
    ["side", "right"],
    ["agent", "left"],
  ],
  own: [
    ["below", "right"],
    ["document", "below"],
    ["side", "right"],
    ["agent", "left"],
  ],
};

/** The size of an area across its side, in CSS pixels: the least, the share of the workbench, and the most. */
const LENGTHS: Partial<Record<Area, [number, number, number]>> = {
  side: [240, 0.17, 300],
  agent: [320, 0.24, 440],
  below: [170, 0.28, 340],
};

/** The least heights, in CSS pixels, at which the areas one above the other show content. */
const LEAST_HEIGHTS: Partial<Record<Area, number>> = { document: 200, below: 120, own: 120 };

/** The panels that are tabs of the agents' place, in order. They open together. */
export const OF_AGENTS = ["agent", "chat", "team", "activity"];

/** A narrower document has no room for its text: the side bar or the agents' place makes room. */
export const LEAST_DOCUMENT_PX = 480;

/** Open a panel at its default position. Other areas keep their lengths. */
export function openInPlace(dock: Dock, id: string, options: { behind?: boolean; index?: number } = {}) {
  const area = dock.contents.area(id);
  const place = placeOf(dock, id);
  dock.areas.keepingLengths(() => dock.open(id, place, { ...options, leastHeight: LEAST_HEIGHTS[area] }));
  if (place !== null && "side" in place && place.side !== "within") dock.size(id, defaultSize(dock, area));
}

function defaultSize(dock: Dock, area: Area) {
  const lengths = LENGTHS[area];
  if (!lengths) return {};
  const [least, share, most] = lengths;
  const { clientWidth, clientHeight } = dock.root;
  const of = (whole: number) => Math.round(Math.min(most, Math.max(least, share * whole)));
  return area === "below" ? { height: of(clientHeight) } : { width: of(clientWidth) };
}

export function placeOf(dock: Dock, id: string): Place {
  const area = dock.contents.area(id);
  const same = dock.frontOf(area, id);
  if (same !== undefined) return { beside: same, side: "within" };
  if (dock.ids.every((other) => other === id || dock.floats(other))) return null;
  if (area === "side") return { side: "left" };
  if (area === "agent") return { side: "right" };
  for (const [other, side] of BESIDE[area]) {
    const beside = dock.frontOf(other, id);
    if (beside !== undefined) return { beside, side };
  }
  return null;
}
