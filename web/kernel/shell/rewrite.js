// Rewrites parsed commands so that what each statement prints reaches the terminal when it prints it.
//
// just-bash gives a command's output when the whole script has ended. Here each command of a statement gets
// redirections to two pseudo files (files.js), which pass on at once what is written to them; the bodies of loops are
// rewritten in the same way, so each iteration shows. Only what prints to the terminal is touched: a body whose output
// is redirected, piped or substituted stays as it is.
//
// The redirections stand on the command itself and not on a group around it, because a group forgets that its output
// is binary. Only stderr of a `$(…)` in a command's words, which that command's own redirections don't reach, needs
// a group.
import { STDERR_TAP, STDOUT_TAP } from "./files.js";

/** @typedef {any} Node just-bash's AST nodes; their types are not part of its browser build */

/** @param {string} value @returns {Node} */
const literal = (value) => ({ type: "Word", parts: [{ type: "Literal", value }] });

/** @param {string} name @param {Node[]} words @returns {Node} */
export const command = (name, ...words) => ({
  type: "SimpleCommand",
  name: literal(name),
  args: words,
  assignments: [],
  redirections: [],
});

/** @param {string} text @returns {Node} */
export const quoted = (text) => ({ type: "Word", parts: [{ type: "SingleQuoted", value: text }] });

/** @param {Node} inner @returns {Node} */
export const statement = (inner) => ({
  type: "Statement",
  pipelines: [{ type: "Pipeline", commands: [inner], negated: false, timed: false }],
  operators: [],
  background: false,
});

const TO_STDOUT = { type: "Redirection", fd: 1, operator: ">>", target: literal(STDOUT_TAP) };
const TO_STDERR = { type: "Redirection", fd: 2, operator: ">>", target: literal(STDERR_TAP) };

/** @param {Node} item @param {Node[]} taps put before its own redirections, which therefore win @returns {Node} */
const tapped = (item, ...taps) => ({ ...item, redirections: [...taps, ...(item.redirections ?? [])] });

/** @param {Node} item @returns {Node} */
const withStderrOfWords = (item) => ({ type: "Group", body: [statement(item)], redirections: [TO_STDERR] });

/** Whether a `$(…)` stands anywhere in the command's own words. @param {Node} item @returns {boolean} */
const substitutes = (item) =>
  JSON.stringify({ ...item, body: null, clauses: null, items: null, elseBody: null }).includes('"CommandSubstitution"');

/** The command that a `&` runs: Python says there what the backend lacks. */
export const BACKGROUND = "__gemini_background";

/** The variable that tells a Python command that its output goes straight to the terminal. */
export const LIVE = "__GEMINI_LIVE";
const LIVE_MARK = { type: "Assignment", name: LIVE, value: literal("1"), append: false, array: null };

export class Rewriter {
  /**
   * @param {Set<string>} liveCommands names of commands that can print while they run
   * @param {(definition: Node) => void} onFunction told of each function when its definition is executed
   */
  constructor(liveCommands, onFunction) {
    this.liveCommands = liveCommands;
    this.onFunction = onFunction;
    // In a group `set -e` forgets that it stands before `&&` or `||`; where it is in force, groups are left out there.
    this.errexit = false;
  }

  /** @param {Node[]} statements @returns {Node[]} */
  list(statements) {
    return statements.map((item) => this.statement(item));
  }

  /** @param {Node} item @returns {Node} */
  statement(item) {
    if (!item.pipelines?.length || item.deferredError) return item;
    if (item.background) return statement(tapped(command(BACKGROUND), TO_STDERR));
    if (item.pipelines.some((/** @type {Node} */ pipeline) => pipeline.timed)) {
      return statement({ type: "Group", body: [item], redirections: [TO_STDOUT, TO_STDERR] });
    }
    const last = item.pipelines.length - 1;
    return {
      ...item,
      pipelines: item.pipelines.map((/** @type {Node} */ pipeline, /** @type {number} */ at) =>
        this.pipeline(pipeline, !this.errexit || at === last),
      ),
    };
  }

  /** @param {Node} pipeline @param {boolean} mayGroup @returns {Node} */
  pipeline(pipeline, mayGroup) {
    const last = pipeline.commands.length - 1;
    const commands = pipeline.commands.map((/** @type {Node} */ item, /** @type {number} */ at) => {
      // In `a |& b` the stderr of `a` belongs to the pipe.
      if (at < last) return pipeline.pipeStderr?.[at] ? item : tapped(item, TO_STDERR);
      return this.last(item, last === 0, mayGroup);
    });
    return { ...pipeline, commands };
  }

  /**
   * The command whose output is the pipeline's.
   * @param {Node} item
   * @param {boolean} alone
   * @param {boolean} mayGroup
   * @returns {Node}
   */
  last(item, alone, mayGroup) {
    if (item.type === "FunctionDef") return this.noted(item);
    const name = nameOf(item);
    // `exec` changes the shell's own redirections.
    if (name === "exec") return item;
    const inner = item.redirections?.length ? item : alone ? this.compound(item) : this.live(item);
    const onlyAssigns = item.type === "SimpleCommand" && !item.name;
    const result = onlyAssigns ? inner : tapped(inner, TO_STDOUT, TO_STDERR);
    return mayGroup && substitutes(item) ? withStderrOfWords(result) : result;
  }

  /** Rewrite the bodies of a compound command that prints to the terminal. @param {Node} item @returns {Node} */
  compound(item) {
    switch (item.type) {
      case "For":
      case "CStyleFor":
      case "Subshell":
      case "Group":
        return { ...item, body: this.list(item.body) };
      case "While":
      case "Until":
        return { ...item, condition: this.list(item.condition), body: this.list(item.body) };
      case "If":
        return {
          ...item,
          clauses: item.clauses.map((/** @type {Node} */ clause) => ({
            ...clause,
            condition: this.list(clause.condition),
            body: this.list(clause.body),
          })),
          elseBody: item.elseBody && this.list(item.elseBody),
        };
      case "Case":
        return {
          ...item,
          items: item.items.map((/** @type {Node} */ branch) => ({ ...branch, body: this.list(branch.body) })),
        };
      default:
        return this.live(item);
    }
  }

  /** @param {Node} item @returns {Node} */
  live(item) {
    if (item.type !== "SimpleCommand" || item.redirections.length || !this.liveCommands.has(nameOf(item) ?? "")) {
      return item;
    }
    return { ...item, assignments: [...item.assignments, LIVE_MARK] };
  }

  /**
   * A definition that reports itself when it is executed: just-bash reads its `line` then, and only then.
   * @param {Node} item @returns {Node}
   */
  noted(item) {
    if (item.type !== "FunctionDef") return item;
    const { line } = item;
    const report = () => this.onFunction(item);
    return Object.defineProperty({ ...item }, "line", {
      enumerable: true,
      get() {
        report();
        return line;
      },
    });
  }
}

/** @param {Node} item @returns {string | null} */
function nameOf(item) {
  const parts = item.name?.parts;
  return parts?.length === 1 && parts[0].type === "Literal" ? parts[0].value : null;
}
