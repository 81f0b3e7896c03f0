// Sets the value of sliders and spin buttons that are no inputs: by keys, or else by dragging.
// https://www.w3.org/WAI/ARIA/apg/patterns/slider/

import * as dom from "../dom.ts";
import { InvalidArguments, Unsupported } from "../errors.ts";
import { ariaOf } from "../internals.ts";
import { isEditable } from "./editing.ts";
import { moveFocus } from "./focus.ts";
import type { Given } from "./actions.ts";
import type { InputDevices } from "./input_devices.ts";
import { keyOf } from "./keys.ts";
import { ready, tagOf } from "./ready.ts";
import { frame } from "./waiting.ts";

const MOST_STROKES = 200;
const MOST_DRAGS = 6;
const KEYS = [
  ["ArrowRight", "ArrowLeft"],
  ["ArrowUp", "ArrowDown"],
];

export function isSlider(element: Element) {
  const role = ariaOf(element, "role");
  return (role === "slider" || role === "spinbutton") && dom.localName(element) !== "input" && !isEditable(element);
}

/**
 * Move a slider to a value.
 * Throws InvalidArguments for a value outside of its range or between its steps.
 */
export async function setSlider(
  devices: InputDevices,
  element: Element,
  text: string,
  options: Given,
): Promise<() => object> {
  const wanted = Number(text);
  const [low, high] = [numberOf(element, "aria-valuemin") ?? 0, numberOf(element, "aria-valuemax") ?? 100];
  if (text.trim() === "" || !(wanted >= low && wanted <= high)) throw unfit(element, text, low, high);
  moveFocus(element);
  if (!(await byKeys(devices, element, wanted, options.signal)))
    await byDrag(devices, element, wanted, high - low, options);
  const now = valueOf(element);
  if (now !== wanted) throw unfit(element, text, low, high);
  return () => ({ success: true, value: ariaOf(element, "aria-valuetext") ?? String(valueOf(element)) });
}

function unfit(element: Element, text: string, low: number, high: number) {
  return new InvalidArguments(`${tagOf(element)} doesn't take ${JSON.stringify(text)}; it is at ${valueOf(element)}.`, {
    hint: `Pass a number from ${low} to ${high} that is one of its steps.`,
  });
}

function numberOf(element: Element, name: string) {
  const text = ariaOf(element, name);
  return text === null || !Number.isFinite(Number(text)) ? null : Number(text);
}

function valueOf(element: Element) {
  return numberOf(element, "aria-valuenow") ?? 0;
}

/** @returns whether it has the value */
async function byKeys(devices: InputDevices, element: Element, wanted: number, signal?: AbortSignal): Promise<boolean> {
  let pair = 0;
  for (let stroke = 0; stroke < MOST_STROKES && valueOf(element) !== wanted; stroke++) {
    const now = valueOf(element);
    await devices.keyboard.stroke(keyOf(KEYS[pair][now < wanted ? 0 : 1]));
    if (valueOf(element) === now) await frame(signal);
    const next = valueOf(element);
    if (next === now && ++pair === KEYS.length) return false;
    // The value is between two steps, or more steps away than there are strokes.
    if ((wanted - now) * (wanted - next) < 0) return false;
    if (next !== now && Math.abs(wanted - next) / Math.abs(next - now) > MOST_STROKES - stroke) return false;
  }
  return valueOf(element) === wanted;
}

async function byDrag(devices: InputDevices, element: Element, wanted: number, range: number, options: Given) {
  const place = await ready(devices.page, { element }, options);
  const track = dom.getBoundingClientRect(dom.parentElement(element) ?? element);
  const isVertical = ariaOf(element, "aria-orientation") === "vertical";
  const perUnit = isVertical ? -track.height / range : track.width / range;
  if (!Number.isFinite(perUnit))
    throw new Unsupported(`${tagOf(element)} has no track.`, { hint: "Press its arrow keys." });
  const point = { ...place.point };
  await devices.mouse.move(place.point);
  await devices.mouse.down(0, 1);
  for (let turn = 0; turn < MOST_DRAGS && valueOf(element) !== wanted; turn++) {
    const by = (wanted - valueOf(element)) * perUnit;
    if (isVertical) point.y += by;
    else point.x += by;
    await devices.mouse.move({ ...point });
    await frame(options.signal);
  }
  await devices.mouse.up();
  await frame(options.signal);
}
