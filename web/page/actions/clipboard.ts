// Copy, cut and paste between the actions on one page. Scripts can't use the user's clipboard without permission.

import * as dom from "../dom.ts";
import { edit, isEditable, isReadOnly, isTextField } from "./editing.ts";
import { fire } from "./events.ts";

let contents = new DataTransfer();

/** Return what was copied last; each copy is another object. */
export function clipboardContents() {
  return contents;
}

export const clipboard = {
  c: (element: Element) => void take(element, "copy"),
  x: (element: Element) => {
    if (take(element, "cut") && isEditable(element) && !isReadOnly(element)) edit(element, "deleteByCut");
  },
  v: (element: Element) => paste(element, contents),
};

/** Paste a text, without a change of the clipboard. */
export function pasteInto(element: Element, text: string) {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  paste(element, data);
}

function paste(element: Element, data: DataTransfer) {
  if (!fire(element, "ClipboardEvent", "paste", { clipboardData: data }) || !isEditable(element)) return;
  const text = data.getData("text/plain");
  if (text) edit(element, "insertFromPaste", text);
}

/** @returns false if the page prevented the browser's action */
function take(element: Element, type: "copy" | "cut"): boolean {
  const data = new DataTransfer();
  const allowed = fire(element, "ClipboardEvent", type, { clipboardData: data });
  const text = selectedText(element);
  if (allowed && text) data.setData("text/plain", text);
  if (!allowed || text) contents = data;
  return allowed;
}

function selectedText(element: Element) {
  if (!isTextField(element)) return dom.getSelection(dom.ownerDocument(element))?.toString() ?? "";
  const { type, value, selectionStart, selectionEnd } = element;
  return type === "password" ? "" : value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}
