// A task: what a process is to bash. The terminal's shell is one, and so is each subshell, job and part of a pipeline.
import { Killed } from "../control.ts";
import type { Host } from "./host.ts";
import type { Shell } from "../shell.ts";

// What these do by default doesn't end a task.
export const HARMLESS = new Set(["CHLD", "CONT", "STOP", "TSTP", "URG", "WINCH"]);
let lastPid = 5000;

export class Task {
  /** The job that it belongs to, itself perhaps; null in the foreground. */
  job: Task | null = null;
  children = new Set<Task>();
  /** The number by which Python finds the caller on whose behalf it runs. */
  origin = 0;
  /** Its process group. The terminal's shell has job control: programs it starts have their own groups. */
  group = 0;
  /** The first process of its session. */
  session = 0;
  host: Host;
  pid: number;
  /** the signal that ends it */
  killed: string | null = null;
  /** the signal that ended the shell which it is there for */
  ending: string | null = null;
  /** signals that wait for their traps */
  pending: string[] = [];
  /** one of those, which ends the program that runs in it too */
  programEnding: string | null = null;
  /** the action of the trap that is set in it, "" to ignore the signal */
  actionOf: (signal: string) => string | undefined = () => undefined;
  sleepers = new Set<() => void>();
  /** The program that it runs, with its arguments. */
  words = ["bash"];
  started = Date.now();
  shell: Shell | null = null;
  parent: Task | null;

  /**
   * @param parent - null for the terminal's shell
   * @param background - whether a stop of the terminal's command leaves it alone
   */
  constructor(host: Host, parent: Task | null, background: boolean) {
    this.host = host;
    this.pid = parent ? ++lastPid : 1000 + host.options.number;
    if (background) this.job = this;
    else if (parent) this.job = parent.job;
    this.parent = parent;
    this.group = parent && parent !== host.root ? parent.group : this.pid;
    this.session = parent ? parent.session : this.pid;
    if (parent) this.origin = parent.origin;
    parent?.children.add(this);
    host.tasks.set(this.pid, this);
  }

  /** The program that it runs, as `ps` lists it. */
  get command() {
    return this.words.join(" ");
  }

  /** It is over. Those that it has started and that still run have no parent then, as if init had adopted them. */
  end() {
    this.parent?.children.delete(this);
    for (const child of this.children) child.parent = null;
    this.host.tasks.delete(this.pid);
  }

  /** Become the first of a process group, and of a session. */
  lead(ofSession = false) {
    this.group = this.pid;
    if (ofSession) this.session = this.pid;
  }

  /** Return whether a shell that it runs stands in for it. */
  isRepresented(signal: string) {
    const [child] = this.children;
    return (
      this.actionOf(signal) === undefined &&
      this.children.size === 1 &&
      child?.job === this.job &&
      child?.actionOf(signal) !== undefined
    );
  }

  /** @param isForGroup - whether its process group gets the signal, with the program that it runs */
  receive(signal: string, isForGroup = false): void {
    // As in bash, the trap of CHLD is for processes that end.
    if (signal === "CHLD") return;
    const action = signal === "KILL" ? undefined : this.actionOf(signal);
    if (action === "" || (action === undefined && HARMLESS.has(signal))) return;
    if (action === undefined) {
      // A shell that it runs and that has a trap stands in for it, as after bash's implicit `exec`.
      const [child] = this.children;
      if (signal !== "KILL" && this.children.size === 1 && child?.actionOf(signal) !== undefined)
        child.receive(signal, isForGroup);
      else if (signal === "KILL" || !this.host.options.deliverSignal(this.pid, signal)) this.kill(signal);
      return;
    }
    this.pending.push(signal);
    if (signal === "INT") this.stopForeground();
    if (signal === "INT" || isForGroup) this.endProgram(signal);
    for (const wake of [...this.sleepers]) wake();
  }

  /** End it, and the tasks it waits for. */
  kill(signal: string) {
    this.killed ??= signal;
    for (const child of this.children) if (child.job === this.job) child.kill(signal);
    this.wake();
  }

  /** End the tasks it waits for, but not itself. */
  stopForeground() {
    for (const child of this.children) if (child.job === this.job) child.kill("INT");
  }

  /** End the program that runs in the task, but not the shell that runs it. */
  endProgram(signal: string) {
    this.programEnding = signal;
    this.host.options.cancelCommands(this.pid, signal);
  }

  /** Make the task and its children check for a stop request. */
  wake() {
    this.host.options.cancelCommands(this.pid, this.killed ?? this.job?.killed ?? "INT");
    for (const wake of [...this.sleepers]) wake();
    for (const child of this.children) if (child.job === this.job) child.wake();
  }

  /** @returns the signal that ends it */
  get stopSignal(): string | null {
    if (this.killed !== null) return this.killed;
    if (this.job) return this.job.killed ?? (this.host.closed ? "HUP" : null);
    return this.host.shouldStop() ? "INT" : null;
  }

  /** @throws {Killed} where it should stop */
  check() {
    const signal = this.stopSignal;
    if (signal !== null) throw new Killed(signal);
  }

  /** Wait for `promise`, or until a signal comes. */
  async pause<T>(promise: Promise<T>): Promise<void> {
    this.check();
    this.host.flush();
    let wake: () => void = () => {};
    const woken = new Promise((resolve) => (wake = () => resolve(undefined)));
    this.sleepers.add(wake);
    try {
      await Promise.race([promise, woken]);
    } finally {
      this.sleepers.delete(wake);
    }
    this.check();
  }

  async sleep(milliseconds: number) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const time = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1))));
    await this.pause(time).finally(() => clearTimeout(timer));
  }
}
