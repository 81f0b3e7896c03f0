/**
 * Sizes that nobody tells of by themselves, measured while somebody may see them.
 *
 * @import { Wire } from "../types.js"
 * @import { Store } from "../store.js"
 */

import { ask, isFailure } from "../call.js";

const EVERY_MS = 5_000;

/**
 * @param {Store} store
 * @param {Wire} connection
 * @param {HTMLElement} place where they are shown
 */
export function measure(store, connection, place) {
  const look = async () => {
    const { kernel, silent } = store.state;
    if (kernel !== "ready" || silent || document.hidden || !place.checkVisibility()) return;
    const [memory, storage] = await Promise.all([ask(connection, "memory/measure", {}), navigator.storage?.estimate?.()]);
    if (isFailure(memory)) return;
    const measured = { memory: memory.bytes, used: storage?.usage ?? null, quota: storage?.quota ?? null };
    store.dispatch({ type: "measured", measured });
  };
  setInterval(() => void look(), EVERY_MS);
  document.addEventListener("visibilitychange", () => void look());
}
