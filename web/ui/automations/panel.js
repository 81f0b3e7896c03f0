/**
 * The Automations panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { AutomationsPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/** @param {Store} store @param {Actions} actions @param {{run: (id: string) => unknown, file: (path: string) => unknown}} show */
export function showAutomations(store, actions, show) {
  return new LazyView({
    part: "ui-automations.js",
    place: byId("automations", HTMLElement),
    problem: byId("automations-problem", HTMLElement),
    create({ AutomationsPanel }) {
      const panel = /** @type {AutomationsPanel} */ (new AutomationsPanel(actions, show));
      store.subscribe(whenChanged(({ automations, kernel }) => [automations, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
