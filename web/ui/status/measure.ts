/** Records the sizes that each beat of the kernel reports, while the page is visible. */

import type { Store } from "../state/store.ts";
import type { Measured } from "../state/types.ts";

export function measure(store: Store, { memory, machines, used, quota }: Measured) {
  if (!document.hidden) store.dispatch({ type: "measured", measured: { memory, machines, used, quota } });
}
