// Assignments: `name=value`, `name[subscript]+=value`, `name=(…)` (Bash manual, 3.4 and 6.7).
import type { Node } from "../../shell.ts";
import { skipLines } from "./commands.ts";
import type { Input } from "./input.ts";
import { findEnd } from "./scanning.ts";
import { endsWord, readParts, readWord } from "./words.ts";

const NAME = /[A-Za-z_]\w*/y;

/** @returns null if no assignment is next */
export function readAssignment(input: Input): Node | null {
  const start = input.at;
  const name = readTarget(input);
  if (name === null) return null;
  const append = input.take("+=");
  if (!append) input.at++;
  while (input.take("\\\n"));
  const array = input.peek() === "(" ? readItems(input) : null;
  const value = array ? null : readValue(input);
  return { type: "Assignment", name, value, append, array, text: input.text.slice(start, input.at) };
}

/** Read the name and the subscript before `=` or `+=`. */
function readTarget(input: Input): string | null {
  const [name = ""] = input.match(NAME) ?? [];
  if (!name) return null;
  let end = input.at + name.length;
  if (input.text.charAt(end) === "[") end = findEnd(input, end + 1, "]");
  if (end < 0 || !/^\+?=/.test(input.text.slice(end, end + 2))) return null;
  const target = input.text.slice(input.at, end);
  input.at = end;
  return target;
}

function readValue(input: Input): Node | null {
  const start = input.at;
  const parts = readParts(input, { ends: endsWord, tilde: true, extended: input.dialect.extglob });
  return parts.length ? { type: "Word", parts, text: input.text.slice(start, input.at) } : null;
}

/** The words within `(…)`. */
function readItems(input: Input): Node[] {
  const start = input.at;
  input.at++;
  const items: Node[] = [];
  for (;;) {
    skipLines(input);
    if (input.take(")")) return items;
    if (input.ended) throw input.missing("matching `)'", input.line(start), 1);
    if (/[;&|(]/.test(input.peek())) throw input.unexpected();
    items.push(readItem(input) ?? readWord(input));
  }
}

/** `[subscript]=value`. */
function readItem(input: Input): Node | null {
  if (input.peek() !== "[") return null;
  const end = findEnd(input, input.at + 1, "]");
  if (end < 0 || !/^\+?=/.test(input.text.slice(end, end + 2))) return null;
  const subscript = input.text.slice(input.at + 1, end - 1);
  input.at = end;
  const append = input.take("+=");
  if (!append) input.at++;
  return { ...(readValue(input) ?? { type: "Word", parts: [], text: "" }), subscript, append };
}
