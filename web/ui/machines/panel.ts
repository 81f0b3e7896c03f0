/**
 * The Machines panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { MachinesPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** @param {Store} store @param {Actions} actions @param {(machine: string) => void} create opens a terminal */
export function showMachines(store, actions, create) {
  // Machines start and end with terminals.
  const select = (/** @type {import("../types.js").State} */ { terminals }) => [terminals.map(({ id }) => id).join()];
  return showListPanel(store, "machines", select, (part) => /** @type {MachinesPanel} */ (new part.MachinesPanel(actions, create)));
}
