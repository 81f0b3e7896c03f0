// Copy, cut and paste between the actions on one page. Scripts can't use the user's clipboard without permission.

import { edit, isEditable, isReadOnly, isTextField } from "./editing.js";
import { fire } from "./events.js";

let contents = new DataTransfer();

export const clipboard = {
  c: (/** @type {Element} */ element) => void take(element, "copy"),
  x: (/** @type {Element} */ element) => {
    if (take(element, "cut") && isEditable(element) && !isReadOnly(element)) edit(element, "deleteByCut");
  },
  v: (/** @type {Element} */ element) => {
    if (!fire(element, "ClipboardEvent", "paste", { clipboardData: contents }) || !isEditable(element)) return;
    const text = contents.getData("text/plain");
    if (text) edit(element, "insertFromPaste", text);
  },
};

/** @param {Element} element @param {"copy" | "cut"} type @returns {boolean} false if the page prevented the browser's action */
function take(element, type) {
  const data = new DataTransfer();
  const allowed = fire(element, "ClipboardEvent", type, { clipboardData: data });
  const text = selectedText(element);
  if (allowed && text) data.setData("text/plain", text);
  if (!allowed || text) contents = data;
  return allowed;
}

/** @param {Element} element */
function selectedText(element) {
  if (!isTextField(element)) return element.ownerDocument.getSelection()?.toString() ?? "";
  const { type, value, selectionStart, selectionEnd } = /** @type {HTMLInputElement} */ (element);
  return type === "password" ? "" : value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}
