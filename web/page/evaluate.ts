// Runs a caller's JavaScript in the page.

import { textOf } from "./console.ts";
import { InvalidArguments, ScriptFailed, Unsupported } from "./errors.ts";
import type { Candidate } from "./targets.ts";

type MakeAsync = new (code: string) => () => Promise<unknown>;
// No global has it.
const AsyncFunction: MakeAsync = Reflect.get(async () => {}, "constructor");
// Values nested deeper than this become text.
const MAX_DEPTH = 20;

/**
 * Run code and return its value as JSON data. Elements become their ref and description, other values without a JSON
 * form become text.
 * @param code - an expression, or the body of an async function
 * Throws InvalidArguments if it doesn't parse, ScriptFailed if it throws, Unsupported if the page's policy forbids it.
 */
export async function evaluate(code: string, describe: (element: Element) => Candidate): Promise<unknown> {
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

function parse(code: string): () => Promise<unknown> {
  try {
    try {
      // The bracket is on its own line, so that a trailing comment doesn't hide it.
      return new AsyncFunction(`return (${code}\n);`);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return new AsyncFunction(code);
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

/** @param within - the objects that contain the value */
function toJson(value: unknown, describe: (element: Element) => Candidate, within: object[]): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return textOf(value);
  if (value instanceof Element) return describe(value);
  if (within.includes(value) || within.length >= MAX_DEPTH) return textOf(value);
  if ("toJSON" in value && typeof value.toJSON === "function")
    return toJson(value.toJSON(), describe, [...within, value]);
  const inner = (one: unknown) => toJson(one, describe, [...within, value]);
  if (Array.isArray(value) || isList(value)) return Array.from<unknown, unknown>(value, inner);
  if (value instanceof Map) return Array.from(value, ([key, one]) => [inner(key), inner(one)]);
  const plain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!plain) return textOf(value) === "{}" ? Object.prototype.toString.call(value) : textOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
}

function isList(value: object): value is ArrayLike<unknown> | Iterable<unknown> {
  return (
    value instanceof NodeList || value instanceof HTMLCollection || value instanceof Set || ArrayBuffer.isView(value)
  );
}
