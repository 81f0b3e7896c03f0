/** The sizes that the page accepts at its ports, each with its reason. What is larger is refused before it is used. */

import { InvalidArguments } from "../page/errors.js";

/** In characters, and bytes of binary data. */
export const LIMITS = Object.freeze({
  // Nobody reads more, and a browser's process ends while it draws a text of a hundred million characters.
  words: 64 * 1024,
  // Also in py/gemini_companion/consent.py. Facts are never cut, since the cut part would be done unseen.
  facts: 64 * 1024,
});

// What a number, an empty text or a list's start takes.
const VALUE = 1;

/**
 * Return the size of a structured value, or a number above `most` as soon as it is larger. Works for cycles, too, which
 * never end otherwise.
 *
 * @param {unknown} value
 * @param {number} most
 * @returns {number} characters of texts and names, bytes of binary data, and one for each other value
 */
export function sizeOf(value, most) {
  let size = 0;
  const waiting = [value];
  while (waiting.length > 0 && size <= most) {
    const next = waiting.pop();
    size += VALUE + sizeAlone(next);
    if (typeof next !== "object" || next === null || ArrayBuffer.isView(next)) continue;
    if (Array.isArray(next)) {
      // A long list isn't copied to be measured.
      if (next.length > most) return next.length;
      for (const each of next) waiting.push(each);
    } else if (next instanceof Map || next instanceof Set) {
      if (next.size > most) return next.size;
      for (const each of next) waiting.push(each);
    } else {
      for (const name in next) {
        size += name.length;
        waiting.push(/** @type {Record<string, unknown>} */ (next)[name]);
        if (waiting.length > most) return waiting.length;
      }
    }
  }
  return size;
}

/** @param {unknown} value */
function sizeAlone(value) {
  if (typeof value === "string") return value.length;
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : 0;
}

/**
 * @param {unknown} value
 * @param {keyof typeof LIMITS} limit
 * @param {string} what the value, as the error names it
 * @throws {InvalidArguments} it is larger than the limit
 */
export function requireSize(value, limit, what) {
  const most = LIMITS[limit];
  if (sizeOf(value, most) <= most) return;
  throw new InvalidArguments(`${what} has more than ${most.toLocaleString("en")} characters.`, {
    hint: "Split it into parts, or put it into a file.",
    data: { most },
  });
}
