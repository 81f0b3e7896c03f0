/** The Memory panel. */

import type { Actions } from "../actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";
import type { MemoryPanel } from "./main.ts";

export function showMemory(store: Store, actions: Actions) {
  return showListPanel(
    store,
    "memory",
    ({ memories }) => [memories],
    (part) => new part.MemoryPanel(actions) as MemoryPanel,
  );
}
