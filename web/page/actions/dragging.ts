// Dragging: with pointer events, or with HTML's drag and drop if the source is draggable.
// https://html.spec.whatwg.org/multipage/dnd.html#drag-and-drop-processing-model

import { composedParent } from "../composed.ts";
import * as dom from "../dom.ts";
import { InvalidArguments, Unsupported } from "../errors.ts";
import { selectBetween } from "./caret.ts";
import { askToLeave } from "./consent.ts";
import { isTextField } from "./editing.ts";
import { fire, realmOf } from "./events.ts";
import type { Given } from "./actions.ts";
import type { Target } from "../targets.ts";
import type { InputDevices } from "./input_devices.ts";
import { parseModifiers } from "./keys.ts";
import { commonAncestor } from "./mouse.ts";
import { hitAt, localPoint, type Point } from "./places.ts";
import { ready, tagOf } from "./ready.ts";
import { frame, pause } from "./waiting.ts";

// The mouse moves by at most this many pixels in a frame, but longer ways take no more frames than MOST_STEPS.
const STEP_PX = 8;
const LEAST_STEPS = 6;
const MOST_STEPS = 40;
// Libraries start a drag after some pixels.
const THRESHOLD = 5;
// Some libraries start a drag when the button has been held for a quarter of a second, and look every 50 ms at the
// element below the pointer.
const HOLD_MS = 300;
const REST_MS = 120;

interface Ways {
  to?: string | Target;
  dx?: number;
  dy?: number;
  to_x?: number;
  to_y?: number;
  path?: [number, number][];
  hold?: number;
  modifiers?: string;
}

/**
 * Drag the target to another element, to a point, along a path, or by a distance.
 * @param options - a target, and `to`: a ref, a selector or a target; `to_x` and `to_y`; `path`: points `[x, y]`; or
 * `dx` and `dy` in pixels. `hold`: the seconds before the first move; `modifiers`: such as Shift
 */
export async function drag(
  devices: InputDevices,
  { to, dx, dy, to_x, to_y, path, hold = HOLD_MS / 1_000, modifiers, consented, ...options }: Given & Ways,
): Promise<object> {
  const keys = parseModifiers(modifiers);
  const { signal } = options;
  const source = await ready(devices.page, options, options);
  const destination = to ?? (to_x === undefined ? undefined : { x: number(to_x, "to_x"), y: number(to_y, "to_y") });
  const way = pointsOf(path);
  return devices.perform(options, (outcome) =>
    devices.keyboard.holding(keys, async () => {
      const target = destination === undefined ? null : await ready(devices.page, targetOf(destination), options);
      // Scrolling the destination into view may have moved the source.
      const from = target ? (await ready(devices.page, options, { timeout: 0, signal })).point : source.point;
      const points = way.length
        ? way
        : [target ? target.point : { x: from.x + number(dx, "dx"), y: from.y + number(dy, "dy") }];
      await devices.mouse.move(from);
      outcome.effects.watchCanvas(from);
      const pressed = devices.mouse.targetAt(from);
      await devices.mouse.down(0, 1);
      const prevented = devices.mouse.pressed?.prevented === true;
      const draggable = prevented || devices.isTrusted ? null : draggableOf(pressed);
      if (!draggable) await pause(seconds(hold) * 1_000, signal);
      const stops = [from, ...points];
      const dropped = draggable && (await dragData(devices, draggable, stops, signal));
      if (!dropped) {
        await moveAlong(devices, stops, signal);
        const end = points[points.length - 1];
        if (!prevented && !draggable && !devices.isTrusted) selectText(pressed, from, end);
        // Releasing the button on the same element clicks it.
        const clicked = commonAncestor(pressed, devices.mouse.targetAt(end));
        if (clicked) askToLeave(clicked, consented);
        await devices.mouse.up();
      }
      return () => ({ from: round(from), to: round(points[points.length - 1]) });
    }),
  );
}

function pointsOf(path: Ways["path"]): Point[] {
  if (path === undefined) return [];
  const isPath =
    Array.isArray(path) && path.every((one) => Array.isArray(one) && one.length === 2 && one.every(Number.isFinite));
  if (!isPath)
    throw new InvalidArguments("`path` must be a list of points.", {
      hint: "Pass points such as [[10, 20], [40, 20]].",
    });
  return path.map(([x, y]) => ({ x, y }));
}

function seconds(value: number) {
  if (value >= 0 && value <= 10) return value;
  throw new InvalidArguments("`hold` must be a number of seconds, at most 10.");
}

function targetOf(to: string | Target): Target {
  if (typeof to === "object" && to !== null) return to;
  if (typeof to !== "string")
    throw new InvalidArguments("`to` must be a target.", { hint: "Pass a ref, a selector or {x, y}." });
  return /^e\d+$/.test(to) ? { ref: to } : { selector: to };
}

