// A shell: the state that its commands see and change. Subshells begin with a copy of it.
import { encode } from "../bytes.js";
import { calculate } from "./arithmetic.js";
import { BUILTINS } from "./builtin_table.js";
import { Descriptors } from "./descriptors.js";
import { environmentOf, importFunctions } from "./exported_functions.js";
import { Jobs } from "./jobs.js";
import { localeWarning } from "./locale.js";
import { COMPUTED, fixedVariables } from "./parameters.js";
import { Traps } from "./traps.js";
import { NAME, Variables } from "./variables.js";

/**
 * @typedef {Record<string, any>} Node of the syntax tree (syntax/)
 * @typedef {import("./host.js").Host} Host
 * @typedef {import("./task.js").Task} Task
 * @typedef {{ name: string, line: number, source: string }} Call of a function
 */

const DEFAULT_SHOPTS = (
  "checkwinsize cmdhist complete_fullquote expand_aliases extquote force_fignore globasciiranges globskipdots hostcomplete " +
  "interactive_comments patsub_replacement progcomp promptvars sourcepath"
).split(" ");

export const DEFAULT_OPTIONS = ["braceexpand", "hashall", "interactive-comments"];

/** @type {ReadonlyMap<string, string>} */
const NO_ALIASES = new Map();

export class Shell {
  descriptors = new Descriptors();
  variables = new Variables();
  /** Functions by name: their definitions. @type {Map<string, Node>} */
  functions = new Map();
  /** @type {Map<string, string>} */
  aliases = new Map();
  /** The paths that `hash` remembers, and how often each was used. @type {Map<string, { path: string, hits: number }>} */
  hashed = new Map();
  /** The builtins that `enable -n` has turned off. @type {Set<string>} */
  disabled = new Set();
  /** Of `complete`, by the command's name. @type {Map<string, import("./completions.js").Specification>} */
  completions = new Map();
  /** Of `set -o`. @type {Set<string>} */
  options = new Set(DEFAULT_OPTIONS);
  /** The options that `local -` of the running function restores. @type {Set<string> | null} */
  localOptions = null;
  /** Of `shopt`. @type {Set<string>} */
  shopts = new Set(DEFAULT_SHOPTS);
  traps = new Traps();
  jobs = new Jobs();
  /** @type {string[]} */
  positional = [];
  zero = "bash";
  cwd = "/";
  /** Of `pushd`. @type {string[]} */
  folders = [];
  umask = 0o022;
  /** Of `ulimit`. @type {Record<string, string>} */
  limits = {};
  status = 0;
  /** @type {number[]} */
  pipeStatus = [0];
  /** Of `$!`. @type {number | null} */
  lastPid = null;
  lastArgument = "";
  /** The number of enclosing subshells. */
  depth = 0;
  line = 0;
  /** The text of the command that runs, or that has set off a trap. */
  command = () => "";
  /** The file that is executed. @type {string | null} */
  source = null;
  /** True if it runs a script or the text of `-c`, and not what is typed. */
  isScript = false;
  /** The way it was started, as at the end of `$-`: `c`, `s`, and `i` for an interactive one. */
  invocation = "";
  /** The program's name from `exec -a`. @type {string | null} */
  nameOfProgram = null;
  /** Of RANDOM. @type {number | null} */
  seed = null;
  /** Since when SECONDS counts. */
  start = performance.now();
  /** The functions that run, the innermost first. @type {Call[]} */
  calls = [];
  /** The number of sourced files that run. */
  sourcing = 0;
  loops = 0;
  /** The depth of conditions, in which failures don't end the shell. */
  conditions = 0;
  /** The status of the last command substitution, for assignments. @type {number | null} */
  substitutionStatus = null;
  /** Actions for the time after the command whose words are expanded. @type {(() => unknown)[]} */
  substitutions = [];
  /** The redirections of the last command: what they replace is closed, as if the process executed it. @type {Node[] | null} */
  lastRedirections = null;
  /** The last command that failed on its own, for example in a redirection. @type {Node | null} */
  failed = null;
  /** The position of `getopts` within a word of options. */
  optionAt = 0;

  /** @param {Host} host @param {Task} task */
  constructor(host, task) {
    this.host = host;
    this.files = host.files;
    this.task = task;
    task.shell = this;
    /** Of `$$`. */
    this.mainPid = task.pid;
    /** The commands of before; a script has its own. */
    this.history = host.history;
    this.connect();
  }

  /** Tie the parts to each other. */
  connect() {
    this.task.actionOf = (signal) => this.traps.actions.get(signal);
    const { variables } = this;
    variables.calculate = (text) => calculate(variables, text);
    variables.isStrict = () => this.options.has("nounset");
    variables.changed = (name) => {
      if (name === "OPTIND") this.optionAt = 0;
      if (name === "PATH") this.hashed.clear();
      if (name.startsWith("LC_")) this.checkLocale(name);
    };
    variables.functions = () => environmentOf(this.functions);
    variables.computed = (name) => COMPUTED.get(name)?.get(this);
    variables.assignComputed = (name, text) => COMPUTED.get(name)?.set?.(this, text);
  }

