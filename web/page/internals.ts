// The private parts of custom elements: roles and states in ElementInternals, and closed shadow roots. The DOM doesn't
// reveal them, so this script must be loaded before the elements are created.

import * as dom from "./dom.ts";
import { watchCalls } from "./hooks.ts";

const internals = new WeakMap<Element, ElementInternals>();
const closedRoots = new WeakMap<Element, ShadowRoot>();
// False on most pages, which have neither; then look-ups are skipped.
let any = false;
let findClosedRoot: (element: Element) => ShadowRoot | null = (element) => closedRoots.get(element) ?? null;

/** Find closed roots by the browser's own means. */
export function findClosedRootsBy(find: (element: HTMLElement) => ShadowRoot | null) {
  any = true;
  findClosedRoot = (element) => (element instanceof HTMLElement ? find(element) : null);
}

/** Start recording. */
export function watchInternals(realm: typeof globalThis) {
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

/** Return the element's shadow root, or null if none is known. */
export function shadowOf(element: Element): ShadowRoot | null {
  return dom.shadowRoot(element) ?? (any ? findClosedRoot(element) : null);
}

/** Return the slot that shows the element, or null. */
export function slotOf(element: Element): HTMLSlotElement | null {
  if (dom.assignedSlot(element) || !any) return dom.assignedSlot(element);
  const host = dom.parentElement(element);
  const slots = host && findClosedRoot(host)?.querySelectorAll("slot");
  return Array.from(slots ?? []).find((slot) => slot.assignedElements().includes(element)) ?? null;
}

/** Return whether the element has internals. */
export function hasInternals(element: Element) {
  return any && internals.has(element);
}

/**
 * Return the value of an element's attribute, or else of its internals.
 * @param name - `role`, or an ARIA state or property
 */
export function ariaOf(element: Element, name: string): string | null {
  const attribute = dom.getAttribute(element, name);
  if (attribute !== null || !any) return attribute;
  const own = internals.get(element);
  return (own && Reflect.get(own, propertyOf(name, own))) ?? null;
}

const properties = new Map<string, string>();

/** Convert an attribute's name to the property's: `aria-valuenow` to `ariaValueNow`. */
function propertyOf(name: string, own: object) {
  if (!properties.size) for (const key in own) properties.set(key.toLowerCase().replace(/^aria/, "aria-"), key);
  return properties.get(name) ?? name;
}
