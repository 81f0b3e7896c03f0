/**
 * Unsaved text. The browser stores it instead of Python, so that it is available immediately, while Python is busy or
 * not running, and until the moment the page is closed.
 *
 * @import { ReadTextResult } from "../../generated/types.js"
 */

import { loadSaved, save } from "../../shared/saved.js";

/** @typedef {Omit<ReadTextResult, "version"> & {version: string | null}} Draft a text, and the file's version that it is based on */

/**
 * @param {string} path
 * @returns {Draft | null}
 */
export function loadDraft(path) {
  const draft = loadSaved(key(path), /** @type {Draft} */ ({}));
  return typeof draft.content === "string" ? draft : null;
}

/**
 * @param {Draft} draft
 * @returns {boolean} false if the browser has no room for it
 */
export function saveDraft(draft) {
  return save(key(draft.path), draft);
}

/** @param {string} path */
export function deleteDraft(path) {
  save(key(path), undefined);
}

/** @param {string} path */
function key(path) {
  return `draft:${path}`;
}
