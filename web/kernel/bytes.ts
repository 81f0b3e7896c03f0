// Text and bytes. A byte that is no UTF-8 is a lone surrogate in text (PEP 383), so that variables hold any bytes. In a
// string of bytes ("latin1"), as git gets its input, each character is one byte.

const STEP = 32_768; // String.fromCharCode takes its arguments on the stack, so long data goes in steps.
const SURROGATES = 0xdc00;
const LONE = /[\udc80-\udcff]/u;

const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const EMPTY = new Uint8Array();

/** Return whether a text has no byte that is no UTF-8. */
export const isText = (text: string) => !LONE.test(text);

export function encode(text: string): Uint8Array {
  if (!LONE.test(text)) return utf8.encode(text);
  const pieces = text.split(/([\udc80-\udcff])/u);
  return concat(
    pieces.map((piece, at) => (at % 2 ? Uint8Array.of(piece.charCodeAt(0) - SURROGATES) : utf8.encode(piece))),
  );
}

export function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeAny(bytes);
  }
}

function decodeAny(bytes: Uint8Array) {
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

export function concat(chunks: Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0] ?? EMPTY;
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.length;
  }
  return whole;
}

export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return text;
}

export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** File content as bytes. */
export const toBytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? encode(content) : content;
