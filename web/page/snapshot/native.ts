// Names and text that HTML and SVG define themselves (HTML-AAM 1.0, SVG-AAM 1.0), as Chromium implements them.

import * as dom from "../dom.ts";
import { isDataTable } from "./tables.ts";
import { APART, childNamed } from "./roles.ts";
import type { Item } from "./tree.ts";
import { shownValue } from "./values.ts";

const SVG = "http://www.w3.org/2000/svg";
const BUTTONS = new Set(["button", "submit", "reset", "image", "file"]);
// The values of these consist of parts or swatches instead of text.
const UNSPOKEN = new Set(["date", "datetime-local", "month", "week", "time", "color"]);
const FALLBACKS: Record<string, string> = { submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" };
const PLACEHOLDERS = new Set(["text", "search", "tel", "url", "email", "password", "number"]);
/** The roles of controls whose values are part of a label around them. */
const EMBEDDED = new Set("textbox searchbox combobox listbox slider spinbutton progressbar meter scrollbar".split(" "));
/** Elements that are named by a child. */
const PARTS: Record<string, string> = { fieldset: "legend", table: "caption" };

/** Return the child that names an element, or null. */
export function namingPart(element: Element) {
  const name = PARTS[dom.localName(element)];
  return name ? childNamed(element, name) : null;
}

/** Return the name from the element's attributes, or null if they define none. */
export function nativeText(element: Element, role: string): string | null {
  switch (dom.localName(element)) {
    case "img":
    case "area":
      return dom.getAttribute(element, "alt") ?? (dom.getAttribute(element, "title") || "");
    case "input":
      return dom.isNamed(element, "input") ? buttonText(element) : null;
    case "optgroup":
      return dom.getAttribute(element, "label");
    case "option":
      return dom.getAttribute(element, "label") || null;
    case "iframe":
      return dom.getAttribute(element, "title") ?? "";
    default:
      return dom.namespaceURI(element) === SVG ? svgName(element, role) : role === "image" ? "" : null;
  }
}

function buttonText(input: HTMLInputElement) {
  if (!BUTTONS.has(input.type)) return "";
  if (input.type === "image") {
    return input.getAttribute("alt") || input.getAttribute("value") || input.getAttribute("title") || FALLBACKS.image;
  }
  if (input.type === "file") return input.multiple ? `${FALLBACKS.file}s` : FALLBACKS.file;
  return input.getAttribute("value") ?? FALLBACKS[input.type] ?? input.getAttribute("title") ?? "";
}

/** Return an SVG element's title. One with an image role but no title has an empty name. */
function svgName(element: Element, role: string) {
  if (role === "none") return null;
  const part = childNamed(element, "title");
  const title = (part && dom.textContent(part)) || dom.getAttribute(element, "xlink:title");
  return title ?? (role === "image" && dom.hasAttribute(element, "role") ? "" : null);
}

export function placeholderOf(element: Element) {
  if (dom.isNamed(element, "textarea") || (dom.isNamed(element, "input") && PLACEHOLDERS.has(element.type))) {
    const placeholder = dom.getAttribute(element, "placeholder");
    if (placeholder) return placeholder;
  }
  return dom.getAttribute(element, "aria-placeholder");
}

/** Return the text that a control adds to a label around it (accname 2C), or null for other elements. */
export function embeddedValue({ element, role }: Item) {
  if (dom.isNamed(element, "input") && UNSPOKEN.has(element.type)) return null;
  const isField = dom.isNamed(element, "input") && PLACEHOLDERS.has(element.type);
  return isField || EMBEDDED.has(role) ? shownValue(element, role) : null;
}

/** Return whether an element's content is excluded from the names of its ancestors. */
export function isApart(element: Element, role: string) {
  const name = dom.localName(element);
  if (name === "hgroup") return true;
  if (!APART.has(role) || name === "svg" || name === "details") return false;
  return !dom.isNamed(element, "table") || isDataTable(element);
}
