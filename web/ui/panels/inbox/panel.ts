/** The Inbox panel. */

import type { Actions } from "../../state/actions.ts";
import type { Consent } from "../../consent/consent.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";
import type { Notifications } from "./notifications.ts";

/**
 * @param to.run - shows a run
 * @param to.schedules - opens the Schedules panel
 */
export function showInbox(
  store: Store,
  actions: Actions,
  to: { consent: Consent; notifications: Notifications; run: (id: string) => unknown; schedules: () => unknown },
) {
  return showListPanel(
    store,
    "inbox",
    ({ kernel, inbox, memories, teams, schedules, runs }) => [kernel, inbox, memories, teams, schedules, asking(runs)],
    (part: typeof import("./main.ts")) => {
      const panel = new part.InboxPanel(actions, to);
      to.consent.subscribe(() => panel.redraw());
      return panel;
    },
  );
}

function asking(runs: { id: string; question: string | null; away_since: number | null }[]) {
  return JSON.stringify(
    runs
      .filter(({ question, away_since: since }) => question !== null || since !== null)
      .map(({ id, question, away_since: since }) => [id, question, since]),
  );
}
