/** The page after its companion has moved to another port, and so to another origin (py/gemini_companion/moved.py). */

import { IN_EXTENSION } from "../../shared/in_extension.js";

const GONE = 410;

/**
 * Open this page again if its companion has moved: the old port leads to the new one.
 *
 * @param {Response} answer of the port
 */
export function followMove({ status }) {
  if (status === GONE && !IN_EXTENSION) location.reload();
}

/** Store what the page had stored at its earlier address, and begin again with it. @param {Record<string, string> | undefined} store */
export function takeOver(store) {
  if (store === undefined) return;
  localStorage.clear();
  for (const [name, value] of Object.entries(store)) localStorage.setItem(name, value);
  location.reload();
}
