/**
 * Refuses drops beside the places that take them. The browser would open what is dropped there in place of the surface, and
 * so send an address to its server that a page in a tab has chosen.
 */

// Fields whose text a person edits; not those for files, and not that of a terminal, which sends its text as keys.
const FIELDS = "textarea:not(.xterm-helper-textarea), input:is(:not([type]), [type=text], [type=search], [type=url], [type=password]),"
  + "[contenteditable=true]";

/** Refuse such drops in this window. */
export function refuseStrayDrops() {
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}

function refuse(event: DragEvent) {
  // A panel that takes a drop has prevented the browser's own handling.
  if (event.defaultPrevented || isText(event)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
}

/** Return whether the drop is text for a field. Chromium opens an address also over a field. */
function isText({ target, dataTransfer }: DragEvent) {
  const opens = ["Files", "text/uri-list"].some((type) => dataTransfer?.types.includes(type));
  return target instanceof Element && target.closest(FIELDS) !== null && !opens;
}
