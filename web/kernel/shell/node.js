// The command `node`, which is loaded on first use (web/kernel/node/).
import { EMPTY, encode } from "../bytes.js";
import { startChild } from "./children.js";
import { TerminalInput } from "./open_files.js";
import { zoneOf } from "./zone.js";

/** @typedef {import("./shell.js").Shell} Shell */

const MODULE = "node_command.mjs";

/** @param {Shell} shell @param {number} count @returns {Promise<Uint8Array>} empty at the end */
async function readInput(shell, count) {
  const file = shell.descriptors.table.get(0);
  if (!file) return EMPTY;
  if (!(file instanceof TerminalInput)) return file.read(count, shell.task);
  const { host, task } = shell;
  if (!host.attended || task.job !== null) return EMPTY;
  host.flush();
  const line = await host.options.ask("", false);
  return line == null ? EMPTY : encode(`${line}\n`);
}

/** @param {Shell} shell @param {string[]} args @returns {Promise<number>} the exit code */
export async function runNode(shell, args) {
  const { host, task, files, cwd, umask, descriptors } = shell;
  const { NodeProgram } = await host.options.importModule(MODULE);
  task.check();
  const env = shell.variables.exported();
  /** @type {(reason: unknown) => void} */
  let fail = () => {};
  const failed = new Promise((resolve, reject) => (void resolve, (fail = reject)));
  const program = new NodeProgram({
    FS: files.FS,
    ...{ args, cwd, umask, env, pid: task.pid, zone: await zoneOf(shell) },
    terminals: [0, 1, 2].map((number) => descriptors.table.get(number)?.isTerminal === true && (number ? host.watched : host.attended)),
    read: (/** @type {number} */ count) => readInput(shell, count),
    write: async (/** @type {number} */ number, /** @type {Uint8Array} */ bytes) => {
      const file = descriptors.table.get(number);
      // A program that prints to no one ends as by SIGPIPE, so that a loop in front of `head` does.
      await new Promise((resolve) => resolve(file?.write(bytes, task))).catch(fail);
    },
    start: (/** @type {any} */ request) => startChild(shell, { origin: task.origin, ...request }),
  });
  /** @type {number | null} */
  let status = null;
  const ended = Promise.race([failed, program.done.then((/** @type {number} */ code) => (status = code))]);
  ended.catch(() => {});
  try {
    while (status === null) await task.pause(ended);
    return status;
  } finally {
    program.stop();
  }
}
