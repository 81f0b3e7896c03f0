// just-bash carries bytes as strings in which each character is one byte ("latin1").

const STEP = 32_768; // String.fromCharCode takes its arguments on the stack, so long data goes in steps.

/** @param {Uint8Array} bytes @returns {string} */
export function latin1(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return text;
}

/** @param {string} text @returns {Uint8Array} */
export function fromLatin1(text) {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const utf8 = new TextEncoder();

/**
 * File content as just-bash gives it, as bytes.
 * @param {string | Uint8Array} content
 * @param {string | { encoding?: string } | null} [options]
 * @returns {Uint8Array}
 */
export function toBytes(content, options) {
  if (typeof content !== "string") return content;
  switch (typeof options === "string" ? options : options?.encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return fromLatin1(content);
    case "base64":
      return fromLatin1(atob(content));
    case "hex":
      return Uint8Array.from(content.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    default:
      return utf8.encode(content);
  }
}

/**
 * Bytes as the string that just-bash asked for.
 * @param {Uint8Array} bytes
 * @param {string | { encoding?: string | null } | null} [options]
 * @returns {string}
 */
export function toText(bytes, options) {
  switch (typeof options === "string" ? options : options?.encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return latin1(bytes);
    case "base64":
      return btoa(latin1(bytes));
    case "hex":
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    default:
      return new TextDecoder().decode(bytes);
  }
}
