/**
 * The Skills panel.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { SkillsPanel } from "./main.js"
 */

import { showListPanel } from "../list_panel.js";

/** @param {Store} store @param {Actions} actions */
export function showSkills(store, actions) {
  return showListPanel(store, "skills", ({ skills }) => [skills], (part) => /** @type {SkillsPanel} */ (new part.SkillsPanel(actions)));
}
