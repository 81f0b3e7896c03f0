/** The Source Control panel. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

export function showSourceControl(store: Store, actions: Actions) {
  return showListPanel(
    store,
    "source-control",
    ["kernel", "sourceControl"],
    (part: typeof import("./main.ts")) => new part.SourceControlPanel(actions),
  );
}
