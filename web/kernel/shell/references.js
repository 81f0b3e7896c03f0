// `declare -n name=list`: just-bash takes `${name[@]}` for the first element of the list. So a command behind the declaration
// notes what the name refers to, and where a whole list is meant, the list's own name is put in its place.
import { REFER } from "./internal.js";
import { command, computed, harmless, nameOf, quoted, statement, textOf } from "./nodes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 */

const DECLARES = new Set(["declare", "typeset", "local"]);

/** @param {Node} word @returns {string | null} the name in `name` and `name=value` */
const declaredName = ({ parts }) => /^([A-Za-z_]\w*)(?:=|$)/.exec(parts?.[0]?.value ?? "")?.[1] ?? null;

export class References {
  constructor() {
    /** @type {Set<string>} names that refer, or once did */
    this.names = new Set();
    /** @type {Map<string, string>} what they refer to now */
    this.targets = new Map();
  }

  /** @param {string} name @returns {string} */
  resolve(name) {
    const passed = new Set();
    while (this.targets.has(name) && !passed.has(name)) {
      passed.add(name);
      name = this.targets.get(name) ?? name;
    }
    return name;
  }

  /** @param {string[]} names that were declared just now @param {any} context */
  note(names, context) {
    for (const name of names) {
      const target = context.env.get(name);
      if (/^[A-Za-z_]\w*$/.test(target ?? "")) this.targets.set(name, target);
      else this.targets.delete(name);
    }
  }

  /** @param {Node} part an expansion */
  inExpansion(part) {
    const [, name, index] = /^(\w+)\[([@*])\]$/.exec(part.parameter) ?? [];
    if (name && this.names.has(name)) computed(part, "parameter", () => `${this.resolve(name)}[${index}]`);
    const { operation } = part;
    if (operation?.type !== "ArrayKeys" || !this.names.has(operation.array)) return;
    const keyed = operation.array;
    computed(operation, "array", () => this.resolve(keyed));
  }

  /** @param {Node} item a command; it gets assignments of its own */
  inAssignments(item) {
    item.assignments = item.assignments.map((/** @type {Node} */ one) => {
      const { name } = one;
      return one.array && this.names.has(name) ? computed({ ...one }, "name", () => this.resolve(name)) : one;
    });
  }
}

/**
 * A command, with a note behind it if it declares references.
 * @param {Rewriter} rewriter @param {Node} item as it was written @param {Node} rewritten @returns {Node}
 */
export function referring(rewriter, item, rewritten) {
  if (!DECLARES.has(nameOf(item) ?? "") || !item.args.some((/** @type {Node} */ word) => /^-\w*n/.test(textOf(word) ?? ""))) {
    return rewritten;
  }
  /** @type {string[]} */
  const names = item.args.map(declaredName).filter(Boolean);
  for (const name of names) rewriter.references.names.add(name);
  const items = [statement(rewritten), harmless(command(REFER, quoted(rewriter.id), ...names.map(quoted)))];
  return rewriter.grouped(() => items.values(), items);
}
