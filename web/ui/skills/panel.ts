/** The Skills panel. */

import type { Actions } from "../actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";

export function showSkills(store: Store, actions: Actions) {
  return showListPanel(
    store,
    "skills",
    ({ skills }) => [skills],
    (part: typeof import("./main.ts")) => new part.SkillsPanel(actions),
  );
}
