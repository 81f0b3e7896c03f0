/** Keys of a notebook, as in Jupyter: keys of a cell, and keys of its text. */

export type Command =
  | "run"
  | "run-and-next"
  | "run-and-add"
  | "run-all"
  | "stop"
  | "clear"
  | "undo"
  | "redo"
  | "add-code"
  | "add-text"
  | "add-above"
  | "edit"
  | "leave"
  | "up"
  | "down"
  | "move-up"
  | "move-down"
  | "delete"
  | "to-code"
  | "to-text";

const CELL_KEYS: Record<string, Command> = {
  Enter: "edit",
  ArrowUp: "up",
  ArrowDown: "down",
  k: "up",
  j: "down",
  a: "add-above",
  b: "add-code",
  y: "to-code",
  m: "to-text",
  z: "undo",
  Z: "redo",
  Delete: "delete",
};

/** @param inCell - whether the cell itself has the focus, not something in it */
export function keyOf(event: KeyboardEvent, inCell: boolean): Command | null {
  const { key, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event;
  if (isComposing) return null;
  const control = ctrlKey || metaKey;
  if (key === "Enter" && shiftKey && !control && !altKey) return "run-and-next";
  if (key === "Enter" && control && !shiftKey && !altKey) return "run";
  if (key === "Enter" && altKey && !control && !shiftKey) return "run-and-add";
  if (altKey && shiftKey && !control && key === "ArrowUp") return "move-up";
  if (altKey && shiftKey && !control && key === "ArrowDown") return "move-down";
  if (!inCell) return key === "Escape" && isOfField(event) ? "leave" : null;
  return control || altKey ? null : (CELL_KEYS[key] ?? null);
}

/** Return whether the key is one of the cell's text, in which no list is open. */
function isOfField({ target }: KeyboardEvent) {
  const field = target instanceof Element ? target.closest(".cm-editor") : null;
  return field !== null && field.querySelector(".cm-tooltip-autocomplete") === null;
}
