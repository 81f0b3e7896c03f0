// Detects secret fields. Their values leave the page masked, and an agent needs the user's consent to type into them.

import * as dom from "./dom.ts";

/** Replaces a secret. */
export const MASK = "••••";

const FIELDS = /^(one-time-code|current-password|new-password|cc-.+)$/;
const NAMES =
  /(^|[^a-z])(otp|totp|2fa|mfa|cvv|cvc|csc|card-?_?(number|no|num)|cc-?_?(number|num)|one-?_?time-?_?code|verification-?_?code|security-?_?code|passw(or)?d)([^a-z]|$)/i;
const CARD = /(?:\d[ -]?){12,18}\d/;

/** Return whether a field is for a password, a code or a payment. */
export function isSecretField(field: Element) {
  const tokens = (dom.getAttribute(field, "autocomplete") ?? "").toLowerCase().split(/\s+/);
  if (tokens.some((token) => FIELDS.test(token))) return true;
  if (dom.isNamed(field, "input")) {
    const { type, name, id } = field;
    if (type === "password" || NAMES.test(name) || NAMES.test(id)) return true;
  }
  return hidesLetters(field);
}

/** Return whether a value is secret, because of its field or because it contains a card number. */
export function isSecret(element: Element, value: string) {
  const [digits] = value.match(CARD) ?? [];
  return (digits !== undefined && isCardNumber(digits.replace(/\D/g, ""))) || isSecretField(element);
}

/** Return whether a style masks the letters in a field. */
function hidesLetters(element: Element) {
  const isField =
    dom.localName(element) === "input" ||
    dom.localName(element) === "textarea" ||
    dom.hasAttribute(element, "contenteditable");
  // An element that has left the page has no style.
  return (
    isField &&
    dom.isConnected(element) &&
    getComputedStyle(element).getPropertyValue("-webkit-text-security") !== "none"
  );
}

/** Verify the check digit of a card number (ISO/IEC 7812-1, Annex B). */
function isCardNumber(digits: string) {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
