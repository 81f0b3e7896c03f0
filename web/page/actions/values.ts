// Sets the complete value of controls such as dates, whose parts aren't in the document.

import * as dom from "../dom.ts";
import { InvalidArguments } from "../errors.ts";
import { fireEdit, realmOf } from "./events.ts";

// The format of the value by type: https://html.spec.whatwg.org/multipage/input.html#the-input-element
const FORMS: Record<string, string> = {
  date: "a date such as 2026-11-22",
  time: "a time such as 14:30 or 14:30:05",
  month: "a month such as 2026-11",
  week: "a week such as 2026-W47",
  "datetime-local": "date and time such as 2026-11-22T14:30",
  color: "a color such as #1a2b3c",
  range: "a number",
};
const COLOUR = /^#[0-9a-f]{6}$/i;

/** Return whether the control's value can only be set as a whole. */
export function takesWholeValue(element: Element): element is HTMLInputElement {
  return dom.isNamed(element, "input") && Object.hasOwn(FORMS, element.type);
}

/** Set the value with the native setter, because a framework's setter would ignore the change as its own. */
export function setValue(control: HTMLInputElement | HTMLTextAreaElement, value: string) {
  const realm = realmOf(control);
  const { prototype } = control.localName === "input" ? realm.HTMLInputElement : realm.HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(control, value);
}

/**
 * Set a control's value, with the events of an edit.
 * Throws InvalidArguments if the control doesn't accept it.
 */
export function setWholeValue(input: HTMLInputElement, text: string) {
  const old = input.value;
  setValue(input, text);
  if (!isAccepted(input, text)) {
    setValue(input, old);
    throw new InvalidArguments(`${JSON.stringify(text)} doesn't fit a field of type ${input.type}.`, {
      hint: `Pass ${FORMS[input.type]}${limits(input)}.`,
      data: { type: input.type, min: input.min, max: input.max, step: input.step },
    });
  }
  if (input.value !== old) fireEdit(input);
}

function isAccepted(input: HTMLInputElement, text: string) {
  if (input.type === "range") return text.trim() !== "" && Number(text) === Number(input.value);
  if (input.type === "color") return COLOUR.test(text);
  return text === "" || input.value !== "";
}

function limits({ min, max, step, type }: HTMLInputElement) {
  const least = min || (type === "range" ? "0" : "");
  const most = max || (type === "range" ? "100" : "");
  const from = least && ` from ${least}`;
  const to = most && ` to ${most}`;
  return from + to + (step && step !== "any" ? ` in steps of ${step}` : "");
}
