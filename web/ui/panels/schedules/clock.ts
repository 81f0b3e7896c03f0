/**
 * Tells the companion when the next schedule is due, so that it can wake this page
 * (py/gemini_companion/browser/wake.py).
 */

import type { CompanionLink } from "../../companion/link.ts";
import type { Store } from "../../state/store.ts";

export function reportClock(store: Store, link: CompanionLink) {
  const report = () => {
    const { clock } = store.state;
    if (clock !== null) void link.ask("clock/next", { at: clock.due, busy: clock.busy });
  };
  link.onConnected(report);
  store.follow(
    ({ clock }) => [clock?.due, clock?.busy],
    ({ companion }) => {
      if (companion.state === "connected") report();
    },
  );
}
