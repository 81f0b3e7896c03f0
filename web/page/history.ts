// Goes back and forward in the history, and reloads.

import { InvalidArguments } from "./errors.js";

/**
 * @typedef {object} Traversal
 * @property {boolean} moved false if the history has no such entry
 * @property {boolean} same_document whether the entry belongs to this document
 * @property {string} [navigates_to] the URL of another document
 */

/**
 * Go back (negative `delta`) or forward by some entries in this document's history.
 * @param {{ delta: number }} options
 * @returns {Promise<Traversal>}
 */
export async function go({ delta }) {
  if (!Number.isInteger(delta) || delta === 0) throw new InvalidArguments("`delta` must be an integer other than 0.");
  const { navigation } = /** @type {any} */ (globalThis);
  const entry = navigation.entries()[navigation.currentEntry.index + delta];
  if (!entry) return { moved: false, same_document: false };
  if (entry.sameDocument) {
    await navigation.traverseTo(entry.key).finished;
    return { moved: true, same_document: true };
  }
  afterAnswer(() => navigation.traverseTo(entry.key));
  return { moved: true, same_document: false, navigates_to: entry.url ?? "" };
}

/** Reload the document. @returns {{ navigates_to: string }} */
export function reload() {
  afterAnswer(() => location.reload());
  return { navigates_to: location.href };
}

/** Leave after the answer is sent, because an unloaded document can't send it. @param {() => void} leave */
function afterAnswer(leave) {
  setTimeout(leave);
}
