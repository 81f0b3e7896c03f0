// The values of controls. Passwords, one-time codes and card numbers are masked.

import * as dom from "../dom.ts";
import { ariaOf } from "../internals.ts";
import { isSecret, MASK } from "../secrets.ts";

const LONGEST = 200;
const MOST_NODES = 500;

/** Return the control's value as text, masked if it is secret, or null for elements without a value. */
export function shownValue(element: Element, role: string): string | null {
  const value = valueOf(element, role);
  if (!value) return value;
  return isSecret(element, value) ? MASK : cut(value);
}

function valueOf(element: Element, role: string): string | null {
  if (dom.isNamed(element, "input")) return inputValue(element);
  if (dom.isNamed(element, "textarea")) return element.value;
  if (dom.isNamed(element, "select"))
    return Array.from(element.selectedOptions, (option) => option.label.trim()).join(", ");
  if (dom.isNamed(element, "progress")) return dom.hasAttribute(element, "value") ? String(element.value) : null;
  return dom.isNamed(element, "meter") ? String(element.value) : ariaValue(element, role);
}

function inputValue(input: HTMLInputElement) {
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

function ariaValue(element: Element, role: string) {
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

/** Return the beginning of an element's text. */
function textOf(element: Element) {
  const walker = dom.createTreeWalker(dom.ownerDocument(element), element);
  let text = "";
  for (let count = 0; count < MOST_NODES && text.length <= LONGEST && walker.nextNode(); count++) {
    if (dom.isText(walker.currentNode)) text += walker.currentNode.data;
  }
  return text.trim();
}

function cut(text: string) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
