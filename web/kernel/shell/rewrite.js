// Rewrites parsed commands, so that they print, trap signals and run in the background as in bash.
//
// just-bash executes a script's tree and reads a node's properties when it comes to the node. So a property that is
// computed when it is read, and a list that is read through a generator, are where this takes part in the execution:
// - each command's redirections depend on where its output goes just then (routes.js);
// - a list of statements notes where it is entered and left, and has traps run between its statements (traps.js);
// - `cmd &` becomes a command that starts a job (jobs.js), `eval` and `source` become lists that are parsed late.
import { withFolders } from "./folders.js";
import { hoist, prepareCalculations } from "./arithmetic.js";
import { declaresList, declaring } from "./declaring.js";
import { COLLECT, EVALUATE, FORK, LINES, LIVE, OURS, REPLACED, SOURCE } from "./internal.js";
import { command, computed, generated, group, literal, nameOf, quoted, returns, shield, statement, subshell, textOf } from "./nodes.js";
import { References, referring } from "./references.js";
import { withSets } from "./patterns.js";
import { LOOPS, bound, linesTaken } from "./producers.js";
import { KEPT, TAPS, TERMINAL, announced, errOf, intoPipe, narrowing, outOf, redirectsInput, route } from "./routes.js";
import { asking, deferred, exit, leavingSource, noteOptions, reopening, replacing } from "./special.js";
import { Traps } from "./traps.js";
import { rewriteWords } from "./words.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./routes.js").Route} Route
 *
 * @typedef {object} Entry what changes for the statements of a list
 * @property {((way: Route) => Route) | null} [narrow] where their output goes
 * @property {boolean} [fed] whether they read something else than the terminal
 * @property {boolean} [called] a function's body, which the redirections of its call apply to
 * @property {boolean} [condition] their failure is no error
 * @property {boolean} [subshell] they run in a subshell, with traps of its own
 * @property {Sourced | null} [sourced] they are those of a file that `source` reads
 * @property {boolean} [keeps] what they keep is for a calculation outside of it
 *
 * @typedef {object} Sourced a file that `source` reads
 * @property {number} loops how deep in its loops the execution is
 * @property {boolean} left whether it came to a `return`
 * @property {string} code what the `return` gave
 *
 * @typedef {object} Host what the rewritten commands need
 * @property {(text: string) => Node[]} parse
 * @property {Set<string>} liveCommands names of commands that can print while they run
 * @property {Map<string, Node>} functions as they were written; filled when definitions are executed
 * @property {() => number | null} lastJob the process id that `$!` stands for
 * @property {import("./files.js").ShellFiles} files
 * @property {() => boolean} asks whether `read` may ask the person
 */

/** @type {Map<string, Rewriter>} */
export const rewriters = new Map();
let made = 0;
const UNBOUND = 127;

export class Rewriter {
  /** @param {Host} host @param {Route} [way] */
  constructor(host, way = TERMINAL) {
    this.host = host;
    this.id = String(++made);
    rewriters.set(this.id, this);
    this.traps = new Traps(this);
    this.way = way;
    this.fed = false;
    /** Where the innermost list stands, which each of its statements starts from. */
    this.frame = { way, fed: false };
    /** @type {{ way: Route, fed: boolean } | null} what the redirections of a call say to the function's body */
    this.calling = null;
    /** Streams that `exec >file` took from the terminal for good. */
    this.closed = { out: false, err: false };
    /** @type {{ closed: { out: boolean, err: boolean }, refusals: number } | null} what an `exec >file` takes, once it is open */
    this.reopened = null;
    /** In a group `set -e` forgets that it stands before `&&` or `||`; where it may be in force, this is mended. */
    this.errexit = false;
    this.inheritsErrexit = false;
    /** Whether the statement that began last was a `break` or a `continue`: their code is 0, also that of the loop. */
    this.jumped = false;
    /** Whether the statement that began last was a `return`. */
    this.returned = false;
    /** Whether an error has ended a list, and the interpreter goes on behind the compound command around it. */
    this.fell = false;
    this.subshell = false;
    /** @type {Sourced | null} the file that the innermost list is of, if it is no function's */
    this.sourced = null;
    /** Whether `exit` is what ends the shell, and not an error. */
    this.leaves = false;
    /** @type {Node[] | null} what `eval` or `source` has read */
    this.loaded = null;
    /** @type {string | null} what the person has typed for `read` */
    this.typed = null;
    /** @type {Map<string, string>} what the substitutions within calculations have printed */
    this.kept = new Map();
    this.references = new References();
    /** @type {Map<string, string[] | null>} what patterns that end in a slash match; null for nothing */
    this.folders = new Map();
    /** @type {Map<string, Node>} */
    this.forks = new Map();
    /** Whether a job in the list that runs now prints into a pipe or a variable. */
    this.collects = false;
  }

