// What custom elements keep to themselves: roles and states by ElementInternals, and closed shadow roots. Nothing in the
// DOM tells of them, so the script has to be there before the elements.

import { watchCalls } from "./hooks.js";

/** @type {WeakMap<Element, ElementInternals>} */
const internals = new WeakMap();
/** @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();
// Most pages have neither, and then nobody looks.
let any = false;

/** Note them from now on. @param {typeof globalThis} realm */
export function watchInternals(realm) {
  watchCalls(realm.HTMLElement.prototype, "attachInternals", (element, _, given) => {
    any = true;
    internals.set(element, given);
    // A closed root that came by HTML is known to these alone.
    if (given.shadowRoot?.mode === "closed") closedRoots.set(element, given.shadowRoot);
  });
  watchCalls(realm.Element.prototype, "attachShadow", (element, _, root) => {
    if (root.mode !== "closed") return;
    any = true;
    closedRoots.set(element, root);
  });
}

/** The element's shadow root, if one is known. @param {Element} element @returns {ShadowRoot | null} */
export function shadowOf(element) {
  return element.shadowRoot ?? (any ? (closedRoots.get(element) ?? null) : null);
}

/** The slot that shows the element, if one does. @param {Element} element @returns {HTMLSlotElement | null} */
export function slotOf(element) {
  if (element.assignedSlot || !any) return element.assignedSlot;
  const host = element.parentElement;
  const slots = host && closedRoots.get(host)?.querySelectorAll("slot");
  return Array.from(slots ?? []).find((slot) => slot.assignedElements().includes(element)) ?? null;
}

/** Whether the element says something that its attributes don't. @param {Element} element */
export function hasInternals(element) {
  return any && internals.has(element);
}

/**
 * What an element's attribute says, or else what its internals do.
 * @param {Element} element
 * @param {string} name `role`, or that of a state or property of ARIA
 * @returns {string | null}
 */
export function ariaOf(element, name) {
  const given = element.getAttribute(name);
  if (given !== null || !any) return given;
  const own = /** @type {Record<string, string | null> | undefined} */ (/** @type {unknown} */ (internals.get(element)));
  return own?.[propertyOf(name, own)] ?? null;
}

/** @type {Map<string, string>} */
const properties = new Map();

/** `aria-valuenow` is `ariaValueNow`. @param {string} name @param {object} own */
function propertyOf(name, own) {
  if (!properties.size) for (const key in own) properties.set(key.toLowerCase().replace(/^aria/, "aria-"), key);
  return properties.get(name) ?? name;
}
