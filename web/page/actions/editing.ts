// Edits text in fields and editable content with the browser's own commands, so that undo, `maxlength`, the filter of
// number fields and the change event on blur work as usual.

import * as dom from "../dom.ts";
import { editContextOf, type EditContext } from "../surfaces.ts";
import { fire, realmOf } from "./events.ts";
import { intercepting } from "./interception.ts";
import { permitted } from "./off_limits.ts";

const TEXTS = new Set(["text", "search", "url", "tel", "email", "password", "number"]);

const NO_BREAK = "\u00a0";
const AFTER_WORD = /\S(\u00a0?)$/;

/** The commands of https://www.w3.org/TR/input-events-2/#interface-InputEvent-Attributes */
const COMMANDS: Record<string, string> = {
  insertText: "insertText",
  insertFromPaste: "insertText",
  insertLineBreak: "insertLineBreak",
  insertParagraph: "insertParagraph",
  deleteContentBackward: "delete",
  deleteContentForward: "forwardDelete",
  deleteWordBackward: "delete",
  deleteWordForward: "forwardDelete",
  deleteByCut: "delete",
  historyUndo: "undo",
  historyRedo: "redo",
};

/** Return whether the node is a text field. */
export function isTextField(node: Node): node is HTMLInputElement | HTMLTextAreaElement {
  if (!dom.isElementNode(node)) return false;
  return dom.isNamed(node, "textarea") || (dom.isNamed(node, "input") && TEXTS.has(node.type));
}

export function isEditable(element: Element) {
  return isTextField(element) || dom.isContentEditable(element) === true || editContextOf(element) !== null;
}

/** Return whether users can't change the element. */
export function isReadOnly(element: Element) {
  return dom.propertiesOf(element).readOnly === true || dom.getAttribute(element, "aria-readonly") === "true";
}

/** Return the text of an editable element. */
export function textIn(element: Element) {
  return editContextOf(element)?.text ?? dom.propertiesOf(element).value ?? dom.innerText(element);
}

export function selectAll(element: Element) {
  if (isTextField(element)) element.select();
  else dom.execCommand(dom.ownerDocument(element), "selectAll");
}

/**
 * Edit the focused element at its selection.
 * @param element - that has the focus
 * @returns false if the page prevented it
 */
export function edit(element: Element, inputType: string, data: string | null = null): boolean {
  if (isReadOnly(permitted(element))) return true;
  if (!before(element, inputType, data)) return false;
  const context = editContextOf(element);
  if (context) {
    updateContext(context, inputType, data);
    return true;
  }
  // A single-line field fires beforeinput for a line break, but inserts none.
  if (!dom.isConnected(element) || (inputType === "insertLineBreak" && dom.localName(element) === "input")) return true;
  const document = dom.ownerDocument(element);
  if (inputType.startsWith("deleteWord")) {
    const selection = dom.getSelection(document);
    if (isCollapsed(element))
      selection?.modify("extend", inputType.endsWith("Backward") ? "backward" : "forward", "word");
  }
  // Commands report some edits with another type, so replace the event.
  const renamed = (event: Event) => {
    const [target] = event.composedPath();
    if (!event.isTrusted || event.type !== "input" || Reflect.get(event, "inputType") === inputType) return false;
    if (dom.isElement(target)) fire(target, "InputEvent", "input", { inputType, data, cancelable: false });
    return true;
  };
  intercepting(realmOf(element), renamed, () =>
    dom.execCommand(document, COMMANDS[inputType], false, data ?? undefined),
  );
  return true;
}

/**
 * Edit the text of an edit context, and tell its page, which draws it. Line breaks only have `beforeinput`
 * (https://w3c.github.io/edit-context/#handle-input-for-editcontext).
 */
