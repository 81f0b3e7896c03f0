// Typing: the field's value becomes the text.

import { holds } from "../composed.js";
import { Disabled, InvalidArguments, Unsupported } from "../errors.js";
import { shadowOf } from "../internals.js";
import { isSecret, MASK } from "../secrets.js";
import { askFor, askToLeave } from "./consent.js";
import { edit, isEditable, isReadOnly, isTextField, selectAll, textIn } from "./editing.js";
import { giveFiles, isFileInput } from "./files.js";
import { focused, moveFocus, noteValue } from "./focus.js";
import { keyOf } from "./keys.js";
import { enabled, present, readable, ready, told } from "./ready.js";
import { giveWhole, isWhole } from "./values.js";

/**
 * @import { Hand } from "./hand.js"
 */

// Beyond it, nobody types: the text comes at once, as from a paste.
const LONGEST = 1_000;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const EDITABLES = "input, textarea, [contenteditable]:not([contenteditable=false])";

/**
 * @param {Hand} hand
 * @param {any} options a target; `text`, or `files` for a file input; `submit` to press Enter after it; `consented`
 * @returns {Promise<object>}
 */
export async function type(hand, { text, files, submit, consented, ...options }) {
  if (files !== undefined) return chooseFiles(hand, files, options);
  if (typeof text !== "string") throw new InvalidArguments("`text` is missing.", { hint: "Give the text that the field shall hold." });
  // Nobody waits for what will be refused.
  const field = fieldOf(readable(await present(hand.page, options, options)));
  askFor(field, consented);
  if (submit) askToLeave(field, consented);
  checkFits(field, text);
  const place = await ready(hand.page, { ...options, element: field }, options);
  return hand.perform(options, async (outcome) => {
    const before = textIn(field);
    await hand.press(place);
    if (!holds(field, focused()) && !moveFocus(field)) {
      throw new Unsupported(`${told(field)} doesn't take the focus.`, { hint: "Take a new snapshot." });
    }
    noteValue(field);
    if (isWhole(field)) giveWhole(/** @type {HTMLInputElement} */ (field), text);
    else await replace(hand, field, text, options.signal);
    const typed = textIn(field);
    if (submit) await hand.keyboard.stroke(keyOf("Enter"));
    return () => {
      if (typed === before && typed !== text && !outcome.changed.size) {
        throw new Unsupported(`${told(field)} didn't take the text.`, { hint: "Take a snapshot to see what it holds." });
      }
      return { value: shown(field, field.isConnected ? textIn(field) : typed) };
    };
  });
}

/** What of a target is typed into: itself, its control, or the one field in it. @param {Element} element @returns {Element} */
function fieldOf(element) {
  if (isTextField(element) || isWhole(element)) return element;
  const host = /** @type {HTMLElement} */ (element);
  if (host.isContentEditable) return editingHost(host);
  const { control } = /** @type {HTMLLabelElement} */ (element);
  const inner = control ? [control] : Array.from((shadowOf(element) ?? element).querySelectorAll(EDITABLES));
  const fields = inner.filter((one) => isEditable(one) || isWhole(one));
  if (fields.length === 1) return fields[0];
  const uses = { select: "Choose with select", input: isFileInput(element) ? "Give files" : "Use click" };
  const takesFiles = isFileInput(control ?? element);
  throw new Unsupported(`${told(element)} is no field of text.`, {
    ...(takesFiles ? { data: { takes: "files" } } : {}),
    hint: `${uses[/** @type {"select"} */ (element.localName)] ?? "Take a textbox from the snapshot"}.`,
  });
}

/** @param {HTMLElement} element */
function editingHost(element) {
  let host = element;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

/** @param {Element} field @param {string} text */
function checkFits(field, text) {
  if (isReadOnly(field)) throw new Disabled(`${told(field)} is read-only.`, { hint: "It can't be typed into." });
  if (field.localName !== "input" || isWhole(field)) return;
  const { type } = /** @type {HTMLInputElement} */ (field);
  if (type === "number" && text !== "" && !NUMBER.test(text)) {
    throw new InvalidArguments(`${JSON.stringify(text)} is not a number.`, { hint: "Give a number such as 12.5." });
  }
  if (/[\r\n]/.test(text)) {
    throw new InvalidArguments("The field has one line.", { hint: "Leave line breaks out; `submit` presses Enter." });
  }
}

/** @param {Hand} hand @param {Element} field @param {string} text @param {AbortSignal} [signal] */
async function replace(hand, field, text, signal) {
  const before = textIn(field);
  if (before !== "") selectAll(focused());
  if (text === "") {
    if (before !== "") await hand.keyboard.stroke(keyOf("Backspace"));
  } else if (text.length > LONGEST) {
    edit(focused(), "insertText", text);
  } else {
    await hand.keyboard.write(text, signal);
  }
}

/** @param {Element} field @param {string} value */
function shown(field, value) {
  return value && isSecret(field, value) ? MASK : value;
}

/** @param {Hand} hand @param {any} files @param {any} options */
async function chooseFiles(hand, files, options) {
  const found = hand.page.resolve(options);
  const element = /** @type {HTMLLabelElement} */ (found).control ?? found;
  if (!isFileInput(element)) throw new Unsupported(`${told(element)} takes no files.`, { hint: "Give an input of type file." });
  const input = /** @type {HTMLInputElement} */ (enabled(element));
  if (!Array.isArray(files) || files.some((one) => typeof one?.name !== "string" || typeof one?.data !== "string")) {
    throw new InvalidArguments("`files` is a list of {name, type, data}.", { hint: "`data` is the content in base64." });
  }
  return hand.perform(options, async () => {
    giveFiles(input, files);
    return () => ({ value: Array.from(input.files ?? [], ({ name }) => name).join(", ") });
  });
}
