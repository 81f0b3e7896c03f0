// Types text into a field, replacing its value.

import { composedContains } from "../composed.ts";
import * as dom from "../dom.ts";
import { Disabled, InvalidArguments, Unsupported } from "../errors.ts";
import { shadowOf } from "../internals.ts";
import { isSecret, isSecretField, MASK } from "../secrets.ts";
import { editContextOf, surfaceOf } from "../surfaces.ts";
import { askFor, askToLeave } from "./consent.ts";
import { pasteInto } from "./clipboard.ts";
import { isEditable, isReadOnly, isTextField, selectAll, textIn } from "./editing.ts";
import { chooseFiles } from "./choosing_files.ts";
import { isFileInput, type FileData } from "./files.ts";
import type { Given } from "./actions.ts";
import { focused, moveFocus, noteValue } from "./focus.ts";
import { keyOf } from "./keys.ts";
import { hitAt } from "./places.ts";
import { isCell, openCell } from "./grid_cells.ts";
import type { InputDevices } from "./input_devices.ts";
import type { Outcome } from "./outcome.ts";
import { enabled, present, readable, ready, tagOf } from "./ready.ts";
import { isSlider, setSlider } from "./sliders.ts";
import { setWholeValue, takesWholeValue } from "./values.ts";
import { frame, pause } from "./waiting.ts";

// Longer text is inserted at once, as if pasted.
const MAX_TYPED = 1_000;
const COMPLETED = /[\n()[\]{}"'`<]/;
const FOCUS_MS = 200;
const PREPARED_MS = 50;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const EDITABLES = "input, textarea, [contenteditable]:not([contenteditable=false])";

/** @param options - a target; `text`, or `files` for a file input; `submit` to press Enter after it; `consented` */
export async function type(
  devices: InputDevices,
  { text, files, submit, consented, ...options }: Given & { text?: string; files?: FileData[]; submit?: boolean },
): Promise<object> {
  if (files !== undefined) return chooseFiles(devices, files, { ...options, consented });
  if (typeof text !== "string")
    throw new InvalidArguments("`text` is missing.", { hint: "Pass the new text of the field." });
  // Check before waiting for the field to be ready.
  const element = readable(await present(devices.page, options, options));
  const allow = (field: Element) => {
    askFor(field, consented);
    if (submit) askToLeave(field, consented);
    checkFits(field, text);
  };
  if (isSlider(element)) {
    enabled(element);
    askToLeave(element, consented);
    checkFits(element, text);
    return devices.perform(options, () => setSlider(devices, element, text, options));
  }
  if (isCell(element)) {
    askToLeave(element, consented);
    checkFits(element, text);
    const cell = await ready(devices.page, { ...options, element }, options);
    askToLeave(hitAt(cell.point) ?? element, consented);
    return devices.perform(options, async (outcome) => {
      const field = await openCell(devices, element, cell, options.signal);
      allow(field);
      return fill(devices, field, { text, submit }, outcome, options.signal);
    });
  }
  const field = fieldOf(element);
  allow(field);
  const place = await ready(devices.page, { ...options, element: field }, options);
  return devices.perform(options, async (outcome) => {
    await devices.press(place);
    if (!(await isFocusedSoon(field, options.signal)) && !moveFocus(field)) {
      throw new Unsupported(`${tagOf(field)} can't be focused.`, { hint: "Take a new snapshot." });
    }
    return fill(devices, field, { text, submit }, outcome, options.signal);
  });
}

/** Wait until the page has focused a field that isn't pressed itself. */
async function isFocusedSoon(field: Element, signal?: AbortSignal) {
  const isDrawn = surfaceOf(field) !== null;
  const end = performance.now() + (isDrawn ? FOCUS_MS : 0);
  while (!composedContains(field, focused()) && performance.now() < end) await frame(signal);
  // The page may prepare its field when it has the focus.
  if (isDrawn) await pause(PREPARED_MS, signal);
  return composedContains(field, focused());
}

/**
 * Replace the value of a focused field.
 * @returns returns the result's part about the field, after the page has settled
 */
async function fill(
  devices: InputDevices,
  field: Element,
  { text, submit }: { text: string; submit?: boolean },
  outcome: Outcome,
  signal?: AbortSignal,
): Promise<() => object> {
  const surface = dom.localName(field) === "input" ? null : surfaceOf(field);
  if (surface) return fillSurface(devices, field, surface, { text, submit }, outcome, signal);
  const before = textIn(field);
  const secret = isSecretField(field);
  noteValue(field);
  if (takesWholeValue(field)) setWholeValue(field, text);
  else await replace(devices, field, text, signal);
  const typed = textIn(fieldNow(field));
  if (submit) await devices.keyboard.stroke(keyOf("Enter"));
  return () => {
    const now = fieldNow(field);
    const value = dom.isConnected(now) ? textIn(now) : typed;
    const last = submit ? typed : value;
    // A page may take the text out of an empty field, as chats do; then more changes than the field.
    const taken = (before === "" || submit) && [...outcome.changed].some((one) => !dom.contains(now, one));
    if (last === before && bare(last) !== bare(text) && !taken && !takesWholeValue(field)) {
      throw new Unsupported(`${tagOf(now)} didn't accept the text.`, {
        hint: `${expected(now)}Take a snapshot to see its value.`,
      });
    }
    const shown = value && (secret || isSecret(now, value)) ? MASK : value;
    const note = submit ? "" : shortfall(now, text, value, shown);
    return { success: !note, ...(note ? { note } : {}), value: shown };
  };
}

/** Return the field, or the one that the page has put in its place. */
function fieldNow(field: Element) {
  if (dom.isConnected(field)) return field;
  const same = ["id", "name"].map((key) => {
    const value = dom.getAttribute(field, key);
    return value && dom.querySelector(dom.ownerDocument(field), `[${key}="${CSS.escape(value)}"]`);
  });
  return [focused(), ...same].find((one) => one && isEditable(one)) || field;
}

/** Return the letters and digits, which formatting leaves as they are. */
const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "") || text.trim();

