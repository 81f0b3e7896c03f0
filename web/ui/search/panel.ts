/**
 * The Search panel. Its bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { SearchPanel } from "./main.js"
 */

import { commands, MOD } from "../commands.js";
import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { onTrustedKey } from "../trusted.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {object} callbacks
 * @param {(id: string) => void} callbacks.openPanel
 * @param {(path: string, line?: number) => unknown} callbacks.openPath
 * @returns {(text?: string) => Promise<void>} opens the panel and searches for a text
 */
export function showSearch(store, actions, { openPanel, openPath }) {
  /** @type {LazyView<SearchPanel>} */
  const view = new LazyView({
    part: "ui-search.js",
    place: byId("search", HTMLElement),
    problem: byId("search-problem", HTMLElement),
    create(/** @type {{SearchPanel: typeof SearchPanel}} */ part) {
      const panel = new part.SearchPanel(actions, { openPath });
      store.subscribe(whenChanged(({ kernel, models }) => [kernel, models], ({ kernel, models }) => panel.render(kernel === "ready", models)));
      return panel;
    },
  });
  const open = async (/** @type {string} */ text = "") => {
    openPanel("search");
    (await view.get())?.enter(text);
  };
  commands.add({
    id: "search-files", title: "Search in all files", keywords: "find replace grep text", shortcut: `${MOD}+Shift+F`,
    run: () => open(),
  });
  onTrustedKey((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
    // A terminal finds text in its own output.
    if (defaultPrevented || key.toLowerCase() !== "f" || !shiftKey || altKey || ctrlKey === metaKey) return;
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    void open(selectedText());
  });
  return open;
}

/** Return the selected text, if it is a part of a line. */
function selectedText() {
  const text = getSelection()?.toString() ?? "";
  return text.includes("\n") ? "" : text;
}
