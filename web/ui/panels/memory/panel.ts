/** The Memory panel. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

export function showMemory(store: Store, actions: Actions) {
  return showListPanel(
    store,
    "memory",
    ["kernel", "memories"],
    (part: typeof import("./main.ts")) => new part.MemoryPanel(actions),
  );
}
