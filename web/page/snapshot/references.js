// What an attribute's ids refer to.

/** Where scripts may give elements in place of ids. @type {Record<string, "ariaLabelledByElements" | "ariaDescribedByElements">} */
const PROPERTIES = { "aria-labelledby": "ariaLabelledByElements", "aria-describedby": "ariaDescribedByElements" };

/**
 * The elements that another one refers to, each once.
 * @param {Element} from
 * @param {string} attribute
 * @returns {Element[]}
 */
export function referredBy(from, attribute) {
  const given = from.getAttribute(attribute);
  if (given === null) return [];
  // The attribute is empty where elements were given.
  if (!given) return [...(from[PROPERTIES[attribute]] ?? [])];
  const root = /** @type {Document | ShadowRoot} */ (from.getRootNode());
  const ids = new Set(given.split(/\s+/));
  return [...ids].flatMap((id) => (id && root.getElementById?.(id)) || []);
}