  /** @param {string} name of a variable that was assigned */
  checkLocale(name) {
    const warning = localeWarning(this.variables, name);
    if (warning) void this.complain(warning);
  }

  /** Set what a new shell starts with. @param {Record<string, string>} env */
  initialize(env) {
    const set = (/** @type {string} */ name, /** @type {string} */ value, exported = false) =>
      this.variables.table.set(name, exported ? { value, exported } : { value });
    for (const [name, value] of fixedVariables(this)) set(name, value);
    importFunctions(this.functions, env);
    for (const [name, value] of Object.entries(env)) if (NAME.test(name)) set(name, value, true);
    for (const name of ["UID", "EUID", "PPID"]) Object.assign(this.variables.table.get(name) ?? {}, { readonly: true, integer: true });
    set("PWD", this.cwd, true);
    const level = Number(env.SHLVL ?? 0) + 1;
    set("SHLVL", String(Number.isNaN(level) ? 1 : level), true);
  }

  /** A copy for a subshell (Bash manual, 3.7.3). @param {Task} task @returns {Shell} */
  fork(task) {
    const copy = new Shell(this.host, task);
    copy.descriptors = this.descriptors.fork();
    copy.variables.copyFrom(this.variables);
    copy.functions = new Map(this.functions);
    copy.aliases = new Map(this.aliases);
    copy.hashed = new Map(this.hashed);
    copy.disabled = new Set(this.disabled);
    copy.completions = new Map(this.completions);
    copy.options = new Set(this.options);
    copy.shopts = new Set(this.shopts);
    copy.traps = this.traps.fork(this.options.has("errtrace"), this.options.has("functrace"));
    copy.jobs = this.jobs.fork();
    const { positional, zero, cwd, umask, status, pipeStatus, lastPid, lastArgument, mainPid, line, source, seed } = this;
    const { loops, sourcing, optionAt, conditions, start, isScript, invocation } = this;
    Object.assign(copy, { positional, zero, cwd, umask, status, pipeStatus, lastPid, lastArgument, mainPid, line, source, seed });
    Object.assign(copy, { loops, sourcing, optionAt, conditions, start, isScript, invocation });
    copy.history = [...this.history];
    copy.folders = [...this.folders];
    copy.limits = { ...this.limits };
    copy.calls = [...this.calls];
    copy.depth = this.depth + 1;
    return copy;
  }

  /** The builtin of a name, unless it is turned off. @param {string} name @returns {import("./builtins.js").Builtin | undefined} */
  builtin(name) {
    return this.disabled.has(name) ? undefined : BUILTINS.get(name);
  }

  /** The changes of the language by options and aliases. @returns {import("./syntax/input.js").Dialect} */
  get dialect() {
    return { extglob: this.shopts.has("extglob"), aliases: this.shopts.has("expand_aliases") ? this.aliases : NO_ALIASES };
  }

  /** @param {number} number of the descriptor @param {string | Uint8Array} data @returns {Promise<void> | void} */
  write(number, data) {
    return this.descriptors.get(number).write(typeof data === "string" ? encode(data) : data, this.task);
  }
  /** @param {string | Uint8Array} data */
  print(data) {
    return this.write(1, data);
  }
  /** The beginning of messages: in a script, its name and the line. @returns {string} */
  get origin() {
    if (!this.isScript && this.sourcing === 0) return "bash";
    return `${this.calls[0]?.source ?? this.source ?? this.zero}: line ${this.line}`;
  }

  /** @param {string} text an error, without its line end */
  async complain(text) {
    try {
      await this.write(2, `${this.origin}: ${text}\n`);
    } catch (error) {
      // Standard error is closed, so there is nowhere to report it.
      if (!(error instanceof Error)) throw error;
    }
  }

  /** The escapes of `${name@P}` and PS4 (Bash manual, 6.9). @param {string} text */
  prompt(text) {
    const home = this.variables.text("HOME") ?? "";
    const folder = home && (this.cwd === home || this.cwd.startsWith(`${home}/`)) ? `~${this.cwd.slice(home.length)}` : this.cwd;
    /** @type {Record<string, string>} */
    const values = {
      u: this.variables.text("USER") ?? "",
      h: "localhost",
      w: folder,
      W: folder.split("/").at(-1) || "/",
      $: "$",
      n: "\n",
      s: "bash",
      "\\": "\\",
    };
    return text.replace(/\\([^])/g, (whole, letter) => values[letter] ?? whole);
  }
}
