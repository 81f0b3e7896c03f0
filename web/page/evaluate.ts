// Runs a caller's JavaScript in the page.

import { textOf } from "./console.js";
import { InvalidArguments, ScriptFailed, Unsupported } from "./errors.js";

/** @import { Candidate } from "./targets.js" */

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);
// Values nested deeper than this become text.
const MAX_DEPTH = 20;

/**
 * Run code and return its value as JSON data. Elements become their ref and description, other values without a JSON
 * form become text.
 * @param {string} code an expression, or the body of an async function
 * @param {(element: Element) => Candidate} describe
 * @returns {Promise<unknown>}
 * Throws InvalidArguments if it doesn't parse, ScriptFailed if it throws, Unsupported if the page's policy forbids it.
 */
export async function evaluate(code, describe) {
  if (typeof code !== "string") throw new InvalidArguments("`code` must be a string of JavaScript.");
  const run = parse(code);
  let value;
  try {
    value = await run();
  } catch (error) {
    const thrown = error instanceof Error;
    const message = thrown ? `${error.name}: ${error.message}` : `The code threw ${textOf(error)}`;
    throw new ScriptFailed(message, { data: { stack: thrown ? (error.stack ?? null) : null } });
  }
  return toJson(value, describe, []);
}

/** @param {string} code @returns {() => Promise<unknown>} */
function parse(code) {
  try {
    try {
      // The bracket is on its own line, so that a trailing comment doesn't hide it.
      return /** @type {any} */ (new AsyncFunction(`return (${code}\n);`));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return /** @type {any} */ (new AsyncFunction(code));
    }
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new InvalidArguments(`The code isn't valid JavaScript: ${error.message}`, {
        hint: "Pass one expression, or the body of an async function with `return`.",
      });
    }
    throw new Unsupported("The page's policy (CSP) forbids running code from a string.", {
      hint: "Use a snapshot, the page's text, and actions.",
    });
  }
}

/**
 * @param {any} value
 * @param {(element: Element) => Candidate} describe
 * @param {object[]} within the objects that contain the value
 * @returns {unknown}
 */
function toJson(value, describe, within) {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return textOf(value);
  if (value instanceof Element) return describe(value);
  if (within.includes(value) || within.length >= MAX_DEPTH) return textOf(value);
  if (typeof value.toJSON === "function") return toJson(value.toJSON(), describe, [...within, value]);
  const inner = (/** @type {unknown} */ one) => toJson(one, describe, [...within, value]);
  if (Array.isArray(value) || isList(value)) return Array.from(/** @type {Iterable<unknown>} */ (value), inner);
  if (value instanceof Map) return Array.from(value, ([key, one]) => [inner(key), inner(one)]);
  const plain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!plain) return textOf(value) === "{}" ? Object.prototype.toString.call(value) : textOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
}

/** @param {object} value */
function isList(value) {
  return value instanceof NodeList || value instanceof HTMLCollection || value instanceof Set || ArrayBuffer.isView(value);
}
