// Fields that hold what is a person's own: an agent asks before it types into them.

import { ConsentNeeded } from "../errors.js";

const ASKED = /^(cc-.+|one-time-code|current-password|new-password)$/;

/**
 * @param {Element} field
 * @param {unknown} consented
 * Throws ConsentNeeded for a field of passwords, codes or payment.
 */
export function askFor(field, consented) {
  if (consented === true || !isPersonal(field)) return;
  throw new ConsentNeeded("The field is for a password, a code or a payment.", {
    hint: "The person has to agree first.",
    data: { autocomplete: field.getAttribute("autocomplete"), type: field.getAttribute("type") },
  });
}

/** @param {Element} field */
export function isPersonal(field) {
  if (field.getAttribute("type")?.toLowerCase() === "password") return true;
  const tokens = (field.getAttribute("autocomplete") ?? "").toLowerCase().split(/\s+/);
  return tokens.some((token) => ASKED.test(token));
}
