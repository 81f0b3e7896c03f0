/** The Calendar panel. */

import type { Actions } from "../../state/actions.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { changesOfFiles, showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

export function showCalendar(store: Store, actions: Actions, link: CompanionLink) {
  return showListPanel(
    store,
    "calendar",
    (state) => [...changesOfFiles(state), state.companion.state],
    (part: typeof import("./main.ts")) => new part.CalendarPanel(actions, link),
  );
}
