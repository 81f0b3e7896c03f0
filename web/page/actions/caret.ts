// Moves the caret and the selection, as presses and keys do.

import { composedContains, composedParent } from "../composed.ts";
import * as dom from "../dom.ts";
import { shadowOf } from "../internals.ts";
import { isEditable, isTextField } from "./editing.ts";
import { localPoint, type Point } from "./places.ts";
import { wordAround, wordAt } from "./words.ts";

// Elements in which a press starts no selection, as in Chromium (Node::CanStartSelection).
const UNSELECTABLE = `button, select, option, img, a[href], area, video, audio, canvas,
  input:is([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=range], [type=color])`;

/** Return whether a press changes the page's selection. */
function startsSelection(target: Element) {
  for (let at: Element | null = target; at; at = composedParent(at)) {
    if (isEditable(at)) return true;
    if (dom.matches(at, UNSELECTABLE) || getComputedStyle(at).userSelect === "none") return false;
  }
  return true;
}

/** Place the caret at a point, or with `extend` extend the selection to it. */
export function placeCaret(target: Element, point: Point, extend = false) {
  if (!startsSelection(target)) return;
  const document = dom.ownerDocument(target);
  const position = caretAt(document, point);
  const selection = dom.getSelection(document);
  if (!position || !selection) return;
  const { offsetNode, offset } = position;
  if (isTextField(offsetNode)) {
    const { selectionStart } = offsetNode;
    if (selectionStart !== null) offsetNode.setSelectionRange(extend ? selectionStart : offset, offset);
    return;
  }
  const around = dom.parentElement(offsetNode);
  if (around && !composedContains(target, around) && !isEditable(target)) {
    if (!selection.isCollapsed) selection.collapse(target, 0);
    return;
  }
  if (extend && selection.anchorNode) selection.extend(offsetNode, offset);
  else selection.collapse(offsetNode, offset);
}

/** Select the word at a point, as a double-click does. */
export function selectWord(target: Element, point: Point) {
  const document = dom.ownerDocument(target);
  const position = caretAt(document, point);
  if (!position || !startsSelection(target)) return;
  const { offsetNode, offset } = position;
  if (isTextField(offsetNode)) {
    if (offsetNode.selectionStart !== null)
      offsetNode.setSelectionRange(...wordAt(offsetNode.value, offset), "forward");
    else modifyToWord(document);
    return;
  }
  const word = wordAround(offsetNode, offset);
  if (!word) return;
  const [start, end] = word;
  dom.getSelection(document)?.setBaseAndExtent(start.node, start.offset, end.node, end.offset);
}

/** Select the word at the caret, in a field that doesn't reveal the caret's offset. */
function modifyToWord(document: Document) {
  const selection = dom.getSelection(document);
  selection?.modify("move", "forward", "word");
  selection?.modify("move", "backward", "word");
  selection?.modify("extend", "forward", "word");
}

/** Select the text between two points of the same document. */
export function selectBetween(target: Element, from: Point, to: Point) {
  const document = dom.ownerDocument(target);
  const start = caretAt(document, from);
  const end = caretAt(document, to);
  if (!start || !end || !startsSelection(target)) return;
  if (isTextField(start.offsetNode)) {
    const field = start.offsetNode;
    const last = end.offsetNode === field ? end.offset : field.value.length;
    if (field.selectionStart === null) return;
    const backward = last < start.offset;
    field.setSelectionRange(
      Math.min(start.offset, last),
      Math.max(start.offset, last),
      backward ? "backward" : "forward",
    );
  } else {
    dom.getSelection(document)?.setBaseAndExtent(start.offsetNode, start.offset, end.offsetNode, end.offset);
  }
}

function caretAt(document: Document, point: Point) {
  const local = localPoint(document, point);
  const shadowRoots = [];
  let at = dom.elementFromPoint(document, local.x, local.y);
  for (let root = at && shadowOf(at); root; root = at && shadowOf(at)) {
    shadowRoots.push(root);
    const next = root.elementFromPoint(local.x, local.y);
    at = next === at ? null : next;
  }
  return dom.caretPositionFromPoint(document, local.x, local.y, { shadowRoots });
}
