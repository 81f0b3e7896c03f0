// Programs that are written in Python, and the scripts that programs run through the shell.
import { EMPTY } from "../../bytes.ts";
import { End, setEnvironment, startChild } from "../execution/children.ts";
import type { Calls, CommandResult, Invocation } from "../execution/host.ts";
import { Bytes, Capture, RegularFile, TerminalInput, type OpenFile } from "../execution/open_files.ts";
import { rejoined } from "../language/quoting.ts";
import { runText } from "../execution/run_text.ts";
import type { Shell } from "../shell.ts";
import { startTask } from "../execution/subshells.ts";

/**
 * Run a program in Python.
 * @param input - that it reads while it runs
 */
export async function runPython(
  shell: Shell,
  name: string,
  args: string[],
  stdin: Uint8Array,
  input: OpenFile | null,
): Promise<CommandResult> {
  const { host, task, descriptors } = shell;
  const live = host.options.liveCommands.includes(name);
  const stream = (number: number) => (live ? (descriptors.table.get(number)?.stream ?? 0) : 0);
  host.flush();
  // Python would see null as an object.
  const end = input ? new End(input) : undefined;
  const invocation: Invocation = {
    name,
    args: args.map(rejoined),
    origin: task.origin,
    cwd: shell.cwd,
    descriptors: shell.files.descriptors,
    places: shell.files.places,
    umask: shell.umask,
    env: shell.variables.exported(),
    reads: host.attended && task.job === null && descriptors.table.get(0) instanceof TerminalInput,
    live: { stdout: stream(1), stderr: stream(2) },
    terminals: [1, 2].filter((number) => descriptors.table.get(number)?.isTerminal === true),
    stdinSize: sizeOf(shell, descriptors.table.get(0)),
    job: task.pid,
  };
  const calls: Calls = {
    stdin,
    input: end,
    print: (number, bytes) => descriptors.table.get(number)?.push(bytes.slice()) ?? false,
    writable: (number) => descriptors.table.get(number)?.whenWritable(),
    start: (request) => startChild(shell, request),
    shell: (script, cwd, env) => runForCommand(shell, script, cwd, env),
  };
  let done;
  try {
    const running = host.options.runCommand(JSON.stringify(invocation), calls);
    done = "exitCode" in running ? running : await running;
  } finally {
    end?.close();
  }
  return { stdout: done.stdout.slice(), stderr: done.stderr.slice(), exitCode: done.exitCode };
}

/** The size of the file that a descriptor refers to; null if it is something else. */
function sizeOf({ files }: Shell, file: OpenFile | undefined) {
  if (!(file instanceof RegularFile)) return null;
  const { node } = file.file;
  return node && files.FS.isFile(node.mode) ? node.node_ops.getattr(node).size : null;
}

/**
 * Run a script for a command, such as `xargs`.
 * @param origin - by which Python finds the caller that asks for the script's packages
 */
export async function runForCommand(
  shell: Shell,
  script: string,
  cwd: string,
  env: Record<string, string>,
  origin: number = shell.task.origin,
): Promise<CommandResult> {
  const [stdout, stderr] = [new Capture(), new Capture()];
  const files = new Map<number, OpenFile>([new Bytes(EMPTY), stdout, stderr].entries());
  const run = async (copy: Shell) => void (copy.status = await runText(copy, script, "-c"));
  const prepare = (copy: Shell) => {
    setEnvironment(copy, env, cwd);
    copy.task.origin = origin;
  };
  const running = startTask(shell, run, files, { prepare });
  const exitCode = await running.done;
  return { stdout: stdout.bytes, stderr: stderr.bytes, exitCode };
}
