/** Command mode: commands, panels, settings and tools. */

import type { Store } from "../state/store.ts";
import type { Mode, Suggestion } from "./mode.ts";
import type { Destinations } from "./omnibar.ts";
import { pageItems } from "./page_items.ts";
import { ranked } from "./ranking.ts";

const MAX_ITEMS = 50;

export function commandMode(store: Store, to: Destinations): Mode {
  return {
    id: "command",
    label: "Command",
    placeholder: "Panels, tools, settings",
    prefix: ">",
    wait: 0,
    suggest(text) {
      const items: Suggestion[] = ranked(text, pageItems(store, to)).slice(0, MAX_ITEMS);
      return { items, note: items.length === 0 ? "No matching commands." : undefined };
    },
  };
}
