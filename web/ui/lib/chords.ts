/** Chords of Ctrl+Alt and a letter, which work everywhere in the page. */

import { IS_MAC } from "../../page/shortcuts.ts";
import { onTrustedKey } from "./trusted.ts";

/** Return the chord with a letter as displayed: `Ctrl+Alt+M`. */
export function controlAlt(letter: string) {
  return `${IS_MAC ? "⌃⌥" : "Ctrl+Alt+"}${letter}`;
}

/** Call `act` at Ctrl+Alt and a letter, by its place on an English keyboard, also from a terminal, which takes most keys. */
export function onControlAlt(letter: string, act: () => unknown) {
  onTrustedKey(
    (event) => {
      const { code, ctrlKey, altKey, metaKey, shiftKey, defaultPrevented } = event;
      if (defaultPrevented || code !== `Key${letter}` || !ctrlKey || !altKey || metaKey || shiftKey) return;
      // AltGr is Ctrl+Alt on some systems, and types a letter.
      if (event.getModifierState("AltGraph") || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
    { capture: true },
  );
}
