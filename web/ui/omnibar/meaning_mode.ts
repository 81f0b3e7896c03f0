/**
 * Meaning mode: files, commands and code that mean the same as a text, which Enter sends to the model for embeddings.
 * Its suggestions are in the bundle of the Search panel.
 */

import type { Actions } from "../state/actions.ts";
import { loadPart } from "../lib/lazy_bundles.ts";
import type { Store } from "../state/store.ts";
import type { Mode, Suggestions } from "./mode.ts";
import type { Destinations } from "./omnibar.ts";

/** @param enter - opens the omnibar in this mode with a text */
export function meaningMode(store: Store, actions: Actions, to: Destinations, enter: (text: string) => void): Mode {
  const asked = { text: "", begins: false };
  return {
    id: "meaning",
    label: "Meaning",
    placeholder: "Files by meaning: a question, or words",
    prefix: "=",
    wait: 0,
    async suggest(text, signal) {
      try {
        const { suggestByMeaning } = await loadPart<{
          suggestByMeaning(text: string, signal: AbortSignal, to: object): Promise<Suggestions>;
        }>("ui-search.js");
        return suggestByMeaning(text, signal, { store, actions, to, enter, asked });
      } catch (error) {
        return { items: [], note: `This mode could not be loaded: ${error instanceof Error ? error.message : error}` };
      }
    },
  };
}
