// `declare name=(…)` and its like. The interpreter splits the values of such a list at blanks inside of quotes, too, but not
// those of a plain assignment, so the command becomes a declaration without values and an assignment.
import { command, literal, nameOf, statement, textOf } from "./nodes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 */

const DECLARES = new Set(["declare", "typeset", "local", "readonly", "export"]);
const BEGINS = /^([A-Za-z_]\w*)(\+?)=\(/;

/** @param {Node} word @returns {RegExpExecArray | null} of one that assigns a list with more in it than plain text */
function assignsList({ parts }) {
  const [first, last] = [parts?.[0], parts?.at(-1)];
  if (!(parts?.length > 1) || first.type !== "Literal" || last.type !== "Literal" || !last.value.endsWith(")")) return null;
  return BEGINS.exec(first.value);
}

/** @param {Node} item @returns {boolean} */
export const declaresList = (item) => DECLARES.has(nameOf(item) ?? "") && item.args.some(assignsList);

/** @param {Rewriter} rewriter @param {Node} item one that `declaresList` @returns {Node} */
export function declaring(rewriter, item) {
  const name = nameOf(item) ?? "";
  const options = item.args.filter((/** @type {Node} */ word) => /^[-+]/.test(textOf(word) ?? ""));
  const locked = name === "readonly" || options.some((/** @type {Node} */ word) => /^-\w*r/.test(textOf(word) ?? ""));
  const lists = item.args.map(assignsList).filter(Boolean);
  const bare = item.args.map((/** @type {Node} */ word) => {
    const [, list] = assignsList(word) ?? [];
    return list ? literal(list) : unlocked(word);
  });
  const declared = { ...item, name: literal(name === "readonly" ? "declare" : name), args: bare };
  const assigned = { ...command(""), name: null, assignments: item.args.filter(assignsList).map(assignment) };
  const lock = command("readonly", ...lists.map((/** @type {RegExpExecArray} */ [, list]) => literal(list ?? "")));
  const commands = [declared, assigned, ...(locked ? [lock] : [])];
  const statements = commands.map((one) => statement(rewriter.command(one)));
  return rewriter.grouped(() => statements.values(), statements);
}

/** @param {Node} word an option @returns {Node} the same without `r`, which would forbid the assignment */
function unlocked(word) {
  const text = textOf(word) ?? "";
  return /^-\w*r/.test(text) ? literal(text.replace("r", "")) : word;
}

/** @param {Node} word @returns {Node} */
function assignment(word) {
  const [start = "", name, append] = assignsList(word) ?? [];
  const parts = word.parts.map((/** @type {Node} */ part) => ({ ...part }));
  parts[0].value = parts[0].value.slice(start.length);
  parts.at(-1).value = parts.at(-1).value.slice(0, -1);
  return { type: "Assignment", name, value: null, append: Boolean(append), array: words(parts) };
}

/** @param {Node[]} parts of one word @returns {Node[]} the words that the blanks outside of quotes make of it */
function words(parts) {
  /** @type {Node[][]} */
  const found = [[]];
  for (const part of parts) {
    const [first, ...rest] = part.type === "Literal" ? part.value.split(/\s+/) : [part];
    const piece = (/** @type {any} */ one) => (typeof one === "string" ? { type: "Literal", value: one } : one);
    if (first !== "") found.at(-1)?.push(piece(first));
    for (const one of rest) found.push(one === "" ? [] : [piece(one)]);
  }
  return found.filter((word) => word.length).map((word) => ({ type: "Word", parts: word }));
}
