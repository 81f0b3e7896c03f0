/** The Source Control panel. Its bundle loads when it is first visible. */

import type { Actions } from "../actions.ts";
import { byId } from "../elements.ts";
import { LazyView } from "../parts.ts";
import { whenChanged, type Store } from "../store.ts";

export function showSourceControl(store: Store, actions: Actions) {
  return new LazyView({
    part: "ui-source-control.js",
    place: byId("source-control", HTMLElement),
    problem: byId("source-control-problem", HTMLElement),
    create({ SourceControlPanel }: typeof import("./main.ts")) {
      const panel = new SourceControlPanel(actions);
      store.subscribe(
        whenChanged(
          ({ sourceControl, kernel }) => [sourceControl, kernel],
          (state) => panel.render(state),
        ),
      );
      return panel;
    },
  });
}
