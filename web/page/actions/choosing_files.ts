// Chooses files: in a file input, in the one behind a widget, or by dropping them.

import * as dom from "../dom.js";
import { InvalidArguments, Unsupported } from "../errors.js";
import { askToLeave } from "./consent.js";
import { fire } from "./events.js";
import { chooserOf } from "./file_choosers.js";
import { isFileInput, setFiles, transferOf } from "./files.js";
import { hitAt, localPoint } from "./places.js";
import { enabled, ready, tagOf } from "./ready.js";

/**
 * @import { FileData } from "./files.js"
 * @import { Hand } from "./hand.js"
 * @import { Place } from "./ready.js"
 */

/** @param {Hand} hand @param {any} files @param {any} options a target @returns {Promise<object>} */
export async function chooseFiles(hand, files, { consented, ...options }) {
  const found = hand.page.resolve(options);
  const input = inputOf(found);
  if (!Array.isArray(files) || files.some((one) => typeof one?.name !== "string" || typeof one?.data !== "string")) {
    throw new InvalidArguments("`files` must be a list of {name, type, data}.", { hint: "`data` is the content in base64." });
  }
  if (input) {
    enabled(input);
    return hand.perform(options, async () => set(input, files));
  }
  const place = await ready(hand.page, { ...options, element: found }, options);
  askToLeave(hitAt(place.point) ?? found, consented);
  return hand.perform(options, async () => {
    const chosen = await chooserOf(found, () => hand.press(place), options.signal);
    if (chosen) return set(chosen, files);
    if (drop(place, files)) return () => ({ value: namesOf(files) });
    throw new Unsupported(`${tagOf(found)} takes no files.`, { hint: "Use an input of type file, or the button that opens a file chooser." });
  });
}

/** Return the file input that an element is, labels or contains. @param {Element} element @returns {HTMLInputElement | null} */
function inputOf(element) {
  const control = /** @type {Element} */ (dom.propertiesOf(element).control ?? element);
  if (isFileInput(control)) return /** @type {HTMLInputElement} */ (control);
  const inner = dom.querySelectorAll(element, "input[type=file]");
  return inner.length === 1 ? /** @type {HTMLInputElement} */ (inner[0]) : null;
}

/** @param {HTMLInputElement} input @param {FileData[]} files */
function set(input, files) {
  setFiles(input, files);
  return () => ({ success: true, value: namesOf(files) });
}

/** @param {FileData[]} files */
function namesOf(files) {
  return files.map(({ name }) => name).join(", ");
}

/** Drop files on an element. @param {Place} place @param {FileData[]} files @returns {boolean} whether it accepted them */
function drop({ element, point }, files) {
  const dataTransfer = transferOf(element, files);
  const { x, y } = localPoint(dom.ownerDocument(element), point);
  const send = (/** @type {string} */ type) => fire(element, "DragEvent", type, { clientX: x, clientY: y, dataTransfer });
  send("dragenter");
  if (send("dragover")) {
    send("dragleave");
    return false;
  }
  send("drop");
  return true;
}
