/** Loads the Tools panel when it is first seen. */

import { byId } from "../../lib/elements.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";

/** @returns shows a tool in the panel */
export function toolsPanel(store: Store, actions: Actions): (name: string) => Promise<void> {
  const lazy = new LazyView({
    part: "ui-tools.js",
    place: byId("tools", HTMLElement),
    problem: byId("tool-problem", HTMLElement),
    create: (part: typeof import("./panel.ts")) => part.showTools(store, actions),
  });
  return async (name) => (await lazy.get())?.show(name);
}
