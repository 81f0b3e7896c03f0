// Submits forms as Enter does.
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission

import * as dom from "../dom.ts";
import { isTextField } from "./editing.ts";
import { fireChange, realmOf } from "./events.ts";
import { isEdited, noteValue } from "./focus.ts";
import { intercepting } from "./interception.ts";

/**
 * Dispatch the change event of an edited field before it loses the focus. Only the browser knows whether one is due,
 * and it dispatches it on blur, so the field is blurred for a moment without blur and focus events.
 * @param field - the focused one
 */
export function commit(field: Element) {
  if (!isTextField(field) || !isEdited(field)) return;
  const { selectionStart, selectionEnd, selectionDirection } = field;
  let fired = false;
  const onChange = () => (fired = true);
  field.addEventListener("change", onChange, { capture: true, once: true });
  intercepting(
    realmOf(field),
    ({ type }) => type.includes("focus") || type === "blur",
    () => {
      field.blur();
      field.focus({ preventScroll: true });
    },
  );
  field.removeEventListener("change", onChange, true);
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
  if (!fired) fireChange(field);
  noteValue(field);
}

/** Submit the form of a control as Enter does (implicit submission). */
export function submitImplicitly(control: HTMLInputElement) {
  const { form } = control;
  if (!form) return;
  const submitters = dom.querySelectorAll<HTMLButtonElement>(
    dom.getRootNode(form),
    "button, input[type=submit], input[type=image]",
  );
  const button = Array.from(submitters).find(
    (one) => one.form === form && (one.localName === "input" || one.type === "submit"),
  );
  if (button) {
    if (!button.disabled) button.click();
    return;
  }
  // Without a button, Chromium submits only if the form has a single text field.
  const fields = Array.from(dom.elements(form)).filter((one) => dom.localName(one) === "input" && isTextField(one));
  if (fields.length === 1 && fields[0] === control) dom.requestSubmit(form);
}
