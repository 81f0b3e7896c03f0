/** The companion's address: the page's own host, or in the extension the one that the user has entered. */

import { IN_EXTENSION } from "./in_extension.js";
import { loadSaved, save } from "./saved.js";

const NAME = "companion-address";

/** @returns {string | null} its origin; null if the user has entered none */
export function companionOrigin() {
  return IN_EXTENSION ? loadSaved(NAME, /** @type {string | null} */ (null)) : location.origin;
}

/** Parse an address that `control-surface url` has printed. @param {string} text @returns {URL | null} null if it isn't one of this computer */
export function companionAddress(text) {
  const url = URL.parse(text.trim());
  return url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname) ? url : null;
}

/** @param {string} origin */
export function saveCompanion(origin) {
  save(NAME, origin);
}
