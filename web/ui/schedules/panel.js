/**
 * The Schedules panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Store } from "../store.js"
 * @import { SchedulesPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {{run: (id: string) => unknown, link: CompanionLink}} to shows a run, and asks the companion
 */
export function showSchedules(store, actions, to) {
  return new LazyView({
    part: "ui-schedules.js",
    place: byId("schedules", HTMLElement),
    problem: byId("schedules-problem", HTMLElement),
    create({ SchedulesPanel }) {
      const panel = /** @type {SchedulesPanel} */ (new SchedulesPanel(actions, to));
      store.subscribe(whenChanged(({ schedules, kernel, companion }) => [schedules, kernel, companion.state], (state) => panel.render(state)));
      return panel;
    },
  });
}
