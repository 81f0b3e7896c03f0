// `printf` writes bytes: `\377` is one, which just-bash's own prints as the character U+00FF.
import { latin1 } from "./bytes.js";

// Each byte above 127 travels through just-bash's printf as a character of a plane that is for private use.
const PLANE = 0x10f000;
const utf8 = new TextEncoder();

/** @param {string} text with escapes for bytes @param {RegExp} escape */
const hidden = (text, escape) =>
  text.replace(escape, (whole, octal, hexadecimal) => {
    const byte = octal !== undefined ? parseInt(octal, 8) & 255 : hexadecimal !== undefined ? parseInt(hexadecimal, 16) : 0;
    return byte > 127 ? String.fromCodePoint(PLANE + byte) : whole;
  });

// A backslash takes the character after it along, so that `\\377` stays what it is.
const IN_FORMAT = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|[^])/g;
const IN_ARGUMENT = /\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|[^])/g;

/** @param {string} text @returns {Uint8Array} */
function revealed(text) {
  const pieces = text.split(/([\u{10f080}-\u{10f0ff}])/u).map((piece, at) => {
    return at % 2 ? Uint8Array.of((piece.codePointAt(0) ?? PLANE) - PLANE) : utf8.encode(piece);
  });
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    whole.set(piece, position);
    position += piece.length;
  }
  return whole;
}

/** @param {string[]} args @param {any} context */
export async function printf(args, context) {
  const start = args[0] === "--" ? 1 : 0;
  const format = args[start];
  const bytes = args.slice(start).some((word) => /\\(?:0?[2-3][0-7][0-7]|x[89a-fA-F])/.test(word));
  if (format === undefined || args[0] === "-v" || !bytes) return context.origCommand(args);
  const words = args.slice(start + 1).map((word) => (/%[-0-9.]*b/.test(format) ? hidden(word, IN_ARGUMENT) : word));
  const done = await context.origCommand([...args.slice(0, start), hidden(format, IN_FORMAT), ...words]);
  return { ...done, stdout: latin1(revealed(done.stdout)), stdoutKind: "bytes" };
}
