// A `$(…)` within `$((…))` or `((…))`: just-bash runs it in a shell that knows neither variables nor functions, and it takes
// the `:-0` of `${list[key]:-0}` for a part of the key. So these are expanded before the calculation, as any other word, and
// the calculation has their text.
import { KEEP } from "./internal.js";
import { command, quoted, statement } from "./nodes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 */

/**
 * Replace the substitutions in a calculation by numbers that are known once the commands given back have run.
 * @param {Rewriter} rewriter
 * @param {Node} node
 * @returns {Node[]} commands, to be run before
 */
export function hoist(rewriter, node) {
  /** @type {Node[]} */
  const commands = [];
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (typeof value !== "object" || value === null) continue;
    const source = sourceOf(value);
    if (source === null) {
      commands.push(...hoist(rewriter, value));
      continue;
    }
    const slot = String(++slots);
    const [parsed] = rewriter.host.parse(`x "${source}"`);
    const [text] = parsed.pipelines[0].commands[0].args;
    commands.push(command(KEEP, quoted(rewriter.id), quoted(slot), text));
    const number = { type: "ArithNumber" };
    Object.defineProperty(number, "value", { enumerable: true, get: () => parseInt(rewriter.kept.get(slot) ?? "", 10) || 0 });
    node[key] = number;
  }
  return commands;
}
let slots = 0;

/** @param {Node} node @returns {string | null} what has to be expanded before, as it is written */
function sourceOf(node) {
  if (node.type === "ArithCommandSubst") return `$(${node.command}\n)`;
  return node.type === "ArithBracedExpansion" && /^\w+\[.*\]./.test(node.content) ? `\${${node.content}}` : null;
}

/** Put in front of each calculation in the words of `node` what has to run before. @param {Rewriter} rewriter @param {Node} node */
export function prepareCalculations(rewriter, node) {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null || STATEMENTS.has(key) || value.type === "CommandSubstitution") continue;
    if (key === "parts") node[key] = value.flatMap((/** @type {Node} */ part) => prepared(rewriter, part));
    prepareCalculations(rewriter, node[key]);
  }
}
const STATEMENTS = new Set(["body", "clauses", "condition", "elseBody", "items"]);

/** @param {Rewriter} rewriter @param {Node} part @returns {Node[]} */
function prepared(rewriter, part) {
  if (part.type !== "ArithmeticExpansion") return [part];
  const commands = hoist(rewriter, part);
  if (commands.length === 0) return [part];
  // Where the text is at hand, just-bash expands it anew and ignores the tree.
  delete part.expression.originalText;
  // It prints nothing, so the word stays what it is.
  const body = { type: "Script", statements: commands.map(statement), keeps: true };
  return [{ type: "CommandSubstitution", body, legacy: false }, part];
}
