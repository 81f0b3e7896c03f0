// Scrolls the box that a wheel or a key would scroll: the nearest one that can move in the direction.

import { composedParent, frameElement, isInPanel, rootsBelow } from "../composed.ts";
import * as dom from "../dom.ts";
import { InvalidArguments } from "../errors.ts";
import type { Target } from "../targets.ts";
import type { Given, Page } from "./actions.ts";
import { fire } from "./events.ts";
import type { Modifiers } from "./mouse.ts";
import { hitAt, localPoint } from "./places.ts";
import { isShown, tagOf } from "./ready.ts";
import { frame } from "./waiting.ts";

const WAYS: Record<string, [number, number]> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const LINE = 40;
const MOST_BOXES = 5;
// Code blocks of a line scroll, too; lower boxes show nothing.
const LEAST_HEIGHT = 16;
// One page of scrolling, as a share of the box, as in Chromium.
export const PAGE = 0.875;
const KEYS: Record<string, [number, number, number]> = {
  // Across, down, and the unit: 0 for a line, 1 for a page, 2 for everything.
  ArrowUp: [0, -1, 0],
  ArrowDown: [0, 1, 0],
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  PageUp: [0, -1, 1],
  PageDown: [0, 1, 1],
  " ": [0, 1, 1],
  Home: [0, -1, 2],
  End: [0, 1, 2],
};

/**
 * Scroll the target, or the box in the middle of the viewport.
 * @param options - `direction`; `amount` in pixels, by default one page; optionally a target
 * @returns the box's new position and the distance
 */
export async function scroll(
  page: Page,
  { direction, amount, signal, ...target }: Given & { direction: string; amount?: number },
): Promise<object> {
  if (!Object.hasOwn(WAYS, direction)) {
    throw new InvalidArguments(`There is no direction ${JSON.stringify(direction)}.`, {
      hint: "Use up, down, left or right.",
    });
  }
  if (amount !== undefined && !(amount > 0))
    throw new InvalidArguments("`amount` must be a positive number of pixels.");
  const [across, down] = WAYS[direction];
  const start = hasTarget(target)
    ? page.resolve(target)
    : (hitAt({ x: innerWidth / 2, y: innerHeight / 2 }) ?? dom.documentElement(document));
  const box = scrollable(start, across, down) ?? rootBox(dom.ownerDocument(start));
  const pixels = amount ?? PAGE * (across ? dom.clientWidth(box) : dom.clientHeight(box));
  const before = { x: dom.scrollLeft(box), y: dom.scrollTop(box) };
  if (turnWheel(start, across * pixels, down * pixels)) {
    dom.scrollBy(box, { left: across * pixels, top: down * pixels, behavior: "instant" });
  }
  // Virtual lists draw new rows on the scroll event of the next frame.
  await frame(signal);
  const moved = { x: dom.scrollLeft(box) - before.x, y: dom.scrollTop(box) - before.y };
  const inner =
    hasTarget(target) || moved.x || moved.y
      ? []
      : innerBoxes((one) => canScroll(one, across, down) && isBox(one, across));
  const refs = listed(inner, (one) => `[${page.refs.of(one)}] ${boxText(one)}`);
  const note = refs.length ? { note: `The page can't scroll ${direction}; inner boxes can: ${refs}.` } : {};
  return {
    scroll_x: dom.scrollLeft(box),
    scroll_y: dom.scrollTop(box),
    moved,
    at_end: !canScroll(box, across, down),
    scrolled: tagOf(box),
    ...note,
  };
}

/** Return what follows in the inner boxes that scroll, by their refs: first those that scroll down. */
export function following(refs: Page["refs"]): string {
  const scrolls = (one: Element, across: number) => roomOf(one, across).some((room) => room > 1) && isBox(one, across);
  const [down, across] = [innerBoxes((one) => scrolls(one, 0)), innerBoxes((one) => scrolls(one, 1))];
  const boxes = [...new Set([...down, ...across])];
  return listed(boxes, (one) => {
    const rest = [
      ...(down.includes(one) ? [restText(roomOf(one, 0), "below", "above")] : []),
      ...(across.includes(one) ? [restText(roomOf(one, 1), "to the right", "to the left")] : []),
    ];
    return `[${refs.of(one)}] ${boxText(one)} ${rest.join(", ")}`;
  });
}

