/**
 * The page after its companion has moved to another port, and so to another origin
 * (py/gemini_companion/serving/moved.py).
 */

import { IN_EXTENSION } from "../../shared/in_extension.ts";

const GONE = 410;

/**
 * Open this page again if its companion has moved: the old port leads to the new one.
 *
 * @param answer - of the port
 */
export function followMove({ status }: Response) {
  if (status === GONE && !IN_EXTENSION) location.reload();
}

/** Store the page's data from its earlier address, and begin again with it. */
export function takeOver(store: Record<string, string> | undefined) {
  if (store === undefined) return;
  localStorage.clear();
  for (const [name, value] of Object.entries(store)) localStorage.setItem(name, value);
  location.reload();
}
