/** The Screen panel. Its bundle also has the owner of the shared screen. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

export function showScreen(store: Store, actions: Actions, showRun: (id: string) => unknown) {
  return showListPanel(
    store,
    "screen",
    ["kernel", "runs"],
    (part: typeof import("./main.ts")) => new part.ScreenPanel(actions, showRun),
  );
}
