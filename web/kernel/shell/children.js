// Programs that a Python program starts (py/gemini/shell/children.py). Each is a task of its own, which outlives the
// program that started it and is ended by a signal.
import { importFunctions } from "./exported_functions.js";
import { EMPTY } from "../bytes.js";
import { BrokenPipe } from "./control.js";
import { Bytes, DEVICES, DescriptorFile, Sink, createPipe } from "./open_files.js";
import { findPath, isProgram, locate, readInterpreter, runLocated } from "./programs.js";
import { SIGNALS, byNumber } from "./signals.js";
import { startTask } from "./subshells.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./open_files.js").OpenFile} OpenFile
 *
 * @typedef {object} Source where a standard stream comes from or goes to
 * @property {"inherit" | "pipe" | "null" | "file" | "same" | "write" | "end"} kind
 * @property {number} [number] of the parent's stream, or of an open file of Emscripten
 * @property {(bytes: Uint8Array) => void} [write]
 * @property {End} [end] of another child's pipe
 *
 * @typedef {object} ChildRequest
 * @property {string} program a path, or a name that is looked for in PATH
 * @property {string[]} words the arguments, the program's name first
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {Source[]} streams standard input, output and error
 * @property {"" | "group" | "session"} leads what the program is the first of
 * @property {number} origin by which Python finds the caller again
 *
 * @typedef {{ problem: "missing" | "denied" | "format" }} Refusal
 * @typedef {Refusal | Child} Started
 */

const DEFAULT_PATH = "/bin:/usr/bin";

/** The parent's end of a pipe. */
export class End {
  /** @param {OpenFile} file */
  constructor(file) {
    this.file = file.retain();
    this.isOpen = true;
  }
  /** @returns {Promise<void> | undefined} undefined if it can be read now */
  readable() {
    return this.file.whenReadable();
  }
  /** @param {number} count */
  take(count) {
    return this.file.take(count);
  }
  /** @param {Uint8Array} bytes @returns {boolean} false without a reader */
  push(bytes) {
    return this.file.push(bytes);
  }
  /** @returns {Promise<void> | undefined} undefined if little is unread */
  writable() {
    return this.file.whenWritable();
  }
  close() {
    if (this.isOpen) this.file.release();
    this.isOpen = false;
  }
}

/**
 * Start a program.
 * @param {Shell} shell @param {ChildRequest} request
 * @returns {Started}
 */
export function startChild(shell, request) {
  const { program, words, cwd, env, origin } = request;
  const refused = refuse(shell, request);
  if (refused) return { problem: refused };
  const { files, ends } = connect(shell, request.streams);
  const prepare = (/** @type {Shell} */ copy) => {
    copy.task.origin = origin;
    if (request.leads) copy.task.lead(request.leads === "session");
    setEnvironment(copy, env, cwd);
    for (const number of [...copy.descriptors.table.keys()]) if (number > 2) copy.descriptors.set(number, null);
  };
  const run = async (/** @type {Shell} */ copy) => {
    try {
      copy.status = await runLocated(copy, pathOf(copy, program), words.slice(1));
    } catch (error) {
      if (error instanceof BrokenPipe) copy.task.ending = "PIPE";
      throw error;
    }
  };
  const running = startTask(shell, run, files, { background: true, prepare });
  return new Child(shell, running, ends, files);
}

/** Those with a time limit. @type {Set<Child>} */
const limited = new Set();

/** Return whether the time of a child is over, whose Python code may run without a pause. */
export const isSomeChildLate = () => limited.size > 0 && [...limited].some((child) => child.isLate());

