// Copy, cut and paste between the actions on one page. Scripts can't use the user's clipboard without permission.

import * as dom from "../dom.js";
import { edit, isEditable, isReadOnly, isTextField } from "./editing.js";
import { fire } from "./events.js";

let contents = new DataTransfer();

/** Return what was copied last; each copy is another object. */
export function clipboardContents() {
  return contents;
}

export const clipboard = {
  c: (/** @type {Element} */ element) => void take(element, "copy"),
  x: (/** @type {Element} */ element) => {
    if (take(element, "cut") && isEditable(element) && !isReadOnly(element)) edit(element, "deleteByCut");
  },
  v: (/** @type {Element} */ element) => paste(element, contents),
};

/** Paste a text, without a change of the clipboard. @param {Element} element @param {string} text */
export function pasteInto(element, text) {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  paste(element, data);
}

/** @param {Element} element @param {DataTransfer} data */
function paste(element, data) {
  if (!fire(element, "ClipboardEvent", "paste", { clipboardData: data }) || !isEditable(element)) return;
  const text = data.getData("text/plain");
  if (text) edit(element, "insertFromPaste", text);
}

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
  if (!isTextField(element)) return dom.getSelection(dom.ownerDocument(element))?.toString() ?? "";
  const { type, value, selectionStart, selectionEnd } = /** @type {HTMLInputElement} */ (element);
  return type === "password" ? "" : value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}
