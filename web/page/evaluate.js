// JavaScript that somebody outside wants to run in the page.

import { textOf } from "./console.js";
import { InvalidArguments, ScriptFailed, Unsupported } from "./errors.js";

/** @import { Candidate } from "./targets.js" */

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);
// A value that refers to so much is more than anybody reads.
const DEEPEST = 20;

/**
 * Run code, one expression or the body of an async function, and give its value as JSON can hold it: an element as its ref
 * and description, what JSON hasn't as its text.
 * @param {string} code
 * @param {(element: Element) => Candidate} describe
 * @returns {Promise<unknown>}
 * Throws InvalidArguments where it doesn't parse, ScriptFailed where it throws, Unsupported where the page's policy forbids it.
 */
export async function evaluate(code, describe) {
  if (typeof code !== "string") throw new InvalidArguments("`code` is JavaScript, as text.");
  const run = parse(code);
  let value;
  try {
    value = await run();
  } catch (error) {
    const thrown = error instanceof Error;
    const message = thrown ? `${error.name}: ${error.message}` : `It threw ${textOf(error)}`;
    throw new ScriptFailed(message, { data: { stack: thrown ? (error.stack ?? null) : null } });
  }
  return held(value, describe, []);
}

/** @param {string} code @returns {() => Promise<unknown>} */
function parse(code) {
  try {
    try {
      // On a line of its own, so that a comment at the end doesn't swallow the bracket.
      return /** @type {any} */ (new AsyncFunction(`return (${code}\n);`));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return /** @type {any} */ (new AsyncFunction(code));
    }
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new InvalidArguments(`The code is no JavaScript: ${error.message}`, {
        hint: "Give one expression, or the body of an async function with `return`.",
      });
    }
    throw new Unsupported("The page's policy (CSP) forbids code that comes as text.", {
      hint: "Use a snapshot, the page's text, and actions.",
    });
  }
}

/**
 * @param {any} value
 * @param {(element: Element) => Candidate} describe
 * @param {object[]} within what the value is in
 * @returns {unknown}
 */
function held(value, describe, within) {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return textOf(value);
  if (value instanceof Element) return describe(value);
  if (within.includes(value) || within.length >= DEEPEST) return textOf(value);
  if (typeof value.toJSON === "function") return held(value.toJSON(), describe, [...within, value]);
  const inner = (/** @type {unknown} */ one) => held(one, describe, [...within, value]);
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
