/**
 * The Schedules panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { SchedulesPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {(id: string) => unknown} showRun
 */
export function showSchedules(store, actions, showRun) {
  return new LazyView({
    part: "ui-schedules.js",
    place: byId("schedules", HTMLElement),
    problem: byId("schedules-problem", HTMLElement),
    create({ SchedulesPanel }) {
      const panel = /** @type {SchedulesPanel} */ (new SchedulesPanel(actions, showRun));
      store.subscribe(whenChanged(({ schedules, kernel }) => [schedules, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
