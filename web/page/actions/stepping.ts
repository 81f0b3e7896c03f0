// Steps through the values of radios, ranges, number fields and lists with keys.

import * as dom from "../dom.ts";
import { isReadOnly } from "./editing.ts";
import { fire, fireEdit } from "./events.ts";
import { moveFocus } from "./focus.ts";
import { isDisabledOption } from "./lists.ts";
import { bounds } from "./ranges.ts";
import { setValue } from "./values.ts";

const NEXT = new Set(["ArrowDown", "ArrowRight"]);
const PREVIOUS = new Set(["ArrowUp", "ArrowLeft"]);

/** @returns whether the control handles the key */
export function stepByKey(element: Element, key: string): boolean {
  if (dom.isNamed(element, "select")) return stepSelect(element, key);
  if (!dom.isNamed(element, "input")) return false;
  if (element.type === "radio") return stepRadio(element, key);
  if (element.type === "range") return stepRange(element, key);
  if (element.type === "number") return stepNumber(element, key);
  return false;
}

function stepRadio(radio: HTMLInputElement, key: string) {
  const by = NEXT.has(key) ? 1 : PREVIOUS.has(key) ? -1 : 0;
  if (!by) return false;
  const root = dom.getRootNode(radio);
  const all = Array.from(dom.querySelectorAll<HTMLInputElement>(root, "input[type=radio]"));
  const group = all.filter(
    (one) => one === radio || (one.name !== "" && one.name === radio.name && one.form === radio.form && !one.disabled),
  );
  const next = group[(group.indexOf(radio) + by + group.length) % group.length];
  moveFocus(next);
  next.click();
  return true;
}

function stepRange(input: HTMLInputElement, key: string) {
  const { low, high } = bounds(input);
  const step = input.step === "any" ? (high - low) / 100 : Number(input.step) || 1;
  const page = Math.max((high - low) / 10, step);
  const value = Number(input.value);
  // Up and right increase the value, unlike in lists.
  const steps: Record<string, number> = {
    ArrowUp: value + step,
    ArrowRight: value + step,
    ArrowDown: value - step,
    ArrowLeft: value - step,
    PageUp: value + page,
    PageDown: value - page,
    Home: low,
    End: high,
  };
  if (!(key in steps)) return false;
  changeValue(input, String(Math.min(high, Math.max(low, steps[key]))));
  return true;
}

function stepNumber(input: HTMLInputElement, key: string) {
  if ((key !== "ArrowUp" && key !== "ArrowDown") || isReadOnly(input)) return false;
  const old = input.value;
  const probe = input.cloneNode();
  if (!(dom.isElement(probe) && dom.isNamed(probe, "input"))) throw new TypeError("A copy of an input is an input.");
  probe.value = old;
  if (key === "ArrowUp") probe.stepUp();
  else probe.stepDown();
  if (probe.value === old || !fire(input, "InputEvent", "beforeinput", { inputType: "insertText", data: probe.value }))
    return true;
  changeValue(input, probe.value);
  return true;
}

function changeValue(input: HTMLInputElement, value: string) {
  const old = input.value;
  setValue(input, value);
  if (input.value !== old) fireEdit(input);
}

function stepSelect(select: HTMLSelectElement, key: string) {
  const free = Array.from(select.options).filter((one) => !isDisabledOption(one));
  const at = free.findIndex((one) => one.index === select.selectedIndex);
  const to = optionByKey(free, at, key);
  if (to === undefined) return false;
  if (to && to !== free[at]) {
    select.selectedIndex = to.index;
    fireEdit(select);
  }
  return true;
}

/** Return the option that a key selects, or undefined if lists don't handle the key. */
function optionByKey(options: HTMLOptionElement[], at: number, key: string): HTMLOptionElement | null | undefined {
  if (NEXT.has(key)) return options[at + 1] ?? null;
  if (PREVIOUS.has(key)) return options[at - 1] ?? null;
  if (key === "Home" || key === "PageUp") return options[0] ?? null;
  if (key === "End" || key === "PageDown") return options.at(-1) ?? null;
  if (Array.from(key).length !== 1 || key === " ") return undefined;
  const round = [...options.slice(at + 1), ...options.slice(0, at + 1)];
  return round.find((one) => one.label.trim().toLowerCase().startsWith(key.toLowerCase())) ?? null;
}
