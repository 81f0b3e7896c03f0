// Controls whose value is set as a whole, because their parts aren't in the document.

import { InvalidArguments } from "../errors.js";
import { fireChange, fireInput, realmOf } from "./events.js";

// What the value looks like, by type: https://html.spec.whatwg.org/multipage/input.html#the-input-element
const FORMS = /** @type {Record<string, string>} */ ({
  date: "a date such as 2026-11-22",
  time: "a time such as 14:30 or 14:30:05",
  month: "a month such as 2026-11",
  week: "a week such as 2026-W47",
  "datetime-local": "date and time such as 2026-11-22T14:30",
  color: "a colour such as #1a2b3c",
  range: "a number",
});
const COLOUR = /^#[0-9a-f]{6}$/i;

/** Whether the control takes its value as a whole. @param {Element} element */
export function isWhole(element) {
  return element.localName === "input" && Object.hasOwn(FORMS, /** @type {HTMLInputElement} */ (element).type);
}

/** Set the value past a framework's own setter, which would take it for its own doing.
 * @param {HTMLInputElement | HTMLTextAreaElement} control @param {string} value */
export function setValue(control, value) {
  const realm = realmOf(control);
  const { prototype } = control.localName === "input" ? realm.HTMLInputElement : realm.HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(control, value);
}

/**
 * Give the control a value, with the events of an edit.
 * @param {HTMLInputElement} input
 * @param {string} text
 * Throws InvalidArguments where the control doesn't take it.
 */
export function giveWhole(input, text) {
  const old = input.value;
  setValue(input, text);
  if (!isTaken(input, text)) {
    setValue(input, old);
    throw new InvalidArguments(`${JSON.stringify(text)} doesn't fit a field of type ${input.type}.`, {
      hint: `Give ${FORMS[input.type]}${limits(input)}.`,
      data: { type: input.type, min: input.min, max: input.max, step: input.step },
    });
  }
  if (input.value === old) return;
  fireInput(input);
  fireChange(input);
}

/** @param {HTMLInputElement} input @param {string} text */
function isTaken(input, text) {
  if (input.type === "range") return text.trim() !== "" && Number(text) === Number(input.value);
  if (input.type === "color") return COLOUR.test(text);
  return text === "" || input.value !== "";
}

/** @param {HTMLInputElement} input */
function limits({ min, max, step, type }) {
  const least = min || (type === "range" ? "0" : "");
  const most = max || (type === "range" ? "100" : "");
  const from = least && ` from ${least}`;
  const to = most && ` to ${most}`;
  return from + to + (step && step !== "any" ? ` in steps of ${step}` : "");
}
