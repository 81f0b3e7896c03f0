// `$(…)`, `<(…)` and `>(…)` (Bash manual, 3.5.4 and 3.5.6).
import { decode } from "../bytes.js";
import { Capture, RegularFile } from "./open_files.js";
import { openPath } from "./redirections.js";
import { startSubshell } from "./subshells.js";
import { expandText } from "./words.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./shell.js").Node} Node
 */

/** @param {Shell} shell @param {Node[]} statements @returns {Promise<string>} what they print, without the last line ends */
export async function substituteCommand(shell, statements) {
  const file = fileThatIsRead(statements);
  if (file) return textOf(shell, await readFile(shell, await expandText(shell, file)));
  let closed = () => {};
  const end = new Promise((resolve) => (closed = () => resolve(undefined)));
  const capture = new Capture(closed);
  const running = startSubshell(shell, statements, new Map([[1, capture]]), {
    prepare: (copy) => {
      if (!shell.shopts.has("inherit_errexit")) copy.options.delete("errexit");
      copy.conditions = 0;
      copy.loops = 0;
    },
  });
  finish(shell, await running.done);
  // A job that it started may still write.
  if (capture.references > 0) await shell.task.pause(end);
  return textOf(shell, capture.bytes);
}

/** Set the exit code that the next word of the command sees in `$?`, and the command's own if it has no name. @param {Shell} shell @param {number} status */
function finish(shell, status) {
  shell.substitutionStatus = status;
  shell.status = status;
}

/** A string of the shell has no NUL bytes. @param {Shell} shell @param {Uint8Array} bytes @returns {Promise<string>} */
async function textOf(shell, bytes) {
  let text = decode(bytes);
  if (text.includes("\0")) {
    await shell.complain("warning: command substitution: ignored null byte in input");
    text = text.replaceAll("\0", "");
  }
  return text.replace(/\n+$/, "");
}

/** The file of `$(<file)`. @param {Node[]} statements @returns {Node | null} */
function fileThatIsRead(statements) {
  const { name, assignments, redirections } = statements.length === 1 ? (statements[0]?.pipelines?.[0]?.commands[0] ?? {}) : {};
  const reads = name === null && assignments?.length === 0 && redirections?.length === 1 && redirections[0].operator === "<";
  return reads && redirections[0].fd === null ? redirections[0].target : null;
}

/** @param {Shell} shell @param {string} path */
async function readFile(shell, path) {
  const file = openPath(shell, path, "<").retain();
  try {
    finish(shell, 0);
    return await file.readAll(shell.task);
  } finally {
    file.release();
  }
}

// The first of the numbers that bash takes.
const FIRST_NUMBER = 63;

/** @param {Shell} shell @param {Node} part @returns {Promise<string>} the path that stands for the list */
export async function substituteProcess(shell, { body, direction }) {
  const { FS } = shell.files;
  const place = shell.host.chooseNumber(FIRST_NUMBER);
  FS.mkdirTree(shell.files.descriptors);
  const path = `${shell.files.descriptors}/${place}`;
  const file = new RegularFile(FS, FS.open(path, "w+", 0o600));
  if (direction === "input") {
    const running = startSubshell(shell, body.statements, new Map([[1, file]]));
    shell.lastPid = running.task.pid;
    await running.done;
  } else file.retain().release();
  shell.substitutions.push(async () => {
    if (direction === "output") {
      const running = startSubshell(shell, body.statements, new Map([[0, new RegularFile(FS, FS.open(path, "r", 0))]]));
      await running.done;
    }
    FS.unlink(path);
    shell.host.freeNumber(place);
  });
  return `/dev/fd/${place}`;
}
