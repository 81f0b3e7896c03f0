/** The Schedules panel. */

import type { Actions } from "../../state/actions.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

/** @param to - shows a run, and asks the companion */
export function showSchedules(
  store: Store,
  actions: Actions,
  to: { run: (id: string) => unknown; link: CompanionLink },
) {
  return showListPanel(
    store,
    "schedules",
    ({ kernel, schedules, companion }) => [kernel, schedules, companion.state],
    (part: typeof import("./main.ts")) => new part.SchedulesPanel(actions, to),
  );
}
