// Programs that a Python program starts (py/gemini/computer/shell/children.py). Each is a separate task, which
// outlives the program that started it and is ended by a signal.
import { importFunctions } from "../language/exported_functions.ts";
import { EMPTY } from "../../bytes.ts";
import { Alarm } from "./alarms.ts";
import { BrokenPipe } from "../control.ts";
import { Bytes, nullDevice, DescriptorFile, Sink, type OpenFile } from "./open_files.ts";
import { createPipe } from "./pipes.ts";
import { evaluator } from "../evaluator.ts";
import { DEFAULT_PATH, findPath, isProgram, isThere, locate, readInterpreter } from "./program_paths.ts";
import type { Shell } from "../shell.ts";
import { SIGNALS, byNumber } from "./signals.ts";
import { startTask, type Running } from "./subshells.ts";
import type { Task } from "./task.ts";

/** where a standard stream comes from or goes to */
interface Source {
  kind: "inherit" | "pipe" | "null" | "file" | "same" | "write" | "end";
  /** of the parent's stream, or of an open file of Emscripten */
  number?: number;
  write?: (bytes: Uint8Array) => void;
  /** of another child's pipe */
  end?: End;
}

export interface ChildRequest {
  /** a path, or a name that is looked for in PATH */
  program: string;
  /** the arguments, the program's name first */
  words: string[];
  cwd: string;
  env: Record<string, string>;
  /** standard input, output and error */
  streams: Source[];
  /** the group that the program leads */
  leads: "" | "group" | "session";
  /** by which Python finds the caller again */
  origin: number;
}

type Refusal = { problem: "missing" | "denied" | "format" };
export type Started = Refusal | Child;

/** The parent's end of a pipe. */
export class End {
  file: OpenFile;
  isOpen = true;

  constructor(file: OpenFile) {
    this.file = file.retain();
  }
  /** @returns undefined if it can be read now */
  readable(): Promise<void> | undefined {
    return this.file.whenReadable();
  }
  take(count: number) {
    return this.file.take(count);
  }
  /** @returns false without a reader */
  push(bytes: Uint8Array): boolean {
    return this.file.push(bytes);
  }
  /** @returns undefined if little is unread */
  writable(): Promise<void> | undefined {
    return this.file.whenWritable();
  }
  close() {
    if (this.isOpen) this.file.release();
    this.isOpen = false;
  }
}

/** Start a program. */
export function startChild(shell: Shell, request: ChildRequest): Started {
  const { program, words, cwd, env, origin } = request;
  const refused = refuse(shell, request);
  if (refused) return { problem: refused };
  const { files, ends } = connect(shell, request.streams);
  const prepare = (copy: Shell) => {
    copy.task.origin = origin;
    if (request.leads) copy.task.lead(request.leads === "session");
    setEnvironment(copy, env, cwd);
    for (const number of [...copy.descriptors.table.keys()]) if (number > 2) copy.descriptors.set(number, null);
  };
  const run = async (copy: Shell) => {
    try {
      copy.status = await evaluator.runLocated(copy, pathOf(copy, program), words.slice(1));
    } catch (error) {
      if (error instanceof BrokenPipe) copy.task.ending = "PIPE";
      throw error;
    }
  };
  const running = startTask(shell, run, files, { background: true, isProgram: true, prepare });
  return new Child(shell, running, ends, files);
}

class Child {
  task: Task;
  pid: number;
  ends: (End | undefined)[];
  /** The end of the time for which its parent waits. */
  #limit: Alarm | null = null;
  /** Its exit code, or the negative number of the signal that ended it. */
  done: Promise<number>;

  constructor(shell: Shell, { task, done }: Running, ends: (End | undefined)[], files: Map<number, OpenFile>) {
    this.task = task;
    this.pid = task.pid;
    this.ends = ends;
    this.done = done.then((status) => {
      shell.host.flush();
      for (const file of files.values()) if (file instanceof Sink) file.receive = null;
      const signal = task.killed ?? task.ending;
      return signal === null ? status : -(SIGNALS[signal] ?? 0);
    });
  }
  limit(milliseconds: number) {
    this.#limit?.cancel();
    this.#limit = milliseconds < Infinity ? new Alarm(this.task, milliseconds) : null;
  }
  /** The number of its process group. */
  get group() {
    return this.task.group;
  }
  isLate() {
    return this.#limit?.isDue ?? false;
  }
  /** @param number - of the signal */
  kill(number: number) {
    const name = byNumber.get(number);
    if (name) this.task.receive(name);
  }
}

/** @returns why it can't be run */
function refuse(shell: Shell, { program, cwd, env }: ChildRequest): "missing" | "denied" | "format" | null {
  const { host, files } = shell;
  // All that a search for a program looks at.
  const view = {
    host,
    files,
    cwd,
    hashed: new Map(),
    variables: { text: () => env.PATH ?? DEFAULT_PATH },
  } as unknown as Shell;
  const path = locate(view, program);
  if (path === null) {
    const there = program.includes("/") ? isThere(view, program) : findPath(view, program);
    return there ? "denied" : "missing";
  }
  if (isProgram(view, path)) return null;
  const { line, known } = readInterpreter(view, path);
  if (line === null) return "format";
  return known ? null : "missing";
}

function pathOf(copy: Shell, program: string) {
  const { table } = copy.variables;
  // Without PATH, execvp looks in the default one.
  if (!table.has("PATH")) table.set("PATH", { value: DEFAULT_PATH });
  return locate(copy, program) ?? program;
}

/** Open the files of a child's standard streams. */
function connect(shell: Shell, sources: Source[]) {
  const files = new Map<number, OpenFile>();
  const ends: (End | undefined)[] = [undefined, undefined, undefined];
  sources.forEach((source, number) => {
    if (source.kind === "pipe") {
      const { reader, writer } = createPipe();
      files.set(number, number === 0 ? reader : writer);
      ends[number] = new End(number === 0 ? writer : reader);
    } else files.set(number, open(shell, source, number, files));
  });
  return { files, ends };
}

function open(shell: Shell, source: Source, number: number, files: Map<number, OpenFile>) {
  const closed = () => (number === 0 ? new Bytes(EMPTY) : nullDevice());
  if (source.kind === "null") return nullDevice();
  if (source.kind === "file") return new DescriptorFile(shell.files.FS, source.number ?? 0);
  if (source.kind === "end") return source.end?.file ?? closed();
  if (source.kind === "write") return new Sink(source.write ?? (() => {}));
  if (source.kind === "same") return files.get(1) ?? closed();
  return shell.descriptors.table.get(source.number ?? number) ?? closed();
}

export function setEnvironment(shell: Shell, env: Record<string, string>, cwd: string) {
  const { table } = shell.variables;
  for (const [name, { exported }] of table) if (exported) table.delete(name);
  for (const [name, { exported }] of shell.functions) if (exported) shell.functions.delete(name);
  importFunctions(shell.functions, env);
  for (const [name, value] of Object.entries(env))
    if (/^[A-Za-z_]\w*$/.test(name) && name !== "_") table.set(name, { value, exported: true });
  Object.assign(shell, { cwd, loops: 0, conditions: 0 });
}
