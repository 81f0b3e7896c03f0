// What the person must agree to first: typing into fields that are for secrets, and going to another origin.

import { composedParent } from "../composed.js";
import { ConsentNeeded } from "../errors.js";
import { isSecretField } from "../secrets.js";
import { told } from "./ready.js";

/**
 * @param {Element} field
 * @param {unknown} consented
 * Throws ConsentNeeded for a field of passwords, codes or payment.
 */
export function askFor(field, consented) {
  if (consented === true || !isSecretField(field)) return;
  throw new ConsentNeeded("The field is for a password, a code or a payment.", {
    hint: "The person has to agree first.",
    data: { field: told(field), autocomplete: field.getAttribute("autocomplete"), type: field.getAttribute("type") },
  });
}

/**
 * @param {Element} element that is pressed
 * @param {unknown} consented
 * Throws ConsentNeeded where that leads to another origin.
 */
export function askToLeave(element, consented) {
  const to = consented === true ? null : destinationOf(element);
  if (to === null || to.protocol === "javascript:" || to.origin === location.origin) return;
  throw new ConsentNeeded("It leads to another origin.", {
    hint: "The person has to agree first.",
    data: { leads_to: to.href },
  });
}

/** Where a press on the element goes by itself. @param {Element} element @returns {URL | null} */
function destinationOf(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    const href = at.getAttribute("href") ?? at.getAttribute("xlink:href");
    if ((at.localName === "a" || at.localName === "area") && href !== null) return URL.parse(href, at.baseURI);
    const { form } = /** @type {HTMLInputElement} */ (at);
    if (form instanceof HTMLFormElement && isSubmitting(/** @type {HTMLInputElement} */ (at))) return actionOf(form, at);
  }
  return null;
}

/** Whether a press, or Enter, sends the control's form. @param {HTMLInputElement} control */
function isSubmitting({ localName, type }) {
  return localName === "button" ? type === "submit" : localName === "input" && type !== "button" && type !== "reset";
}

/** @param {HTMLFormElement} form @param {Element} control */
function actionOf(form, control) {
  const sender = control.hasAttribute("formaction") ? control : form.querySelector("[formaction]:is(button, input):not([type=button])");
  const action = sender?.getAttribute("formaction") ?? form.getAttribute("action");
  return form.method === "dialog" || !action ? null : URL.parse(action, form.baseURI);
}
