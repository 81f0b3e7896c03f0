/** Loads the Tools panel when it is first seen. */

import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";

/** @returns shows a tool in the panel */
export function toolsPanel(store: Store, actions: Actions): (name: string) => Promise<void> {
  const lazy = new LazyView({
    id: "tools",
    problem: "tool-problem",
    create: (part: typeof import("./panel.ts")) => part.showTools(store, actions),
  });
  return async (name) => (await lazy.get())?.show(name);
}
