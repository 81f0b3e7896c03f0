/** The keyboard of the list and the map. */

import { neighbour } from "./map_view.ts";
import type { FilesPanel } from "./panel.ts";
import type { Keys } from "./selection.ts";

// After this pause, typed letters start a new name.
const PAUSE_MS = 800;
const PAGE = 10;

export function listenToKeys(panel: FilesPanel, body: HTMLElement) {
  const typed = new TypeAhead();
  body.addEventListener("keydown", (event) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-path]") === null) return;
    if (act(panel, event) || move(panel, event)) typed.reset();
    else if (!typed.find(panel, event)) return;
    event.preventDefault();
  });
}

/** @returns whether the key was handled */
function act(panel: FilesPanel, event: KeyboardEvent): boolean {
  const name = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${
    event.shiftKey ? "Shift+" : ""
  }${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
  const focused = panel.selection.focused ?? panel.paths[0];
  const operation = {
    Enter: () => void panel.open(focused),
    Backspace: () => panel.goUp(),
    "Alt+ArrowUp": () => panel.goUp(),
    F2: () => panel.type({ what: "rename", path: focused }),
    Delete: () => panel.deleteSelected(),
    "Ctrl+z": () => void panel.undo(),
    "Ctrl+a": () => changeSelection(panel, () => panel.selection.all(panel.paths)),
    " ": () =>
      changeSelection(panel, () => panel.selection.press(focused, { toggle: false, extend: false }, panel.paths)),
    "Ctrl+ ": () =>
      changeSelection(panel, () => panel.selection.press(focused, { toggle: true, extend: false }, panel.paths)),
    ContextMenu: () => panel.openMenu(below(focused)),
    "Shift+F10": () => panel.openMenu(below(focused)),
  }[name];
  operation?.();
  return operation !== undefined;
}

function move(panel: FilesPanel, event: KeyboardEvent) {
  if (event.altKey) return false;
  const { entries } = panel;
  const index = Math.max(
    0,
    entries.findIndex(({ path }) => path === panel.selection.focused),
  );
  const last = entries.length - 1;
  const arrow = panel.isMap && event.key.startsWith("Arrow");
  const next = arrow
    ? neighbour(entries, entries[index], event.key)
    : entries[
        {
          ArrowDown: Math.min(index + 1, last),
          ArrowUp: Math.max(index - 1, 0),
          PageDown: Math.min(index + PAGE, last),
          PageUp: Math.max(index - PAGE, 0),
          Home: 0,
          End: last,
        }[event.key] ?? -1
      ];
  if (next) goTo(panel, next.path, { toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey });
  return next !== undefined || arrow;
}

/** The letters typed to find a name by its beginning. */
class TypeAhead {
  #text = "";
  #at = 0;

  /** Start over with the next letter. */
  reset() {
    this.#text = "";
  }

  find(panel: FilesPanel, { key, ctrlKey, altKey, metaKey, timeStamp }: KeyboardEvent) {
    if (key.length !== 1 || key === " " || ctrlKey || altKey || metaKey) return false;
    this.#text = (timeStamp - this.#at < PAUSE_MS ? this.#text : "") + key.toLowerCase();
    this.#at = timeStamp;
    const { entries } = panel;
    const index = entries.findIndex(({ path }) => path === panel.selection.focused);
    // Repeating a letter moves on to the next match; further letters may keep the current one.
    const from = this.#text.length > 1 ? index : index + 1;
    const found = [...entries.slice(from), ...entries.slice(0, from)].find(({ name }) =>
      name.toLowerCase().startsWith(this.#text),
    );
    if (found) goTo(panel, found.path, { toggle: false, extend: false });
    return true;
  }
}

function goTo(panel: FilesPanel, path: string, keys: Keys) {
  changeSelection(panel, () => panel.selection.move(path, keys, panel.paths));
}

function changeSelection(panel: FilesPanel, change: () => void) {
  change();
  panel.focusEntry();
}

function below(path: string) {
  const { left, bottom } = document.getElementById(`file:${path}`)?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
  return { x: left + 24, y: bottom };
}
