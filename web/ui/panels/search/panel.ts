/** The Search panel. Its bundle loads when it is first visible. */

import type { Actions } from "../../state/actions.ts";
import { commands, MOD } from "../../lib/commands.ts";
import { onTrustedKey } from "../../lib/trusted.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

/** @returns opens the panel and searches for a text */
export function showSearch(
  store: Store,
  actions: Actions,
  { openPanel, openPath }: { openPanel: (id: string) => void; openPath: (path: string, line?: number) => unknown },
): (text?: string) => Promise<void> {
  const view = showListPanel(
    store,
    "search",
    ["kernel", "models"],
    (part: typeof import("./main.ts")) => new part.SearchPanel(actions, { openPath }),
  );
  const open = async (text = "") => {
    openPanel("search");
    (await view.get())?.enter(text);
  };
  commands.add({
    id: "search-files",
    title: "Search in all files",
    keywords: "find replace grep text",
    shortcut: `${MOD}+Shift+F`,
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
