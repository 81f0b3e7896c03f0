/**
 * What was used last in the palette, saved in this browser.
 *
 * @import { Suggestion } from "./mode.js"
 */

import { loadSaved, save } from "../../shared/saved.js";

const NAME = "palette.recent";
const MOST = 20;

/** @returns {string[]} ids of suggestions, the last one first */
export function recentIds() {
  return loadSaved(NAME, /** @type {unknown[]} */ ([])).filter((id) => typeof id === "string");
}

/** @param {Suggestion} item */
export function remember({ id }) {
  if (id !== undefined) save(NAME, [id, ...recentIds().filter((other) => other !== id)].slice(0, MOST));
}
