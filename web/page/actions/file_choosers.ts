// Finds the file input behind a widget, by the file chooser that a press on the widget would open.

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
  const realm = realmOf(element) as any;
  let found: HTMLInputElement | null = null;
  const note = (event: Event) => {
    const target = event.composedPath()[0] as HTMLInputElement;
    if (!isFileInput(target)) return;
    found = target;
    event.preventDefault();
  };
  const undo = [
    [realm.HTMLElement.prototype, "click"],
    [realm.HTMLInputElement.prototype, "showPicker"],
  ].map(([owner, name]) => {
    const original = owner[name];
    owner[name] = function (...given: any[]) {
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
