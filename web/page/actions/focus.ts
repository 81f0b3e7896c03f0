// Finds the focus, and moves it as presses and Tab do.

import { composedParent, frameDocument, isFrame, isInPanel } from "../composed.ts";
import * as dom from "../dom.ts";
import { shadowOf } from "../internals.ts";
import { isPanel } from "../panels.ts";
import { fire, fireChange } from "./events.ts";
import { isTextField } from "./editing.ts";
import { permitted } from "./off_limits.ts";
import { isShown } from "./ready.ts";

/** The values of fields at their last change event, or when they were focused. */
const reported = new WeakMap<Element, string>();

/** The element of the last press, from which Tab starts while nothing is focused. */
let startingPoint: Element | null = null;

/** Return the focused element, also inside shadow roots and frames, or the body if there is none. */
export function focused(): Element {
  // A document that a script has begun to write again is empty.
  let found = dom.activeElement(document) ?? dom.documentElement(document) ?? dom.createElement(document, "body");
  for (;;) {
    const root = isFrame(found) ? frameDocument(found) : shadowOf(found);
    const inner = root && dom.activeElement(root);
    if (!inner) return found;
    found = inner;
  }
}

/** Return whether the focused element is below the body. */
export function isFocus(element: Element) {
  return dom.localName(element) !== "body" && dom.localName(element) !== "html";
}

/**
 * Focus an element, or with null remove the focus.
 * @returns whether the element is focused now
 */
export function moveFocus(element: Element | null): boolean {
  const from = focused();
  if (element) permitted(element);
  if (from === element) return true;
  const stopListening = listen([from, element]);
  const value = textOf(from);
  const before = reported.get(from);
  if (element) dom.focus(element, { preventScroll: true });
  else dom.blur(from);
  const to = focused();
  const seen = stopListening();
  if (to !== from) {
    // A window in the background moves its focus without events.
    if (isFocus(from) && dom.isConnected(from) && !isInPanel(from) && !seen.has(`blur ${0}`)) {
      if (before !== undefined && value !== before) fireChange(from);
      fireFocusEvents(from, ["blur", "focusout"], to);
    }
    if (element && to === element && !seen.has(`focus ${1}`)) fireFocusEvents(element, ["focus", "focusin"], from);
    noteValue(to);
  }
  return to === element;
}

/** @returns stops and returns the events, as type and index */
function listen(elements: (Element | null)[]): () => Set<string> {
  const seen = new Set<string>();
  const controller = new AbortController();
  elements.forEach((element, index) => {
    if (!element) return;
    for (const type of ["focus", "blur"]) {
      dom.addEventListener(element, type, () => seen.add(`${type} ${index}`), {
        capture: true,
        signal: controller.signal,
      });
    }
  });
  return () => {
    controller.abort();
    return seen;
  };
}

function fireFocusEvents(element: Element, [type, bubbling]: [string, string], other: Element) {
  const init = { relatedTarget: isFocus(other) ? other : null, cancelable: false };
  fire(element, "FocusEvent", type, { ...init, bubbles: false });
  fire(element, "FocusEvent", bubbling, init);
}

function textOf(element: Element) {
  return isTextField(element) ? element.value : undefined;
}

/** Record that the page knows the field's value. */
export function noteValue(element: Element) {
  const value = textOf(element);
  if (value !== undefined) reported.set(element, value);
}

/** Return whether the field was edited since its last change event. */
export function isEdited(element: Element) {
  return reported.has(element) && reported.get(element) !== textOf(element);
}

/** Focus the nearest focusable element around a press, or nothing. */
export function focusByPress(target: Element) {
  startingPoint = target;
  const before = focused();
  for (let at: Element | null = target; at; at = composedParent(at)) {
    if (isFrame(at)) return;
    // Focusing a label focuses its control, but pressing it doesn't.
    const skipped = !isFocus(at) || (dom.localName(at) === "label" && !dom.hasAttribute(at, "tabindex"));
    // The page may pass the focus on.
    if (!skipped && (moveFocus(at) || focused() !== before)) return;
    // A host that delegates its focus has a focused element inside.
    const root = shadowOf(at);
    if (root?.delegatesFocus && root.activeElement) return;
  }
  if (isFocus(focused())) moveFocus(null);
}

/**
 * Move the focus to the next or previous element. After the last it leaves the page, as for the browser's toolbars.
 * https://html.spec.whatwg.org/multipage/interaction.html#sequential-focus-navigation
 */