function restText([before, after]: [number, number], ahead: string, behind: string) {
  if (after > 1) return `${Math.round(after)} px more ${ahead}`;
  return `at its end, ${Math.round(before)} px ${behind}`;
}

/** Return the text of the first boxes, and how many others there are. */
function listed(boxes: Element[], text: (box: Element) => string) {
  const more = boxes.length > MOST_BOXES ? [`${boxes.length - MOST_BOXES} more`] : [];
  return [...boxes.slice(0, MOST_BOXES).map(text), ...more].join(", ");
}

/** Describe a box, or the frame whose document it is. */
function boxText(box: Element) {
  const frame = box === rootBox(dom.ownerDocument(box)) ? frameElement(dom.ownerDocument(box)) : null;
  return frame ? `the document of ${tagOf(frame)}` : tagOf(box);
}

/** Return whether the options have a target. */
export function hasTarget({ element, ref, selector, x }: Target) {
  return [element, ref, selector, x].some((one) => one !== undefined);
}

/** @returns false if the page prevented scrolling */
function turnWheel(target: Element, deltaX: number, deltaY: number): boolean {
  if (!isShown(target)) return true;
  const box = dom.getBoundingClientRect(target);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const { x, y } = localPoint(dom.ownerDocument(target), middle);
  return fire(target, "WheelEvent", "wheel", { clientX: x, clientY: y, deltaX, deltaY, deltaMode: 0 });
}

export function scrollByKey(element: Element, key: string, { shiftKey }: Modifiers) {
  const way = KEYS[key];
  if (!way) return;
  const [across, down, unit] = way;
  const sign = key === " " && shiftKey ? -1 : 1;
  const box = scrollable(element, across * sign, down * sign);
  if (!box) return;
  const size = [LINE, PAGE * dom.clientHeight(box), dom.scrollHeight(box)][unit];
  dom.scrollBy(box, { left: across * sign * size, top: down * sign * size, behavior: "instant" });
}

/** Return the boxes that scroll, also in shadow roots and frames. */
function innerBoxes(scrolls: (element: Element) => boolean) {
  const found: Element[] = [];
  const own = rootBox(document);
  for (const root of rootsBelow(document)) {
    for (const one of dom.querySelectorAll(root, "*")) {
      if (one === own || dom.clientHeight(one) < LEAST_HEIGHT || !scrolls(one)) continue;
      if (isShown(one) && !isInPanel(one)) found.push(one);
    }
  }
  return found;
}

/** Return the nearest box that can scroll in the direction. */
function scrollable(element: Element, across: number, down: number) {
  for (let at: Element | null = element; at; at = composedParent(at)) {
    const root = rootBox(dom.ownerDocument(at));
    const box = dom.localName(at) === "html" || dom.localName(at) === "body" ? root : at;
    if (canScroll(box, across, down) && (box === root || isBox(box, across))) return box;
  }
  return null;
}

function rootBox(document: Document) {
  return dom.scrollingElement(document) ?? dom.documentElement(document);
}

function isBox(element: Element, across: number) {
  const { overflowX, overflowY } = getComputedStyle(element);
  const overflow = across ? overflowX : overflowY;
  // The viewport of a document scrolls on its own.
  return /auto|scroll/.test(overflow) || (overflow !== "hidden" && element === rootBox(dom.ownerDocument(element)));
}

/** Return how far a box can scroll up and down, or left and right, in pixels. */
function roomOf(box: Element, across: number): [before: number, after: number] {
  const [at, most] = across
    ? [dom.scrollLeft(box), dom.scrollWidth(box) - dom.clientWidth(box)]
    : [dom.scrollTop(box), dom.scrollHeight(box) - dom.clientHeight(box)];
  const { direction, display, flexDirection } = getComputedStyle(box);
  const isReversed = /flex$/.test(display) && flexDirection === `${across ? "row" : "column"}-reverse`;
  // Then the position is 0 at the other end, and negative before it.
  const before = isReversed !== (across !== 0 && direction === "rtl") ? most + at : at;
  return [before, most - before];
}

function canScroll(box: Element, across: number, down: number) {
  const [before, after] = roomOf(box, across);
  // Scroll positions are fractional on some screens.
  return (across + down < 0 ? before : after) > 1;
}
