// Waits until an element can be acted on: attached, visible, enabled, at rest, and hit at a point of it.

import { boxesOf, boxOf, drawnAs } from "../areas.js";
import { composedParent, frameDocument, isFrame } from "../composed.js";
import { Covered, CrossOrigin, Disabled, Hidden, InvalidArguments, TimedOut } from "../errors.js";
import { hitAt, isHit, pointsOf } from "./places.js";
import { frame, pause } from "./waiting.js";

/**
 * @import { Page } from "./actions.js"
 * @import { Point } from "./places.js"
 *
 * @typedef {{ element: Element, point: Point }} Place what to act on, and where in the top document's viewport
 * @typedef {{ signal?: AbortSignal, timeout?: number }} Patience `timeout` in seconds
 */

const TIMEOUT_S = 5;
// To look for what isn't there costs a snapshot each time.
const SEARCH_MS = 100;
const MAY_PASS = new Set(["NotFound", "Hidden", "Disabled", "Covered", "TimedOut"]);

/**
 * Wait until the target is ready for a press, scrolled into view.
 * @param {Page} page
 * @param {any} target
 * @param {Patience} patience
 * @returns {Promise<Place>}
 * Throws what `resolve` throws; Hidden, Disabled, Covered, TimedOut, CrossOrigin, when the time is out.
 */
export function ready(page, target, { signal, timeout }) {
  return retrying(() => attempt(page, target, signal), { signal, timeout });
}

/** Wait until the target is in the page. @param {Page} page @param {any} target @param {Patience} patience @returns {Promise<Element>} */
export function present(page, target, patience) {
  return retrying(async () => page.resolve(target), patience);
}

/** @template T @param {() => Promise<T>} attempt @param {Patience} patience @returns {Promise<T>} */
async function retrying(attempt, { signal, timeout = TIMEOUT_S }) {
  if (typeof timeout !== "number" || !(timeout >= 0)) throw new InvalidArguments("`timeout` is a number of seconds.");
  const end = performance.now() + timeout * 1000;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const { type } = /** @type {any} */ (error);
      if (!MAY_PASS.has(type) || performance.now() >= end) throw error;
      await (type === "NotFound" ? pause(SEARCH_MS, signal) : frame(signal));
    }
  }
}

/** @param {Page} page @param {any} target @param {AbortSignal} [signal] @returns {Promise<Place>} */
async function attempt(page, target, signal) {
  const found = page.resolve(target);
  if (isPoint(target)) return { element: enabled(found), point: { x: target.x, y: target.y } };
  const element = seen(enabled(found));
  await atRest(element, signal);
  const point = hittable(page, element);
  return { element: inFrame(element, point), point };
}

/** @param {any} target */
function isPoint({ element, ref, selector }) {
  return element === undefined && ref === undefined && selector === undefined;
}

/** The element or, where it isn't drawn, a label of it that is. @param {Element} element @returns {Element} */
function seen(element) {
  if (isShown(element)) return element;
  const label = Array.from(/** @type {HTMLInputElement} */ (element).labels ?? []).find(isShown);
  if (label) return label;
  throw new Hidden(`${told(element)} is not visible.`, {
    hint:
      element.localName === "option"
        ? "Choose it with select, on the list that it is of."
        : "Open what contains it first, or scroll; then take a new snapshot.",
  });
}

/** Whether the element is drawn. @param {Element} element */
export function isShown(element) {
  if (!drawnAs(element).checkVisibility({ visibilityProperty: true })) return false;
  return boxesOf(element).some(({ width, height }) => width > 0 && height > 0);
}

/** @param {Element} element @returns {Element} */
export function enabled(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    if (at.matches(":disabled")) {
      if (at !== element && at.localName === "fieldset") continue;
      throw new Disabled(`${told(element)} is disabled.`, { hint: "Something else has to be done first." });
    }
    if (at.getAttribute("aria-disabled") === "true") {
      throw new Disabled(`${told(element)} says that it is disabled (aria-disabled).`, {
        hint: "Something else has to be done first.",
      });
    }
  }
  return element;
}

/** @param {Element} element @param {AbortSignal} [signal] */
async function atRest(element, signal) {
  // An animation that is about to begin shows from the next frame on.
  if (element.ownerDocument.getAnimations().some(({ pending }) => pending)) await frame(signal);
  const before = boxOf(element);
  await frame(signal);
  const after = boxOf(element);
  const same = before.x === after.x && before.y === after.y && before.width === after.width && before.height === after.height;
  if (same && element.isConnected) return;
  throw new TimedOut(`${told(element)} keeps moving.`, { hint: "Wait until the page is at rest." });
}

/** A point at which the element gets a press, after scrolling where needed. @param {Page} page @param {Element} element */
function hittable(page, element) {
  const found = freePoint(element);
  if (found) return found;
  drawnAs(element).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const scrolled = freePoint(element);
  if (scrolled) return scrolled;
  const [point] = pointsOf(element);
  if (!point) throw new Hidden(`${told(element)} can't be scrolled into view.`, { hint: "Make the window larger." });
  checkHit(page, element, point);
  return point;
}

/** @param {Page} page @param {Element} element @param {Point} point @throws {Covered} where a press there would hit another one */
export function checkHit(page, element, point) {
  const by = hitAt(point) ?? element.ownerDocument.documentElement;
  if (isHit(element, by)) return;
  const culprit = page.describe(by);
  throw new Covered(`${told(element)} is covered by ${told(by)}.`, {
    hint: `Close or move [${culprit.ref}] first.`,
    data: { by: culprit },
  });
}

/** @param {Element} element @returns {Point | null} */
function freePoint(element) {
  for (const point of pointsOf(element)) {
    const hit = hitAt(point);
    if (hit && isHit(element, hit)) return point;
  }
  return null;
}

/** Where the element is a frame, what is in it at the point. @param {Element} element @param {Point} point */
function inFrame(element, point) {
  return isFrame(readable(element)) ? (hitAt(point) ?? element) : element;
}

/** @param {Element} element @returns {Element} Throws CrossOrigin for a frame that can't be looked into. */
export function readable(element) {
  if (!isFrame(element) || frameDocument(element)) return element;
  throw new CrossOrigin(`${told(element)} shows a document of another origin.`, {
    hint: "It can't be acted on from here; open it in a tab of its own.",
  });
}

/** The element as its tag reads, short. @param {Element} element */
export function told(element) {
  const id = element.id ? ` id="${element.id}"` : "";
  const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").replace(/\s+/g, " ").trim();
  const text = words.length > 40 ? `${words.slice(0, 39)}…` : words;
  return `<${element.localName}${id}>${text ? ` "${text}"` : ""}`;
}
