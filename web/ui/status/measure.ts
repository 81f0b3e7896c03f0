/**
 * Records the sizes that each beat of the kernel reports, while the page is visible.
 *
 * @import { Store } from "../store.js"
 * @import { Measured } from "../types.js"
 */

/** @param {Store} store @param {Measured} measured */
export function measure(store, { memory, machines, used, quota }) {
  if (!document.hidden) store.dispatch({ type: "measured", measured: { memory, machines, used, quota } });
}
