/** The Skills panel. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

export function showSkills(store: Store, actions: Actions) {
  return showListPanel(
    store,
    "skills",
    ["kernel", "skills"],
    (part: typeof import("./main.ts")) => new part.SkillsPanel(actions),
  );
}
