// The default actions of keys, which events from scripts don't have.

import { closeLast } from "../close_watchers.js";
import { isInPanel } from "../composed.js";
import * as dom from "../dom.js";
import { editContextOf } from "../surfaces.js";
import { clipboard } from "./clipboard.js";
import { edit, isEditable, isTextField, selectAll } from "./editing.js";
import { fireInput } from "./events.js";
import { tab } from "./focus.js";
import { commit, submitImplicitly } from "./forms.js";
import { pageByKey } from "./paging.js";
import { scrollByKey } from "./scrolling.js";
import { stepByKey } from "./stepping.js";
import { setValue } from "./values.js";

/**
 * @import { Key } from "./keys.js"
 * @import { Modifiers } from "./mouse.js"
 */

const PRESSED_BY_ENTER = "button, summary, input:is([type=submit], [type=button], [type=reset], [type=image])";
const PRESSED_BY_SPACE = "button, summary, input:is([type=submit], [type=button], [type=reset], [type=image], [type=checkbox], [type=radio])";

const MOVES = /** @type {Record<string, [string, string, string]>} */ ({
  // Direction, granularity, and granularity with Control.
  ArrowLeft: ["left", "character", "word"],
  ArrowRight: ["right", "character", "word"],
  ArrowUp: ["backward", "line", "paragraph"],
  ArrowDown: ["forward", "line", "paragraph"],
  Home: ["backward", "lineboundary", "documentboundary"],
  End: ["forward", "lineboundary", "documentboundary"],
});
const DELETES = /** @type {Record<string, string>} */ ({ Backspace: "Backward", Delete: "Forward" });

/**
 * Perform the default action of a key that types nothing.
 * @param {Element} element the focused one
 * @param {Key} key
 * @param {Modifiers} held
 */
export function keyDown(element, { key }, held) {
  if (key === "Tab") return tab(held.shiftKey === true);
  if (key === "Escape") return escape(element);
  if (stepByKey(element, key)) return;
  if (isEditable(element)) return editByKey(element, key, held);
  scrollByKey(element, key, held);
}

/** Perform the default action of a typing key outside text. @param {Element} element @param {Key} key @param {Modifiers} held */
export function keyPress(element, { key }, held) {
  if (key === "Enter") return enter(element, held);
  if (stepByKey(element, key)) return;
  if (key === " " && !dom.matches(element, PRESSED_BY_SPACE)) scrollByKey(element, key, held);
}

/** @param {Element} element @param {Key} key */
export function keyUp(element, { key }) {
  // Space doesn't click a radio that is already checked.
  if (key === " " && dom.matches(element, PRESSED_BY_SPACE) && !dom.matches(element, "[type=radio]:checked")) dom.click(/** @type {HTMLElement} */ (element));
}

/**
 * Perform the shortcut of a key with Control or Meta.
 * @param {Element} element
 * @param {Key} key
 * @param {Modifiers} held
 * @returns {boolean} false if there is none
 */
export function shortcut(element, { key }, { shiftKey }) {
  const letter = key.toLowerCase();
  const editable = isEditable(element);
  if (letter === "a") selectAll(element);
  else if (letter === "z" && editable) edit(element, shiftKey ? "historyRedo" : "historyUndo");
  else if (letter === "y" && editable) edit(element, "historyRedo");
  else if (letter === "c" || letter === "x" || letter === "v") clipboard[letter](element);
  else return false;
  return true;
}

/** @param {Element} element @param {Modifiers} held */
function enter(element, { shiftKey }) {
  const html = /** @type {HTMLElement} */ (element);
  if (dom.localName(element) === "textarea") edit(element, "insertLineBreak");
  else if (editContextOf(element)) edit(element, shiftKey ? "insertLineBreak" : "insertParagraph");
  else if (dom.isContentEditable(html)) edit(element, shiftKey || dom.contentEditable(html) === "plaintext-only" ? "insertLineBreak" : "insertParagraph");
  else if (dom.matches(element, PRESSED_BY_ENTER)) dom.click(html);
  else if (dom.localName(element) === "input") {
    if (isTextField(element) && !edit(element, "insertLineBreak")) return;
    commit(element);
    submitImplicitly(/** @type {HTMLInputElement} */ (element));
  }
}

/** @param {Element} element @param {string} key @param {Modifiers} held */
function editByKey(element, key, { ctrlKey, shiftKey }) {
  const deletes = DELETES[key];
  if (deletes) {
    edit(element, `${ctrlKey ? "deleteWord" : "deleteContent"}${deletes}`);
    return;
  }
  if (key === "PageUp" || key === "PageDown") return pageByKey(element, key, shiftKey === true);
  const move = MOVES[key];
  if (!move) return;
  const [direction, by, byMore] = move;
  const selection = dom.getSelection(dom.ownerDocument(element));
  selection?.modify(shiftKey ? "extend" : "move", direction, ctrlKey ? byMore : by);
}

/** Close the topmost dialog or popover, or the last CloseWatcher, or clear a search field. @param {Element} element */
function escape(element) {
  const document = dom.ownerDocument(element);
  const all = Array.from(dom.querySelectorAll(document, "dialog:modal, [popover]:popover-open"));
  const open = all.filter((one) => !isInPanel(one)).at(-1);
  if (open && dom.localName(open) === "dialog") /** @type {any} */ (open).requestClose();
  else if (open && dom.getAttribute(open, "popover") !== "manual") dom.hidePopover(/** @type {HTMLElement} */ (open));
  else if (closeLast()) return;
  else if (isTextField(element) && /** @type {HTMLInputElement} */ (element).type === "search") {
    setValue(/** @type {HTMLInputElement} */ (element), "");
    fireInput(element);
  }
}
