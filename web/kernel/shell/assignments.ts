// Assignments: `name=value`, `name[subscript]=value`, `name=(…)`, also as arguments of `declare` and its like.
import { CommandError } from "./control.js";
import { inCharacters } from "./locale.js";
import { traceQuote } from "./quoting.js";
import { parse } from "./syntax/reader.js";
import { parseReference } from "./variables.js";
import { expandFields, expandSubscript, expandValue } from "./words.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./shell.js").Node} Node
 *
 * @typedef {{ subscript: string | null, text: string, append: boolean }} Item of a list
 *
 * @typedef {object} Assignment with its words expanded
 * @property {string} name
 * @property {string | null} subscript
 * @property {boolean} append
 * @property {string | null} text
 * @property {Item[] | null} items
 */

/** @param {Assignment} assignment @returns {string} */
export const assignmentText = ({ name, append, text, items }) =>
  `${name}${append ? "+" : ""}=${items ? `(${items.map((item) => traceQuote(item.text)).join(" ")})` : (text ?? "")}`;

/** Perform assignments in order. @param {Shell} shell @param {Node[]} assignments */
export async function assignAll(shell, assignments) {
  for (const assignment of assignments) {
    const one = await expandAssignment(shell, assignment);
    if (shell.options.has("xtrace")) {
      const value = one.items ? assignmentText(one).replace(/^[^=]*=/, "") : traceQuote(inCharacters(shell.variables, one.text ?? ""));
      await shell.write(2, `${shell.variables.text("PS4") ?? "+ "}${one.name}${one.append ? "+" : ""}=${value}\n`);
    }
    perform(shell, one);
  }
}

/** @param {Shell} shell @param {Node} assignment @returns {Promise<Assignment>} */
async function expandAssignment(shell, { name: target, value, append, array }) {
  const reference = parseReference(target);
  if (!reference) throw new CommandError(`${target}: not a valid identifier`);
  const subscript = reference.subscript === null ? null : await expandSubscript(shell, reference.subscript);
  if (array && subscript !== null) throw new CommandError(`${target}: cannot assign list to array member`);
  if (array) return { name: reference.name, subscript, append, text: null, items: await expandItems(shell, array) };
  return { name: reference.name, subscript, append, text: value ? await expandValue(shell, value) : "", items: null };
}

/** @param {Shell} shell @param {Assignment} assignment */
export function perform({ variables }, { name, subscript, append, text, items }) {
  if (items) variables.assignList(name, items, append);
  else if (subscript !== null) variables.assignElement(name, subscript, text ?? "", append);
  else variables.assign(name, text ?? "", append);
}

/** The words of `(…)`. @param {Shell} shell @param {Node[]} words @returns {Promise<Item[]>} */
async function expandItems(shell, words) {
  /** @type {Item[]} */
  const items = [];
  for (const word of words) {
    if (word.subscript !== undefined) {
      items.push({ subscript: await expandSubscript(shell, word.subscript), text: await expandValue(shell, word), append: word.append });
    } else for (const text of await expandFields(shell, [word])) items.push({ subscript: null, text, append: false });
  }
  return items;
}

/**
 * The arguments of `declare` and its like: those that are assignments aren't split.
 * @param {Shell} shell @param {Node[]} words @returns {Promise<(string | Assignment)[]>}
 */
export async function expandDeclarations(shell, words) {
  /** @type {(string | Assignment)[]} */
  const result = [];
  for (const word of words) {
    if (word.assignment) result.push(await expandAssignment(shell, word.assignment));
    else result.push(...(await expandFields(shell, [word])));
  }
  return result;
}

/**
 * `(…)` in an argument that was quoted, as in `declare -a "list=(1 2)"`.
 * @param {Shell} shell @param {string} text @returns {Promise<Item[]>}
 */
export const itemsOf = (shell, text) => expandItems(shell, parse(`x=${text}`)[0]?.pipelines[0].commands[0].assignments[0].array ?? []);
