// Text that is edited: in fields and in editable content, by the browser's own commands, so that undo, `maxlength`, what a
// number field lets in and the change on blur are the browser's.

import { fire, realmOf } from "./events.js";
import { intercepting } from "./interception.js";
import { permitted } from "./off_limits.js";

const TEXTS = new Set(["text", "search", "url", "tel", "email", "password", "number"]);

const NO_BREAK = "\u00a0";
const AFTER_WORD = /\S(\u00a0?)$/;

/** The commands of https://www.w3.org/TR/input-events-2/#interface-InputEvent-Attributes */
const COMMANDS = /** @type {Record<string, string>} */ ({
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
});

/** Whether the node is a field of text. @param {Node} node */
export function isTextField(node) {
  const name = /** @type {Element} */ (node).localName;
  return name === "textarea" || (name === "input" && TEXTS.has(/** @type {HTMLInputElement} */ (node).type));
}

/** @param {Element} element */
export function isEditable(element) {
  return isTextField(element) || /** @type {HTMLElement} */ (element).isContentEditable === true;
}

/** Whether a person can't change it. @param {Element} element */
export function isReadOnly(element) {
  const field = /** @type {HTMLInputElement} */ (element);
  return field.readOnly === true || field.getAttribute("aria-readonly") === "true";
}

/** What an editable element holds. @param {Element} element */
export function textIn(element) {
  return /** @type {HTMLInputElement} */ (element).value ?? /** @type {HTMLElement} */ (element).innerText;
}

/** @param {Element} element */
export function selectAll(element) {
  if (isTextField(element)) /** @type {HTMLInputElement} */ (element).select();
  else element.ownerDocument.execCommand("selectAll");
}

/**
 * Edit what has the focus, at its selection.
 * @param {Element} element that has the focus
 * @param {string} inputType
 * @param {string | null} [data]
 * @returns {boolean} false where the page prevented it
 */
export function edit(element, inputType, data = null) {
  if (isReadOnly(permitted(element))) return true;
  if (!before(element, inputType, data)) return false;
  // A field of one line asks and takes none.
  if (!element.isConnected || (inputType === "insertLineBreak" && element.localName === "input")) return true;
  const document = element.ownerDocument;
  if (inputType.startsWith("deleteWord")) {
    const selection = document.getSelection();
    if (isCollapsed(element)) selection?.modify("extend", inputType.endsWith("Backward") ? "backward" : "forward", "word");
  }
  // Commands tell some edits by another type; the page hears the true one.
  const renamed = (/** @type {Event} */ event) => {
    if (!event.isTrusted || /** @type {InputEvent} */ (event).inputType === inputType || event.type !== "input") return false;
    fire(event.composedPath()[0], "InputEvent", "input", { inputType, data, cancelable: false });
    return true;
  };
  intercepting(realmOf(element), renamed, () => document.execCommand(COMMANDS[inputType], false, data ?? undefined));
  return true;
}

/**
 * Insert a character of a longer text. The browser's command lays the field out anew each time, which is slow; the last
 * character goes by `edit`, which makes the whole an edit of the person's.
 * @param {Element} element that has the focus
 * @param {string} data
 * @returns {boolean} false where the page prevented it
 */
export function editSwiftly(element, data) {
  const insert = isReadOnly(element) ? null : isTextField(element) ? intoField(element, data) : intoText(element, data);
  if (!insert) return edit(element, "insertText", data);
  if (!before(element, "insertText", data)) return false;
  if (insert()) fire(element, "InputEvent", "input", { inputType: "insertText", data, cancelable: false });
  return true;
}

/** @param {Element} element @param {string} data @returns {(() => boolean) | null} says whether there was room; null where only the browser can */
function intoField(element, data) {
  const field = /** @type {HTMLInputElement} */ (element);
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

/** @param {Element} element @param {string} data @returns {(() => boolean) | null} */
function intoText(element, data) {
  // By its range: the selection's own methods lay the text out first.
  const selection = element.ownerDocument.getSelection();
  const caret = selection?.rangeCount ? selection.getRangeAt(0) : null;
  const node = /** @type {Text | undefined} */ (caret?.startContainer);
  const offset = caret?.startOffset ?? 0;
  if (!caret?.collapsed || node?.nodeType !== 3 || offset !== node.length) return null;
  const spaced = AFTER_WORD.exec(node.data);
  // Which spaces of several are shown is the browser's to settle.
  if (!spaced || (/\s/.test(data) && (data !== " " || spaced[1]))) return null;
  return () => {
    // At the end a space shows only if it doesn't break, as in Chromium until the next word begins.
    if (spaced[1]) node.replaceData(offset - 1, 1, ` ${data}`);
    else node.insertData(offset, data === " " ? NO_BREAK : data);
    caret.setEnd(node, node.length);
    caret.setStart(node, node.length);
    return true;
  };
}

/** @param {Element} element @param {string} inputType @param {string | null} data */
function before(element, inputType, data) {
  const selection = element.ownerDocument.getSelection();
  const range = !isTextField(element) && selection?.rangeCount ? selection.getRangeAt(0) : null;
  const targetRanges = range ? [new StaticRange(range)] : [];
  const text = inputType === "insertFromPaste" && range ? null : data;
  return fire(element, "InputEvent", "beforeinput", { inputType, data: text, targetRanges });
}

/** @param {Element} element */
export function isCollapsed(element) {
  if (!isTextField(element)) return element.ownerDocument.getSelection()?.isCollapsed ?? true;
  const { selectionStart, selectionEnd } = /** @type {HTMLInputElement} */ (element);
  return selectionStart === selectionEnd;
}
