/**
 * Where panels belong: each has an area, and an area has its place beside the others. Used where a panel opens for
 * the first time; after that it is where the person left it.
 *
 * @import { Dock, Place } from "./dock.js"
 */

/** @typedef {"left" | "right" | "top" | "centre" | "bottom"} Area */

/** @type {Record<string, Area>} what isn't named here is a terminal, or belongs beside them */
const AREAS = { files: "left", browser: "top", python: "bottom", activity: "right", chat: "right", tools: "right", agent: "right", settings: "right" };

/** Beside which area a new one is made, and on which side, in order of preference. @type {Record<Area, [Area, import("./dock.js").Side][]>} */
const BESIDE = {
  left: [],
  right: [],
  top: [["centre", "above"], ["bottom", "above"], ["left", "right"], ["right", "left"]],
  centre: [["bottom", "above"], ["top", "below"], ["left", "right"], ["right", "left"]],
  bottom: [["centre", "below"], ["top", "below"], ["left", "right"], ["right", "left"]],
};

/** The length of an area, across its side: a share of the workbench, and the least in CSS pixels. @type {Record<Area, [number, number]>} */
const LENGTHS = { left: [0.2, 230], right: [0.24, 270], top: [0.45, 220], centre: [0, 0], bottom: [0.36, 190] };

/** Up to here there is no room for three columns. */
const THREE_COLUMNS_PX = 1180;

/** What is open at first, in the order in which it comes. */
export const FIRST = ["terminals", "files", "python", "activity", "tools", "settings"];

/** @param {string} id @returns {Area} */
function areaOf(id) {
  return AREAS[id] ?? "centre";
}

/**
 * Opens a panel where it belongs. The others keep what they have of the sides.
 *
 * @param {Dock} dock
 * @param {string} id
 * @param {{behind?: boolean}} [options]
 */
export function openInPlace(dock, id, options = {}) {
  const area = areaOf(id);
  const place = placeOf(dock, id);
  const before = dock.ids.filter((other) => !dock.floats(other)).map((other) => ({ other, now: dock.place(other) }));
  dock.open(id, place, area === "bottom" ? { ...options, leastHeight: LENGTHS.bottom[1] } : options);
  for (const { other, now } of before) if (now) dock.size(other, across(areaOf(other), now.width, now.height));
  if (place !== null && "side" in place && place.side !== "within") dock.size(id, usual(dock, area));
}

/** @param {Dock} dock @param {Area} area */
function usual(dock, area) {
  const [share, least] = LENGTHS[area];
  const { clientWidth, clientHeight } = dock.root;
  return across(area, Math.round(Math.max(least, share * clientWidth)), Math.round(Math.max(least, share * clientHeight)));
}

/** The size across an area's side; the centre takes what is left. @param {Area} area @param {number} width @param {number} height */
function across(area, width, height) {
  if (area === "left" || area === "right") return { width };
  return area === "centre" ? {} : { height };
}

/** @param {Dock} dock @param {string} id @returns {Place} */
export function placeOf(dock, id) {
  const area = areaOf(id);
  const docked = dock.ids.filter((other) => other !== id && !dock.floats(other));
  if (docked.length === 0) return null;
  /** @param {Area} wanted */
  const one = (wanted) => docked.findLast((other) => areaOf(other) === wanted);
  const same = one(area);
  if (same !== undefined) return { beside: same, side: "within" };
  if (area === "right" && dock.root.clientWidth < THREE_COLUMNS_PX) {
    const left = one("left");
    if (left !== undefined) return { beside: left, side: "below" };
  }
  if (area === "left" || area === "right") return { side: area };
  for (const [other, side] of BESIDE[area]) {
    const beside = one(other);
    if (beside !== undefined) return { beside, side };
  }
  return null;
}
