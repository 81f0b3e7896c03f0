// A shell: the state that its commands see and change. Subshells begin with a copy of it.
import { encode } from "../bytes.ts";
import { calculate } from "./language/arithmetic.ts";
import { BUILTINS, type Builtin } from "./execution/builtin_table.ts";
import type { Specification } from "./commands/completions.ts";
import { WriteError } from "./control.ts";
import { Descriptors } from "./execution/descriptors.ts";
import { environmentOf, importFunctions } from "./language/exported_functions.ts";
import type { ShellFiles } from "./execution/files.ts";
import type { Host } from "./execution/host.ts";
import { Jobs } from "./execution/jobs.ts";
import { localeWarning } from "./language/locale.ts";
import { COMPUTED, fixedVariables } from "./language/parameters.ts";
import type { Dialect } from "./language/syntax/input.ts";
import type { Task } from "./execution/task.ts";
import { Traps } from "./execution/traps.ts";
import { NAME, Variables } from "./language/variables.ts";

/** of the syntax tree (syntax/) */
// biome-ignore lint/suspicious/noExplicitAny: the parser makes 40 kinds; who reads one has looked at its `type`.
export type Node = Record<string, any>;

/** of a function */
type Call = { name: string; line: number; source: string };

const DEFAULT_SHOPTS = (
  "checkwinsize cmdhist complete_fullquote expand_aliases extquote force_fignore globasciiranges globskipdots hostcomplete " +
  "interactive_comments patsub_replacement progcomp promptvars sourcepath"
).split(" ");

export const DEFAULT_OPTIONS = ["braceexpand", "hashall", "interactive-comments"];

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

export class Shell {
  descriptors = new Descriptors();
  variables = new Variables();
  /** Functions by name: their definitions. */
  functions = new Map<string, Node>();
  aliases = new Map<string, string>();
  /** The paths that `hash` remembers, and how often each was used. */
  hashed = new Map<string, { path: string; hits: number }>();
  /** The builtins that `enable -n` has turned off. */
  disabled = new Set<string>();
  /** Of `complete`, by the command's name. */
  completions = new Map<string, Specification>();
  /** Of `set -o`. */
  options = new Set<string>(DEFAULT_OPTIONS);
  /** The options that `local -` of the running function restores. */
  localOptions: Set<string> | null = null;
  /** Of `shopt`. */
  shopts = new Set<string>(DEFAULT_SHOPTS);
  traps = new Traps();
  jobs = new Jobs();
  positional: string[] = [];
  zero = "bash";
  cwd = "/";
  /** Of `pushd`. */
  folders: string[] = [];
  umask = 0o022;
  /** Of `ulimit`. */
  limits: Record<string, string> = {};
  status = 0;
  pipeStatus: number[] = [0];
  /** Of `$!`. */
  lastPid: number | null = null;
  lastArgument = "";
  /** The number of enclosing subshells. */
  depth = 0;
  line = 0;
  /** The text of the command that runs, or that has set off a trap. */
  command = () => "";
  /** The file that is executed. */
  source: string | null = null;
  /** True if it runs a script or the text of `-c`, and not typed commands. */
  isScript = false;
  /** The way it was started, as at the end of `$-`: `c`, `s`, and `i` for an interactive one. */
  invocation = "";
  /** The program's name from `exec -a`. */
  nameOfProgram: string | null = null;
  /** Of RANDOM. */
  seed: number | null = null;
  /** Since when SECONDS counts. */
  start = performance.now();
  /** The functions that run, the innermost first. */
  calls: Call[] = [];
  /** The number of sourced files that run. */
  sourcing = 0;
  loops = 0;
  /** The depth of conditions, in which failures don't end the shell. */
  conditions = 0;
  /** The status of the last command substitution, for assignments. */
  substitutionStatus: number | null = null;
  /** Actions for the time after the command whose words are expanded. */
  substitutions: (() => unknown)[] = [];
  /** The redirections of the last command: what they replace is closed, as if the process executed it. */
  lastRedirections: Node[] | null = null;
  /** The last command that failed on its own, for example in a redirection. */
  failed: Node | null = null;
  /** The position of `getopts` within a word of options. */
  optionAt = 0;
  host: Host;
  files: ShellFiles;
  task: Task;
  /** Of `$$`. */
  mainPid: number;
  /** The commands of before; a script has its own. */
  history: string[];

