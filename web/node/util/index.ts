// node:util. The libraries require it as `util/`, so that their messages are written as Node writes values.
import { parseArgs } from "@pkgjs/parseargs";
import inspected from "node-inspect-extracted";
// builder/bundles.py: the npm package.
import util from "npm-util";

export const { inspect, format, formatWithOptions, stripVTControlCharacters } = /** @type {any} */ (inspected);
export const { callbackify, inherits, deprecate, types, debuglog } = /** @type {any} */ (util);
export const debug = debuglog;
export const { TextEncoder, TextDecoder } = globalThis;
export const isArray = Array.isArray;

const custom = Symbol.for("nodejs.util.promisify.custom");
/** @param {any} original @returns {(...args: any[]) => Promise<any>} */
export function promisify(original) {
  if (original[custom]) return original[custom];
  return /** @this {any} */ function (/** @type {any[]} */ ...args) {
    return new Promise((resolve, reject) => {
      original.call(this, ...args, (/** @type {unknown} */ error, /** @type {any} */ value) => (error ? reject(error) : resolve(value)));
    });
  };
}
promisify.custom = custom;

/** @param {string | string[]} style @param {string} text */
export function styleText(style, text) {
  const codes = [style].flat().map((name) => inspect.colors[name]);
  return codes.reduceRight((inner, [begin, end]) => `\u001b[${begin}m${inner}\u001b[${end}m`, text);
}

/** @param {any} value */
export const toUSVString = (value) => String(value).toWellFormed();

export { parseArgs };

export default {
  ...{ inspect, format, formatWithOptions, stripVTControlCharacters, promisify, callbackify, inherits, deprecate, types, debuglog, debug },
  ...{ TextEncoder, TextDecoder, isArray, styleText, toUSVString, parseArgs },
};
