/**
 * Command mode: commands, panels, settings and tools.
 *
 * @import { Store } from "../store.js"
 * @import { Mode, Suggestion } from "./mode.js"
 * @import { Destinations } from "./omnibar.js"
 */

import { pageItems } from "./page_items.js";
import { ranked } from "./ranking.js";

const MAX_ITEMS = 50;

/**
 * @param {Store} store
 * @param {Destinations} to
 * @returns {Mode}
 */
export function commandMode(store, to) {
  return {
    id: "command",
    label: "Command",
    placeholder: "Panels, tools, settings",
    prefix: ">",
    wait: 0,
    suggest(text) {
      /** @type {Suggestion[]} */
      const items = ranked(text, pageItems(store, to)).slice(0, MAX_ITEMS);
      return { items, note: items.length === 0 ? "No matching commands." : undefined };
    },
  };
}
