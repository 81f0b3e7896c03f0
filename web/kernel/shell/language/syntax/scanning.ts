// Finds the ends of nested text without parsing it: quotes, braces, brackets, calculations.

import type { Input } from "./input.ts";

/**
 * @param at - of an opening quote
 * @returns the position after the closing one
 */
export function endOfQuote(input: Input, at: number): number {
  const { text } = input;
  const quote = text.charAt(at);
  for (let end = at + 1; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === quote) return end + 1;
    if (quote === "'") continue;
    if (character === "\\") end++;
    else if (quote === '"' && character === "$") end = endOfExpansion(input, end) - 1;
    else if (quote === '"' && character === "`") end = endOfQuote(input, end) - 1;
  }
  throw input.unclosed(quote, at);
}

/**
 * @param at - of a `$`
 * @returns the position after the expansion, or after the `$`
 */
function endOfExpansion(input: Input, at: number): number {
  const next = input.text.charAt(at + 1);
  if (next === "(") return endOf(input, at + 2, ")");
  if (next === "{") return endOf(input, at + 2, "}");
  if (next === "'") return endOfAnsi(input, at + 1);
  return at + 1;
}

/** @param at - of the quote of `$'…'` */
export function endOfAnsi(input: Input, at: number) {
  for (let end = at + 1; end < input.text.length; end++) {
    if (input.text.charAt(end) === "'") return end + 1;
    if (input.text.charAt(end) === "\\") end++;
  }
  throw input.unclosed("'", at);
}

const OPENING: Record<string, string> = { ")": "(", "}": "{", "]": "[" };

/**
 * Return the position after the bracket that closes what begins at `at`, outside of quotes and nested expansions.
 * @throws if there is none
 */
function endOf(input: Input, at: number, closing: ")" | "}" | "]"): number {
  const end = findEnd(input, at, closing);
  if (end < 0) throw input.unclosed(closing, at);
  return end;
}

/** As `endOf`, but -1 if there is none. */
export function findEnd(input: Input, start: number, closing: ")" | "}" | "]") {
  const opening = OPENING[closing];
  let depth = 1;
  for (const [at, character] of bareCharacters(input, start)) {
    if (character === opening) depth++;
    else if (character === closing && --depth === 0) return at + 1;
  }
  return -1;
}

/** Iterate over the characters outside of quotations and expansions, with their positions. */
export function* bareCharacters(input: Input, start: number): Generator<[number, string]> {
  for (let at = start; at < input.text.length; ) {
    const next = skip(input, at);
    if (next === at) yield [at, input.text.charAt(at)];
    at = Math.max(next, at + 1);
  }
}

/** Return the position after a quotation or an expansion at `at`, else `at`. */
export function skip(input: Input, at: number) {
  const character = input.text.charAt(at);
  if (character === "\\") return Math.min(at + 2, input.text.length);
  if (character === "'" || character === '"' || character === "`") return endOfQuote(input, at);
  if (character === "$") return endOfExpansion(input, at);
  return at;
}

/**
 * Return the position of the `))` that ends a calculation, or -1 if the text is no calculation but commands.
 * @param start - after `((`
 */
export function endOfCalculation(input: Input, start: number) {
  let depth = 0;
  for (const [at, character] of bareCharacters(input, start)) {
    if (character === "(") depth++;
    else if (character === ")" && depth-- === 0) return input.text.charAt(at + 1) === ")" ? at : -1;
  }
  throw input.unclosed(")", start);
}
