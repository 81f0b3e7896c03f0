/** The Automations panel. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

export function showAutomations(
  store: Store,
  actions: Actions,
  show: { run: (id: string) => unknown; file: (path: string) => unknown },
) {
  return showListPanel(
    store,
    "automations",
    ["kernel", "automations"],
    (part: typeof import("./main.ts")) => new part.AutomationsPanel(actions, show),
  );
}
