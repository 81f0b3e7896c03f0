// Resolves the ids in an attribute.

/** The properties with which scripts can set elements instead of ids. @type {Record<string, "ariaLabelledByElements" | "ariaDescribedByElements">} */
const PROPERTIES = { "aria-labelledby": "ariaLabelledByElements", "aria-describedby": "ariaDescribedByElements" };

/**
 * Return the elements that an attribute refers to, without duplicates.
 * @param {Element} from
 * @param {string} attribute
 * @returns {Element[]}
 */
export function referredBy(from, attribute) {
  const value = from.getAttribute(attribute);
  if (value === null) return [];
  // The attribute is empty if a script has set elements.
  if (!value) return [...(from[PROPERTIES[attribute]] ?? [])];
  const root = /** @type {Document | ShadowRoot} */ (from.getRootNode());
  const ids = new Set(value.split(/\s+/));
  return [...ids].flatMap((id) => (id && root.getElementById?.(id)) || []);
}
