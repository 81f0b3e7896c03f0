// Resolves the ids in an attribute.

import * as dom from "../dom.ts";

/** The properties with which scripts can set elements instead of ids. */
const PROPERTIES: Record<string, "ariaLabelledByElements" | "ariaDescribedByElements"> = {
  "aria-labelledby": "ariaLabelledByElements",
  "aria-describedby": "ariaDescribedByElements",
};

/** Return the elements that an attribute refers to, without duplicates. */
export function referredBy(from: Element, attribute: string): Element[] {
  const value = dom.getAttribute(from, attribute);
  if (value === null) return [];
  // The attribute is empty if a script has set elements.
  if (!value) return [...(Reflect.get(Element.prototype, PROPERTIES[attribute], from) ?? [])];
  const root = dom.getRootNode(from);
  const ids = new Set(value.split(/\s+/));
  return [...ids].flatMap((id) => (id && dom.getElementById(root, id)) || []);
}
