// Assignments: `name=value`, `name[subscript]=value`, `name=(…)`, also as arguments of `declare` and its like.
import { CommandError } from "./control.js";
import { parse } from "./parsing.js";
import { traceQuote } from "./quoting.js";
import { parseReference } from "./variables.js";
import { expandFields, expandInline, expandText, expandValue } from "./words.js";

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
      const value = one.items ? assignmentText(one).replace(/^[^=]*=/, "") : traceQuote(one.text ?? "");
      await shell.write(2, `${shell.variables.text("PS4") ?? "+ "}${one.name}${one.append ? "+" : ""}=${value}\n`);
    }
    perform(shell, one);
  }
}

/** @param {Shell} shell @param {Node} assignment @returns {Promise<Assignment>} */
async function expandAssignment(shell, { name: target, value, append, array }) {
  const reference = parseReference(target);
  if (!reference) throw new CommandError(`${target}: not a valid identifier`);
  const subscript = reference.subscript === null ? null : await expandInline(shell, reference.subscript);
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
    const split = splitSubscript(word);
    if (split) {
      const [only] = split.subscript;
      const plain = split.subscript.length === 1 && only?.type === "Literal";
      const subscript = await (plain ? expandInline(shell, only.value) : expandText(shell, { type: "Word", parts: split.subscript }));
      items.push({ subscript, text: await expandValue(shell, { type: "Word", parts: split.value }), append: split.append });
    } else for (const text of await expandFields(shell, [word])) items.push({ subscript: null, text, append: false });
  }
  return items;
}

/** @param {Node | undefined} part @returns {string | null} its text, quoted or not within brackets */
const textOf = (part) => (part?.type === "Glob" ? part.pattern : part?.type === "Literal" ? part.value : null);

/** @param {string} value @returns {Node[]} */
const literal = (value) => (value ? [{ type: "Literal", value }] : []);

/** `[subscript]=value`. @param {Node} word @returns {{ subscript: Node[], value: Node[], append: boolean } | null} */
function splitSubscript({ parts }) {
  if (!textOf(parts[0])?.startsWith("[")) return null;
  let before = "";
  /** @type {Node[]} */
  const subscript = [];
  for (const [at, part] of parts.entries()) {
    const text = textOf(part);
    if (text === null) {
      subscript.push(...literal(before), part);
      before = "";
      continue;
    }
    before += at === 0 ? text.slice(1) : text;
    const match = /^([^]*?)\](\+?)=([^]*)$/.exec(before);
    if (match) {
      const value = [...literal(match[3] ?? ""), ...parts.slice(at + 1)];
      return { subscript: [...subscript, ...literal(match[1] ?? "")], value, append: match[2] !== "" };
    }
  }
  return null;
}

/**
 * The arguments of `declare` and its like: those that are assignments aren't split.
 * @param {Shell} shell @param {Node[]} words @returns {Promise<(string | Assignment)[]>}
 */
export async function expandDeclarations(shell, words) {
  /** @type {(string | Assignment)[]} */
  const result = [];
  for (const word of words) {
    const assignment = await expandDeclaration(shell, word);
    if (assignment) result.push(assignment);
    else result.push(...(await expandFields(shell, [word])));
  }
  return result;
}

/** @param {Shell} shell @param {Node} word @returns {Promise<Assignment | null>} */
async function expandDeclaration(shell, { parts }) {
  let text = "";
  for (const [at, part] of parts.entries()) {
    const more = textOf(part);
    if (more === null) return null;
    text += more;
    const match = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?)=([^]*)$/.exec(text);
    if (!match) continue;
    const [, name = "", index, plus = "", rest = ""] = match;
    const subscript = index === undefined ? null : await expandInline(shell, index);
    const value = [...literal(rest), ...parts.slice(at + 1)];
    const start = { name, subscript, append: plus !== "" };
    const closes = parts.at(-1)?.type === "Literal" && /\)\s*$/.test(parts.at(-1)?.value);
    if (rest.startsWith("(") && closes) return { ...start, text: null, items: await expandItems(shell, splitWords(value)) };
    return { ...start, text: await expandValue(shell, { type: "Word", parts: value }), items: null };
  }
  return null;
}

/** The words within `(…)` of a declaration, which the parser has as one. @param {Node[]} parts @returns {Node[]} */
function splitWords(parts) {
  /** @type {Node[][]} */
  const words = [];
  let open = false;
  const add = (/** @type {Node} */ part) => {
    if (!open) words.push([]);
    open = true;
    words.at(-1)?.push(part);
  };
  for (const [at, part] of parts.entries()) {
    if (part.type !== "Literal") {
      add(part);
      continue;
    }
    let text = part.value;
    if (at === 0) text = text.slice(1);
    if (at === parts.length - 1) text = text.replace(/\)\s*$/, "");
    for (const piece of text.split(/(\s+)/)) {
      if (/^\s+$/.test(piece)) open = false;
      else if (piece) add({ type: "Literal", value: piece });
    }
  }
  return words.map((one) => ({ type: "Word", parts: one }));
}

/**
 * `(…)` in an argument that was quoted, as in `declare -a "list=(1 2)"`.
 * @param {Shell} shell @param {string} text @returns {Promise<Item[]>}
 */
export const itemsOf = (shell, text) => expandItems(shell, parse(`x=${text}`)[0]?.pipelines[0].commands[0].assignments[0].array ?? []);
