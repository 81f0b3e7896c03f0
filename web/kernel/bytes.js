// Text and bytes. A byte that is no UTF-8 is a lone surrogate in text (PEP 383), so that variables hold any bytes. In a
// string of bytes ("latin1"), as git gets its input, each character is one byte.

const STEP = 32_768; // String.fromCharCode takes its arguments on the stack, so long data goes in steps.
const SURROGATES = 0xdc00;
const LONE = /[\udc80-\udcff]/u;

const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const EMPTY = new Uint8Array();

/** Return whether a text has no byte that is no UTF-8. @param {string} text */
export const isText = (text) => !LONE.test(text);

/** @param {string} text @returns {Uint8Array} */
export function encode(text) {
  if (!LONE.test(text)) return utf8.encode(text);
  const pieces = text.split(/([\udc80-\udcff])/u);
  return concat(pieces.map((piece, at) => (at % 2 ? Uint8Array.of(piece.charCodeAt(0) - SURROGATES) : utf8.encode(piece))));
}

/** @param {Uint8Array} bytes @returns {string} */
export function decode(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeAny(bytes);
  }
}

/** @param {Uint8Array} bytes */
function decodeAny(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    try {
      text += strict.decode(bytes.subarray(at, at + length));
      at += length;
    } catch {
      text += String.fromCharCode(SURROGATES + lead);
      at++;
    }
  }
  return text;
}

/** @param {Uint8Array[]} chunks @returns {Uint8Array} */
export function concat(chunks) {
  if (chunks.length === 1) return chunks[0] ?? EMPTY;
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.length;
  }
  return whole;
}

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

/** File content as bytes. @param {string | Uint8Array} content @returns {Uint8Array} */
export const toBytes = (content) => (typeof content === "string" ? encode(content) : content);
