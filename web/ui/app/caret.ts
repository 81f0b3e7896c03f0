/** After a modal dialog, put the caret back into the text field that has the focus again. */

// Chromium restores the focus and leaves the selection in the dialog, so that typed text would go nowhere.
export function restoreCaretAfterDialogs() {
  // It doesn't bubble.
  document.addEventListener("close", restoreCaret, { capture: true });
}

function restoreCaret() {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLTextAreaElement) && !(activeElement instanceof HTMLInputElement)) return;
  const { selectionStart, selectionEnd, selectionDirection } = activeElement;
  // Inputs that are no text have none.
  if (selectionStart === null) return;
  activeElement.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}
