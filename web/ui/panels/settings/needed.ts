/** Asks Python for what a form shows, when a user first opens the settings. */

import { byId } from "../../lib/elements.ts";
import type { Store } from "../../state/store.ts";

/**
 * Call `ask` once for each start of Python, when the settings are in view, and `forget` when Python is no longer ready.
 */
export function whenNeeded(store: Store, { ask, forget }: { ask: () => void; forget: () => void }) {
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
  store.follow(["kernel"], ({ kernel }) => {
    ready = kernel === "ready";
    // Another kernel may have imported other settings.
    if (!ready) asked = false;
    if (!ready) forget();
    update();
  });
}
