// The private parts of custom elements: roles and states in ElementInternals, and closed shadow roots. The DOM doesn't
// reveal them, so this script must be loaded before the elements are created.

import * as dom from "./dom.js";
import { watchCalls } from "./hooks.js";

/** @type {WeakMap<Element, ElementInternals>} */
const internals = new WeakMap();
/** @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();
// False on most pages, which have neither; then look-ups are skipped.
let any = false;
/** @type {(element: Element) => ShadowRoot | null} */
let findClosedRoot = (element) => closedRoots.get(element) ?? null;

/** Find closed roots by the browser's own means. @param {(element: HTMLElement) => ShadowRoot | null} find */
export function findClosedRootsBy(find) {
  any = true;
  findClosedRoot = (element) => (element instanceof HTMLElement ? find(element) : null);
}

/** Start recording. @param {typeof globalThis} realm */
export function watchInternals(realm) {
  watchCalls(realm.HTMLElement.prototype, "attachInternals", (element, _, attached) => {
    any = true;
    internals.set(element, attached);
    // Only internals reveal a closed root that was declared in HTML.
    if (attached.shadowRoot?.mode === "closed") closedRoots.set(element, attached.shadowRoot);
  });
  watchCalls(realm.Element.prototype, "attachShadow", (element, _, root) => {
    if (root.mode !== "closed") return;
    any = true;
    closedRoots.set(element, root);
  });
}

/** Return the element's shadow root, or null if none is known. @param {Element} element @returns {ShadowRoot | null} */
export function shadowOf(element) {
  return dom.shadowRoot(element) ?? (any ? findClosedRoot(element) : null);
}

/** Return the slot that shows the element, or null. @param {Element} element @returns {HTMLSlotElement | null} */
export function slotOf(element) {
  if (dom.assignedSlot(element) || !any) return dom.assignedSlot(element);
  const host = dom.parentElement(element);
  const slots = host && findClosedRoot(host)?.querySelectorAll("slot");
  return Array.from(slots ?? []).find((slot) => slot.assignedElements().includes(element)) ?? null;
}

/** Return whether the element has internals. @param {Element} element */
export function hasInternals(element) {
  return any && internals.has(element);
}

/**
 * Return the value of an element's attribute, or else of its internals.
 * @param {Element} element
 * @param {string} name `role`, or an ARIA state or property
 * @returns {string | null}
 */
export function ariaOf(element, name) {
  const attribute = dom.getAttribute(element, name);
  if (attribute !== null || !any) return attribute;
  const own = /** @type {Record<string, string | null> | undefined} */ (/** @type {unknown} */ (internals.get(element)));
  return own?.[propertyOf(name, own)] ?? null;
}

/** @type {Map<string, string>} */
const properties = new Map();

/** Convert an attribute's name to the property's: `aria-valuenow` to `ariaValueNow`. @param {string} name @param {object} own */
function propertyOf(name, own) {
  if (!properties.size) for (const key in own) properties.set(key.toLowerCase().replace(/^aria/, "aria-"), key);
  return properties.get(name) ?? name;
}
