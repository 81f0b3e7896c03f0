// Braces (Bash manual, 3.5.1): `{a,b}` and `{1..3}`.
import type { Node } from "../../shell.ts";
import type { Input } from "./input.ts";
import { readParts, type Parts, type Manner } from "./words.ts";

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/;

/** Read a brace expansion, or the brace as text if there is none. */
export function readBraces(input: Input, parts: Parts, manner: Manner) {
  const start = input.at;
  const items = input.plainBraces.has(start) ? null : readItems(input, manner);
  if (items === null) {
    input.plainBraces.add(start);
    input.at = start + 1;
    parts.literal("{");
    return;
  }
  const [only] = items;
  if (items.length > 1) {
    parts.add({
      type: "BraceExpansion",
      items: items.map((item) => ({ type: "Word", word: { type: "Word", parts: item } })),
    });
    return;
  }
  const range = only?.length === 1 && only[0]?.type === "Literal" ? rangeOf(only[0].value) : null;
  if (range) parts.add({ type: "BraceExpansion", items: [range] });
  else {
    parts.literal("{");
    for (const part of only ?? []) {
      if (part.type === "Literal") parts.literal(part.value);
      else parts.add(part);
    }
    parts.literal("}");
  }
}

/** @returns null if the brace isn't closed */
function readItems(input: Input, manner: Manner): Node[][] | null {
  input.at++;
  const inner = { ...manner, tilde: false, ends: (one: string) => one === "," || one === "}" || manner.ends(one) };
  const items: Node[][] = [];
  for (;;) {
    items.push(readParts(input, inner));
    if (input.take("}")) return items;
    if (!input.take(",")) return null;
  }
}

function rangeOf(text: string): Node | null {
  const [, start = "", end = "", step] = NUMBERS.exec(text) ?? LETTERS.exec(text) ?? [];
  if (!start) return null;
  const numbers = NUMBERS.test(text);
  const by = step === undefined ? {} : { step: Number(step) };
  return {
    type: "Range",
    start: numbers ? Number(start) : start,
    end: numbers ? Number(end) : end,
    ...by,
    startStr: start,
    endStr: end,
  };
}