export function tab(back: boolean) {
  const from = isFocus(focused()) ? focused() : startingPoint;
  const modal = Array.from(dom.querySelectorAll(document, "dialog:modal")).at(-1);
  const order = ordered(modal ?? dom.documentElement(document), back);
  const start = from && dom.isConnected(from) ? from : null;
  const at = start ? order.indexOf(start) : -1;
  const index = at >= 0 || !start ? at : placeOf(start, order, back);
  const rest = back ? order.slice(0, index < 0 ? order.length : index).reverse() : order.slice(index + 1);
  for (const element of rest) {
    if (!moveFocus(element)) continue;
    dom.scrollIntoView(element, { block: "nearest", inline: "nearest", behavior: "instant" });
    if (dom.isNamed(element, "input") && isTextField(element)) element.select();
    return;
  }
  startingPoint = null;
  if (isFocus(focused())) moveFocus(null);
}

/** Return the index at which an element that isn't focusable would be in the order. */
function placeOf(from: Element, order: Element[], back: boolean) {
  const after = order.findIndex((one) => dom.compareDocumentPosition(from, one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const next = after < 0 ? order.length : after;
  return back ? next : next - 1;
}

/** Return the elements below an element in Tab order: positive tabindex first, separately for each scope. */
function ordered(scope: Element, back: boolean): Element[] {
  const groups: { index: number; elements: Element[] }[] = [];
  for (const element of scopeMembers(scope)) {
    const owns = shadowOf(element) || isFrame(element);
    const inner = owns ? ordered(element, back) : [];
    const own = isTabbable(element, back) && !(shadowOf(element)?.delegatesFocus || isFrame(element)) ? [element] : [];
    if (own.length || inner.length) groups.push({ index: indexOf(element), elements: [...own, ...inner] });
  }
  return groups
    .sort((one, other) => (one.index || Infinity) - (other.index || Infinity) || 0)
    .flatMap(({ elements }) => elements);
}

/** Iterate over the elements of a focus scope in the order of the flat tree. */
function* scopeMembers(scope: Element): Generator<Element> {
  for (const child of flatChildren(scope)) {
    if (isPanel(child)) continue;
    if (indexOf(child) < 0 && (shadowOf(child) || isFrame(child))) continue;
    yield child;
    if (!shadowOf(child) && !isFrame(child)) yield* scopeMembers(child);
  }
}

function flatChildren(element: Element): Element[] {
  if (isFrame(element)) {
    const inner = frameDocument(element);
    const root = inner && dom.documentElement(inner);
    return root ? [root] : [];
  }
  const root = shadowOf(element);
  if (root) return Array.from(dom.children(root));
  if (dom.isNamed(element, "slot")) {
    const assigned = element.assignedElements();
    if (assigned.length) return assigned;
  }
  return Array.from(dom.children(element));
}

function indexOf(element: Element) {
  const index = Number.parseInt(dom.getAttribute(element, "tabindex") ?? "", 10);
  return Number.isNaN(index) ? 0 : index;
}

function isTabbable(element: Element, back: boolean) {
  if (indexOf(element) < 0 || !isFocusable(element) || dom.matches(element, ":disabled") || !isShown(element))
    return false;
  if (!dom.isNamed(element, "input") || element.type !== "radio" || !element.name) return true;
  const selector = `input[type=radio][name="${CSS.escape(element.name)}"]`;
  const group = Array.from(dom.querySelectorAll<HTMLInputElement>(dom.getRootNode(element), selector));
  const same = group.filter((one) => one.form === element.form);
  // A radio group is one stop: the focused radio, the checked one, or the first in Tab's direction.
  const free = same.filter((one) => !one.disabled);
  const stop = free.find((one) => one === focused()) ?? free.find((one) => one.checked) ?? free.at(back ? -1 : 0);
  return stop === element;
}

function isFocusable(element: Element) {
  if (dom.hasAttribute(element, "tabindex")) return true;
  if (dom.localName(element) === "a" || dom.localName(element) === "area") return dom.hasAttribute(element, "href");
  const above = dom.parentElement(element);
  const host = dom.isContentEditable(element) && !(above && dom.isContentEditable(above));
  return dom.tabIndex(element) >= 0 || host || scrollsAlone(element);
}

/** Return whether Chromium makes the element focusable because it scrolls and contains nothing focusable. */
function scrollsAlone(element: Element) {
  if (dom.scrollHeight(element) <= dom.clientHeight(element) && dom.scrollWidth(element) <= dom.clientWidth(element))
    return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  if (
    !/auto|scroll/.test(`${overflowX} ${overflowY}`) ||
    element === dom.documentElement(document) ||
    element === dom.body(document)
  )
    return false;
  return !dom.querySelector(element, "a[href], button, input, select, textarea, [tabindex], [contenteditable]");
}
