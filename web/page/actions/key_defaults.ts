// The default actions of keys, which events from scripts don't have.

import { closeLast } from "../close_watchers.ts";
import { isInPanel } from "../composed.ts";
import * as dom from "../dom.ts";
import { editContextOf } from "../surfaces.ts";
import { clipboard } from "./clipboard.ts";
import { edit, isEditable, isTextField, selectAll } from "./editing.ts";
import { fireInput } from "./events.ts";
import { tab } from "./focus.ts";
import { commit, submitImplicitly } from "./forms.ts";
import type { Key } from "./keys.ts";
import type { Modifiers } from "./mouse.ts";
import { pageByKey } from "./paging.ts";
import { scrollByKey } from "./scrolling.ts";
import { stepByKey } from "./stepping.ts";
import { setValue } from "./values.ts";

const PRESSED_BY_ENTER = "button, summary, input:is([type=submit], [type=button], [type=reset], [type=image])";
const PRESSED_BY_SPACE =
  "button, summary, input:is([type=submit], [type=button], [type=reset], [type=image], [type=checkbox], [type=radio])";

const MOVES: Record<string, [string, string, string]> = {
  // Direction, granularity, and granularity with Control.
  ArrowLeft: ["left", "character", "word"],
  ArrowRight: ["right", "character", "word"],
  ArrowUp: ["backward", "line", "paragraph"],
  ArrowDown: ["forward", "line", "paragraph"],
  Home: ["backward", "lineboundary", "documentboundary"],
  End: ["forward", "lineboundary", "documentboundary"],
};
const DELETES: Record<string, string> = { Backspace: "Backward", Delete: "Forward" };

/**
 * Perform the default action of a key that types nothing.
 * @param element - the focused one
 */
export function keyDown(element: Element, { key }: Key, held: Modifiers) {
  if (key === "Tab") return tab(held.shiftKey === true);
  if (key === "Escape") return escape(element);
  if (stepByKey(element, key)) return;
  if (isEditable(element)) return editByKey(element, key, held);
  scrollByKey(element, key, held);
}

/** Perform the default action of a typing key outside text. */
export function keyPress(element: Element, { key }: Key, held: Modifiers) {
  if (key === "Enter") return enter(element, held);
  if (stepByKey(element, key)) return;
  if (key === " " && !dom.matches(element, PRESSED_BY_SPACE)) scrollByKey(element, key, held);
}

export function keyUp(element: Element, { key }: Key) {
  // Space doesn't click a radio that is already checked.
  if (key === " " && dom.matches(element, PRESSED_BY_SPACE) && !dom.matches(element, "[type=radio]:checked"))
    dom.click(element);
}

/**
 * Perform the shortcut of a key with Control or Meta.
 * @returns false if there is none
 */
export function shortcut(element: Element, { key }: Key, { shiftKey }: Modifiers): boolean {
  const letter = key.toLowerCase();
  const editable = isEditable(element);
  if (letter === "a") selectAll(element);
  else if (letter === "z" && editable) edit(element, shiftKey ? "historyRedo" : "historyUndo");
  else if (letter === "y" && editable) edit(element, "historyRedo");
  else if (letter === "c" || letter === "x" || letter === "v") clipboard[letter](element);
  else return false;
  return true;
}

function enter(element: Element, { shiftKey }: Modifiers) {
  if (dom.localName(element) === "textarea") edit(element, "insertLineBreak");
  else if (editContextOf(element)) edit(element, shiftKey ? "insertLineBreak" : "insertParagraph");
  else if (dom.isContentEditable(element))
    edit(
      element,
      shiftKey || dom.contentEditable(element) === "plaintext-only" ? "insertLineBreak" : "insertParagraph",
    );
  else if (dom.matches(element, PRESSED_BY_ENTER)) dom.click(element);
  else if (dom.isNamed(element, "input")) {
    if (isTextField(element) && !edit(element, "insertLineBreak")) return;
    commit(element);
    submitImplicitly(element);
  }
}

function editByKey(element: Element, key: string, { ctrlKey, shiftKey }: Modifiers) {
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

/** Close the topmost dialog or popover, or the last CloseWatcher, or clear a search field. */
function escape(element: Element) {
  const document = dom.ownerDocument(element);
  const all = Array.from(dom.querySelectorAll(document, "dialog:modal, [popover]:popover-open"));
  const open = all.filter((one) => !isInPanel(one)).at(-1);
  if (open && dom.isNamed(open, "dialog")) open.requestClose();
  else if (open && dom.getAttribute(open, "popover") !== "manual") dom.hidePopover(open);
  else if (closeLast()) return;
  else if (isTextField(element) && element.type === "search") {
    setValue(element, "");
    fireInput(element);
  }
}
