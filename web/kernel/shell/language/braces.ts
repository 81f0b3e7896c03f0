// Brace expansion (Bash manual, 3.5.1).

import type { Node } from "../shell.ts";

/** @returns a word for each combination */
export function expandBraces(word: Node): Node[] {
  const at = word.parts.findIndex((part: Node) => part.type === "BraceExpansion");
  if (at < 0) return [word];
  const before = word.parts.slice(0, at);
  const rests = expandBraces({ type: "Word", parts: word.parts.slice(at + 1) });
  return word.parts[at].items.flatMap((item: Node) =>
    alternatives(item).flatMap((parts) =>
      rests.map((rest) => ({ type: "Word", parts: [...before, ...parts, ...rest.parts] })),
    ),
  );
}

/** A word of which the braces are plain text: `set +B`. */
export function withoutBraces(word: Node): Node {
  const literal = (value: string) => ({ type: "Literal", value });
  const parts = word.parts.flatMap((part: Node) => {
    if (part.type !== "BraceExpansion") return [part];
    const items = part.items.flatMap((item: Node, at: number) => [literal(at ? "," : "{"), ...partsOf(item)]);
    return [...items, literal("}")];
  });
  return { type: "Word", parts };
}

function partsOf(item: Node): Node[] {
  if (item.type === "Word") return withoutBraces(item.word).parts;
  const { start, end, step, startStr, endStr } = item;
  return [
    {
      type: "Literal",
      value: [startStr ?? start, endStr ?? end, ...(step === undefined || step === null ? [] : [step])].join(".."),
    },
  ];
}

function alternatives(item: Node): Node[][] {
  if (item.type === "Word") return expandBraces(item.word).map((word) => word.parts);
  return range(item).map((value) => [{ type: "Literal", value }]);
}

/** `{1..10..2}` and `{a..e}`. */
function range({ start, end, step, startStr, endStr }: Node): string[] {
  const letters = typeof start === "string";
  const first = letters ? (start.codePointAt(0) ?? 0) : start;
  const last = letters ? (String(end).codePointAt(0) ?? 0) : Number(end);
  const by = Math.abs(step || 1) * (first <= last ? 1 : -1);
  const texts = [startStr ?? String(start), endStr ?? String(end)];
  const padded = !letters && texts.some((text) => /^-?0\d/.test(text));
  const width = padded ? Math.max(...texts.map((text) => text.length)) : 0;
  const values = [];
  for (let value = first; by > 0 ? value <= last : value >= last; value += by) {
    const digits = String(Math.abs(value)).padStart(width - (value < 0 ? 1 : 0), "0");
    values.push(letters ? String.fromCodePoint(value) : (value < 0 ? "-" : "") + digits);
  }
  return values;
}
