/**
 * The Calendar panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Store } from "../store.js"
 * @import { CalendarPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** The tools after which the panel is drawn again. */
const CHANGES = /^(personal_(calendar|contacts)_change|personal_sync|calendar_sync|python_run)$/;

/** @param {Store} store @param {Actions} actions @param {CompanionLink} link */
export function showCalendar(store, actions, link) {
  return showListPanel(store, "calendar", ({ calls, companion }) => [
    calls.findLast(({ tool, ok }) => CHANGES.test(tool) && ok !== null)?.id, companion.state,
  ], (part) => /** @type {CalendarPanel} */ (new part.CalendarPanel(actions, link)));
}
