/**
 * The Source Control panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { SourceControlPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/** @param {Store} store @param {Actions} actions */
export function showSourceControl(store, actions) {
  return new LazyView({
    part: "ui-source-control.js",
    place: byId("source-control", HTMLElement),
    problem: byId("source-control-problem", HTMLElement),
    create({ SourceControlPanel }) {
      const panel = /** @type {SourceControlPanel} */ (new SourceControlPanel(actions));
      store.subscribe(whenChanged(({ sourceControl, kernel }) => [sourceControl, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
