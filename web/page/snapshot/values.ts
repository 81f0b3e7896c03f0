// The values of controls. Passwords, one-time codes and card numbers are masked.

import * as dom from "../dom.js";
import { ariaOf } from "../internals.js";
import { isSecret, MASK } from "../secrets.js";

const LONGEST = 200;
const MOST_NODES = 500;

/**
 * Return the control's value as text, masked if it is secret, or null for elements without a value.
 * @param {Element} element
 * @param {string} role
 * @returns {string | null}
 */
export function shownValue(element, role) {
  const value = valueOf(element, role);
  if (!value) return value;
  return isSecret(element, value) ? MASK : cut(value);
}

/** @param {Element} element @param {string} role @returns {string | null} */
function valueOf(element, role) {
  switch (dom.localName(element)) {
    case "input":
      return inputValue(/** @type {HTMLInputElement} */ (element));
    case "textarea":
      return /** @type {HTMLTextAreaElement} */ (element).value;
    case "select":
      return Array.from(/** @type {HTMLSelectElement} */ (element).selectedOptions, (option) => option.label.trim()).join(", ");
    case "progress":
      return dom.hasAttribute(element, "value") ? String(/** @type {HTMLProgressElement} */ (element).value) : null;
    case "meter":
      return String(/** @type {HTMLMeterElement} */ (element).value);
    default:
      return ariaValue(element, role);
  }
}

/** @param {HTMLInputElement} input */
function inputValue(input) {
  switch (input.type) {
    case "checkbox":
    case "radio":
    case "button":
    case "submit":
    case "reset":
    case "image":
    case "hidden":
      return null;
    case "file":
      return Array.from(input.files ?? [], (file) => file.name).join(", ");
    default:
      return input.value;
  }
}

/** @param {Element} element @param {string} role */
function ariaValue(element, role) {
  const given = ariaOf(element, "aria-valuetext") ?? ariaOf(element, "aria-valuenow");
  if (given !== null) return given;
  switch (role) {
    case "textbox":
    case "searchbox":
    case "combobox":
      return textOf(element);
    case "listbox":
      return Array.from(dom.querySelectorAll(element, '[aria-selected="true"]'), textOf).join(", ");
    default:
      return null;
  }
}

/** Return the beginning of an element's text. @param {Element} element */
function textOf(element) {
  const walker = dom.createTreeWalker(dom.ownerDocument(element), element);
  let text = "";
  for (let count = 0; count < MOST_NODES && text.length <= LONGEST && walker.nextNode(); count++) {
    if (dom.nodeType(walker.currentNode) === 3) text += /** @type {Text} */ (walker.currentNode).data;
  }
  return text.trim();
}

/** @param {string} text */
function cut(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
