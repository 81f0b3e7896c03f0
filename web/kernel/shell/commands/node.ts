// The command `node`, which is loaded on first use (web/kernel/node/).
import { EMPTY, encode } from "../../bytes.ts";
import { startChild, type ChildRequest } from "../execution/children.ts";
import { TerminalInput } from "../execution/open_files.ts";
import type { Shell } from "../shell.ts";
import { zoneOf } from "./zone.ts";

const MODULE = "node_command.mjs";

interface NodeModule {
  NodeProgram: new (surroundings: object) => { done: Promise<number>; stop(): void };
}

/** @returns empty at the end */
async function readInput(shell: Shell, count: number): Promise<Uint8Array> {
  const file = shell.descriptors.table.get(0);
  if (!file) return EMPTY;
  if (!(file instanceof TerminalInput)) return file.read(count, shell.task);
  const { host, task } = shell;
  if (!host.attended || task.job !== null) return EMPTY;
  host.flush();
  const line = await host.options.ask("", false);
  return line == null ? EMPTY : encode(`${line}\n`);
}

/** @returns the exit code */
export async function runNode(shell: Shell, args: string[]): Promise<number> {
  const { host, task, files, cwd, umask, descriptors } = shell;
  const { NodeProgram } = await host.options.importModule<NodeModule>(MODULE);
  task.check();
  const env = shell.variables.exported();
  let fail: (reason: unknown) => void = () => {};
  const failed = new Promise((resolve, reject) => (void resolve, (fail = reject)));
  const program = new NodeProgram({
    FS: files.FS,
    ...{ args, cwd, umask, env, pid: task.pid, zone: await zoneOf(shell) },
    terminals: [0, 1, 2].map(
      (number) => descriptors.table.get(number)?.isTerminal === true && (number ? host.watched : host.attended),
    ),
    read: (count: number) => readInput(shell, count),
    write: async (number: number, bytes: Uint8Array) => {
      const file = descriptors.table.get(number);
      // A program that prints to no one ends as by SIGPIPE, so that a loop in front of `head` does.
      await new Promise((resolve) => resolve(file?.write(bytes, task))).catch(fail);
    },
    start: (request: Omit<ChildRequest, "origin">) => startChild(shell, { origin: task.origin, ...request }),
  });
  let status: number | null = null;
  const ended = Promise.race([failed, program.done.then((code: number) => (status = code))]);
  ended.catch(() => {});
  try {
    while (status === null) await task.pause(ended);
    return status;
  } finally {
    program.stop();
  }
}
