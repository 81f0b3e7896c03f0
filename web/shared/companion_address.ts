/** The companion's address: the page's own host, or in the extension the one that the user has entered. */

import { IN_EXTENSION } from "./in_extension.ts";
import { loadSaved, save } from "./local_state.ts";

const NAME = "companion-address";

/** @returns its origin; null if the user has entered none */
export function companionOrigin(): string | null {
  return IN_EXTENSION ? loadSaved<string | null>(NAME, null) : location.origin;
}

/**
 * Parse an address that `control-surface url` has printed.
 * @returns null if it isn't one of this computer
 */
export function companionAddress(text: string): URL | null {
  const url = URL.parse(text.trim());
  return url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname) ? url : null;
}

export function saveCompanion(origin: string) {
  save(NAME, origin);
}
