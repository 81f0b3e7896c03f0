/**
 * The language models section of the settings. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { ModelSettings } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {() => unknown} connect opens the dialog that connects a model
 */
export function showModels(store, actions, connect) {
  const place = byId("settings-own-models", HTMLElement);
  /** @type {LazyView<ModelSettings>} */
  const view = new LazyView({
    part: "ui-models.js",
    place,
    problem: byId("settings-problem", HTMLElement),
    when: () => store.state.kernel === "ready",
    create({ ModelSettings }) {
      place.replaceChildren();
      const section = /** @type {ModelSettings} */ (new ModelSettings(place, actions, connect));
      store.subscribe(whenChanged(({ kernel, models }) => [kernel, models], (state) => section.render(state)));
      return section;
    },
  });
  store.subscribe(whenChanged(({ kernel }) => [kernel], () => view.retry()));
}
