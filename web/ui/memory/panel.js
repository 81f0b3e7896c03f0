/**
 * The Memory panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { MemoryPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/** @param {Store} store @param {Actions} actions */
export function showMemory(store, actions) {
  return new LazyView({
    part: "ui-memory.js",
    place: byId("memory", HTMLElement),
    problem: byId("memory-problem", HTMLElement),
    create({ MemoryPanel }) {
      const panel = /** @type {MemoryPanel} */ (new MemoryPanel(actions));
      store.subscribe(whenChanged(({ memories, kernel }) => [memories, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
