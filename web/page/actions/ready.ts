// Waits until an element can be acted on: attached, visible, enabled, not moving, and not covered.

import { boxesOf, boxOf, drawnAs } from "../areas.ts";
import { composedContains, composedParent, frameDocument, isFrame } from "../composed.ts";
import * as dom from "../dom.ts";
import { Covered, CrossOrigin, Disabled, Hidden, InvalidArguments, PageProblem, TimedOut } from "../errors.ts";
import { labelFor } from "../native_controls.ts";
import { oneLine, shorten } from "../short_texts.ts";
import type { Target } from "../targets.ts";
import type { Page } from "./actions.ts";
import { hitAt, isHit, pointsOf, type Point } from "./places.ts";
import { frame, pause, SLOWEST_FRAME_MS } from "./waiting.ts";

/** an element, and a point on it in the top document's viewport */
export type Place = { element: Element; point: Point };

/** `timeout` in seconds */
export type WaitOptions = { signal?: AbortSignal; timeout?: number; ref?: string };

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
 * Throws the errors of `resolve`; after the timeout Hidden, Disabled, Covered, TimedOut or CrossOrigin.
 */
export function ready(page: Page, target: Target, options: WaitOptions): Promise<Place> {
  return retrying(() => attempt(page, target, options.signal), options);
}

/** Wait until the target is in the page. */
export function present(page: Page, target: Target, options: WaitOptions): Promise<Element> {
  return retrying(async () => page.resolve(target), options);
}

async function retrying<T>(attempt: () => Promise<T>, { signal, timeout = TIMEOUT_S, ref }: WaitOptions): Promise<T> {
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw new InvalidArguments("`timeout` must be a number of seconds.");
  const end = performance.now() + timeout * 1000;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const type = error instanceof PageProblem ? error.type : "";
      // No element will get a ref that no snapshot has given.
      if (!TEMPORARY.has(type) || (ref && type === "NotFound") || performance.now() >= end) throw error;
      await (type === "NotFound" ? pause(SEARCH_MS, signal) : frame(signal));
    }
  }
}

async function attempt(page: Page, target: Target, signal?: AbortSignal): Promise<Place> {
  const found = page.resolve(target);
  if (isPoint(target)) return { element: enabled(found), point: { x: target.x, y: target.y } };
  const element = visible(enabled(found));
  await atRest(element, signal);
  const label = labelFor(element);
  const hit = label && !freePoint(element) ? label : element;
  const point = hittable(page, hit);
  return { element: inFrame(hit, point), point };
}

function isPoint(target: Target): target is Target & Point {
  const { element, ref, selector } = target;
  return element === undefined && ref === undefined && selector === undefined;
}

/** Return the element, or a visible label of it. */
function visible(element: Element): Element {
  if (isShown(element)) return element;
  const label = labelFor(element) ?? Array.from<Element>(dom.propertiesOf(element).labels ?? []).find(isShown);
  if (label) return label;
  throw new Hidden(`${tagOf(element)} isn't visible.`, {
    hint:
      dom.localName(element) === "option"
        ? "Use select on its list."
        : "Open the part that contains it, or scroll; then take a new snapshot.",
  });
}

/** Return whether the element is drawn. */
export function isShown(element: Element) {
  if (!dom.checkVisibility(drawnAs(element), { visibilityProperty: true })) return false;
  return boxesOf(element).some(({ width, height }) => width > 0 && height > 0);
}

export function enabled(element: Element): Element {
  for (let at: Element | null = element; at; at = composedParent(at)) {
    const isDisabled = dom.matches(at, ":disabled");
    if (isDisabled && at !== element && dom.localName(at) === "fieldset") continue;
    if (!isDisabled && dom.getAttribute(at, "aria-disabled") !== "true") continue;
    throw new Disabled(`${tagOf(element)} is ${isDisabled ? "disabled" : "marked as disabled (aria-disabled)"}.`, {
      hint: "Find out what enables it, for example a required field.",
    });
  }
  return element;
}

