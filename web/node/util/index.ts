// node:util. The libraries require it as `util/`, so that their messages are written as Node writes values.
import { parseArgs } from "@pkgjs/parseargs";
import inspected from "node-inspect-extracted";
// builder/bundles.py: the npm package.
import util from "npm-util";

export const { inspect, format, formatWithOptions, stripVTControlCharacters } = inspected;
export const { callbackify, inherits, deprecate, types, debuglog } = util;
export const debug = debuglog;
export const { TextEncoder, TextDecoder } = globalThis;
export const isArray = Array.isArray;

const custom: unique symbol = Symbol.for("nodejs.util.promisify.custom");
type Promised = (...args: unknown[]) => Promise<unknown>;
export function promisify(original: Function & { [custom]?: Promised }): Promised {
  const own = original[custom];
  if (own) return own;
  return function (this: unknown, ...args: unknown[]) {
    return new Promise((resolve, reject) => {
      original.call(this, ...args, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value)));
    });
  };
}
promisify.custom = custom;

export function styleText(style: string | string[], text: string) {
  const codes = [style].flat().map((name) => Reflect.get(inspect.colors, name));
  return codes.reduceRight((inner, [begin, end]) => `\u001b[${begin}m${inner}\u001b[${end}m`, text);
}

export const toUSVString = (value: unknown) => String(value).toWellFormed();

export { parseArgs };

export default {
  inspect,
  format,
  formatWithOptions,
  stripVTControlCharacters,
  promisify,
  callbackify,
  inherits,
  deprecate,
  types,
  debuglog,
  debug,
  ...{ TextEncoder, TextDecoder, isArray, styleText, toUSVString, parseArgs },
};