  constructor(host: Host, task: Task) {
    this.host = host;
    this.files = host.files;
    this.task = task;
    task.shell = this;
    this.mainPid = task.pid;
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

  /** @param name - of a variable that was assigned */
  checkLocale(name: string) {
    const warning = localeWarning(this.variables, name);
    if (warning) void this.complain(warning);
  }

  /** Set what a new shell starts with. */
  initialize(env: Record<string, string>) {
    const set = (name: string, value: string, exported = false) =>
      this.variables.table.set(name, exported ? { value, exported } : { value });
    for (const [name, value] of fixedVariables(this)) set(name, value);
    importFunctions(this.functions, env);
    for (const [name, value] of Object.entries(env)) if (NAME.test(name)) set(name, value, true);
    for (const name of ["UID", "EUID", "PPID"])
      Object.assign(this.variables.table.get(name) ?? {}, { readonly: true, integer: true });
    for (const name of ["SHELLOPTS", "BASHOPTS"]) this.variables.table.set(name, { value: null, readonly: true });
    this.variables.table.set("BASH_VERSINFO", { value: null, readonly: true, kind: "list" });
    set("PWD", this.cwd, true);
    const level = Number(env.SHLVL ?? 0) + 1;
    set("SHLVL", String(Number.isNaN(level) ? 1 : level), true);
  }

  /** A copy for a subshell (Bash manual, 3.7.3). */
  fork(task: Task): Shell {
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
    const { positional, zero, cwd, umask, status, pipeStatus, lastPid, lastArgument, mainPid, line, source, seed } =
      this;
    const { loops, sourcing, optionAt, conditions, start, isScript, invocation } = this;
    Object.assign(copy, {
      positional,
      zero,
      cwd,
      umask,
      status,
      pipeStatus,
      lastPid,
      lastArgument,
      mainPid,
      line,
      source,
      seed,
    });
    Object.assign(copy, { loops, sourcing, optionAt, conditions, start, isScript, invocation });
    copy.history = [...this.history];
    copy.folders = [...this.folders];
    copy.limits = { ...this.limits };
    copy.calls = [...this.calls];
    copy.depth = this.depth + 1;
    return copy;
  }

  /** The builtin of a name, unless it is turned off. */
  builtin(name: string): Builtin | undefined {
    return this.disabled.has(name) ? undefined : BUILTINS.get(name);
  }

  /** The changes of the language by options and aliases. */
  get dialect(): Dialect {
    return {
      extglob: this.shopts.has("extglob"),
      aliases: this.shopts.has("expand_aliases") ? this.aliases : NO_ALIASES,
    };
  }

  /** @param number - of the descriptor */
  write(number: number, data: string | Uint8Array): Promise<void> | void {
    return this.descriptors.get(number).write(typeof data === "string" ? encode(data) : data, this.task);
  }
  /** @throws {WriteError} where the standard output takes nothing */
  print(data: string | Uint8Array) {
    try {
      return this.write(1, data);
    } catch (error) {
      throw error instanceof Error ? new WriteError(error.message) : error;
    }
  }
  /** The beginning of messages: in a script, its name and the line. */
  get origin(): string {
    if (!this.isScript && this.sourcing === 0) return "bash";
    return `${this.calls[0]?.source ?? this.source ?? this.zero}: line ${this.line}`;
  }

  /** @param text - an error, without its line end */
  async complain(text: string) {
    try {
      await this.write(2, `${this.origin}: ${text}\n`);
    } catch (error) {
      // Standard error is closed, so there is nowhere to report it.
      if (!(error instanceof Error)) throw error;
    }
  }

  /**
   * Do something with each of a command's operands.
   * @param action - returns what went wrong with it, which is reported before the next one's turn
   * @returns the exit code
   */
  async forEach<T>(operands: T[], action: (operand: T) => Promise<string | null> | string | null): Promise<number> {
    let status = 0;
    for (const operand of operands) {
      const problem = await action(operand);
      if (problem === null) continue;
      await this.complain(problem);
      status = 1;
    }
    return status;
  }

  /** The escapes of `${name@P}` and PS4 (Bash manual, 6.9). */
  prompt(text: string) {
    const home = this.variables.text("HOME") ?? "";
    const folder =
      home && (this.cwd === home || this.cwd.startsWith(`${home}/`)) ? `~${this.cwd.slice(home.length)}` : this.cwd;
    const values: Record<string, string> = {
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