function updateContext(context: EditContext, inputType: string, data: string | null) {
  const [start, end] = [context.selectionStart, context.selectionEnd].sort((one, other) => one - other);
  const isCollapsed = start === end;
  const deletes = inputType.startsWith("delete");
  if (!deletes && data === null) return;
  const updateRangeStart = deletes && isCollapsed && inputType.endsWith("Backward") ? Math.max(0, start - 1) : start;
  const updateRangeEnd =
    deletes && isCollapsed && inputType.endsWith("Forward") ? Math.min(context.text.length, end + 1) : end;
  const text = deletes ? "" : (data ?? "");
  if (text === "" && updateRangeStart === updateRangeEnd) return;
  const caret = updateRangeStart + text.length;
  context.updateText(updateRangeStart, updateRangeEnd, text);
  context.updateSelection(caret, caret);
  const init = { text, updateRangeStart, updateRangeEnd, selectionStart: caret, selectionEnd: caret };
  const [element] = context.attachedElements();
  context.dispatchEvent(new (realmOf(element).TextUpdateEvent)("textupdate", init));
}

/**
 * Insert a character of a longer text without the browser's command, which is slow because it updates the layout each
 * time. Insert the last character with `edit`, so that the browser counts the text as edited by a user.
 * @param element - that has the focus
 * @returns false if the page prevented it
 */
export function editFast(element: Element, data: string): boolean {
  const insert =
    isReadOnly(element) || editContextOf(element)
      ? null
      : isTextField(element)
        ? intoField(element, data)
        : intoText(element, data);
  if (!insert) return edit(element, "insertText", data);
  if (!before(element, "insertText", data)) return false;
  if (insert()) fire(element, "InputEvent", "input", { inputType: "insertText", data, cancelable: false });
  return true;
}

/** @returns returns false if `maxLength` is reached; null if only the browser's command works */
function intoField(field: HTMLInputElement | HTMLTextAreaElement, data: string): (() => boolean) | null {
  if (field.selectionStart === null) return null;
  return () => {
    const { selectionStart, selectionEnd, maxLength, value } = field;
    const start = selectionStart ?? value.length;
    const end = selectionEnd ?? value.length;
    if (maxLength >= 0 && value.length - (end - start) + data.length > maxLength) return false;
    field.setRangeText(data, start, end, "end");
    return true;
  };
}

function intoText(element: Element, data: string): (() => boolean) | null {
  // Use the range, because the selection's own methods update the layout.
  const selection = dom.getSelection(dom.ownerDocument(element));
  const caret = selection?.rangeCount ? selection.getRangeAt(0) : null;
  const node = caret?.startContainer;
  const offset = caret?.startOffset ?? 0;
  if (!caret?.collapsed || !node || !dom.isText(node) || offset !== node.length) return null;
  const spaced = AFTER_WORD.exec(node.data);
  // Let the browser decide which of several spaces to show.
  if (!spaced || (/\s/.test(data) && (data !== " " || spaced[1]))) return null;
  return () => {
    // A trailing space is visible only as a no-break space. Chromium replaces it when the next word begins.
    if (spaced[1]) node.replaceData(offset - 1, 1, ` ${data}`);
    else node.insertData(offset, data === " " ? NO_BREAK : data);
    caret.setEnd(node, node.length);
    caret.setStart(node, node.length);
    return true;
  };
}

function before(element: Element, inputType: string, data: string | null) {
  const selection = dom.getSelection(dom.ownerDocument(element));
  const range = !isTextField(element) && selection?.rangeCount ? selection.getRangeAt(0) : null;
  const targetRanges = range ? [new StaticRange(range)] : [];
  const text = inputType === "insertFromPaste" && range ? null : data;
  return fire(element, "InputEvent", "beforeinput", { inputType, data: text, targetRanges });
}

function isCollapsed(element: Element) {
  if (!isTextField(element)) return dom.getSelection(dom.ownerDocument(element))?.isCollapsed ?? true;
  const { selectionStart, selectionEnd } = element;
  return selectionStart === selectionEnd;
}
