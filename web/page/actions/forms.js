// What Enter does to a form. https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission

import { isTextField } from "./editing.js";
import { fireChange, realmOf } from "./events.js";
import { isEdited, noteValue } from "./focus.js";
import { intercepting } from "./interception.js";

/**
 * Tell the change of an edited field, before it is left. Only the browser knows what it has told, and it tells on blur: so
 * the field loses the focus for a moment of which the page doesn't hear.
 * @param {Element} element that has the focus
 */
export function commit(element) {
  if (!isTextField(element) || !isEdited(element)) return;
  const field = /** @type {HTMLInputElement} */ (element);
  const { selectionStart, selectionEnd, selectionDirection } = field;
  let told = false;
  const hear = () => (told = true);
  field.addEventListener("change", hear, { capture: true, once: true });
  intercepting(realmOf(field), ({ type }) => type.includes("focus") || type === "blur", () => {
    field.blur();
    field.focus({ preventScroll: true });
  });
  field.removeEventListener("change", hear, true);
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
  if (!told) fireChange(field);
  noteValue(field);
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
  // Chromium lets only a field of text submit by itself, and only where it is alone.
  const fields = Array.from(form.elements).filter((one) => one.localName === "input" && isTextField(one));
  if (fields.length === 1 && fields[0] === control) form.requestSubmit();
}
