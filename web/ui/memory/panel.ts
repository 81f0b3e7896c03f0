/** The Memory panel. */

import type { Actions } from "../actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";

export function showMemory(store: Store, actions: Actions) {
  return showListPanel(
    store,
    "memory",
    ({ memories }) => [memories],
    (part: typeof import("./main.ts")) => new part.MemoryPanel(actions),
  );
}
