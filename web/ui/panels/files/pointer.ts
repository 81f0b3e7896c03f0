/**
 * The pointer on the list and the map: a click selects, a double click or tap opens, the background deselects and moves
 * the map.
 */

import { pan } from "./map_view.ts";
import type { FilesPanel } from "./panel.ts";

export function listenToPointer(panel: FilesPanel, body: HTMLElement) {
  body.addEventListener("pointerdown", (event) => {
    const ground = groundOf(event);
    if (ground && panel.isMap) pan(ground, event);
  });
  body.addEventListener("click", (event) => {
    const path = pathOf(event);
    if (groundOf(event)) {
      panel.selection.set([]);
      panel.draw();
    } else if (path !== null && event instanceof PointerEvent && event.pointerType === "touch") {
      void panel.open(path);
    } else if (path !== null) {
      panel.selection.press(path, { toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey }, panel.paths);
      panel.focusEntry();
    }
  });
  body.addEventListener("dblclick", (event) => {
    const path = pathOf(event);
    if (path !== null && !event.ctrlKey && !event.shiftKey) void panel.open(path);
  });
  body.addEventListener("contextmenu", (event) => {
    const path = pathOf(event);
    if (path === null && !groundOf(event)) return;
    event.preventDefault();
    if (path === null) panel.selection.set([]);
    else if (!panel.selection.has(path)) panel.selection.set([path]);
    if (path === null) panel.draw();
    else panel.focusEntry();
    panel.openMenu({ x: event.clientX, y: event.clientY });
  });
  body.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.dataset.path) panel.selection.focused = target.dataset.path;
  });
}

/** @returns of the file under the pointer; null in a text field */
function pathOf({ target }: MouseEvent): string | null {
  if (!(target instanceof Element) || target.closest("input")) return null;
  const entry = target.closest("[data-path]");
  return entry instanceof HTMLElement ? (entry.dataset.path ?? null) : null;
}

/** @returns the scroller, if the pointer is on its background */
function groundOf({ target }: MouseEvent): HTMLElement | null {
  if (!(target instanceof Element) || target.closest("[data-path], input, button")) return null;
  const ground = target.closest(".file-scroll");
  return ground instanceof HTMLElement ? ground : null;
}
