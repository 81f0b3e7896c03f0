// The host of a terminal's tasks: its output, its files, the commands of others, and whether to stop.
import type { FileSystem } from "../../emscripten.ts";
import { ShellFiles } from "./files.ts";
import { TerminalInput, TerminalOutput } from "./open_files.ts";
import { isDue, turn } from "./pace.ts";
import { Task } from "./task.ts";
import { concat } from "../../bytes.ts";
import type { End, ChildRequest, Started } from "./children.ts";
import { furnish } from "./stubs.ts";

export interface CommandResult {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number;
}

/** what Python needs to run one of its commands */
export interface Invocation {
  name: string;
  args: string[];
  cwd: string;
  /** the directory that `/dev/fd` is for process substitutions */
  descriptors: string;
  /** the real paths of the descriptors that arguments name */
  places: Record<string, string>;
  umask: number;
  env: Record<string, string>;
  /** whether standard input is the terminal, and someone can answer */
  reads: boolean;
  /** the terminal's streams that its output goes straight to, or 0 */
  live: { stdout: number; stderr: number };
  /** the numbers of the output streams that are the terminal */
  terminals: number[];
  /** of the file that standard input is; null if it is something else */
  stdinSize: number | null;
  /** process id of the task that it belongs to */
  job: number;
  /** of the task */
  origin: number;
}

/** what a running command can call */
export interface Calls {
  stdin: Uint8Array;
  /** of a program that reads while it runs */
  input: End | undefined;
  /** writes to a descriptor; false if nothing reads it */
  print: (stream: number, bytes: Uint8Array) => boolean;
  /** undefined if little of a descriptor's output is unread */
  writable: (stream: number) => Promise<void> | undefined;
  /** starts a program */
  start: (request: ChildRequest) => Started;
  shell: (script: string, cwd: string, env: Record<string, string>) => Promise<CommandResult>;
}

export interface HostOptions {
  /** Emscripten's FS */
  FS: FileSystem;
  workingDir: string;
  env: Record<string, string>;
  /** names of the commands that Python provides */
  commands: string[];
  /** the commands that print while they run */
  liveCommands: string[];
  /**
   * takes an Invocation as JSON, which costs less than an object of JavaScript's in Python; a command that never waits
   * returns its result at once
   */
  runCommand: (invocation: string, calls: Calls) => CommandResult | Promise<CommandResult>;
  /** returns what may help where a command is missing, or "" */
  suggest: (name: string, known: string) => Promise<string>;
  /**
   * returns the origin of a program that git runs for a repository, such as a hook, where git's own task has `origin`
   */
  originUnderGit: (origin: number, directory: string) => number;
  /** takes a value of TZ; returns `{changes, problem}` as JSON (zone.ts) */
  zone: (name: string | undefined) => Promise<string>;
  /** of this session's terminal */
  number: number;
  /** asks the running Python commands of a task to end */
  cancelCommands: (job: number, signal: string) => void;
  /** has the Python program of a task receive a signal; returns false if it has no handler for it */
  deliverSignal: (job: number, signal: string) => boolean;
  /** receives the output */
  write: (stream: 1 | 2, bytes: Uint8Array) => void;
  /** imports a module that is loaded on first use */
  importModule: <Module>(name: string) => Promise<Module>;
  /** has the user at the terminal type a line */
  ask: (prompt: string, hidden: boolean) => Promise<string | null>;
}

// How many statements run before the clock is looked at.
const STATEMENTS = 16;
const MOST_BUFFERED = 1 << 14;

export class Host {
  options: HostOptions;
  files: ShellFiles;
  python: Set<string>;
  input: TerminalInput;
  outputs: { 1: TerminalOutput; 2: TerminalOutput };
  closed = false;
  /** The tasks that run, by process id. */
  tasks = new Map<number, Task>();
  /** True if a user at the terminal can answer `read`. */
  attended = false;
  /** True if a user sees the output, and not a program. */
  watched = false;
  history: string[] = [];
  /** The terminal's shell. */
  root: Task;
  buffered: Uint8Array[] = [];
  bufferedSize = 0;
  bufferedStream: 1 | 2 = 1;
  count = 0;
  numbers = new Set<number>();

  constructor(options: HostOptions) {
    this.options = options;
    this.files = new ShellFiles(options.FS);
    this.python = new Set(options.commands);
    furnish(this);
    this.input = new TerminalInput().retain();
    const print = (stream: 1 | 2, bytes: Uint8Array) => this.print(stream, bytes);
    this.outputs = { 1: new TerminalOutput(1, print).retain(), 2: new TerminalOutput(2, print).retain() };
    this.root = new Task(this, null, false);
  }

  /** Return whether the foreground must end. */
  shouldStop() {
    return this.closed;
  }

  terminal(direction: 0 | 1) {
    return direction ? this.outputs[1] : this.input;
  }

  /** Output is collected until something waits: a call of Python costs more than a line. */
  print(stream: 1 | 2, bytes: Uint8Array) {
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

  /** Stop where that is wanted, and give the event loop its turn now and then. */
  async breathe(task: Task) {
    task.check();
    if (!isDue()) return;
    this.flush();
    await turn();
    task.check();
  }

  /** A number for a process substitution. */
  chooseNumber(first: number) {
    let number = first;
    while (this.numbers.has(number)) number--;
    this.numbers.add(number);
    return number;
  }
  freeNumber(number: number) {
    this.numbers.delete(number);
  }
}
