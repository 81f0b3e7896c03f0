/**
 * Asks Python for what a form shows, when a person first opens the settings.
 *
 * @import { Store } from "../store.js"
 */

import { byId } from "../elements.js";
import { whenChanged } from "../store.js";

/**
 * Call `ask` once for each start of Python, when the settings are in view, and `forget` when Python is no longer ready.
 *
 * @param {Store} store
 * @param {{ask: () => void, forget: () => void}} form
 */
export function whenNeeded(store, { ask, forget }) {
  let ready = false;
  let inView = false;
  let asked = false;
  const update = () => {
    if (asked || !ready || !inView) return;
    asked = true;
    ask();
  };
  new IntersectionObserver((entries) => {
    inView = entries.at(-1)?.isIntersecting ?? false;
    update();
  }).observe(byId("settings", HTMLElement));
  store.subscribe(whenChanged(({ kernel }) => [kernel], ({ kernel }) => {
    ready = kernel === "ready";
    // Another kernel may have imported other settings.
    if (!ready) asked = false;
    if (!ready) forget();
    update();
  }));
}
