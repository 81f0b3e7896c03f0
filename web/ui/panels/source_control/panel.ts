/** The Source Control panel. Its bundle loads when it is first visible. */

import type { Actions } from "../../state/actions.ts";
import { byId } from "../../lib/elements.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";

export function showSourceControl(store: Store, actions: Actions) {
  return new LazyView({
    part: "ui-source-control.js",
    place: byId("source-control", HTMLElement),
    problem: byId("source-control-problem", HTMLElement),
    create({ SourceControlPanel }: typeof import("./main.ts")) {
      const panel = new SourceControlPanel(actions);
      store.follow(["sourceControl", "kernel"], (state) => panel.render(state));
      return panel;
    },
  });
}
