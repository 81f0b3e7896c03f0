// Fields that hold what is a person's own: an agent asks before it types into them.

import { ConsentNeeded } from "../errors.js";
import { isSecretField } from "../secrets.js";

/**
 * @param {Element} field
 * @param {unknown} consented
 * Throws ConsentNeeded for a field of passwords, codes or payment.
 */
export function askFor(field, consented) {
  if (consented === true || !isSecretField(field)) return;
  throw new ConsentNeeded("The field is for a password, a code or a payment.", {
    hint: "The person has to agree first.",
    data: { autocomplete: field.getAttribute("autocomplete"), type: field.getAttribute("type") },
  });
}
