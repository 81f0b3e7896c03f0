// Page up and page down in text: moves the caret by the same number of lines as Chromium.

import * as dom from "../dom.js";
import { isTextField } from "./editing.js";
import { PAGE } from "./scrolling.js";

/** @typedef {"forward" | "backward"} Direction */

/** @param {Element} element the focused one @param {string} key @param {boolean} extend whether to extend the selection */
export function pageByKey(element, key, extend) {
  if (dom.localName(element) === "input") return;
  const direction = key === "PageUp" ? "backward" : "forward";
  const visible = Math.min(innerHeightOf(element), dom.clientHeight(dom.documentElement(dom.ownerDocument(element))));
  const distance = Math.max(1, Math.floor(PAGE * visible));
  const move = (/** @type {string} */ by) => dom.getSelection(dom.ownerDocument(element))?.modify(extend ? "extend" : "move", direction, by);
  if (isTextField(element)) pageField(/** @type {HTMLTextAreaElement} */ (element), distance, direction, move);
  else pageText(element, distance, move);
}

/** Return the height inside the borders, rounded down; `clientHeight` may round up. @param {Element} element */
function innerHeightOf(element) {
  const offsetHeight = dom.offsetHeight(/** @type {HTMLElement} */ (element));
  const clientHeight = dom.clientHeight(element);
  const { height } = dom.getBoundingClientRect(element);
  const isScaled = Math.abs(height - offsetHeight) >= 1;
  return isScaled ? clientHeight : Math.floor(height - (offsetHeight - clientHeight));
}

/** @param {HTMLTextAreaElement} field @param {number} distance @param {Direction} direction @param {(by: string) => void} move */
function pageField(field, distance, direction, move) {
  for (let lines = Math.floor(distance / lineHeightOf(field)); lines > 0; lines--) move("line");
  const { selectionStart, selectionEnd, selectionDirection } = field;
  // On the first and last line, move to its start or end.
  move("lineboundary");
  if (focusOf(field) === (direction === "forward" ? field.value.length : 0)) return;
  field.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
}

/** Return the offset of the selection's moving end. @param {HTMLTextAreaElement} field */
function focusOf({ selectionStart, selectionEnd, selectionDirection }) {
  return selectionDirection === "backward" ? selectionStart : selectionEnd;
}

/** @param {Element} host @param {number} distance @param {(by: string) => void} move */
function pageText(host, distance, move) {
  const selection = dom.getSelection(dom.ownerDocument(host));
  if (!selection) return;
  const start = caretTop(host, selection);
  for (;;) {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    if (!anchorNode || !focusNode) return;
    move("line");
    if (selection.focusNode === focusNode && selection.focusOffset === focusOffset) return;
    if (Math.abs(caretTop(host, selection) - start) <= distance) continue;
    selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    return;
  }
}

/** Return the distance from the top of the host's content to the caret. @param {Element} host @param {Selection} selection */
function caretTop(host, { focusNode, focusOffset }) {
  if (!focusNode) return 0;
  const caret = dom.createRange(dom.ownerDocument(host));
  caret.setStart(focusNode, focusOffset);
  // A caret beside an element has no box.
  const beside = dom.childNodes(focusNode)[focusOffset] ?? dom.lastChild(focusNode) ?? focusNode;
  const element = dom.nodeType(beside) === Node.ELEMENT_NODE ? /** @type {Element} */ (beside) : host;
  const box = caret.getClientRects()[0] ?? dom.getBoundingClientRect(element);
  return box.top - dom.getBoundingClientRect(host).top + dom.scrollTop(host);
}

/**
 * Return the height of a line in pixels. Only a property that takes lengths resolves `line-height: normal`, and only an
 * animation can set it without triggering the page's observers.
 * @param {Element} element
 */
function lineHeightOf(element) {
  const probe = dom.animate(element, { scrollMarginTop: ["1lh", "1lh"] }, { duration: 1000 });
  probe.pause();
  try {
    return Number.parseFloat(getComputedStyle(element).scrollMarginTop);
  } finally {
    probe.cancel();
  }
}
