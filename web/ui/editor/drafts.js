/**
 * What was typed and not saved yet. The browser keeps it, not Python: it is there at once, also while Python is busy or gone,
 * and up to the moment in which the page is closed.
 *
 * @import { ReadTextResult } from "../../generated/actions.js"
 */

import { loadSaved, save } from "../saved.js";

/** @typedef {Omit<ReadTextResult, "version"> & {version: string | null}} Draft a text, and the version of the file that it began with */

/**
 * @param {string} path
 * @returns {Draft | null}
 */
export function draftOf(path) {
  const draft = loadSaved(name(path), /** @type {Draft} */ ({}));
  return typeof draft.content === "string" ? draft : null;
}

/**
 * @param {Draft} draft
 * @returns {boolean} whether the browser had room for it
 */
export function keepDraft(draft) {
  return save(name(draft.path), draft);
}

/** @param {string} path */
export function forgetDraft(path) {
  save(name(path), undefined);
}

/** @param {string} path */
function name(path) {
  return `draft:${path}`;
}
