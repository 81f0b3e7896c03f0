/** The Calendar panel. */

import type { Actions } from "../actions.ts";
import type { CompanionLink } from "../companion/link.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";
import type { CalendarPanel } from "./main.ts";

/** The tools after which the panel is drawn again. */
const CHANGES = /^(personal_(calendar|contacts)_change|personal_sync|calendar_sync|python_run)$/;

export function showCalendar(store: Store, actions: Actions, link: CompanionLink) {
  return showListPanel(
    store,
    "calendar",
    ({ calls, companion }) => [
      calls.findLast(({ tool, ok }) => CHANGES.test(tool) && ok !== null)?.id,
      companion.state,
    ],
    (part) => new part.CalendarPanel(actions, link) as CalendarPanel,
  );
}
