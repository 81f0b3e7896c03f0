// Script text to syntax trees, by just-bash's parser.
import { Bash } from "just-bash/browser";

import { LIMITS } from "./limits.js";
import { TOGGLE } from "./parameter_expansion.js";
import { NEGATED } from "./patterns.js";

/** @typedef {import("./shell.js").Node} Node */

// `transform` takes the indentation off the lines, also within strings. A plugin of `exec` sees the tree of the text as it
// is, and the script that is left to execute is empty; that takes longer.
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

/** The variable of a loop that is a `select`. */
export const SELECT = "__select_";
// What the parser doesn't take, in a spelling that it does.
/** @type {[RegExp, string][]} */
const SPELLINGS = [
  [/((?:^|[;&|\n({]|\b(?:do|then|else|if|while|until|elif)\s|!\s)\s*)\(\(((?:[^()\n]|\([^()\n]*\))*<<(?:[^()\n]|\([^()\n]*\))*)\)\)/gm, "$1let '$2'"],
  [/\$\{([A-Za-z_]\w*(?:\[[^\]]*\])?|[@*])(~~?)(?=[^{}]*\})/g, `\${$1$2${TOGGLE}`],
  [/(^|[;&|\n({]\s*|\b(?:do|then|else)\s+)select\s+(?=[A-Za-z_])/g, `$1for ${SELECT}`],
];

// `!(…)` in words is a pattern only where `extglob` is set before the line is read.
/** @type {[RegExp, string]} */
const EXTENDED = [/!\((?=[^()]*(?:\([^()]*\)[^()]*)*\))/g, `@(${NEGATED}`];

/** @type {Map<string, Node[]>} */
const parsed = new Map();
const MOST_PARSED = 1000;

/**
 * @param {string} text @param {boolean} [extended] whether `extglob` is set
 * @returns {Node[]} its statements, which are shared, so they must not be changed @throws {Error} where the syntax is wrong
 */
export function parse(text, extended = false) {
  const key = `${extended}${text}`;
  let statements = parsed.get(key);
  if (statements === undefined) {
    statements = parseSpelled(text, extended || /\bextglob\b.*\n/.test(text));
    if (parsed.size > MOST_PARSED) parsed.clear();
    parsed.set(key, statements);
  }
  return statements;
}

/** @param {string} given @param {boolean} extended @returns {Node[]} */
function parseSpelled(given, extended) {
  // The parser takes `((! n))` for subshells.
  const text = given.replace(/(?<![$(])\(\(\s*!(?!=)/g, "((0||!");
  try {
    return parseAsIs(text);
  } catch (error) {
    const spellings = extended ? [...SPELLINGS, EXTENDED] : SPELLINGS;
    const spelled = spellings
      .reduce((whole, [wrong, right]) => whole.replace(wrong, right), text)
      .replace(/~~(?=\u{e000})/gu, "^^")
      .replace(/~(?=\u{e000})/gu, "^");
    if (spelled === text) throw error;
    return parseAsIs(spelled);
  }
}

/** @param {string} text @returns {Node[]} @throws {Error} where the syntax is wrong */
function parseAsIs(text) {
  if (!text.includes("\n")) return text.trim() ? /** @type {Node} */ (throwing.transform(text).ast).statements : [];
  seen = null;
  // It parses before it first waits.
  void parser.exec(text, { rawScript: true });
  const tree = /** @type {Node | null} */ (seen);
  if (tree) return tree.statements;
  // It reports an error of syntax too late; this one throws it.
  return text.trim() ? /** @type {Node} */ (throwing.transform(text).ast).statements : [];
}

/**
 * What of a script can be executed: bash parses line by line, so the lines before a wrong one are executed.
 * @param {string} script @param {boolean} [extended] whether `extglob` is set
 * @returns {{ statements: Node[], error: string | null }}
 */
export function parseUpToError(script, extended = false) {
  try {
    return { statements: parse(script, extended), error: null };
  } catch (error) {
    const message = /** @type {Error} */ (error).message.replace(/^Parse error at \d+:\d+: /, "");
    const lines = script.split("\n");
    for (let count = Math.min(lines.length - 1, MOST_LINES); count > 0; count--) {
      try {
        return { statements: parse(lines.slice(0, count).join("\n"), extended), error: message };
      } catch {
        // One line less, then.
      }
    }
    return { statements: [], error: message };
  }
}
const MOST_LINES = 500;

/** @type {Map<string, Node>} */
const words = new Map();
const END = "__END_OF_WORD__";

/**
 * Text whose expansions are written within `[…]`, `$((…))` or a prompt, as a word without its quotes.
 * @param {string} text @param {boolean} [keepsQuotes] @returns {Node}
 */
export function parseWord(text, keepsQuotes = false) {
  const key = `${keepsQuotes}${text}`;
  let word = words.get(key);
  if (word === undefined) {
    const [statement] = parse(`cat <<${END}\n${text}\n${END}\n`);
    const { parts } = statement?.pipelines[0].commands[0].redirections[0].target.content;
    const last = parts.length - 1;
    word = { type: "Word", parts: parts.map((/** @type {Node} */ part, /** @type {number} */ at) => inner(part, at === last, keepsQuotes)) };
    if (words.size > MOST_PARSED) words.clear();
    words.set(key, word);
  }
  return word;
}

/** @param {Node} part @param {boolean} last @param {boolean} keepsQuotes @returns {Node} */
function inner(part, last, keepsQuotes) {
  if (part.type !== "Literal") return part;
  const value = last ? part.value.replace(/\n$/, "") : part.value;
  return { ...part, value: keepsQuotes ? value : value.replace(/["']/g, "") };
}

const printer = new Bash({ defenseInDepth: false, executionLimits: LIMITS });
/** @type {Node[]} */
let printed = [];
printer.registerTransformPlugin({ name: "gemini-printer", transform: ({ ast }) => ({ ast: { ...ast, statements: /** @type {any} */ (printed) } }) });

/** @param {Node} command @returns {string} its text */
function printCommand(command) {
  printed = [{ type: "Statement", pipelines: [{ type: "Pipeline", commands: [command], negated: false }], operators: [], background: false }];
  return printer.transform(":").script.trim();
}

/** @param {string} name @param {Node} definition @returns {string} as `declare -f` prints it */
export function printFunction(name, { body }) {
  if (body.type !== "Group") return `${name} () \n${printCommand(body)}\n`;
  const lines = body.body.map((/** @type {Node} */ statement) => {
    printed = [statement];
    return printer.transform(":").script.trim();
  });
  return `${name} () \n{ \n${lines.join(";\n").replace(/^/gm, "    ")}\n}\n`;
}
