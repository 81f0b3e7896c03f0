// Script text to syntax trees.
import { Bash } from "just-bash/browser";

import { LIMITS } from "./limits.js";

/** @typedef {import("./nodes.js").Node} Node */

// `transform` would do, but it takes the indentation off the lines, also within here-documents in `$(…)`. A plugin sees
// the tree of the text as it is, and the script that is left to execute is empty.
/** @type {Node | null} */
let seen = null;
const parser = new Bash({ defenseInDepth: false, executionLimits: LIMITS });
const throwing = new Bash({ defenseInDepth: false, executionLimits: LIMITS });
parser.registerTransformPlugin({
  name: "gemini-parser",
  transform: ({ ast }) => {
    seen = ast;
    return { ast: { ...ast, statements: [] } };
  },
});

/** @param {string} text @returns {Node[]} @throws {Error} where the syntax is wrong */
export function parse(text) {
  try {
    return parseAsIs(text);
  } catch (error) {
    const readable = withoutShifts(text);
    if (readable === text) throw error;
    return parseAsIs(readable);
  }
}

// just-bash takes the `<<` of `((x = 1 << 3))` for a here-document, but not that of `$((1 << 3))`.
/** @param {string} text of a script @returns {string} the same, with the commands `((…))` that shift as conditions */
const withoutShifts = (text) => text.replace(SHIFTS, "$1[[ $$(($2)) -ne 0 ]]");
const SHIFTS = /(^|[;&|\n({]\s*|\b(?:do|then|else|if|while|until|elif)\s+|!\s+)\(\(((?:[^()\n]|\([^()\n]*\))*<<(?:[^()\n]|\([^()\n]*\))*)\)\)/gm;

/** @param {string} text @returns {Node[]} @throws {Error} where the syntax is wrong */
function parseAsIs(text) {
  seen = null;
  // It parses before it first waits.
  void parser.exec(text, { rawScript: true });
  const tree = /** @type {Node} */ (seen);
  if (tree) return tree.statements;
  // It tells an error of syntax too late; this one throws it.
  return text.trim() ? /** @type {Node} */ (throwing.transform(text).ast).statements : [];
}

/**
 * What of a script can be executed: bash parses line by line, so the lines before a wrong one are executed.
 * @param {string} script
 * @returns {{ statements: Node[], error: string | null }}
 */
export function parseUpToError(script) {
  try {
    return { statements: parse(script), error: null };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const lines = script.split("\n");
    for (let count = Math.min(lines.length - 1, MOST_LINES); count > 0; count--) {
      try {
        return { statements: parse(lines.slice(0, count).join("\n")), error: message };
      } catch {
        // One line less, then.
      }
    }
    return { statements: [], error: message };
  }
}
const MOST_LINES = 500;

/** @param {string} text of a script or its tree */
export const setsErrexit = (text) => /\bset\b.*(-\w*e|errexit)/.test(text);

/** @param {string} text of a script or its tree */
export const inheritsErrexit = (text) => /inherit_errexit|posix/.test(text);
