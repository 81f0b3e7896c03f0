/**
 * The Photos panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { State } from "../types.js"
 * @import { PhotosPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** @param {Store} store @param {Actions} actions @param {(path: string) => unknown} preview shows a file */
export function showPhotos(store, actions, preview) {
  return showListPanel(store, "photos", changesOfFiles,
    (part) => /** @type {PhotosPanel} */ (new part.PhotosPanel(actions, preview)), (view) => view.render(store.state));
}

/** Return what differs after something that may have changed files. @param {State} state */
function changesOfFiles({ calls, console, files, terminals }) {
  return [
    calls.findLast(({ effect, ok }) => effect !== "read" && ok !== null)?.id,
    console.entries.findLast(({ running }) => !running)?.id,
    terminals.filter(({ busy }) => busy).length,
    files,
  ];
}
