/**
 * The Skills panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { SkillsPanel } from "./main.js"
 */

import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { whenChanged } from "../store.js";

/** @param {Store} store @param {Actions} actions */
export function showSkills(store, actions) {
  return new LazyView({
    part: "ui-skills.js",
    place: byId("skills", HTMLElement),
    problem: byId("skills-problem", HTMLElement),
    create({ SkillsPanel }) {
      const panel = /** @type {SkillsPanel} */ (new SkillsPanel(actions));
      store.subscribe(whenChanged(({ skills, kernel }) => [skills, kernel], (state) => panel.render(state)));
      return panel;
    },
  });
}
