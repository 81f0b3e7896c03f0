/**
 * The Inbox panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Consent } from "../consent/consent.js"
 * @import { Store } from "../store.js"
 * @import { InboxPanel } from "./main.js"
 * @import { Notifications } from "./notifications.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

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
  return new LazyView({
    part: "ui-inbox.js",
    place: byId("inbox", HTMLElement),
    problem: byId("inbox-problem", HTMLElement),
    create({ InboxPanel }) {
      const panel = /** @type {InboxPanel} */ (new InboxPanel(actions, to));
      store.subscribe(whenChanged(
        ({ inbox, memories, teams, schedules, runs, kernel }) => [inbox, memories, teams, schedules, asking(runs), kernel],
        (state) => panel.render(state),
      ));
      to.consent.subscribe(() => panel.draw());
      return panel;
    },
  });
}

/** @param {{id: string, question: string | null}[]} runs */
function asking(runs) {
  return JSON.stringify(runs.filter(({ question }) => question !== null).map(({ id, question }) => [id, question]));
}
