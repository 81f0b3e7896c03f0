/** The items that the page itself knows: commands, panels, settings and tools. They are found while Python is busy. */

import { commands } from "../lib/commands.ts";
import type { Store } from "../state/store.ts";
import { plain, type Suggestion } from "./mode.ts";
import type { Destinations } from "./omnibar.ts";

export type PageItem = Omit<Suggestion, "title"> & { id: string; name: string; keywords?: string; starter?: number };

export function pageItems(store: Store, to: Destinations): PageItem[] {
  return [...commandItems(), ...settingItems(to), ...toolItems(store, to)];
}

export function commandItems(): PageItem[] {
  return commands.available.map(({ id, kind = "command", title, keywords, shortcut, starter, run }) => ({
    id: `command:${id}`,
    kind,
    name: title,
    keywords,
    keys: shortcut,
    starter,
    run,
  }));
}

function toolItems(store: Store, to: Destinations): PageItem[] {
  return store.state.tools.map(({ name, description }) => ({
    id: `tool:${name}`,
    kind: "tool",
    name,
    detail: plain(description),
    run: () => to.showTool(name),
  }));
}

/** Return the sections of the settings and their buttons; index.html has the other search words. */
function settingItems(to: Destinations): PageItem[] {
  const found = document.querySelectorAll("#settings section:not([hidden]) > :is(h3, button)[id]");
  return [...found]
    .filter((heading) => heading instanceof HTMLElement)
    .map((heading) => ({
      id: `setting:${heading.id}`,
      kind: "setting",
      name: heading.textContent ?? "",
      keywords: heading.dataset.keywords,
      run: () => to.showSetting(heading.id),
    }));
}