  forget() {
    rewriters.delete(this.id);
  }

  /** @param {Node[]} statements @param {Entry} [entry] @returns {Node[]} */
  list(statements, entry = {}) {
    const items = statements.map((item) => this.statement(item));
    return generated(items, () => this.walk(items, entry));
  }

  /** @param {Node[]} items @param {Entry} entry @returns {Generator<Node>} */
  *walk(items, entry) {
    const { frame, way, fed, closed, collects, subshell, kept, sourced } = this;
    const { umask } = this.host.files;
    const { targets } = this.references;
    if (entry.called || entry.subshell) this.references.targets = new Map(targets);
    const start = (entry.called ? this.calling : null) ?? { way, fed };
    const mine = { way: entry.narrow ? entry.narrow(start.way) : start.way, fed: start.fed || Boolean(entry.fed) };
    this.calling = null;
    if (entry.sourced || entry.called || entry.subshell) this.sourced = entry.sourced ?? null;
    if (entry.subshell) [this.closed, this.collects, this.subshell] = [{ ...closed }, false, true];
    // A function that calls itself in a `$(…)` comes to the same calculations within.
    if (entry.subshell && !entry.keeps) this.kept = new Map(kept);
    this.traps.enter(entry);
    let fell = true;
    try {
      for (const item of this.sourced?.left ? [] : items) {
        this.frame = mine;
        this.reset();
        this.jumped = this.returned = false;
        if (this.traps.debugs) yield* this.traps.debug(item);
        yield this.traps.watches ? this.watched(item) : item;
        if (this.fell) yield* this.fall(item);
        if (this.traps.pending.length) yield* this.traps.deliver();
        if (this.sourced?.left) break;
      }
      if (entry.subshell) {
        this.frame = mine;
        this.reset();
        yield* this.traps.atExit();
        if (this.collects) yield statement(command(COLLECT, quoted(this.id)));
      }
      fell = false;
    } finally {
      if (fell) this.fell = !entry.subshell && !this.jumped && !this.returned && !this.leaves;
      this.traps.leave(entry);
      if (entry.called || entry.subshell) this.references.targets = targets;
      Object.assign(this, { frame, way, fed, subshell, sourced, calling: null });
      if (entry.subshell) Object.assign(this, { closed, collects });
      if (entry.subshell && !entry.keeps) this.kept = kept;
      if (entry.subshell) this.host.files.umask = umask;
    }
  }

  /** With `set -u`, what ended a list within `item` ends the shell, too. @param {Node} item @returns {Generator<Node>} */
  *fall(item) {
    this.fell = false;
    if (item.piped) return;
    yield this.traps.see();
    if (!this.traps.seen.nounset) return;
    const code = this.subshell ? 1 : UNBOUND;
    this.leaves = true;
    yield* this.traps.atExit(code);
    yield statement(command("exit", quoted(String(code))));
  }

  /** Back to where the innermost list stands, whatever a command before has left. */
  reset() {
    const { way, fed } = this.frame;
    if (this.reopened?.refusals === this.host.files.refusals) this.closed = this.reopened.closed;
    this.reopened = null;
    const { closed } = this;
    this.way = closed.out || closed.err ? route(closed.out ? 0 : outOf(way), closed.err ? KEPT : errOf(way)) : way;
    this.fed = fed;
    this.calling = null;
  }

  /** @param {Node} item @returns {Node} */
  statement(item) {
    if (!item.pipelines?.length || item.deferredError) return item;
    if (item.background) return this.fork(item);
    const last = item.pipelines.length - 1;
    const pipelines = item.pipelines.map((/** @type {Node} */ one, /** @type {number} */ at) =>
      this.pipeline(one, at < last || one.negated),
    );
    const piped = item.pipelines.some((/** @type {Node} */ one) => one.commands.length > 1);
    const rewritten = { ...item, pipelines, piped };
    const timed = pipelines.some((/** @type {Node} */ one) => one.timed);
    // The interpreter keeps what `time` says until the script ends, unless a group takes it.
    return timed ? statement(this.grouped(function* () { yield rewritten; }, [rewritten])) : rewritten;
  }

