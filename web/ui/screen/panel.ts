/**
 * The Screen panel. Its bundle, which also has the owner of the shared screen, loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { ScreenPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/** @param {Store} store @param {Actions} actions @param {(id: string) => unknown} showRun */
export function showScreen(store, actions, showRun) {
  return new LazyView({
    part: "ui-screen.js",
    place: byId("screen", HTMLElement),
    problem: byId("screen-problem", HTMLElement),
    create(part) {
      const panel = /** @type {ScreenPanel} */ (new part.ScreenPanel(actions, showRun));
      store.subscribe(whenChanged(({ runs, kernel }) => [runs, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
