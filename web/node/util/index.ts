// node:util. The libraries require it as `util/`, so that their messages are written as Node writes values.
import { parseArgs } from "@pkgjs/parseargs";
import inspected from "node-inspect-extracted";
// builder/bundles.py: the npm package.
import util from "npm-util";

export const { inspect, format, formatWithOptions, stripVTControlCharacters } = inspected as any;
export const { callbackify, inherits, deprecate, types, debuglog } = util as any;
export const debug = debuglog;
export const { TextEncoder, TextDecoder } = globalThis;
export const isArray = Array.isArray;

const custom = Symbol.for("nodejs.util.promisify.custom");
export function promisify(original: any): (...args: any[]) => Promise<any> {
  if (original[custom]) return original[custom];
  return function (this: any, ...args: any[]) {
    return new Promise((resolve, reject) => {
      original.call(this, ...args, (error: unknown, value: any) => (error ? reject(error) : resolve(value)));
    });
  };
}
promisify.custom = custom;

export function styleText(style: string | string[], text: string) {
  const codes = [style].flat().map((name) => inspect.colors[name]);
  return codes.reduceRight((inner, [begin, end]) => `\u001b[${begin}m${inner}\u001b[${end}m`, text);
}

export const toUSVString = (value: any) => String(value).toWellFormed();

export { parseArgs };

export default {
  ...{
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
  },
  ...{ TextEncoder, TextDecoder, isArray, styleText, toUSVString, parseArgs },
};
