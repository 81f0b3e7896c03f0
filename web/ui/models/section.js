/**
 * The section of the settings about language models. What draws it comes when it is first seen.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { ModelSettings } from "./main.js"
 */

import { byId, showProblem } from "../elements.js";
import { loadPart } from "../parts.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {(id: string) => void} openPanel
 * @returns {() => void} opens it
 */
export function showModels(store, actions, openPanel) {
  const place = byId("settings-own-models", HTMLElement);
  const problem = byId("settings-problem", HTMLElement);
  /** @type {ModelSettings | null} */
  let section = null;
  const load = async () => {
    if (section !== null || store.state.kernel !== "ready") return;
    try {
      const { ModelSettings } = await loadPart("ui-models.js");
      if (section === null) {
        place.replaceChildren();
        section = /** @type {ModelSettings} */ (new ModelSettings(place, actions));
      }
      section.render(store.state);
    } catch (error) {
      const message = `The settings of models could not be loaded: ${error instanceof Error ? error.message : error}`;
      showProblem(problem, { message, hint: "Open them again when this computer is online." });
    }
  };
  let isSeen = false;
  new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? false;
    if (isSeen) void load();
  }).observe(place);
  store.subscribe(whenChanged(({ kernel, models }) => [kernel, models], (state) => {
    section?.render(state);
    if (isSeen) void load();
  }));
  return () => {
    openPanel("settings");
    byId("own-models-title", HTMLElement).scrollIntoView({ block: "start" });
  };
}
