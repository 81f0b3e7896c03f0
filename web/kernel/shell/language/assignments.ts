// Assignments: `name=value`, `name[subscript]=value`, `name=(…)`, also as arguments of `declare` and its like.
import { CommandError } from "../control.ts";
import { inCharacters } from "./locale.ts";
import { traceQuote } from "./quoting.ts";
import type { Shell, Node } from "../shell.ts";
import { parse } from "./syntax/reader.ts";
import { traceText } from "./tracing.ts";
import { parseReference } from "./variables.ts";
import { expandFields, expandSubscript, expandValue } from "./words.ts";

/** of a list */
type Item = { subscript: string | null; text: string; append: boolean };

/** with its words expanded */
export interface Assignment {
  name: string;
  subscript: string | null;
  append: boolean;
  text: string | null;
  items: Item[] | null;
}

export const assignmentText = ({ name, append, text, items }: Assignment): string =>
  `${name}${append ? "+" : ""}=${items ? `(${items.map((item) => traceQuote(item.text)).join(" ")})` : (text ?? "")}`;

/** Perform assignments in order. */
export async function assignAll(shell: Shell, assignments: Node[]) {
  for (const assignment of assignments) {
    const one = await expandAssignment(shell, assignment);
    if (shell.options.has("xtrace")) {
      const value = one.items
        ? assignmentText(one).replace(/^[^=]*=/, "")
        : traceQuote(inCharacters(shell.variables, one.text ?? ""));
      await traceText(shell, `${one.name}${one.append ? "+" : ""}=${value}`);
    }
    perform(shell, one);
  }
}

/** @param declares - whether the variable's kind may not be known yet */
async function expandAssignment(shell: Shell, assignment: Node, declares = false): Promise<Assignment> {
  const { name: target, value, append, array } = assignment;
  const reference = parseReference(target);
  if (!reference) throw new CommandError(`${target}: not a valid identifier`);
  const known = declares ? null : reference.name;
  const subscript = reference.subscript === null ? null : await expandSubscript(shell, known, reference.subscript);
  if (array && subscript !== null) throw new CommandError(`${target}: cannot assign list to array member`);
  if (array) return { name: reference.name, subscript, append, text: null, items: await expandItems(shell, array) };
  return { name: reference.name, subscript, append, text: value ? await expandValue(shell, value) : "", items: null };
}

export function perform({ variables }: Shell, { name, subscript, append, text, items }: Assignment) {
  if (items) variables.assignList(name, items, append);
  else variables.assignTo({ name, subscript }, text ?? "", append);
}

/** The words of `(…)`. */
async function expandItems(shell: Shell, words: Node[]): Promise<Item[]> {
  const items: Item[] = [];
  for (const word of words) {
    if (word.subscript !== undefined) {
      items.push({
        subscript: await expandSubscript(shell, null, word.subscript),
        text: await expandValue(shell, word),
        append: word.append,
      });
    } else for (const text of await expandFields(shell, [word])) items.push({ subscript: null, text, append: false });
  }
  return items;
}

/** The arguments of `declare` and its like: those that are assignments aren't split. */
export async function expandDeclarations(shell: Shell, words: Node[]): Promise<(string | Assignment)[]> {
  const result: (string | Assignment)[] = [];
  for (const word of words) {
    if (word.assignment) result.push(await expandAssignment(shell, word.assignment, true));
    else result.push(...(await expandFields(shell, [word])));
  }
  return result;
}

/** `(…)` in an argument that was quoted, as in `declare -a "list=(1 2)"`. */
export const itemsOf = (shell: Shell, text: string): Promise<Item[]> =>
  expandItems(shell, parse(`x=${text}`)[0]?.pipelines[0].commands[0].assignments[0].array ?? []);
