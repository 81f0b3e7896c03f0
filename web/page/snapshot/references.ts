// Resolves the ids in an attribute.

import * as dom from "../dom.js";

/** The properties with which scripts can set elements instead of ids. @type {Record<string, "ariaLabelledByElements" | "ariaDescribedByElements">} */
const PROPERTIES = { "aria-labelledby": "ariaLabelledByElements", "aria-describedby": "ariaDescribedByElements" };

/**
 * Return the elements that an attribute refers to, without duplicates.
 * @param {Element} from
 * @param {string} attribute
 * @returns {Element[]}
 */
export function referredBy(from, attribute) {
  const value = dom.getAttribute(from, attribute);
  if (value === null) return [];
  // The attribute is empty if a script has set elements.
  if (!value) return [...(Reflect.get(Element.prototype, PROPERTIES[attribute], from) ?? [])];
  const root = dom.getRootNode(from);
  const ids = new Set(value.split(/\s+/));
  return [...ids].flatMap((id) => (id && dom.getElementById(root, id)) || []);
}
