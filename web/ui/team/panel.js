/**
 * The Team panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { TeamPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {object} to
 * @param {(id: string) => unknown} to.run shows a run
 * @param {(path: string) => unknown} to.file opens a file in the editor
 */
export function showTeam(store, actions, to) {
  return new LazyView({
    part: "ui-team.js",
    place: byId("team", HTMLElement),
    problem: byId("team-problem", HTMLElement),
    create({ TeamPanel }) {
      const panel = /** @type {TeamPanel} */ (new TeamPanel(actions, to));
      store.subscribe(whenChanged(({ teams, runs, kernel }) => [teams, runs, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
