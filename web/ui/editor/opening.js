/**
 * Opening files from anywhere on the page: from the list, from a traceback, from a search.
 *
 * @import { Failure } from "../types.js"
 */

import { isFailure } from "../call.js";

/**
 * @typedef {object} Opener
 * @property {import("../actions.js").Actions} actions
 * @property {(path: string) => void} focus the editor, as soon as it shows a file
 * @property {(path: string) => void} preview
 */

/** @type {Opener | null} */
let opener = null;

/** @param {Opener} made */
export function connectOpening(made) {
  opener = made;
}

/**
 * Opens a path where it belongs: text in the editor, a directory in the list, all else in the preview. Python decides.
 *
 * @param {string} path
 * @param {number} [line] of a text, from 1
 * @returns {Promise<{path: string} | Failure>}
 */
export async function openEditor(path, line) {
  const { actions, focus, preview } = connected();
  const answer = await actions.openFile({ path, line });
  if (isFailure(answer)) return answer;
  if (answer.where === "editor") focus(answer.path);
  if (answer.where === "preview") preview(answer.path);
  return answer;
}

/**
 * Opens a file in the editor, whatever it holds.
 *
 * @param {string} path
 * @returns {Promise<{path: string} | Failure>}
 */
export async function editFile(path) {
  const { actions, focus } = connected();
  const answer = await actions.editFile({ path });
  if (!isFailure(answer)) focus(answer.path);
  return answer;
}

function connected() {
  if (opener === null) throw new TypeError("connectOpening comes first");
  return opener;
}
