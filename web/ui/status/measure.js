/**
 * Sizes that nobody tells of by themselves, looked at with each beat of the kernel while somebody may see them.
 *
 * @import { Store } from "../store.js"
 */

/** @param {Store} store @param {number} memory Python's, in bytes, as the kernel's worker has it */
export async function measure(store, memory) {
  if (document.hidden) return;
  const storage = await navigator.storage?.estimate?.();
  store.dispatch({ type: "measured", measured: { memory, used: storage?.usage ?? null, quota: storage?.quota ?? null } });
}
