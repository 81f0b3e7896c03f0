// Dragging: with pointer events, or with HTML's drag and drop if the source is draggable.
// https://html.spec.whatwg.org/multipage/dnd.html#drag-and-drop-processing-model

import { composedParent } from "../composed.js";
import { InvalidArguments, Unsupported } from "../errors.js";
import { selectBetween } from "./caret.js";
import { isTextField } from "./editing.js";
import { fire, realmOf } from "./events.js";
import { hitAt, localPoint } from "./places.js";
import { ready, tagOf } from "./ready.js";
import { frame } from "./waiting.js";

/**
 * @import { Hand } from "./hand.js"
 * @import { Point } from "./places.js"
 */

const STEPS = 6;
// Libraries start a drag after some pixels.
const THRESHOLD = 5;

/**
 * Drag the target to another element, or by a distance.
 * @param {Hand} hand
 * @param {any} options a target, and `to`: a ref, a selector or a target; or `dx` and `dy` in pixels
 * @returns {Promise<object>}
 */
export async function drag(hand, { to, dx, dy, ...options }) {
  const source = await ready(hand.page, options, options);
  const start = source.point;
  return hand.perform(options, async () => {
    const target = to === undefined ? null : await ready(hand.page, targetOf(to), options);
    // Scrolling the destination into view may have moved the source.
    const from = target ? (await ready(hand.page, options, { timeout: 0, signal: options.signal })).point : start;
    const end = target ? target.point : { x: start.x + number(dx, "dx"), y: start.y + number(dy, "dy") };
    await hand.mouse.move(from);
    const pressed = hand.mouse.targetAt(from);
    await hand.mouse.down(0, 1, {});
    const prevented = hand.mouse.pressed?.prevented === true;
    const draggable = prevented ? null : draggableOf(pressed);
    const dropped = draggable && (await dragData(hand, draggable, from, end, options.signal));
    if (!dropped) {
      await moveTo(hand, from, end, options.signal);
      if (!prevented && !draggable) selectText(pressed, from, end);
      await hand.mouse.up({});
    }
    return () => ({ from: round(from), to: round(end) });
  });
}

/** @param {any} to */
function targetOf(to) {
  if (typeof to === "object" && to !== null) return to;
  if (typeof to !== "string") throw new InvalidArguments("`to` must be a target.", { hint: "Pass a ref, a selector or {x, y}." });
  return /^e\d+$/.test(to) ? { ref: to } : { selector: to };
}

/** @param {any} value @param {string} name */
function number(value, name) {
  if (value === undefined) return 0;
  if (!Number.isFinite(value)) throw new InvalidArguments(`\`${name}\` must be a number of pixels.`);
  return value;
}

/** @param {Hand} hand @param {Point} from @param {Point} end @param {AbortSignal} [signal] */
async function moveTo(hand, from, end, signal) {
  for (let step = 1; step <= STEPS; step++) {
    const point = between(from, end, step / STEPS);
    await hand.mouse.move(point);
    await frame(signal);
  }
}

/** @param {Point} from @param {Point} end @param {number} share */
function between(from, end, share) {
  return { x: from.x + (end.x - from.x) * share, y: from.y + (end.y - from.y) * share };
}

/** Return the nearest element that the browser would drag. @param {Element} element @returns {Element | null} */
function draggableOf(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) {
    if (/** @type {HTMLElement} */ (at).draggable) return at;
    if (isTextField(at)) return null;
  }
  return null;
}

/**
 * @param {Hand} hand
 * @param {Element} source
 * @param {Point} from
 * @param {Point} end
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} false if the page prevented drag and drop, to follow the pointer itself
 */
async function dragData(hand, source, from, end, signal) {
  const data = new (realmOf(source).DataTransfer)();
  await hand.mouse.move(towards(from, end));
  if (source.localName === "a") data.setData("text/uri-list", /** @type {HTMLAnchorElement} */ (source).href);
  if (!send(source, "dragstart", from, data)) return false;
  await hand.mouse.cancel();
  // Let the page redraw after the drag has started.
  await frame(signal);
  const over = await dragOver(source, from, end, data, signal);
  const accepted = over.accepted && over.target.isConnected;
  if (accepted) send(over.target, "drop", end, data);
  else send(over.target, "dragleave", end, data, { cancelable: false });
  if (source.isConnected) send(source, "dragend", end, data, { cancelable: false });
  hand.mouse.point = end;
  hand.mouse.over = hitAt(end);
  if (accepted) return true;
  throw new Unsupported(`${tagOf(over.target)} doesn't accept the dropped element.`, { hint: "Choose another destination." });
}

/** Return a point at the distance that starts a drag. @param {Point} from @param {Point} end */
function towards(from, end) {
  const distance = Math.hypot(end.x - from.x, end.y - from.y) || 1;
  return between(from, end, Math.min(1, THRESHOLD / distance));
}

/** @param {Element} source @param {Point} from @param {Point} end @param {DataTransfer} data @param {AbortSignal} [signal] */
async function dragOver(source, from, end, data, signal) {
  let target = hitAt(from) ?? source;
  let accepted = false;
  for (let step = 0; step <= STEPS; step++) {
    const point = between(from, end, step / STEPS);
    if (source.isConnected) send(source, "drag", point, data);
    const next = hitAt(point) ?? source.ownerDocument.documentElement;
    if (next !== target || step === 0) {
      const entered = send(next, "dragenter", point, data, { relatedTarget: step ? target : null });
      if (next !== target) send(target, "dragleave", point, data, { cancelable: false, relatedTarget: next });
      target = next;
      accepted = !entered;
    }
    accepted = !send(target, "dragover", point, data) || isTextField(target);
    await frame(signal);
  }
  return { target, accepted };
}

/** @param {Element} target @param {string} type @param {Point} point @param {DataTransfer} dataTransfer @param {object} [init] */
function send(target, type, point, dataTransfer, init = {}) {
  const { x, y } = localPoint(target.ownerDocument, point);
  const screen = { screenX: point.x + window.screenX, screenY: point.y + window.screenY };
  return fire(target, "DragEvent", type, { clientX: x, clientY: y, ...screen, dataTransfer, buttons: 1, ...init });
}

/** @param {Element} pressed @param {Point} from @param {Point} end */
function selectText(pressed, from, end) {
  if (/** @type {HTMLInputElement} */ (pressed).type !== "range") selectBetween(pressed, from, end);
}

/** @param {Point} point */
function round({ x, y }) {
  return { x: Math.round(x), y: Math.round(y) };
}