function number(value: number | undefined, name: string) {
  if (value === undefined) return 0;
  if (!Number.isFinite(value)) throw new InvalidArguments(`\`${name}\` must be a number of pixels.`);
  return value;
}

/** Move through the points after the first in small steps, and rest at the last. */
async function moveAlong(devices: InputDevices, stops: Point[], signal?: AbortSignal) {
  for (const point of stepsAlong(stops)) {
    await devices.mouse.move(point);
    await frame(signal);
  }
  await pause(REST_MS, signal);
  await devices.mouse.move(stops[stops.length - 1]);
}

function* stepsAlong(stops: Point[]): Generator<Point> {
  for (let index = 1; index < stops.length; index++) {
    const [from, end] = [stops[index - 1], stops[index]];
    const distance = Math.hypot(end.x - from.x, end.y - from.y);
    const steps = Math.min(MOST_STEPS, Math.max(stops.length > 2 ? 1 : LEAST_STEPS, Math.ceil(distance / STEP_PX)));
    for (let step = 1; step <= steps; step++) yield between(from, end, step / steps);
  }
}

function between(from: Point, end: Point, share: number) {
  return { x: from.x + (end.x - from.x) * share, y: from.y + (end.y - from.y) * share };
}

/** Return the nearest element that the browser would drag. */
function draggableOf(element: Element): Element | null {
  for (let at: Element | null = element; at; at = composedParent(at)) {
    if (dom.draggable(at)) return at;
    if (isTextField(at)) return null;
  }
  return null;
}

/** @returns false if the page prevented drag and drop, to follow the pointer itself */
async function dragData(
  devices: InputDevices,
  source: Element,
  stops: Point[],
  signal?: AbortSignal,
): Promise<boolean> {
  const from = stops[0];
  const end = stops[stops.length - 1];
  const data = new (realmOf(source).DataTransfer)();
  await devices.mouse.move(towards(from, stops[1]));
  if (dom.isNamed(source, "a")) data.setData("text/uri-list", source.href);
  if (!send(source, "dragstart", from, data)) return false;
  await devices.mouse.cancel();
  // Let the page redraw after the drag has started.
  await frame(signal);
  const over = await dragOver(source, stops, data, signal);
  const accepted = over.accepted && dom.isConnected(over.target);
  if (accepted) send(over.target, "drop", end, data);
  else send(over.target, "dragleave", end, data, { cancelable: false });
  if (dom.isConnected(source)) send(source, "dragend", end, data, { cancelable: false });
  devices.mouse.point = end;
  devices.mouse.over = hitAt(end);
  if (accepted) return true;
  throw new Unsupported(`${tagOf(over.target)} doesn't accept the dropped element.`, {
    hint: "Choose another destination.",
  });
}

/** Return a point at the distance that starts a drag. */
function towards(from: Point, end: Point) {
  const distance = Math.hypot(end.x - from.x, end.y - from.y) || 1;
  return between(from, end, Math.min(1, THRESHOLD / distance));
}

async function dragOver(source: Element, stops: Point[], data: DataTransfer, signal?: AbortSignal) {
  const end = stops[stops.length - 1];
  let target = hitAt(stops[0]) ?? source;
  let accepted = false;
  let step = 0;
  // The event is repeated where the pointer rests.
  for (const point of [stops[0], ...stepsAlong(stops), end]) {
    if (dom.isConnected(source)) send(source, "drag", point, data);
    const next = hitAt(point) ?? dom.documentElement(dom.ownerDocument(source));
    if (next !== target || step === 0) {
      const entered = send(next, "dragenter", point, data, { relatedTarget: step ? target : null });
      if (next !== target) send(target, "dragleave", point, data, { cancelable: false, relatedTarget: next });
      target = next;
      accepted = !entered;
    }
    accepted = !send(target, "dragover", point, data) || isTextField(target);
    step++;
    await (point === end ? pause(REST_MS, signal) : frame(signal));
  }
  return { target, accepted };
}

function send(target: Element, type: string, point: Point, dataTransfer: DataTransfer, init: object = {}) {
  const { x, y } = localPoint(dom.ownerDocument(target), point);
  const screen = { screenX: point.x + window.screenX, screenY: point.y + window.screenY };
  return fire(target, "DragEvent", type, { clientX: x, clientY: y, ...screen, dataTransfer, buttons: 1, ...init });
}

function selectText(pressed: Element, from: Point, end: Point) {
  if (dom.propertiesOf(pressed).type !== "range") selectBetween(pressed, from, end);
}

function round({ x, y }: Point) {
  return { x: Math.round(x), y: Math.round(y) };
}
