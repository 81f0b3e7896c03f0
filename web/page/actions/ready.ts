// Waits until an element can be acted on: attached, visible, enabled, not moving, and not covered.

import { boxesOf, boxOf, drawnAs } from "../areas.js";
import { composedContains, composedParent, frameDocument, isFrame } from "../composed.js";
import * as dom from "../dom.js";
import { Covered, CrossOrigin, Disabled, Hidden, InvalidArguments, TimedOut } from "../errors.js";
import { labelFor } from "../native_controls.js";
import { hitAt, isHit, pointsOf } from "./places.js";
import { frame, pause, SLOWEST_FRAME_MS } from "./waiting.js";

/**
 * @import { Page } from "./actions.js"
 * @import { Point } from "./places.js"
 *
 * @typedef {{ element: Element, point: Point }} Place an element, and a point on it in the top document's viewport
 * @typedef {{ signal?: AbortSignal, timeout?: number, ref?: string }} WaitOptions `timeout` in seconds
 */

const TIMEOUT_S = 5;
// The interval is longer for missing elements, because each search takes a snapshot.
const SEARCH_MS = 100;
// The members of a keyframe that aren't properties, and properties that change no box.
const KEYFRAME = new Set(["offset", "computedOffset", "easing", "composite"]);
const PAINT = /color|opacity|shadow|filter|background|outline/i;
const MOST_FRAMES = 10;
const TEMPORARY = new Set(["NotFound", "Hidden", "Disabled", "Covered", "TimedOut"]);

/**
 * Wait until the target is ready for a press, scrolled into view.
 * @param {Page} page
 * @param {any} target
 * @param {WaitOptions} options
 * @returns {Promise<Place>}
 * Throws the errors of `resolve`; after the timeout Hidden, Disabled, Covered, TimedOut or CrossOrigin.
 */
export function ready(page, target, options) {
  return retrying(() => attempt(page, target, options.signal), options);
}

/** Wait until the target is in the page. @param {Page} page @param {any} target @param {WaitOptions} options @returns {Promise<Element>} */
export function present(page, target, options) {
  return retrying(async () => page.resolve(target), options);
}

/** @template T @param {() => Promise<T>} attempt @param {WaitOptions} options @returns {Promise<T>} */
async function retrying(attempt, { signal, timeout = TIMEOUT_S, ref }) {
  if (typeof timeout !== "number" || !(timeout >= 0)) throw new InvalidArguments("`timeout` must be a number of seconds.");
  const end = performance.now() + timeout * 1000;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const { type } = /** @type {any} */ (error);
      // No element will get a ref that no snapshot has given.
      if (!TEMPORARY.has(type) || (ref && type === "NotFound") || performance.now() >= end) throw error;
      await (type === "NotFound" ? pause(SEARCH_MS, signal) : frame(signal));
    }
  }
}

/** @param {Page} page @param {any} target @param {AbortSignal} [signal] @returns {Promise<Place>} */
async function attempt(page, target, signal) {
  const found = page.resolve(target);
  if (isPoint(target)) return { element: enabled(found), point: { x: target.x, y: target.y } };
  const element = visible(enabled(found));
  await atRest(element, signal);
  const label = labelFor(element);
  const hit = label && !freePoint(element) ? label : element;
  const point = hittable(page, hit);
  return { element: inFrame(hit, point), point };
}

/** @param {any} target */
function isPoint({ element, ref, selector }) {
  return element === undefined && ref === undefined && selector === undefined;
}

/** Return the element, or a visible label of it. @param {Element} element @returns {Element} */
function visible(element) {
  if (isShown(element)) return element;
  const label = labelFor(element) ?? Array.from(dom.propertiesOf(element).labels ?? []).find(isShown);
  if (label) return label;
  throw new Hidden(`${tagOf(element)} isn't visible.`, {
    hint:
      dom.localName(element) === "option"
        ? "Use select on its list."
        : "Open the part that contains it, or scroll; then take a new snapshot.",
  });
}

/** Return whether the element is drawn. @param {Element} element */
export function isShown(element) {
  if (!dom.checkVisibility(drawnAs(element), { visibilityProperty: true })) return false;
  return boxesOf(element).some(({ width, height }) => width > 0 && height > 0);
}

/** @param {Element} element @returns {Element} */
export function enabled(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    if (dom.matches(at, ":disabled")) {
      if (at !== element && dom.localName(at) === "fieldset") continue;
      throw new Disabled(`${tagOf(element)} is disabled.`, { hint: "Find out what enables it, for example a required field." });
    }
    if (dom.getAttribute(at, "aria-disabled") === "true") {
      throw new Disabled(`${tagOf(element)} is marked as disabled (aria-disabled).`, {
        hint: "Find out what enables it, for example a required field.",
      });
    }
  }
  return element;
}