/** @throws {TimedOut} it moves, or is about to */
async function atRest(element: Element, signal?: AbortSignal) {
  const document = dom.ownerDocument(element);
  const running = dom
    .getAnimations(document)
    .filter(({ playState, playbackRate }) => playState === "running" && playbackRate !== 0);
  // Animated elements move with frames only, so their rest can't be seen without one.
  const longest = document.visibilityState === "visible" && running.length > 0 ? SLOWEST_FRAME_MS : undefined;
  const isPending = () => running.some(({ pending }) => pending);
  // A pending animation starts in one of the next frames.
  if (isPending() && (await frame(signal, longest)) && isPending()) throw moving(element);
  const before = boxOf(element);
  const isDrawn = await laterFrame(running, signal, longest);
  const after = boxOf(element);
  const same =
    before.x === after.x && before.y === after.y && before.width === after.width && before.height === after.height;
  if (!same || !dom.isConnected(element) || (!isDrawn && running.some((each) => isMoved(element, each))))
    throw moving(element);
}

/**
 * Wait for a frame in which the animations are further: at load, one may come whose time is the one that was measured.
 * @param longest - in milliseconds
 * @returns whether one came in time
 */
async function laterFrame(running: Animation[], signal?: AbortSignal, longest?: number): Promise<boolean> {
  const times = running.map(({ currentTime }) => currentTime);
  for (let frames = 0; frames < MOST_FRAMES; frames++) {
    if (!(await frame(signal, longest))) return false;
    if (running.length === 0 || running.some(({ currentTime }, at) => currentTime !== times[at])) return true;
  }
  return false;
}

/** Return whether an effect, of any realm, has keyframes. */
const isOfKeyframes = (effect: AnimationEffect | null): effect is KeyframeEffect =>
  effect !== null && "getKeyframes" in effect;

/** Return whether the animation's keyframes change where the element is, or its size. */
function isMoved(element: Element, { effect }: Animation) {
  if (!isOfKeyframes(effect)) return false;
  const { target } = effect;
  if (!target || !composedContains(target, element)) return false;
  const changes = effect.getKeyframes().flatMap((each) => Object.keys(each));
  return changes.some((name) => !KEYFRAME.has(name) && !PAINT.test(name));
}

function moving(element: Element) {
  return new TimedOut(`${tagOf(element)} keeps moving.`, { hint: "Wait until the animation has ended." });
}

/** Return a point at which a press hits the element. Scroll if needed. */
function hittable(page: Page, element: Element) {
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

/** @throws {Covered} a press there would hit another element */
export function checkHit(page: Page, element: Element, point: Point) {
  const by = hitAt(point) ?? dom.documentElement(dom.ownerDocument(element));
  if (isHit(element, by)) return;
  const cover = page.describe(by);
  throw new Covered(`${tagOf(element)} is covered by ${tagOf(by)}.`, {
    hint: `Close or move [${cover.ref}] first.`,
    data: { by: cover },
  });
}

function freePoint(element: Element): Point | null {
  for (const point of pointsOf(element)) {
    const hit = hitAt(point);
    if (hit && isHit(element, hit)) return point;
  }
  return null;
}

/** Return the element in a frame at the point, or the element itself if it is no frame. */
function inFrame(element: Element, point: Point) {
  return isFrame(readable(element)) ? (hitAt(point) ?? element) : element;
}

/** Throws CrossOrigin for a frame of another origin. */
export function readable(element: Element): Element {
  if (!isFrame(element) || frameDocument(element)) return element;
  throw new CrossOrigin(`${tagOf(element)} shows a document of another origin.`, {
    hint: "It can't be acted on from here; open it in its own tab.",
  });
}

/** Describe the element briefly by its tag, id and text. */
export function tagOf(element: Element) {
  const id = dom.id(element) ? ` id="${dom.id(element)}"` : "";
  const text = shorten(oneLine(dom.getAttribute(element, "aria-label") ?? dom.textContent(element) ?? ""), 40);
  return `<${dom.localName(element)}${id}>${text ? ` "${text}"` : ""}`;
}
