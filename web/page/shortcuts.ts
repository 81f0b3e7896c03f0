// The keys that open the surface's palette. Documents in tabs get their own keys, so the page script reports these.

import type { Connection } from "../../webmcp_bridge.js";

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
export const OPENS_PALETTE = "notifications/opens_palette";

/** Return whether the shortcut modifier is pressed, and no other. */
function isMod({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return (IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
}

/** Return whether a key opens the palette: Ctrl+K, Ctrl+P (⌘ on a Mac) or F1. */
export function opensPalette(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key === "F1") return !(ctrlKey || metaKey || altKey || shiftKey);
  return ["k", "p"].includes(key.toLowerCase()) && isMod(event);
}

let surface: Connection | null = null;

/** Report these keys through `connection`, unless the document used them itself. */
export function reportShortcuts(connection: Connection) {
  if (surface === null) {
    addEventListener("keydown", (event) => {
      if (!event.isTrusted || event.defaultPrevented || !opensPalette(event)) return;
      // Keeps the browser's own use of the key away, such as printing.
      event.preventDefault();
      surface?.notify(OPENS_PALETTE, {});
    });
  }
  surface = connection;
}
