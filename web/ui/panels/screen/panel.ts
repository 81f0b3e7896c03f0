/** The Screen panel. Its bundle, which also has the owner of the shared screen, loads when it is first visible. */

import type { Actions } from "../../state/actions.ts";
import { byId } from "../../lib/elements.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";

export function showScreen(store: Store, actions: Actions, showRun: (id: string) => unknown) {
  return new LazyView({
    part: "ui-screen.js",
    place: byId("screen", HTMLElement),
    problem: byId("screen-problem", HTMLElement),
    create(part: typeof import("./main.ts")) {
      const panel = new part.ScreenPanel(actions, showRun);
      store.follow(["runs", "kernel"], (state) => panel.render(state));
      return panel;
    },
  });
}
