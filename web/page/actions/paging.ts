// Page up and page down in text: moves the caret by the same number of lines as Chromium.

import * as dom from "../dom.ts";
import { isTextField } from "./editing.ts";
import { PAGE } from "./scrolling.ts";

type Direction = "forward" | "backward";

/**
 * @param element - the focused one
 * @param extend - whether to extend the selection
 */
export function pageByKey(element: Element, key: string, extend: boolean) {
  if (dom.localName(element) === "input") return;
  const direction = key === "PageUp" ? "backward" : "forward";
  const visible = Math.min(innerHeightOf(element), dom.clientHeight(dom.documentElement(dom.ownerDocument(element))));
  const distance = Math.max(1, Math.floor(PAGE * visible));
  const move = (by: string) =>
    dom.getSelection(dom.ownerDocument(element))?.modify(extend ? "extend" : "move", direction, by);
  if (isTextField(element)) pageField(element, distance, direction, move);
  else pageText(element, distance, move);
}

/** Return the height inside the borders, rounded down; `clientHeight` may round up. */
function innerHeightOf(element: Element) {
  const offsetHeight = dom.offsetHeight(element);
  const clientHeight = dom.clientHeight(element);
  const { height } = dom.getBoundingClientRect(element);
  const isScaled = Math.abs(height - offsetHeight) >= 1;
  return isScaled ? clientHeight : Math.floor(height - (offsetHeight - clientHeight));
}

function pageField(
  field: HTMLInputElement | HTMLTextAreaElement,
  distance: number,
  direction: Direction,
  move: (by: string) => void,
) {
  for (let lines = Math.floor(distance / lineHeightOf(field)); lines > 0; lines--) move("line");
  const { selectionStart, selectionEnd, selectionDirection } = field;
  // On the first and last line, move to its start or end.
  move("lineboundary");
  if (focusOf(field) === (direction === "forward" ? field.value.length : 0)) return;
  field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}

/** Return the offset of the selection's moving end. */
function focusOf({ selectionStart, selectionEnd, selectionDirection }: HTMLInputElement | HTMLTextAreaElement) {
  return selectionDirection === "backward" ? selectionStart : selectionEnd;
}

function pageText(host: Element, distance: number, move: (by: string) => void) {
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

/** Return the distance from the top of the host's content to the caret. */
function caretTop(host: Element, { focusNode, focusOffset }: Selection) {
  if (!focusNode) return 0;
  const caret = dom.createRange(dom.ownerDocument(host));
  caret.setStart(focusNode, focusOffset);
  // A caret next to an element has no box.
  const beside = dom.childNodes(focusNode)[focusOffset] ?? dom.lastChild(focusNode) ?? focusNode;
  const element = dom.isElementNode(beside) ? beside : host;
  const box = caret.getClientRects()[0] ?? dom.getBoundingClientRect(element);
  return box.top - dom.getBoundingClientRect(host).top + dom.scrollTop(host);
}

/**
 * Return the height of a line in pixels. Only a property that takes lengths resolves `line-height: normal`, and only an
 * animation can set it without triggering the page's observers.
 */
function lineHeightOf(element: Element) {
  const probe = dom.animate(element, { scrollMarginTop: ["1lh", "1lh"] }, { duration: 1000 });
  probe.pause();
  try {
    return Number.parseFloat(getComputedStyle(element).scrollMarginTop);
  } finally {
    probe.cancel();
  }
}
