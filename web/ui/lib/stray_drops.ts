/**
 * Refuses drops outside the places that take them. The browser would open a drop there in place of the
 * surface, and so send an address to its server that a page in a tab has chosen.
 */
import { isOpened } from "../../page/stray_drops.ts";

// Fields whose text a user edits; not fields for files, and not a terminal's field, which sends its text as keys.
const FIELDS =
  "textarea:not(.xterm-helper-textarea), input:is(:not([type]), [type=text], [type=search], [type=url], [type=password])," +
  "[contenteditable=true]";

/** True while an element is dragged, such as the tab of a panel. Its text is for no field. */
let isElement = false;

/** Refuse all drops in the window of a document that only contains a frame. */
export function refuseDropsIn(view: Window) {
  for (const type of ["dragover", "drop"] as const) view.addEventListener(type, refuse);
}

/** Refuse such drops in this window. */
export function refuseStrayDrops() {
  addEventListener("dragstart", ({ target }) => (isElement = target instanceof HTMLElement && target.draggable), {
    capture: true,
  });
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(type, admit, { capture: true });
    addEventListener(type, refuse);
  }
  addEventListener("dragend", () => (isElement = false), { capture: true });
}

/** Leave a text for a field to the browser. The dock would take it for a panel. */
function admit(event: DragEvent) {
  // Editors insert it themselves.
  if (isText(event) && !(event.target instanceof HTMLElement && event.target.isContentEditable))
    event.stopPropagation();
}

function refuse(event: DragEvent) {
  // A panel that takes a drop has prevented the browser's own handling.
  if (event.defaultPrevented || isText(event)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
}

/** Return whether the drop is text for a field. Chromium opens an address also over a field. */
function isText({ target, dataTransfer }: DragEvent) {
  return target instanceof Element && target.closest(FIELDS) !== null && !isOpened(dataTransfer) && !isElement;
}
