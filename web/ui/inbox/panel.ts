/**
 * The Inbox panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Consent } from "../consent/consent.js"
 * @import { Store } from "../store.js"
 * @import { InboxPanel } from "./main.js"
 * @import { Notifications } from "./notifications.js"
 */

import { showListPanel } from "../list_panel.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {object} to
 * @param {Consent} to.consent
 * @param {Notifications} to.notifications
 * @param {(id: string) => unknown} to.run shows a run
 * @param {() => unknown} to.schedules opens the Schedules panel
 */
export function showInbox(store, actions, to) {
  return showListPanel(
    store, "inbox", ({ inbox, memories, teams, schedules, runs }) => [inbox, memories, teams, schedules, asking(runs)],
    (part) => {
      const panel = /** @type {InboxPanel} */ (new part.InboxPanel(actions, to));
      to.consent.subscribe(() => panel.redraw());
      return panel;
    },
  );
}

/** @param {{id: string, question: string | null, away_since: number | null}[]} runs */
function asking(runs) {
  return JSON.stringify(runs.filter(({ question, away_since: since }) => question !== null || since !== null)
    .map(({ id, question, away_since: since }) => [id, question, since]));
}
