// Finds the file input behind a widget, by the file chooser that a press on the widget would open.

import * as dom from "../dom.ts";
import { realmOf } from "./events.ts";
import { isFileInput } from "./files.ts";
import { frame } from "./waiting.ts";

// A page may open the chooser after an event or a timer.
const MOST_FRAMES = 15;

/** Press something, and return the file input whose chooser the page opens then, which stays closed. */
export async function chooserOf(
  element: Element,
  press: () => Promise<void>,
  signal?: AbortSignal,
): Promise<HTMLInputElement | null> {
  const realm = realmOf(element);
  let found: HTMLInputElement | null = null;
  const note = (event: Event) => {
    const [target] = event.composedPath();
    if (!dom.isElement(target) || !isFileInput(target)) return;
    found = target;
    event.preventDefault();
  };
  const replace = <Name extends string>(owner: Record<Name, () => void>, name: Name) => {
    const original = owner[name];
    owner[name] = function (this: Element, ...given: []) {
      if (!isFileInput(this)) return original.apply(this, given);
      found = this;
    };
    return () => (owner[name] = original);
  };
  const undo = [replace(realm.HTMLElement.prototype, "click"), replace(realm.HTMLInputElement.prototype, "showPicker")];
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
