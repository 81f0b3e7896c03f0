// `trap`: what a shell does when a signal arrives, a command fails, or the shell ends.
import { STATUS, command, computed, generated, group, harmless, pipeline, quoted, setLine, shield, statement } from "./nodes.js";
import { TAPS } from "./routes.js";
import { byNumber, nameOfSignal, SIGNALS } from "./signals.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 * @typedef {import("./rewrite.js").Entry} Entry
 */

export const SEE = "__gemini_see";
// What these do by default doesn't end a shell.
const HARMLESS = new Set(["CHLD", "CONT", "URG", "WINCH"]);
const LACKING = new Set(["RETURN"]);

class Frame {
  /** @param {{ actions: Map<string, string> } | null} outer */
  constructor(outer) {
    /** @type {Map<string, string>} */
    const outside = outer ? outer.actions : new Map();
    /** @type {Map<string, string>} an empty action ignores the signal */
    this.actions = new Map([...outside].filter(([, action]) => action === ""));
    /** `trap` in a subshell still lists the outer shell's traps, until it sets its own. */
    this.listed = outer ? new Map(outside) : null;
    /** How deep in functions the trap of ERR was set: it isn't inherited by those inside. */
    this.depth = 0;
  }
}

export class Traps {
  /** @param {Rewriter} rewriter */
  constructor(rewriter) {
    this.rewriter = rewriter;
    this.frames = [new Frame(null)];
    /** @type {string[]} signals that wait to be handled */
    this.pending = [];
    this.depth = 0;
    this.conditions = 0;
    this.running = false;
    /** `set -E` and `set -T`: functions inherit the traps of ERR, and of DEBUG. */
    this.inherited = false;
    this.traces = false;
    /** @type {number | null} the code of the `exit` that runs */
    this.leaving = null;
    /** What SEE has seen. */
    this.seen = { code: 0, errexit: false, nounset: false };
  }

  get frame() {
    return /** @type {Frame} */ (this.frames.at(-1));
  }
  get hasExit() {
    return this.frame.actions.has("EXIT");
  }
  /** Whether statements have to be followed by a look at how they ended. */
  get watches() {
    return !this.running && (this.frame.actions.has("ERR") || this.hasExit);
  }
  get debugs() {
    return this.frame.actions.has("DEBUG") && !this.running;
  }
  /** @param {string} signal */
  actionOf(signal) {
    return this.frame.actions.get(signal) ?? this.frames[0]?.actions.get(signal);
  }

  /** @param {Entry} entry */
  enter(entry) {
    if (entry.called) this.depth++;
    if (entry.condition) this.conditions++;
    if (entry.subshell) this.frames.push(new Frame(this.frame));
  }
  /** @param {Entry} entry */
  leave(entry) {
    if (entry.called) this.depth--;
    if (entry.condition) this.conditions--;
    if (entry.subshell) this.frames.pop();
  }

  /** @param {string} action @param {number} code @param {number} [line] that `$LINENO` tells @returns {Generator<Node>} */
  *perform(action, code, line) {
    const { rewriter } = this;
    let body;
    try {
      const statements = rewriter.host.parse(action);
      if (line !== undefined) setLine(statements, line);
      body = rewriter.list(statements);
    } catch (error) {
      return void (yield statement(this.tapped(command("__gemini_complain", quoted(`trap: ${/** @type {Error} */ (error).message}`)))));
    }
    yield this.status(code);
    yield* body;
  }

  /** @param {number} code */
  status(code) {
    return harmless(command(STATUS, quoted(String(code))));
  }
  see() {
    return harmless(command(SEE, quoted(this.rewriter.id)));
  }

  /** @param {Node} item */
  tapped(item) {
    return computed(item, "redirections", () => TAPS[this.rewriter.way]);
  }

  /** Run what the waiting signals call for; `$?` stays. @returns {Generator<Node>} */
  *deliver() {
    yield this.see();
    const { code } = this.seen;
    while (this.pending.length) {
      const signal = /** @type {string} */ (this.pending.shift());
      const action = this.actionOf(signal);
      if (action) yield* this.perform(action, code);
      else if (action === undefined && !HARMLESS.has(signal)) {
        yield statement(command("exit", quoted(String(128 + (SIGNALS[signal] ?? 0)))));
      }
    }
    yield this.status(code);
  }

  /** What EXIT calls for, once. @param {number | null} [code] @returns {Generator<Node>} */
  *atExit(code = null) {
    const action = this.frame.actions.get("EXIT");
    this.frame.actions.delete("EXIT");
    if (!action) return;
    if (code === null) {
      yield this.see();
      code = this.seen.code;
    }
    yield* this.perform(action, code);
    yield this.status(code);
  }

  /**
   * `item` with a look at how it ended, as one more pipeline that is there only once its last one was executed.
   * @param {Node} item @returns {Node}
   */
  watch(item) {
    const last = item.pipelines?.at(-1);
    if (!last || last.negated || item.background) return item;
    const only = last.commands.length === 1 ? last.commands[0].type : "";
    if (LOOKS_INSIDE.has(only)) return item;
    const line = last.commands.at(-1)?.line;
    // Under `set -e` it is the look's exit code that ends the shell.
    const look = pipeline(shield(group(generated([], () => this.look(line))), statement));
    let reached = false;
    const marked = computed(Object.create(last, {}), "timed", () => ((reached = true), last.timed));
    const pipelines = [...item.pipelines.slice(0, -1), marked];
    const growing = new Proxy(pipelines, {
      get: (list, key) => {
        if (key === "length") return list.length + (reached ? 1 : 0);
        return key === String(list.length) ? look : Reflect.get(list, key);
      },
    });
    return { ...item, pipelines: growing, operators: [...item.operators, ";"] };
  }

