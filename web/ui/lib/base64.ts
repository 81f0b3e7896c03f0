/** Binary content of JSON messages. */

// String.fromCharCode takes a limited number of arguments.
const CHUNK = 1 << 15;

export function base64(bytes: Uint8Array) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** @param content - in base64 */
export function bytesOf(content: string) {
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}
