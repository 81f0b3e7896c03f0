/**
 * The default positions of panels. Each panel has an area, and areas have positions relative to each other. They apply
 * when a panel opens for the first time; after that it stays where the person put it.
 */

import type { Side, Dock, Place } from "./dock.ts";
import type { Area } from "./panel_kind.ts";

/** The areas that a new area is created beside, and the side, in order of preference. */
const BESIDE: Record<Area, [Area, Side][]> = {
  left: [],
  right: [],
  top: [
    ["centre", "above"],
    ["bottom", "above"],
    ["left", "right"],
    ["right", "left"],
  ],
  centre: [
    ["bottom", "above"],
    ["top", "below"],
    ["left", "right"],
    ["right", "left"],
  ],
  own: [
    ["centre", "right"],
    ["bottom", "above"],
    ["top", "below"],
    ["left", "right"],
    ["right", "left"],
  ],
  bottom: [
    ["centre", "below"],
    ["top", "below"],
    ["left", "right"],
    ["right", "left"],
  ],
};

/** The size of an area across its side: the share of the workbench, and the minimum in CSS pixels. */
const LENGTHS: Record<Area, [number, number]> = {
  left: [0.2, 240],
  right: [0.24, 270],
  top: [0.36, 220],
  centre: [0, 0],
  own: [0, 0],
  bottom: [0.28, 170],
};

/** The least heights, in CSS pixels, at which the areas one above the other show content. */
const LEAST_HEIGHTS: Partial<Record<Area, number>> = { top: 170, centre: 150, own: 150, bottom: 150 };

/** Narrower windows have no room for three columns. */
const THREE_COLUMNS_PX = 1180;

/** The panels that are open at first, in opening order. */
export const FIRST = ["terminals", "files", "python", "activity", "tools", "settings"];

function areaOf(dock: Dock, id: string): Area {
  return dock.contents.area(id);
}

/** Return whether no panel of a group belongs to the columns at the sides. */
export function isCentral(areas: Area[]) {
  return !areas.includes("left") && !areas.includes("right");
}

/** Open a panel at its default position. Other panels keep their sizes. */
export function openInPlace(dock: Dock, id: string, options: { behind?: boolean } = {}) {
  const area = areaOf(dock, id);
  const place = placeOf(dock, id);
  const before = dock.ids.filter((other) => !dock.floats(other)).map((other) => ({ other, now: dock.sizeOf(other) }));
  dock.open(id, place, { ...options, leastHeight: LEAST_HEIGHTS[area] });
  for (const { other, now } of before)
    if (now.width > 0) dock.size(other, across(areaOf(dock, other), now.width, now.height));
  if (place !== null && "side" in place && place.side !== "within") dock.size(id, defaultSize(dock, area));
}

function defaultSize(dock: Dock, area: Area) {
  const [share, least] = LENGTHS[area];
  const { clientWidth, clientHeight } = dock.root;
  return across(
    area,
    Math.round(Math.max(least, share * clientWidth)),
    Math.round(Math.max(least, share * clientHeight)),
  );
}

/** Return the size across an area's side; the centre takes the rest. */
function across(area: Area, width: number, height: number) {
  if (area === "left" || area === "right") return { width };
  return area === "centre" || area === "own" ? {} : { height };
}

export function placeOf(dock: Dock, id: string): Place {
  const area = areaOf(dock, id);
  const docked = dock.ids.filter((other) => other !== id && !dock.floats(other));
  if (docked.length === 0) return null;
  const lastIn = (wanted: Area) => docked.findLast((other) => areaOf(dock, other) === wanted);
  const same = lastIn(area);
  if (same !== undefined) return { beside: same, side: "within" };
  if (area === "right" && dock.root.clientWidth < THREE_COLUMNS_PX) {
    const left = lastIn("left");
    if (left !== undefined) return { beside: left, side: "below" };
  }
  if (area === "left" || area === "right") return { side: area };
  for (const [other, side] of BESIDE[area]) {
    const beside = lastIn(other);
    if (beside !== undefined) return { beside, side };
  }
  return null;
}