  /** `item`, whose failure is no error. @param {Node} item @returns {Node} */
  tested(item) {
    const self = this;
    const items = [statement(item)];
    const make = function* () {
      self.conditions++;
      try {
        yield* items;
      } finally {
        self.conditions--;
      }
    };
    return group(generated(items, make));
  }

  /** @param {number | undefined} line @returns {Generator<Node>} */
  *look(line) {
    yield this.see();
    const { code, errexit } = this.seen;
    if (code !== 0 && this.conditions === 0 && !this.running) {
      const action = this.frame.actions.get("ERR");
      if (action && (this.frame.depth === this.depth || this.inherited)) yield* this.once(action, code, line);
      if (errexit) yield* this.atExit(code);
    }
    yield statement(command(STATUS, quoted(String(code))));
  }

  /** @param {string} action @param {number} code @param {number | undefined} line @returns {Generator<Node>} */
  *once(action, code, line) {
    this.running = true;
    try {
      yield* this.perform(action, code, line);
    } finally {
      this.running = false;
    }
  }

  /** What DEBUG calls for before a statement. @param {Node} item @returns {Generator<Node>} */
  *debug(item) {
    const action = this.frame.actions.get("DEBUG");
    const first = item.pipelines?.[0]?.commands[0];
    if (!action || this.running || (this.depth > 0 && !this.traces) || !first || LOOKS_INSIDE.has(first.type)) return;
    if (this.frames.length > 1 && !this.traces) return;
    yield this.see();
    const { code } = this.seen;
    yield* this.once(action, code, first.line);
    yield this.status(code);
  }

  /**
   * The builtin `trap`.
   * @param {string[]} args
   * @returns {{ stdout: string, stderr: string, exitCode: number }}
   */
  builtin(args) {
    const [first = ""] = args;
    if (first === "-l") return done(list());
    if (args.length === 0 || first === "-p") return this.show(args.slice(1));
    if (first === "--") args = args.slice(1);
    else if (/^-./.test(first)) return failed(`trap: ${first.slice(0, 2)}: invalid option\n${USAGE}`, 2);
    let [action = "", ...names] = args;
    if (names.length === 0 || /^\d+$/.test(action)) {
      if (names.length === 0 && (action === "-" || nameOfSignal(action) === null)) return failed(USAGE.slice(6), 2);
      [action, names] = ["-", args];
    }
    return this.set(action, names);
  }

  /** @param {string} action @param {string[]} names */
  set(action, names) {
    this.frame.listed = null;
    const unknown = names.filter((name) => nameOfSignal(name) === null);
    for (const name of names) {
      const signal = nameOfSignal(name);
      if (signal !== null && LACKING.has(signal) && action !== "-") {
        return failed(`trap: the 'shell' backend lacks ${signal}; terminal_create(backend='linux') has it where it is there`, 1);
      }
      if (signal === null) continue;
      if (action === "-") this.frame.actions.delete(signal);
      else this.frame.actions.set(signal, action);
      if (signal === "ERR") this.frame.depth = this.depth;
    }
    const complaints = unknown.map((name) => `trap: ${name}: invalid signal specification`);
    return complaints.length ? failed(complaints.join("\nbash: "), 1) : done("");
  }

  /** @param {string[]} names */
  show(names) {
    const actions = this.frame.listed ?? this.frame.actions;
    const order = ["EXIT", ...Object.keys(SIGNALS), "DEBUG", "ERR", "RETURN"];
    const chosen = names.length ? names.map(nameOfSignal) : order;
    const shown = chosen.filter((signal) => signal !== null && actions.has(signal));
    const lines = shown.map((signal) => `trap -- ${quote(actions.get(signal ?? "") ?? "")} ${signal && signal in SIGNALS ? "SIG" : ""}${signal}\n`);
    return done(lines.join(""));
  }
}

// Their statements are looked at one by one.
const LOOKS_INSIDE = new Set(["Group", "If", "For", "CStyleFor", "While", "Until", "Case", "FunctionDef"]);
const USAGE = "bash: trap: usage: trap [-lp] [[arg] signal_spec ...]";

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** @param {string} stdout */
const done = (stdout) => ({ stdout, stderr: "", exitCode: 0 });
/** @param {string} complaint @param {number} exitCode */
const failed = (complaint, exitCode) => ({ stdout: "", stderr: `bash: ${complaint}\n`, exitCode });

/** Every signal with its number, five in a row as bash lists them. */
export function list() {
  const cells = [...byNumber].map(([number, name]) => `${String(number).padStart(2)}) SIG${name}`);
  return cells.map((cell, at) => cell + ((at + 1) % 5 === 0 || at === cells.length - 1 ? "\n" : "\t")).join("");
}
