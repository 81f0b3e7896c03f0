// What Enter does to a form. https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission

import { isTextField } from "./editing.js";
import { fireChange } from "./events.js";
import { isEdited, noteValue } from "./focus.js";
import { setValue } from "./values.js";

const BLOCKING = new Set([
  "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local", "number",
]);

/** Tell the change of an edited field, before it is left. @param {Element} element */
export function commit(element) {
  if (!isTextField(element) || !isEdited(element)) return;
  const field = /** @type {HTMLInputElement} */ (element);
  fireChange(field);
  noteValue(field);
  // The browser would tell it again on blur; what a script sets is no edit.
  const { value, selectionStart, selectionEnd, selectionDirection } = field;
  setValue(field, "");
  setValue(field, value);
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}

/** Submit the form of a control as Enter does. @param {HTMLInputElement} control */
export function submitImplicitly(control) {
  const { form } = control;
  if (!form) return;
  const root = /** @type {Document} */ (form.getRootNode());
  const submitters = root.querySelectorAll("button, input[type=submit], input[type=image]");
  const button = Array.from(/** @type {NodeListOf<HTMLButtonElement>} */ (submitters)).find(
    (one) => one.form === form && (one.localName === "input" || one.type === "submit"),
  );
  if (button) {
    if (!button.disabled) button.click();
    return;
  }
  const fields = Array.from(form.elements).filter((one) => one.localName === "input");
  const blocking = fields.filter((one) => BLOCKING.has(/** @type {HTMLInputElement} */ (one).type));
  if (blocking.length <= 1) form.requestSubmit();
}
