/**
 * Sizes that come with each beat of the kernel, while somebody may see them.
 *
 * @import { Store } from "../store.js"
 * @import { Measured } from "../types.js"
 */

/** @param {Store} store @param {Measured} measured */
export function measure(store, { memory, used, quota }) {
  if (!document.hidden) store.dispatch({ type: "measured", measured: { memory, used, quota } });
}
