/**
 * The items that the page itself knows: commands, panels, settings and tools. They are found while Python is busy.
 *
 * @import { Store } from "../store.js"
 * @import { Suggestion } from "./mode.js"
 * @import { Destinations } from "./omnibar.js"
 *
 * @typedef {Omit<Suggestion, "title"> & {id: string, name: string, keywords?: string, starter?: number}} PageItem
 */

import { commands } from "../commands.js";
import { plain } from "./mode.js";

/** @param {Store} store @param {Destinations} to @returns {PageItem[]} */
export function pageItems(store, to) {
  return [...commandItems(), ...settingItems(to), ...toolItems(store, to)];
}

/** @returns {PageItem[]} */
export function commandItems() {
  return commands.available.map(({ id, kind = "command", title, keywords, shortcut, starter, run }) => (
    { id: `command:${id}`, kind, name: title, keywords, keys: shortcut, starter, run }));
}

/** @param {Store} store @param {Destinations} to @returns {PageItem[]} */
function toolItems(store, to) {
  return store.state.tools.map(({ name, description }) => (
    { id: `tool:${name}`, kind: "tool", name, detail: plain(description), run: () => to.showTool(name) }));
}

/** Return the sections of the settings; index.html has their other search words. @param {Destinations} to @returns {PageItem[]} */
function settingItems(to) {
  const headings = document.querySelectorAll("#settings section:not([hidden]) > h3[id]");
  return [...headings].filter((heading) => heading instanceof HTMLElement).map((heading) => ({
    id: `setting:${heading.id}`, kind: "setting", name: heading.textContent ?? "", keywords: heading.dataset.keywords,
    run: () => to.showSetting(heading.id),
  }));
}
