/**
 * Meaning mode: files, commands and code that mean the same as a text, which Enter sends to the model for embeddings.
 * Its suggestions are in the bundle of the Search panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { Mode } from "./mode.js"
 * @import { Destinations } from "./omnibar.js"
 */

import { loadPart } from "../parts.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {Destinations} to
 * @param {(text: string) => void} enter opens the omnibar in this mode with a text
 * @returns {Mode}
 */
export function meaningMode(store, actions, to, enter) {
  const asked = { text: "", begins: false };
  return {
    id: "meaning",
    label: "Meaning",
    placeholder: "Files by meaning: a question, or words",
    prefix: "=",
    wait: 0,
    async suggest(text, signal) {
      try {
        const { suggestByMeaning } = await loadPart("ui-search.js");
        return suggestByMeaning(text, signal, { store, actions, to, enter, asked });
      } catch (error) {
        return { items: [], note: `This mode could not be loaded: ${error instanceof Error ? error.message : error}` };
      }
    },
  };
}