class Child {
  /** @param {Shell} shell @param {import("./subshells.js").Running} running @param {(End | undefined)[]} ends @param {Map<number, OpenFile>} files */
  constructor(shell, { task, done }, ends, files) {
    this.task = task;
    this.pid = task.pid;
    this.ends = ends;
    this.deadline = Infinity;
    /** Its exit code, or the negative number of the signal that ended it. @type {Promise<number>} */
    this.done = done.then((status) => {
      shell.host.flush();
      for (const file of files.values()) if (file instanceof Sink) file.receive = null;
      const signal = task.killed ?? task.ending;
      return signal === null ? status : -(SIGNALS[signal] ?? 0);
    });
  }
  /** @param {number} milliseconds */
  limit(milliseconds) {
    this.deadline = performance.now() + milliseconds;
    if (milliseconds < Infinity) limited.add(this);
    else limited.delete(this);
  }
  /** The number of its process group. */
  get group() {
    return this.task.group;
  }
  isLate() {
    return performance.now() > this.deadline;
  }
  /** @param {number} number of the signal */
  kill(number) {
    const name = byNumber.get(number);
    if (name) this.task.receive(name);
  }
}

/** @param {Shell} shell @param {ChildRequest} request @returns {"missing" | "denied" | "format" | null} why it can't be run */
function refuse(shell, { program, cwd, env }) {
  const { host, files } = shell;
  // All that a search for a program looks at.
  const view = /** @type {any} */ ({ host, files, cwd, hashed: new Map(), variables: { text: () => env.PATH ?? DEFAULT_PATH } });
  const path = locate(view, program);
  if (path === null) {
    const there = program.includes("/") ? files.FS.analyzePath(files.resolvePath(cwd, program)).exists : findPath(view, program, false);
    return there ? "denied" : "missing";
  }
  if (isProgram(view, path)) return null;
  const { line, known } = readInterpreter(view, path);
  if (line === null) return "format";
  return known ? null : "missing";
}

/** @param {Shell} copy @param {string} program */
function pathOf(copy, program) {
  const { table } = copy.variables;
  // Without PATH, execvp looks in the default one.
  if (!table.has("PATH")) table.set("PATH", { value: DEFAULT_PATH });
  return locate(copy, program) ?? program;
}

/** Open the files of a child's standard streams. @param {Shell} shell @param {Source[]} sources */
function connect(shell, sources) {
  /** @type {Map<number, OpenFile>} */
  const files = new Map();
  /** @type {(End | undefined)[]} */
  const ends = [undefined, undefined, undefined];
  sources.forEach((source, number) => {
    if (source.kind === "pipe") {
      const { reader, writer } = createPipe();
      files.set(number, number === 0 ? reader : writer);
      ends[number] = new End(number === 0 ? writer : reader);
    } else files.set(number, open(shell, source, number, files));
  });
  return { files, ends };
}

/** @param {Shell} shell @param {Source} source @param {number} number @param {Map<number, OpenFile>} files */
function open(shell, source, number, files) {
  const closed = () => (number === 0 ? new Bytes(EMPTY) : /** @type {() => OpenFile} */ (DEVICES["/dev/null"])());
  if (source.kind === "null") return /** @type {() => OpenFile} */ (DEVICES["/dev/null"])();
  if (source.kind === "file") return new DescriptorFile(shell.files.FS, source.number ?? 0);
  if (source.kind === "end") return source.end?.file ?? closed();
  if (source.kind === "write") return new Sink(source.write ?? (() => {}));
  if (source.kind === "same") return files.get(1) ?? closed();
  return shell.descriptors.table.get(source.number ?? number) ?? closed();
}

/** @param {Shell} shell @param {Record<string, string>} env @param {string} cwd */
export function setEnvironment(shell, env, cwd) {
  const { table } = shell.variables;
  for (const [name, { exported }] of table) if (exported) table.delete(name);
  for (const [name, { exported }] of shell.functions) if (exported) shell.functions.delete(name);
  importFunctions(shell.functions, env);
  for (const [name, value] of Object.entries(env)) if (/^[A-Za-z_]\w*$/.test(name) && name !== "_") table.set(name, { value, exported: true });
  Object.assign(shell, { cwd, loops: 0, conditions: 0 });
}
