// The values of controls. Passwords, one-time codes and card numbers are masked.

import * as dom from "../dom.ts";
import { ariaOf } from "../internals.ts";
import { selectedLabels } from "../native_controls.ts";
import { isSecret, MASK } from "../secrets.ts";
import { shorten } from "../short_texts.ts";

const LONGEST = 200;
const MOST_NODES = 500;
/** The types of inputs that show no value. */
const WITHOUT_VALUE = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "hidden"]);
/** The roles whose value is their text. */
const WITH_TEXT = new Set(["textbox", "searchbox", "combobox"]);

/** Return the control's value as text, masked if it is secret, or null for elements without a value. */
export function shownValue(element: Element, role: string): string | null {
  const value = valueOf(element, role);
  if (!value) return value;
  return isSecret(element, value) ? MASK : shorten(value, LONGEST);
}

function valueOf(element: Element, role: string): string | null {
  if (dom.isNamed(element, "input")) return inputValue(element);
  if (dom.isNamed(element, "textarea")) return element.value;
  if (dom.isNamed(element, "select")) return selectedLabels(element);
  if (dom.isNamed(element, "progress")) return dom.hasAttribute(element, "value") ? String(element.value) : null;
  return dom.isNamed(element, "meter") ? String(element.value) : ariaValue(element, role);
}

function inputValue(input: HTMLInputElement) {
  if (WITHOUT_VALUE.has(input.type)) return null;
  return input.type === "file" ? Array.from(input.files ?? [], (file) => file.name).join(", ") : input.value;
}

function ariaValue(element: Element, role: string) {
  const given = ariaOf(element, "aria-valuetext") ?? ariaOf(element, "aria-valuenow");
  if (given !== null) return given;
  if (role === "listbox") return Array.from(dom.querySelectorAll(element, '[aria-selected="true"]'), textOf).join(", ");
  return WITH_TEXT.has(role) ? textOf(element) : null;
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