/** Return the field's own description of the text that it takes. */
function expected(field: Element) {
  const said = ["placeholder", "title", "pattern"].map((name) => dom.getAttribute(field, name)).find(Boolean);
  return said ? `It expects ${said}. ` : "";
}

/** Return whether a text has all letters and digits of another one, in their order, in either case. */
function hasAll(text: string, of: string) {
  const wanted = Array.from(bare(of).toLowerCase());
  let at = 0;
  for (const one of text.toLowerCase()) if (one === wanted[at]) at++;
  return at >= wanted.length;
}

/**
 * Return the problem with the value that a field has after a text was typed, or "".
 * @param shown - the value, masked if it is a secret
 */
function shortfall(field: Element, text: string, value: string, shown: string) {
  const { maxLength, minLength, validity, validationMessage } = dom.propertiesOf(field);
  if (value.length < text.length && text.startsWith(value)) {
    return `Only ${value.length} of ${text.length} characters are in the field${maxLength === value.length ? `, which takes at most ${maxLength}` : ""}.`;
  }
  if (!hasAll(value, text) && !takesWholeValue(field))
    return `The field has ${JSON.stringify(shown)} instead of the text.`;
  if (value && (minLength ?? 0) > value.length)
    return `The value is set, but invalid: it takes at least ${minLength} characters.`;
  // Two fields that must agree, and an emptied one, may be right later.
  const isWrong = validity && !validity.valid && !validity.customError && !validity.valueMissing;
  return isWrong ? `The value is set, but invalid: ${validationMessage}` : "";
}

/**
 * Replace the text of an editor that draws it itself. What its field contains isn't the text, so the editor selects all
 * by its shortcut, and what was drawn shows whether it took the text.
 */
async function fillSurface(
  devices: InputDevices,
  field: Element,
  surface: Element,
  { text, submit }: { text: string; submit?: boolean },
  outcome: Outcome,
  signal?: AbortSignal,
): Promise<() => object> {
  const { keyboard } = devices;
  const before = dom.textContent(surface);
  await keyboard.chord([keyOf(navigator.platform.startsWith("Mac") ? "Meta" : "Control")], keyOf("a"));
  if (text === "") await keyboard.stroke(keyOf("Backspace"));
  // Code editors complete and indent typed text.
  else if (text.length > MAX_TYPED || COMPLETED.test(text)) pasteInto(focused(), text);
  else await keyboard.write(text, signal);
  if (submit) await keyboard.stroke(keyOf("Enter"));
  return () => {
    if (dom.textContent(surface) === before && !dom.textContent(surface)?.includes(text) && !outcome.changed.size) {
      throw new Unsupported(`${tagOf(field)} didn't accept the text.`, {
        hint: "Click into it and try keys; take a snapshot to see its text.",
      });
    }
    return { success: true };
  };
}

/** Return the field to type into: the element, its control, or the only field in it. */
function fieldOf(element: Element): Element {
  if (isTextField(element) || takesWholeValue(element) || editContextOf(element)) return element;
  if (dom.isContentEditable(element)) return editingHost(element);
  const { control } = dom.propertiesOf(element);
  const inner = control ? [control] : Array.from(dom.querySelectorAll(shadowOf(element) ?? element, EDITABLES));
  const fields = inner.filter((one) => isEditable(one) || takesWholeValue(one));
  if (fields.length === 1) return fields[0];
  const uses: Record<string, string> = {
    select: "Use select",
    input: isFileInput(element) ? "Pass files" : "Use click",
  };
  const takesFiles = isFileInput(control ?? element);
  throw new Unsupported(`${tagOf(element)} isn't a text field.`, {
    ...(takesFiles ? { data: { takes: "files" } } : {}),
    hint: `${uses[dom.localName(element)] ?? "Use a textbox from the snapshot"}.`,
  });
}

function editingHost(element: Element) {
  let host = element;
  for (let above = dom.parentElement(host); above && dom.isContentEditable(above); above = dom.parentElement(above))
    host = above;
  return host;
}

function checkFits(field: Element, text: string) {
  if (isReadOnly(field))
    throw new Disabled(`${tagOf(field)} is read-only.`, {
      hint: "Click it, which may open a picker, or choose another field.",
    });
  if (!dom.isNamed(field, "input") || takesWholeValue(field)) return;
  const { type } = field;
  if (type === "number" && text !== "" && !NUMBER.test(text)) {
    throw new InvalidArguments(`${JSON.stringify(text)} isn't a number.`, { hint: "Pass a number such as 12.5." });
  }
  if (/[\r\n]/.test(text)) {
    throw new InvalidArguments("The field has only one line.", {
      hint: "Remove line breaks; use `submit` to press Enter.",
    });
  }
}

async function replace(devices: InputDevices, field: Element, text: string, signal?: AbortSignal) {
  const before = textIn(field);
  if (before !== "") selectAll(focused());
  if (text === "") {
    if (before !== "") await devices.keyboard.stroke(keyOf("Backspace"));
  } else if (text.length > MAX_TYPED) {
    await devices.keyboard.insert(text);
  } else {
    await devices.keyboard.write(text, signal);
  }
}
