// Scrolls what a wheel or a key would: the nearest box that can go that way.

import { composedParent } from "../composed.js";
import { InvalidArguments } from "../errors.js";
import { fire } from "./events.js";
import { hitAt, localPoint } from "./places.js";
import { isShown, told } from "./ready.js";
import { frame } from "./waiting.js";

/**
 * @import { Page } from "./actions.js"
 * @import { Modifiers } from "./mouse.js"
 */

const WAYS = /** @type {Record<string, [number, number]>} */ ({ up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] });
const LINE = 40;
// The share of a box that one page of scrolling is, as in Chromium.
export const PAGE = 0.875;
const KEYS = /** @type {Record<string, [number, number, number]>} */ ({
  // Across, down, and how much: lines, pages or all.
  ArrowUp: [0, -1, 0], ArrowDown: [0, 1, 0], ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0],
  PageUp: [0, -1, 1], PageDown: [0, 1, 1], " ": [0, 1, 1], Home: [0, -1, 2], End: [0, 1, 2],
});

/**
 * Scroll the target, or what is in the middle of the page.
 * @param {Page} page
 * @param {any} options `{direction, amount?}` in pixels, a page unless told, and perhaps a target
 * @returns {Promise<object>} where the box is scrolled to, and by how much
 */
export async function scroll(page, { direction, amount, signal, ...target }) {
  if (!Object.hasOwn(WAYS, direction)) {
    throw new InvalidArguments(`There is no direction ${JSON.stringify(direction)}.`, { hint: "Give up, down, left or right." });
  }
  if (amount !== undefined && !(amount > 0)) throw new InvalidArguments("`amount` is a number of pixels above 0.");
  const [across, down] = WAYS[direction];
  const start = hasTarget(target) ? page.resolve(target) : (hitAt({ x: innerWidth / 2, y: innerHeight / 2 }) ?? document.documentElement);
  const box = scrollable(start, across, down) ?? rootBox(start.ownerDocument);
  const pixels = amount ?? PAGE * (across ? box.clientWidth : box.clientHeight);
  const before = { x: box.scrollLeft, y: box.scrollTop };
  if (turnWheel(start, across * pixels, down * pixels)) {
    box.scrollBy({ left: across * pixels, top: down * pixels, behavior: "instant" });
  }
  // Lists that draw what is in view do so on the event of the next frame.
  await frame(signal);
  const moved = { x: box.scrollLeft - before.x, y: box.scrollTop - before.y };
  return { scroll_x: box.scrollLeft, scroll_y: box.scrollTop, moved, at_end: !canScroll(box, across, down), scrolled: told(box) };
}

/** Whether an element is meant. @param {any} target */
export function hasTarget({ element, ref, selector, x }) {
  return [element, ref, selector, x].some((one) => one !== undefined);
}

/** @param {Element} target @param {number} deltaX @param {number} deltaY @returns {boolean} whether the page leaves it to the browser */
function turnWheel(target, deltaX, deltaY) {
  if (!isShown(target)) return true;
  const box = target.getBoundingClientRect();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const { x, y } = localPoint(target.ownerDocument, middle);
  return fire(target, "WheelEvent", "wheel", { clientX: x, clientY: y, deltaX, deltaY, deltaMode: 0 });
}

/** @param {Element} element @param {string} key @param {Modifiers} held */
export function scrollByKey(element, key, { shiftKey }) {
  const way = KEYS[key];
  if (!way) return;
  const [across, down, unit] = way;
  const sign = key === " " && shiftKey ? -1 : 1;
  const box = scrollable(element, across * sign, down * sign);
  if (!box) return;
  const size = [LINE, PAGE * box.clientHeight, box.scrollHeight][unit];
  box.scrollBy({ left: across * sign * size, top: down * sign * size, behavior: "instant" });
}

/** The nearest box that can scroll that way. @param {Element} element @param {number} across @param {number} down */
function scrollable(element, across, down) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    const root = rootBox(at.ownerDocument);
    const box = at.localName === "html" || at.localName === "body" ? root : at;
    if (canScroll(box, across, down) && (box === root || isBox(box, across))) return box;
  }
  return null;
}

/** @param {Document} document */
function rootBox(document) {
  return document.scrollingElement ?? document.documentElement;
}

/** @param {Element} element @param {number} across */
function isBox(element, across) {
  const { overflowX, overflowY } = getComputedStyle(element);
  return /auto|scroll/.test(across ? overflowX : overflowY);
}

/** @param {Element} box @param {number} across @param {number} down */
function canScroll(box, across, down) {
  const [at, most] = across
    ? [Math.abs(box.scrollLeft), box.scrollWidth - box.clientWidth]
    : [box.scrollTop, box.scrollHeight - box.clientHeight];
  // Positions are fractions on some screens.
  return across + down < 0 && getComputedStyle(box).direction !== "rtl" ? at >= 1 : at <= most - 1;
}
