// Actions that need the user's consent: typing into secret fields, and leaving for another origin.

import { composedParent } from "../composed.ts";
import * as dom from "../dom.ts";
import { ConsentNeeded } from "../errors.ts";
import { isSecretField } from "../secrets.ts";
import { tagOf } from "./ready.ts";

/** Throw ConsentNeeded for a field for passwords, codes or payments, unless `consented` is true. */
export function askFor(field: Element, consented: unknown) {
  if (consented === true || !isSecretField(field)) return;
  throw new ConsentNeeded("The field is for a password, a code or a payment.", {
    hint: "The user must agree first.",
    data: {
      field: tagOf(field),
      autocomplete: dom.getAttribute(field, "autocomplete"),
      type: dom.getAttribute(field, "type"),
    },
  });
}

/**
 * Throw ConsentNeeded if a press leads to another origin, unless `consented` is true.
 * @param element - that is pressed
 */
export function askToLeave(element: Element, consented: unknown) {
  const to = consented === true ? null : destinationOf(element);
  if (to === null || to.protocol === "javascript:" || to.origin === location.origin) return;
  throw new ConsentNeeded("The element leads to another origin.", {
    hint: "The user must agree first.",
    data: { leads_to: to.href },
  });
}

/** Return the URL that a press on the element opens without a script. */
function destinationOf(element: Element): URL | null {
  for (let at: Element | null = element; at; at = composedParent(at)) {
    const href = dom.getAttribute(at, "href") ?? dom.getAttribute(at, "xlink:href");
    if ((dom.localName(at) === "a" || dom.localName(at) === "area") && href !== null)
      return URL.parse(href, dom.baseURI(at));
    const { form } = dom.propertiesOf(at);
    if (form instanceof HTMLFormElement && isSubmitting(at)) return actionOf(form, at);
  }
  return null;
}

/** Return whether a press or Enter submits the control's form. */
function isSubmitting(control: Element) {
  const { localName, type } = dom.propertiesOf(control);
  return localName === "button" ? type === "submit" : localName === "input" && type !== "button" && type !== "reset";
}

function actionOf(form: HTMLFormElement, control: Element) {
  const sender = dom.hasAttribute(control, "formaction")
    ? control
    : dom.querySelector(form, "[formaction]:is(button, input):not([type=button])");
  const action = (sender && dom.getAttribute(sender, "formaction")) ?? dom.getAttribute(form, "action");
  return dom.formMethod(form) === "dialog" || !action ? null : URL.parse(action, dom.baseURI(form));
}
