/**
 * The Memory panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { MemoryPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** @param {Store} store @param {Actions} actions */
export function showMemory(store, actions) {
  return showListPanel(store, "memory", ({ memories }) => [memories], (part) => /** @type {MemoryPanel} */ (new part.MemoryPanel(actions)));
}
