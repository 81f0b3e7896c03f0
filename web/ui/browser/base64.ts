/** Binary content of JSON messages. */

// String.fromCharCode takes a limited number of arguments.
const CHUNK = 1 << 15;

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** @param {string} content in base64 */
export function bytesOf(content) {
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}
