/** Loads the Activity panel when it is first seen. */

import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import type { showSpending } from "./spending.ts";

/**
 * @param uses - returns what the companion has counted of models in scheduled runs
 * @returns shows a call in the panel
 */
export function activityPanel(
  store: Store,
  actions: Actions,
  uses: Parameters<typeof showSpending>[0],
): (id: number) => Promise<void> {
  const lazy = new LazyView({
    id: "activity",
    create: (part: typeof import("./panel.ts")) => part.showActivity(store, actions, uses),
  });
  return async (id) => (await lazy.get())?.show(id);
}