  /** @param {() => Iterator<Node>} make @param {Node[]} items @param {Node[]} own its redirections */
  grouped(make, items = [], own = []) {
    const opened = this.announced(own);
    return computed(group(generated(items, make)), "redirections", () => [...(TAPS[this.way] ?? []), ...opened]);
  }

  /** @param {Node[]} redirections as written @returns {Node[]} those that the interpreter gets */
  announced(redirections) {
    return announced(redirections, this.host.files);
  }

  /** @param {Node} item a statement that a `&` ends @returns {Node} */
  fork(item) {
    const slot = `${this.id}.${this.forks.size}`;
    this.forks.set(slot, item);
    return statement(computed(command(FORK, quoted(this.id), quoted(slot), DECLARATIONS(this)), "redirections", () => TAPS[this.way]));
  }

  /** @param {Node} item @param {boolean} tested whether its failure is no error @returns {Node} */
  pipeline(item, tested) {
    const last = item.commands.length - 1;
    const commands = item.commands.map((/** @type {Node} */ one) => this.command(last > 0 && returns(one) ? subshell(one) : one));
    const copy = { ...item };
    if (last === 0) return this.alone(copy, item.commands[0], commands[0], tested);
    const staged = new Proxy(commands, {
      get: (list, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) this.enterStage(Number(key), last, item.pipeStderr);
        return Reflect.get(list, key);
      },
    });
    item.commands.forEach((/** @type {Node} */ one, /** @type {number} */ at) => {
      const lines = nameOf(one) === "seq" && at < last ? linesTaken(item.commands[at + 1]) : null;
      if (lines !== null) commands[at].assignments = [...one.assignments, assignment(LINES, lines)];
    });
    const bounded = commands.map((/** @type {Node} */ one, /** @type {number} */ at) => (at < last ? bound(one) : one));
    commands.splice(0, commands.length, ...bounded);
    return computed(copy, "commands", () => staged);
  }

  /** @param {number} at @param {number} last @param {boolean[] | undefined} withStderr */
  enterStage(at, last, withStderr) {
    this.reset();
    if (at > 0) this.fed = true;
    if (at < last) this.way = intoPipe(this.way, withStderr?.[at] ?? false);
  }

  /** @param {Node} copy the pipeline @param {Node} original @param {Node} rewritten its one command @param {boolean} tested */
  alone(copy, original, rewritten, tested) {
    const name = nameOf(original);
    const plain = [rewritten];
    const exits = name === "exit" ? [exit(this, original)] : plain;
    const shielded = tested ? [shield(this.traps.tested(rewritten))] : plain;
    const compound = original.type !== "SimpleCommand" || rewritten.type === "Group";
    return computed(copy, "commands", () => {
      this.reset();
      if (exits !== plain) {
        this.leaves = true;
        if (this.traps.hasExit) return exits;
      }
      const shields = this.errexit && (compound || (name !== null && this.host.functions.has(name)));
      return shields ? shielded : plain;
    });
  }

  /** @param {Node} item @returns {Node} */
  command(item) {
    const before = item.type === "ArithmeticCommand" ? hoist(this, item.expression) : [];
    if (before.length) {
      return this.command(group([...before, { ...item, redirections: [] }].map(statement), item.redirections));
    }
    prepareCalculations(this, item);
    rewriteWords(this, item);
    if (item.assignments?.length) this.references.inAssignments(item);
    if (item.type === "SimpleCommand") return referring(this, item, withFolders(this, this.simple(item), "args"));
    if (item.type === "FunctionDef") return this.definition(item);
    const own = item.redirections ?? [];
    const entry = { narrow: narrowing(own), fed: redirectsInput(own) };
    const opened = this.announced(own);
    const compound = computed(this.compound(item, entry), "redirections", () => [...(TAPS[this.way] ?? []), ...opened]);
    return LOOPS.has(item.type) ? this.loop(withFolders(this, compound, "words")) : compound;
  }

  /** @param {Node} loop @returns {Node} */
  loop(loop) {
    const self = this;
    const inside = statement(loop);
    const make = function* () {
      const { sourced } = self;
      self.jumped = false;
      if (sourced) sourced.loops++;
      yield inside;
      if (sourced) sourced.loops--;
      if (self.jumped) yield statement(command(":"));
      self.jumped = false;
    };
    return computed(group(generated([inside], make)), "redirections", () => TAPS[this.way]);
  }

  /** @param {Node} item @param {Entry} entry @returns {Node} */
  compound(item, entry) {
    /** @param {Node[]} body */
    const list = (body) => this.list(body, entry);
    /** @param {Node[]} body */
    const condition = (body) => this.list(body, { ...entry, condition: true });
    switch (item.type) {
      case "For":
      case "CStyleFor":
      case "Group":
        return { ...item, body: list(item.body) };
      case "Subshell":
        return { ...item, body: this.list(item.body, { ...entry, subshell: true }) };
      case "While":
      case "Until":
        return { ...item, condition: condition(item.condition), body: list(item.body) };
      case "If":
        return {
          ...item,
          clauses: item.clauses.map((/** @type {Node} */ clause) => ({
            ...clause,
            condition: condition(clause.condition),
            body: list(clause.body),
          })),
          elseBody: item.elseBody && list(item.elseBody),
        };
      case "Case":
        return {
          ...item,
          items: item.items.map((/** @type {Node} */ one) => ({ ...one, patterns: one.patterns.map(withSets), body: list(one.body) })),
        };
      default:
        return { ...item };
    }
  }

  /** @param {Node} item @returns {Node} */
  simple(item) {
    const name = nameOf(item);
    const own = item.redirections;
    if (declaresList(item)) return declaring(this, item);
    if (name === "exec") return item.args.length ? replacing(this, item) : reopening(this, item);
    if (name === "eval" && item.args.length) return deferred(this, item, EVALUATE);
    if ((name === "source" || name === ".") && item.args.length === 1) return deferred(this, item, SOURCE);
    const copy = this.routed({ ...item }, own);
    if (name === null) return item.name ? copy : { ...item, redirections: this.announced(own) };
    if (name === "break" || name === "continue") computed(copy, "line", () => void (this.jumped = true));
    if (name === "return") return leavingSource(this, computed(copy, "line", () => void (this.returned = true)));
    if (name === "set") noteOptions(this, copy, item.args.map(textOf));
    if (name === "read" && !redirectsInput(own)) return asking(this, copy, item);
    if (REPLACED.has(name)) {
      if (this.host.functions.has(name)) return copy;
      return Object.assign(copy, { name: literal(OURS + name), args: [quoted(this.id), ...item.args] });
    }
    if (this.host.liveCommands.has(name)) this.live(copy, item.assignments, narrowing(own));
    return copy;
  }

  /** @param {Node} copy @param {Node[]} own @returns {Node} */
  routed(copy, own) {
    const narrow = narrowing(own);
    const fed = redirectsInput(own);
    const opened = this.announced(own);
    /** @type {Node[][]} */
    const known = [];
    return computed(copy, "redirections", () => {
      this.calling = narrow || fed ? { way: narrow ? narrow(this.way) : this.way, fed: this.fed || fed } : null;
      const taps = TAPS[this.way] ?? [];
      return own.length ? (known[this.way] ??= [...taps, ...opened]) : taps;
    });
  }

  /** @param {Node} copy @param {Node[]} assignments @param {((way: Route) => Route) | null} narrow */
  live(copy, assignments, narrow) {
    computed(copy, "assignments", () => {
      const way = narrow ? narrow(this.way) : this.way;
      return way ? [...assignments, assignment(LIVE, String(way))] : assignments;
    });
  }

  /**
   * A definition that reports itself when it is executed: just-bash copies its properties then, and only then.
   * @param {Node} item @returns {Node}
   */
  definition(item) {
    const { line, body } = item;
    const pristine = structuredClone(item);
    const entry = { called: true, narrow: narrowing(item.redirections ?? []), fed: redirectsInput(item.redirections ?? []) };
    const inner =
      body.type === "Group" && !body.redirections?.length
        ? { ...body, body: this.list(body.body, entry) }
        : group(this.list([statement(body)], entry));
    const report = () => this.host.functions.set(item.name, pristine);
    const redirections = this.announced(item.redirections ?? []);
    return computed({ ...item, body: inner, redirections }, "line", () => {
      report();
      return line;
    });
  }

  /** @param {Node} item a statement, while traps are set @returns {Node} */
  watched(item) {
    return this.traps.watch(item);
  }
}

/** @param {string} name @param {string} value @returns {Node} */
const assignment = (name, value) => ({ type: "Assignment", name, value: literal(value), append: false, array: null });

/** @param {Rewriter} rewriter @returns {Node} the text that `declare -p` prints, as a word */
const DECLARATIONS = (rewriter) => rewriter.host.parse('x "$(declare -p 2>/dev/null)"')[0].pipelines[0].commands[0].args[0];