/** @param {Element} element @param {AbortSignal} [signal] @throws {TimedOut} it moves, or is about to */
async function atRest(element, signal) {
  const document = dom.ownerDocument(element);
  const running = dom.getAnimations(document).filter(({ playState, playbackRate }) => playState === "running" && playbackRate !== 0);
  // What is animated moves with frames only, so its rest can't be seen without one.
  const longest = document.visibilityState === "visible" && running.length > 0 ? SLOWEST_FRAME_MS : undefined;
  const isPending = () => running.some(({ pending }) => pending);
  // A pending animation starts in one of the next frames.
  if (isPending() && (await frame(signal, longest)) && isPending()) throw moving(element);
  const before = boxOf(element);
  const isDrawn = await laterFrame(running, signal, longest);
  const after = boxOf(element);
  const same = before.x === after.x && before.y === after.y && before.width === after.width && before.height === after.height;
  if (!same || !dom.isConnected(element) || (!isDrawn && running.some((each) => isMoved(element, each)))) throw moving(element);
}

/**
 * Wait for a frame in which the animations are further: at load, one may come whose time is the one that was measured.
 * @param {Animation[]} running @param {AbortSignal} [signal] @param {number} [longest] in milliseconds
 * @returns {Promise<boolean>} whether one came in time
 */
async function laterFrame(running, signal, longest) {
  const times = running.map(({ currentTime }) => currentTime);
  for (let frames = 0; frames < MOST_FRAMES; frames++) {
    if (!(await frame(signal, longest))) return false;
    if (running.length === 0 || running.some(({ currentTime }, at) => currentTime !== times[at])) return true;
  }
  return false;
}

/** Return whether the animation's keyframes change where the element is, or its size. @param {Element} element @param {Animation} animation */
function isMoved(element, { effect }) {
  const { target } = /** @type {KeyframeEffect} */ (effect);
  if (!target || !composedContains(target, element)) return false;
  const changes = /** @type {KeyframeEffect} */ (effect).getKeyframes().flatMap((each) => Object.keys(each));
  return changes.some((name) => !KEYFRAME.has(name) && !PAINT.test(name));
}

/** @param {Element} element */
function moving(element) {
  return new TimedOut(`${tagOf(element)} keeps moving.`, { hint: "Wait until the animation has ended." });
}

/** Return a point at which a press hits the element. Scroll if needed. @param {Page} page @param {Element} element */
function hittable(page, element) {
  const found = freePoint(element);
  if (found) return found;
  dom.scrollIntoView(drawnAs(element), { block: "center", inline: "center", behavior: "instant" });
  const scrolled = freePoint(element);
  if (scrolled) return scrolled;
  const [point] = pointsOf(element);
  if (!point) throw new Hidden(`${tagOf(element)} can't be scrolled into view.`, { hint: "Make the window larger." });
  checkHit(page, element, point);
  return point;
}

/** @param {Page} page @param {Element} element @param {Point} point @throws {Covered} a press there would hit another element */
export function checkHit(page, element, point) {
  const by = hitAt(point) ?? dom.documentElement(dom.ownerDocument(element));
  if (isHit(element, by)) return;
  const cover = page.describe(by);
  throw new Covered(`${tagOf(element)} is covered by ${tagOf(by)}.`, {
    hint: `Close or move [${cover.ref}] first.`,
    data: { by: cover },
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

/** Return the element in a frame at the point, or the element itself if it is no frame. @param {Element} element @param {Point} point */
function inFrame(element, point) {
  return isFrame(readable(element)) ? (hitAt(point) ?? element) : element;
}

/** @param {Element} element @returns {Element} Throws CrossOrigin for a frame of another origin. */
export function readable(element) {
  if (!isFrame(element) || frameDocument(element)) return element;
  throw new CrossOrigin(`${tagOf(element)} shows a document of another origin.`, {
    hint: "It can't be acted on from here; open it in its own tab.",
  });
}

/** Describe the element briefly by its tag, id and text. @param {Element} element */
export function tagOf(element) {
  const id = dom.id(element) ? ` id="${dom.id(element)}"` : "";
  const words = (dom.getAttribute(element, "aria-label") ?? dom.textContent(element) ?? "").replace(/\s+/g, " ").trim();
  const text = words.length > 40 ? `${words.slice(0, 39)}…` : words;
  return `<${dom.localName(element)}${id}>${text ? ` "${text}"` : ""}`;
}
