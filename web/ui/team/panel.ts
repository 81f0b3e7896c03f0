/**
 * The Team panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { TeamPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {object} to
 * @param {(id: string) => unknown} to.run shows a run
 * @param {(path: string) => unknown} to.file opens a file in the editor
 */
export function showTeam(store, actions, to) {
  return showListPanel(store, "team", ({ teams, runs, memories, skills, models }) => [teams, runs, memories, skills, models], (part) => /** @type {TeamPanel} */ (new part.TeamPanel(actions, to)));
}
