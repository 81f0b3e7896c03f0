// Finds the file input behind a widget, by the file chooser that a press on the widget would open.

import { realmOf } from "./events.js";
import { isFileInput } from "./files.js";
import { frame } from "./waiting.js";

// A page may open the chooser after an event or a timer.
const MOST_FRAMES = 15;

/**
 * Press something, and return the file input whose chooser the page opens then, which stays closed.
 * @param {Element} element
 * @param {() => Promise<void>} press
 * @param {AbortSignal} [signal]
 * @returns {Promise<HTMLInputElement | null>}
 */
export async function chooserOf(element, press, signal) {
  const realm = /** @type {any} */ (realmOf(element));
  /** @type {HTMLInputElement | null} */
  let found = null;
  const note = (/** @type {Event} */ event) => {
    const target = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (!isFileInput(target)) return;
    found = target;
    event.preventDefault();
  };
  const undo = [[realm.HTMLElement.prototype, "click"], [realm.HTMLInputElement.prototype, "showPicker"]].map(([owner, name]) => {
    const original = owner[name];
    owner[name] = function (/** @type {any[]} */ ...given) {
      if (!isFileInput(this)) return original.apply(this, given);
      found = this;
    };
    return () => (owner[name] = original);
  });
  realm.addEventListener("click", note, true);
  try {
    await press();
    for (let frames = 0; !found && frames < MOST_FRAMES; frames++) await frame(signal);
    return found;
  } finally {
    realm.removeEventListener("click", note, true);
    for (const restore of undo) restore();
  }
}
