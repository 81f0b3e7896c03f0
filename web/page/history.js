// Back, forward, and the same page again.

import { InvalidArguments } from "./errors.js";

/**
 * @typedef {object} Traversal
 * @property {boolean} moved false where there is nothing to go to
 * @property {boolean} same_document whether this document stays
 * @property {string} [navigates_to] where to, when it doesn't
 */

/**
 * Go some entries back (below 0) or forward in this document's history.
 * @param {{ delta: number }} options
 * @returns {Promise<Traversal>}
 */
export async function traverse({ delta }) {
  if (!Number.isInteger(delta) || delta === 0) throw new InvalidArguments("`delta` is a whole number, and not 0.");
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

/** Load the document anew. @returns {{ navigates_to: string }} */
export function reload() {
  afterAnswer(() => location.reload());
  return { navigates_to: location.href };
}

/** A document that is gone answers nobody. @param {() => void} leave */
function afterAnswer(leave) {
  setTimeout(leave);
}
