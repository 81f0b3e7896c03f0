/**
 * After a modal dialog, put the focus back where the user was, and the caret into a text field. The browser only tries the
 * element that had the focus, which may be disabled, hidden or gone by then; then its panel decides, as for F6.
 */

import { focusInside, isVisible } from "../workbench/regions.ts";

/** The panel, the region or the other dialog that had the focus when a dialog opened. */
const before = new WeakMap<EventTarget, HTMLElement>();
const PARTS = ".panel, dialog, [data-region]";

// None of these events bubbles.
export function restoreFocusAfterDialogs() {
  document.addEventListener("beforetoggle", onToggle, { capture: true });
  document.addEventListener("close", onClose, { capture: true });
}

function onToggle({ target, newState }: ToggleEvent) {
  // One that closes and opens again at once, to be in front, has the focus itself.
  if (newState !== "open" || !(target instanceof HTMLDialogElement) || !hasFocus()) return;
  const part = document.activeElement?.closest<HTMLElement>(PARTS);
  if (part) before.set(target, part);
  else before.delete(target);
}

function onClose({ target }: Event) {
  if (!(target instanceof HTMLDialogElement) || target.open) return;
  const part = before.get(target);
  before.delete(target);
  if (part && !hasFocus() && isVisible(part)) focusInside(part);
  restoreCaret();
}

/** Return whether the user's keys go to an element. That of a closed dialog is the active one until the next frame. */
function hasFocus() {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && isVisible(activeElement);
}

// Chromium restores the focus and leaves the selection in the dialog, so that typed text would go nowhere.
function restoreCaret() {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLTextAreaElement) && !(activeElement instanceof HTMLInputElement)) return;
  const { selectionStart, selectionEnd, selectionDirection } = activeElement;
  // Inputs that are no text have none.
  if (selectionStart === null) return;
  activeElement.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}
