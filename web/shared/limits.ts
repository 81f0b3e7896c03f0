/** The sizes that the page accepts at its ports, each with its reason. Anything larger is refused before it is used. */

import { InvalidArguments } from "../page/errors.ts";

/** In characters, and bytes of binary data. */
export const LIMITS = Object.freeze({
  // Nobody reads more, and a browser's process ends while it draws a text of a hundred million characters.
  words: 64 * 1024,
  // Also in py/gemini_companion/pages/consent.py. Facts are never cut, since the cut part would be done unseen.
  facts: 64 * 1024,
  // JSON text of Python, of a document or of a server in the page. The largest are files of 64 MB for a document, in base64.
  message: 96 * 1024 * 1024,
  // Python's requests to the companion, which accepts 64 MB of UTF-8, at most three bytes a character.
  relayed: 21 * 1024 * 1024,
  // A question with its facts and words is the largest that the kernel's frame sends.
  control: 2 * 64 * 1024 + 4096,
  // A reason, a stage or a problem that the page draws.
  reason: 4096,
  // Of a document, drawn in its tab.
  title: 1024,
  // No browser opens a longer address.
  url: 2 * 1024 * 1024,
  // The address and the headers of a site's request, and its report of a download. Servers refuse more.
  request: 256 * 1024,
  // A file that a page sends to a server in the page, as the surface's own uploads.
  body: 64 * 1024 * 1024,
});

// What a number, an empty text or a list's start takes.
const VALUE = 1;

/**
 * Return the size of a structured value, or a number above `most` as soon as it is larger. Works for cycles, too, which
 * never end otherwise.
 *
 * @returns characters of strings and names, bytes of binary data, and one for each other value
 * @test
 */
export function sizeOf(value: unknown, most: number): number {
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
        waiting.push(Reflect.get(next, name));
        if (waiting.length > most) return waiting.length;
      }
    }
  }
  return size;
}

function sizeAlone(value: unknown) {
  if (typeof value === "string") return value.length;
  // It may be of another realm, where it is an instance of nothing here.
  const isBuffer = Object.prototype.toString.call(value) === "[object ArrayBuffer]";
  return ArrayBuffer.isView(value) || isBuffer ? Number(Object(value).byteLength) : 0;
}

/** Return whether a value is within a limit. */
export function fits(value: unknown, limit: keyof typeof LIMITS) {
  return sizeOf(value, LIMITS[limit]) <= LIMITS[limit];
}

/** Return a text of another's, cut for drawing. */
export function cut(text: unknown, limit: keyof typeof LIMITS) {
  const whole = String(text ?? "");
  return whole.length <= LIMITS[limit]
    ? whole
    : `${whole.slice(0, LIMITS[limit])}… (${whole.length.toLocaleString("en")} characters)`;
}

/**
 * @param what - the value, as the error names it
 * @throws {InvalidArguments} it is larger than the limit
 */
export function requireSize(value: unknown, limit: keyof typeof LIMITS, what: string) {
  const most = LIMITS[limit];
  if (fits(value, limit)) return;
  throw new InvalidArguments(`${what} has more than ${most.toLocaleString("en")} characters.`, {
    hint: "Split it into parts, or put it into a file.",
    data: { most },
  });
}
