// One terminal's shell: a bash whose variables, functions, aliases, options, traps and working directory last.
import type { Interrupts } from "../interrupts.ts";
import { ringFor } from "./execution/alarms.ts";
import { startChild, type ChildRequest } from "./execution/children.ts";
import { BUILTINS, KEYWORDS } from "./execution/builtin_table.ts";
import "./commands/builtins.ts";
import "./commands/utilities.ts";
import { Killed } from "./control.ts";
import { setEvaluator } from "./evaluator.ts";
import { REST, runCommand, runList, runReading } from "./execution/execution.ts";
import { Host, type HostOptions } from "./execution/host.ts";
import { reportEnded } from "./execution/jobs.ts";
import { startTurn } from "./execution/pace.ts";
import { runText } from "./execution/run_text.ts";
import { finishRestoring, restoreState, saveState, stateValues } from "./saved_state.ts";
import { programNames } from "./execution/program_paths.ts";
import { runLocated, runProgram } from "./commands/programs.ts";
import { exitOfSignal } from "./execution/signals.ts";
import { Shell } from "./shell.ts";
import { runExitTrap, statusOf } from "./execution/subshells.ts";
import { substituteCommand, substituteProcess } from "./execution/substitutions.ts";
import { areSignalsThere, deliverSignals } from "./execution/traps.ts";
import { HARMLESS } from "./execution/task.ts";

setEvaluator({ runList, runCommand, runText, runProgram, runLocated, substituteCommand, substituteProcess });

interface Interruptible {
  /** the page's requests to stop */
  interrupts: Interrupts | null;
}

interface Restorable {
  /** what `saved` of an earlier session returned */
  state?: string | null;
  /** a pattern of the names of variables that are never saved */
  secretNames: string;
}

export type SessionOptions = HostOptions & Interruptible & Restorable;
type Finished = { exitCode: number; workingDir: string; ended: "done" | "exited" | "interrupted" | "timed_out" };

/** The sessions that run a command. */
export const running = new Set<Session>();

// How long a trap of INT may take to begin before the command is ended all the same.
const PATIENCE_MS = 2000;
const PERSON_ALIASES = ["ls", "grep", "egrep", "fgrep", "diff"].map((name) => [name, `${name} --color=auto`] as const);

