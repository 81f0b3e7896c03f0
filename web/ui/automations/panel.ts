/**
 * The Automations panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { AutomationsPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** @param {Store} store @param {Actions} actions @param {{run: (id: string) => unknown, file: (path: string) => unknown}} show */
export function showAutomations(store, actions, show) {
  return showListPanel(store, "automations", ({ automations }) => [automations],
    (part) => /** @type {AutomationsPanel} */ (new part.AutomationsPanel(actions, show)));
}
