/** The Team panel. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

/**
 * @param to.run - shows a run
 * @param to.file - opens a file in the editor
 */
export function showTeam(
  store: Store,
  actions: Actions,
  to: { run: (id: string) => unknown; file: (path: string) => unknown },
) {
  return showListPanel(
    store,
    "team",
    ["kernel", "teams", "runs", "memories", "skills", "models"],
    (part: typeof import("./main.ts")) => new part.TeamPanel(actions, to),
  );
}