export class Session extends Host {
  interrupts: Interrupts | null;
  shell: Shell;
  secretNames: RegExp;
  /** The state that `saved` returned last, as values to compare. */
  #saved: unknown[] = [];
  unfinished: string;
  isRunning = false;
  stopped = false;
  /** The signal that stops what runs. */
  endedBy = "INT";
  deadline = Infinity;
  request = 0;
  /** that only a user's commands have */
  personAliases = new Map(PERSON_ALIASES);
  impatience: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SessionOptions) {
    super(options);
    this.interrupts = options.interrupts;
    this.shell = this.createShell(options.workingDir);
    this.secretNames = new RegExp(options.secretNames, "i");
    this.unfinished = options.state ? restoreState(this.shell, options.state) : "";
  }

  createShell(cwd: string) {
    const shell = new Shell(this, this.root);
    shell.cwd = cwd;
    shell.initialize(this.options.env);
    shell.descriptors.set(0, this.input);
    shell.descriptors.set(1, this.outputs[1]);
    shell.descriptors.set(2, this.outputs[2]);
    return shell;
  }

  /**
   * Run a piece of shell script; only one runs at a time.
   * @param timeoutMs - Infinity for none
   * @param request - of the page that this is for, or 0
   * @param attended - whether there is a user who can be asked
   * @param origin - by which Python finds the caller again
   * @param watched - whether a user sees the output
   */
  async run(
    script: string,
    timeoutMs: number,
    request: number,
    attended: boolean,
    origin = 0,
    watched = false,
  ): Promise<Finished> {
    if (this.isRunning) throw new Error("the session runs a command already");
    Object.assign(this, { isRunning: true, stopped: false, endedBy: "INT", request, attended, watched });
    startTurn();
    running.add(this);
    this.deadline = performance.now() + timeoutMs;
    this.root.origin = origin;
    const timer = timeoutMs < 2 ** 31 ? setTimeout(() => this.stop(), timeoutMs) : undefined;
    this.history.push(script);
    const { shell } = this;
    if (watched) this.lendAliases();
    try {
      return await this.execute(script);
    } finally {
      if (watched) this.takeAliases(shell);
      clearTimeout(timer);
      clearTimeout(this.impatience);
      this.flush();
      // One interrupt ends one command.
      this.interrupts?.endInterrupt(this.options.number);
      this.deadline = Infinity;
      this.isRunning = false;
      running.delete(this);
    }
  }

  /** A user has the aliases of Debian's terminals; an agent's commands and scripts have none of them. */
  lendAliases() {
    const { aliases } = this.shell;
    for (const [name, value] of this.personAliases) if (!aliases.has(name)) aliases.set(name, value);
  }

  /** Those that the user has removed or defined in another way don't come back before the next shell. */
  takeAliases(shell: Shell) {
    const { aliases } = shell;
    if (shell !== this.shell) this.personAliases = new Map(PERSON_ALIASES);
    else
      for (const [name, value] of this.personAliases)
        if (aliases.get(name) === value) aliases.delete(name);
        else this.personAliases.delete(name);
  }

  async execute(script: string): Promise<Finished> {
    const { shell } = this;
    if (this.unfinished) await finishRestoring(shell, this.unfinished);
    this.unfinished = "";
    try {
      const problem = await runReading(shell, script);
      if (areSignalsThere(shell)) await deliverSignals(shell);
      if (problem !== null) {
        await shell.complain(problem.message);
        shell.status = problem.status ?? shell.status;
      }
      if (this.watched) await reportEnded(shell);
      return this.finished(shell.status, "done");
    } catch (error) {
      return await this.leave(error);
    }
  }

  /** The shell ends, by `exit` or an error, or its command is stopped. */
  async leave(error: unknown): Promise<Finished> {
    const { shell } = this;
    if (error instanceof Killed && (this.shouldStop() || error.signal === "INT")) {
      const status = exitOfSignal(this.endedBy);
      Object.assign(shell, { status, ...REST });
      shell.task.pending.length = 0;
      shell.task.programEnding = null;
      shell.task.killed = null;
      return this.finished(status, performance.now() >= this.deadline ? "timed_out" : "interrupted");
    }
    shell.status = await statusOf(shell, error);
    await runExitTrap(shell);
    const { status, cwd } = shell;
    shell.descriptors.closeAll();
    shell.task.killed = null;
    this.shell = this.createShell(cwd);
    return this.finished(status, this.shouldStop() ? "interrupted" : "exited");
  }

  /** Return, as JSON, what completion offers: the names of commands and the variables with their values. */
  names(): string {
    const { shell } = this;
    const { functions, aliases, variables } = shell;
    const commands = [
      ...new Set([...KEYWORDS, ...BUILTINS.keys(), ...functions.keys(), ...aliases.keys(), ...programNames(this)]),
    ];
    const texts = Object.fromEntries(variables.names().map((name) => [name, variables.text(name) ?? ""]));
    return JSON.stringify({ commands, variables: texts });
  }

  finished(exitCode: number, ended: Finished["ended"]): Finished {
    return { exitCode, workingDir: this.shell.cwd, ended };
  }

  /** Start a program for code that no command of this terminal runs. */
  start(request: ChildRequest) {
    return startChild(this.shell, request);
  }

  /** Return the name of the signal that ends a program because a time limit has come, or "" where none has. */
  dueSignal(pid: number): string {
    const task = this.tasks.get(pid);
    return task && ringFor(task) ? (task.killed ?? task.job?.killed ?? "") : "";
  }

  /** The origins of the tasks that run. */
  origins() {
    return [...this.tasks.values()].map(({ origin }) => origin);
  }

  /** Return, as JSON, what a new session needs to begin where this one is; undefined if it is as it was. */
  saved(): string | undefined {
    const values = stateValues(this.shell);
    const before = this.#saved;
    if (values.length === before.length && values.every((value, index) => value === before[index])) return undefined;
    this.#saved = values;
    return saveState(this.shell, this.secretNames);
  }

  /** Return whether the page asked in shared memory that the command end. A trap of INT handles an interrupt instead. */
  takeInterrupt() {
    const { interrupts } = this;
    const { number } = this.options;
    if (!interrupts?.pending) return false;
    if (interrupts.isRequestCancelled(this.request)) return true;
    if (interrupts.isTerminalInterrupted(number)) {
      if (!this.trapsInterrupt()) return true;
      interrupts.endInterrupt(number);
      return false;
    }
    interrupts.noteElsewhere();
    return false;
  }

  shouldStop() {
    return this.stopped || this.closed || performance.now() > this.deadline || this.takeInterrupt();
  }

  /** Leave the interrupt to the script's own trap, if it has one. */
  trapsInterrupt(): boolean {
    const { task, traps } = this.shell;
    if (this.closed || traps.actions.get("INT") === undefined || task.pending.includes("INT")) return false;
    task.receive("INT");
    this.impatience = setTimeout(() => task.pending.includes("INT") && this.stop(), PATIENCE_MS);
    return true;
  }

  /** End the running command, or have its trap of INT run. */
  interrupt() {
    if (this.isRunning && !this.trapsInterrupt()) this.stop();
  }

  /**
   * Receive a signal from another terminal. Like an interactive bash, a shell that waits for its next command ignores most; one that
   * runs a program has the signal end that, because both have one process id.
   */
  signal(signal: string) {
    const { task } = this.shell;
    if (signal === "KILL" || signal === "HUP") {
      if (this.isRunning) task.receive(signal);
      else void this.leave(new Killed(signal));
    } else if (task.actionOf(signal) !== undefined || HARMLESS.has(signal)) task.receive(signal);
    else if (this.isRunning && !this.options.deliverSignal(task.pid, signal)) {
      this.endedBy = signal;
      this.stop();
    }
  }

  stop() {
    if (!this.isRunning) return;
    this.stopped = true;
    this.root.wake();
  }

  /** End the session and its jobs. */
  close() {
    this.flush();
    this.closed = true;
    for (const task of this.tasks.values()) task.kill("HUP");
  }
}
