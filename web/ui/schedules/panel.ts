/**
 * The Schedules panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Store } from "../store.js"
 * @import { SchedulesPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {{run: (id: string) => unknown, link: CompanionLink}} to shows a run, and asks the companion
 */
export function showSchedules(store, actions, to) {
  return showListPanel(store, "schedules", ({ schedules, companion }) => [schedules, companion.state],
    (part) => /** @type {SchedulesPanel} */ (new part.SchedulesPanel(actions, to)));
}
