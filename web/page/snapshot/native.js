// What HTML and SVG say of an element's name and text themselves (HTML-AAM 1.0, SVG-AAM 1.0), as Chromium takes it.

import { isDataTable } from "./tables.js";
import { APART } from "./roles.js";
import { shownValue } from "./values.js";

/** @import { Item } from "./tree.js" */

const SVG = "http://www.w3.org/2000/svg";
const BUTTONS = new Set(["button", "submit", "reset", "image", "file"]);
// Their values are parts and swatches rather than text.
const UNSPOKEN = new Set(["date", "datetime-local", "month", "week", "time", "color"]);
/** @type {Record<string, string>} */
const FALLBACKS = { submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" };
const PLACEHOLDERS = new Set(["text", "search", "tel", "url", "email", "password", "number"]);
/** Elements that a part of their content names. @type {Record<string, string>} */
const PARTS = { fieldset: "legend", table: "caption" };

/** The part that names an element, if it has one. @param {Element} element */
export function namingPart(element) {
  const name = PARTS[element.localName];
  return name ? childNamed(element, name) : null;
}

/** @param {Element} element @param {string} name */
function childNamed(element, name) {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (child.localName === name) return child;
  }
  return null;
}

/**
 * A name that the element's attributes give; null where they say nothing.
 * @param {Element} element
 * @param {string} role
 * @returns {string | null}
 */
export function nativeText(element, role) {
  switch (element.localName) {
    case "img":
    case "area":
      return element.getAttribute("alt") ?? (element.getAttribute("title") || "");
    case "input":
      return buttonText(/** @type {HTMLInputElement} */ (element));
    case "optgroup":
      return element.getAttribute("label");
    case "option":
      return element.getAttribute("label") || null;
    case "iframe":
      return element.getAttribute("title") ?? "";
    default:
      return element.namespaceURI === SVG ? svgName(element, role) : role === "image" ? "" : null;
  }
}

/** @param {HTMLInputElement} input */
function buttonText(input) {
  if (!BUTTONS.has(input.type)) return "";
  if (input.type === "image") {
    return input.getAttribute("alt") || input.getAttribute("value") || input.getAttribute("title") || FALLBACKS.image;
  }
  if (input.type === "file") return input.multiple ? `${FALLBACKS.file}s` : FALLBACKS.file;
  return input.getAttribute("value") ?? FALLBACKS[input.type] ?? input.getAttribute("title") ?? "";
}

/** Any element of SVG may have a title; what is an image by its role has no other content. @param {Element} element @param {string} role */
function svgName(element, role) {
  if (role === "none") return null;
  const title = childNamed(element, "title")?.textContent || element.getAttribute("xlink:title");
  return title ?? (role === "image" && element.hasAttribute("role") ? "" : null);
}

/** @param {Element} element */
export function placeholderOf(element) {
  const name = element.localName;
  if (name === "textarea" || (name === "input" && PLACEHOLDERS.has(/** @type {HTMLInputElement} */ (element).type))) {
    const given = element.getAttribute("placeholder");
    if (given) return given;
  }
  return element.getAttribute("aria-placeholder");
}

/**
 * What a control adds to a label that it is in (accname 2C); null for what is no such control.
 * @param {Item} item
 */
export function embeddedValue({ element, role }) {
  if (element.localName === "input" && UNSPOKEN.has(/** @type {HTMLInputElement} */ (element).type)) return null;
  switch (role) {
    case "textbox":
    case "searchbox":
    case "combobox":
    case "listbox":
    case "slider":
    case "spinbutton":
    case "progressbar":
    case "meter":
    case "scrollbar":
      return shownValue(element, role);
    default:
      return element.localName === "input" && PLACEHOLDERS.has(/** @type {HTMLInputElement} */ (element).type)
        ? shownValue(element, role)
        : null;
  }
}

/** Whether what it contains stands for itself. @param {Element} element @param {string} role */
export function isApart(element, role) {
  const name = element.localName;
  if (name === "hgroup") return true;
  if (!APART.has(role) || name === "svg" || name === "details") return false;
  return name !== "table" || isDataTable(/** @type {HTMLTableElement} */ (element));
}
