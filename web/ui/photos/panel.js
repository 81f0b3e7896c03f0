/**
 * The Photos panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { PhotosPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** The tools after which the panel is drawn again. */
const CHANGES = /^(personal_photos|photo_search)$/;

/** @param {Store} store @param {Actions} actions @param {(path: string) => unknown} preview shows a file */
export function showPhotos(store, actions, preview) {
  return showListPanel(store, "photos", ({ calls }) => [calls.findLast(({ tool, ok }) => CHANGES.test(tool) && ok !== null)?.id],
    (part) => /** @type {PhotosPanel} */ (new part.PhotosPanel(actions, preview)));
}
