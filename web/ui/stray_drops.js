/**
 * Refuses drops beside the places that take them. The browser would open what is dropped there in place of the surface, and
 * so send an address to its server that a page in a tab has chosen.
 */

// Fields whose text a person edits; not those for files, and not that of a terminal, which sends its text as keys.
const FIELDS = "textarea:not(.xterm-helper-textarea), input:is(:not([type]), [type=text], [type=search], [type=url], [type=password]),"
  + "[contenteditable=true]";

/** True while an element is dragged, such as the tab of a panel. Its text is for no field. */
let isElement = false;

/** Refuse all drops in the window of a document that only contains a frame. @param {Window} view */
export function refuseDropsIn(view) {
  for (const type of /** @type {const} */ (["dragover", "drop"])) view.addEventListener(type, refuse);
}

/** Refuse such drops in this window. */
export function refuseStrayDrops() {
  addEventListener("dragstart", ({ target }) => (isElement = target instanceof HTMLElement && target.draggable), { capture: true });
  for (const type of /** @type {const} */ (["dragover", "drop"])) {
    addEventListener(type, admit, { capture: true });
    addEventListener(type, refuse);
  }
  addEventListener("dragend", () => (isElement = false), { capture: true });
}

/** Leave a text for a field to the browser. The dock would take it for a panel. @param {DragEvent} event */
function admit(event) {
  // Editors insert it themselves.
  if (isText(event) && !(/** @type {HTMLElement} */ (event.target).isContentEditable)) event.stopPropagation();
}

/** @param {DragEvent} event */
function refuse(event) {
  // A panel that takes a drop has prevented the browser's own handling.
  if (event.defaultPrevented || isText(event)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
}

/** Return whether the drop is text for a field. Chromium opens an address also over a field. @param {DragEvent} event */
function isText({ target, dataTransfer }) {
  const opens = ["Files", "text/uri-list"].some((type) => dataTransfer?.types.includes(type));
  return target instanceof Element && target.closest(FIELDS) !== null && !opens && !isElement;
}
