/**
 * Tells the companion when the next schedule is due, so that it can wake this page (py/gemini_companion/waking.py).
 *
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Store } from "../store.js"
 */

import { whenChanged } from "../store.js";

/** @param {Store} store @param {CompanionLink} link */
export function reportClock(store, link) {
  const report = () => {
    const { clock } = store.state;
    if (clock !== null) void link.ask("clock/next", { at: clock.due, busy: clock.busy });
  };
  link.onConnected(report);
  store.subscribe(whenChanged(({ clock }) => [clock?.due, clock?.busy], ({ companion }) => {
    if (companion.state === "connected") report();
  }));
}
