// The host of a terminal's tasks: its output, its files, the commands of others, and whether to stop.
import { ShellFiles } from "./files.js";
import { TerminalInput, TerminalOutput } from "./open_files.js";
import { heldFor, isDue, turn } from "./pace.js";
import { Task } from "./task.js";
import { concat } from "../bytes.js";
import { furnish } from "./stubs.js";

/**
 * @typedef {object} CommandResult
 * @property {Uint8Array} stdout
 * @property {Uint8Array} stderr
 * @property {number} exitCode
 *
 * @typedef {object} Invocation what Python needs to run one of its commands
 * @property {string} name
 * @property {string[]} args
 * @property {string} cwd
 * @property {string} descriptors the directory that `/dev/fd` is for process substitutions
 * @property {Record<string, string>} places the real paths of the descriptors that arguments name
 * @property {number} umask
 * @property {Record<string, string>} env
 * @property {boolean} reads whether standard input is the terminal, and someone can answer
 * @property {{ stdout: number, stderr: number }} live the terminal's streams that its output goes straight to, or 0
 * @property {number | null} stdinSize of the file that standard input is; null if it is something else
 * @property {number} job process id of the task that it belongs to
 * @property {number} origin of the task
 *
 * @typedef {object} Calls what a running command can call
 * @property {Uint8Array} stdin
 * @property {import("./children.js").End | undefined} input of a program that reads while it runs
 * @property {(stream: number, bytes: Uint8Array) => boolean} print writes to a descriptor; false if nothing reads it
 * @property {(stream: number) => Promise<void> | undefined} writable undefined if little of a descriptor's output is unread
 * @property {(request: import("./children.js").ChildRequest) => import("./children.js").Started} start starts a program
 * @property {(script: string, cwd: string, env: Record<string, string>) => Promise<CommandResult>} shell
 *
 * @typedef {object} HostOptions
 * @property {any} FS Emscripten's FS
 * @property {string} workingDir
 * @property {Record<string, string>} env
 * @property {string[]} commands names of the commands that Python provides
 * @property {string[]} liveCommands those of them that print while they run
 * @property {(invocation: string, calls: Calls) => CommandResult | Promise<CommandResult>} runCommand takes an Invocation as JSON,
 *   which costs less than an object of JavaScript's in Python; a command that never waits returns its result at once
 * @property {(name: string, known: string) => Promise<string>} suggest returns what may help where a command is missing, or ""
 * @property {(origin: number, directory: string) => number} originUnderGit returns the origin of a program that git runs for a repository,
 *   such as a hook, where git's own task has `origin`
 * @property {(name: string | undefined) => Promise<string>} zone takes a value of TZ; returns `{changes, problem}` as JSON (zone.js)
 * @property {number} number of this session's terminal
 * @property {(job: number, signal: string) => void} cancelCommands asks the running Python commands of a task to end
 * @property {(stream: 1 | 2, bytes: Uint8Array) => void} write receives what is printed
 * @property {(name: string) => Promise<any>} importModule imports a module that is loaded on first use
 * @property {(prompt: string, hidden: boolean) => Promise<string | null>} ask has the person at the terminal type a line
 */

// How many statements run before the clock is looked at.
const STATEMENTS = 16;
// A job that has run for so long without a pause ends with the command in the foreground.
const MOST_HELD_MS = 1000;
const MOST_BUFFERED = 1 << 14;

export class Host {
  /** @param {HostOptions} options */
  constructor(options) {
    this.options = options;
    this.files = new ShellFiles(options.FS);
    this.python = new Set(options.commands);
    furnish(this);
    this.input = new TerminalInput().retain();
    const print = (/** @type {1 | 2} */ stream, /** @type {Uint8Array} */ bytes) => this.print(stream, bytes);
    this.outputs = { 1: new TerminalOutput(1, print).retain(), 2: new TerminalOutput(2, print).retain() };
    this.closed = false;
    /** The tasks that run, by process id. @type {Map<number, Task>} */
    this.tasks = new Map();
    /** True if a user at the terminal can answer `read`. */
    this.attended = false;
    /** True if a person sees the output, and not a program. */
    this.watched = false;
    /** @type {string[]} */
    this.history = [];
    /** The terminal's shell. */
    this.root = new Task(/** @type {any} */ (this), null, false);
    /** @type {Uint8Array[]} */
    this.buffered = [];
    this.bufferedSize = 0;
    /** @type {1 | 2} */
    this.bufferedStream = 1;
    this.count = 0;
    /** @type {Set<number>} */
    this.numbers = new Set();
  }

  /** Return whether the foreground must end. */
  shouldStop() {
    return this.closed;
  }

  /** Return whether a job that lets nothing else run must end, because something is to be stopped and can't be. */
  isHeldUp() {
    return heldFor() > MOST_HELD_MS && this.isStopWanted();
  }

  /** Return whether anything of the terminal or the page is to be stopped. */
  isStopWanted() {
    return this.shouldStop();
  }

  /** @param {0 | 1} direction */
  terminal(direction) {
    return direction ? this.outputs[1] : this.input;
  }

  /** Output is collected until something waits: a call of Python costs more than a line. @param {1 | 2} stream @param {Uint8Array} bytes */
  print(stream, bytes) {
    if (stream !== this.bufferedStream) this.flush();
    this.bufferedStream = stream;
    this.buffered.push(bytes);
    this.bufferedSize += bytes.length;
    if (this.bufferedSize > MOST_BUFFERED) this.flush();
    else if (this.buffered.length === 1) setTimeout(() => this.flush());
  }

  flush() {
    if (this.buffered.length === 0) return;
    const bytes = concat(this.buffered);
    this.buffered = [];
    this.bufferedSize = 0;
    // Nothing takes the output of a job whose terminal is closed.
    if (bytes.length && !this.closed) this.options.write(this.bufferedStream, bytes);
  }

  /** Return whether it is time to look at the clock. */
  isDue() {
    return ++this.count % STATEMENTS === 0;
  }

  /** Stop where that is wanted, and give the event loop its turn now and then. @param {Task} task */
  async breathe(task) {
    task.check();
    if (!isDue()) return;
    this.flush();
    await turn();
    task.check();
  }

  /** A number for a process substitution. @param {number} first */
  chooseNumber(first) {
    let number = first;
    while (this.numbers.has(number)) number--;
    this.numbers.add(number);
    return number;
  }
  /** @param {number} number */
  freeNumber(number) {
    this.numbers.delete(number);
  }
}
