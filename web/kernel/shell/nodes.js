// Pieces of just-bash's syntax trees. Their types are not part of its browser build.

/** @typedef {any} Node */

/** @param {string} value @returns {Node} */
export const literal = (value) => ({ type: "Word", parts: [{ type: "Literal", value }] });

/** @param {string} text @returns {Node} */
export const quoted = (text) => ({ type: "Word", parts: [{ type: "SingleQuoted", value: text }] });

/** @param {string} name @param {Node[]} words @returns {Node} */
export const command = (name, ...words) => ({
  type: "SimpleCommand",
  name: literal(name),
  args: words,
  assignments: [],
  redirections: [],
});

/** @param {Node[]} commands @returns {Node} */
export const pipeline = (...commands) => ({ type: "Pipeline", commands, negated: false, timed: false });

/** @param {Node} inner @returns {Node} */
export const statement = (inner) => ({
  type: "Statement",
  pipelines: [pipeline(inner)],
  operators: [],
  background: false,
});

/** The same, but its failure doesn't end a shell with `set -e`. @param {Node} inner @returns {Node} */
export const harmless = (inner) => ({
  type: "Statement",
  pipelines: [pipeline(inner), pipeline(command(":"))],
  operators: ["&&"],
  background: false,
});

/** @param {Node[]} body @param {Node[]} [redirections] @returns {Node} */
export const group = (body, redirections = []) => ({ type: "Group", body, redirections });

/** @param {Node} inner @returns {Node} */
export const subshell = (inner) => ({ type: "Subshell", body: [statement(inner)], redirections: [] });

// just-bash lets it end the function around the pipeline.
/** @param {Node} item @returns {boolean} whether it is a compound command with a `return` in it */
export const returns = (item) => item.type !== "SimpleCommand" && item.type !== "Subshell" && JSON.stringify(item).includes('"value":"return"');

/**
 * A list that the interpreter reads through a generator, anew each time it executes the list. Everything else that
 * asks for it sees `items`.
 * @param {Node[]} items
 * @param {() => Iterator<Node>} make
 * @returns {any}
 */
export const generated = (items, make) =>
  new Proxy(items, { get: (list, key) => (key === Symbol.iterator ? make : Reflect.get(list, key)) });

/** `node` with one property computed each time that it is read. @param {Node} node @param {string} name @param {() => any} get */
export const computed = (node, name, get) => Object.defineProperty(node, name, { enumerable: true, configurable: true, get });

/** The text of a word without quotes and expansions. @param {Node} word @returns {string | null} */
export const textOf = (word) =>
  word?.parts?.length === 1 && word.parts[0].type === "Literal" ? word.parts[0].value : null;

/** @param {Node} item @returns {string | null} */
export const nameOf = (item) => (item.type === "SimpleCommand" ? textOf(item.name) : null);

/**
 * Visit each part of the command's own words: arguments, assignments, redirections and what is nested in them.
 * @param {Node} item
 * @param {(part: Node, owner: Node, key: string) => void} visit
 */
export function eachPart(item, visit) {
  for (const key of Object.keys(item)) {
    if (STATEMENTS.has(key)) continue;
    const value = item[key];
    if (typeof value !== "object" || value === null) continue;
    if (PARTS.has(value.type)) visit(value, item, key);
    else eachPart(value, visit);
    if (value.type === "ParameterExpansion" || value.type === "DoubleQuoted") eachPart(value, visit);
  }
}
const STATEMENTS = new Set(["body", "clauses", "condition", "elseBody", "items"]);
const PARTS = new Set(["DoubleQuoted", "CommandSubstitution", "ProcessSubstitution", "ParameterExpansion", "SingleQuoted", "Literal"]);

/** Say of a tree that it stands on one line. @param {Node} node @param {number} line */
export function setLine(node, line) {
  if (typeof node !== "object" || node === null) return;
  if ("line" in node) node.line = line;
  for (const key of Object.keys(node)) setLine(node[key], line);
}

const DOUBLE_QUOTED_STATUS = { type: "ParameterExpansion", parameter: "?", operation: null };
const LAST_STATUS = { type: "Word", parts: [{ type: "DoubleQuoted", parts: [DOUBLE_QUOTED_STATUS] }] };
export const STATUS = "__gemini_status";

/**
 * Keeps `set -e` from what runs inside of `item`, with its exit code.
 * @param {Node} item
 * @param {(status: Node) => Node} [tell] `statement` has that code end the shell
 * @returns {Node}
 */
export const shield = (item, tell = harmless) => ({
  type: "If",
  clauses: [{ condition: [statement(item)], body: [statement(command(STATUS, quoted("0")))] }],
  elseBody: [tell(command(STATUS, LAST_STATUS))],
  redirections: [],
});

// The interpreter looks whether a default that stands alone in quotes is a list; with `set -u` it fails on the way.
/** @param {Node} part @returns {boolean} whether it is as `"${name:-text}"` is */
export const hasDefault = ({ parts }) =>
  parts.length === 1 && DEFAULTS.has(parts[0].operation?.type) && /^\w+$/.test(parts[0].parameter) &&
  !/"parameter":"(?:\w+\[)?[@*]/.test(JSON.stringify(parts[0].operation));
const DEFAULTS = new Set(["DefaultValue", "AssignDefault", "UseAlternative"]);

/** Whether `$(…)` only reads a file, which the interpreter does in a way of its own. @param {Node[]} statements */
export const readsFile = (statements) => statements.length === 1 && statements[0].pipelines?.[0]?.commands[0]?.name === null;
