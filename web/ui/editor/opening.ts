/**
 * Opens files for any part of the page: the file list, a traceback, a search.
 *
 * @import { Failure } from "../types.js"
 */

import { isFailure } from "../call.js";

/**
 * @typedef {object} Opener
 * @property {import("../actions.js").Actions} actions
 * @property {(path: string) => void} focus focuses the editor once it shows the file
 * @property {(path: string) => void} preview
 */

/** @type {Opener | null} */
let opener = null;

/** @param {Opener} created */
export function connectOpening(created) {
  opener = created;
}

/**
 * Open a path: text in the editor, a directory in the list, all else in the preview. Python decides.
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
 * Open a file in the editor, whatever its content.
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
  if (opener === null) throw new TypeError("call connectOpening first");
  return opener;
}
