// `bash` and `sh`: a script or a `-c` in a shell of its own.
import { decode } from "./bytes.js";
import { CommandError } from "./control.js";
import { openFileAt } from "./descriptor_paths.js";
import { setOption } from "./options.js";
import { Shell } from "./shell.js";
import { runText } from "./builtins.js";
import { readText } from "./redirections.js";
import { runToEnd } from "./subshells.js";
import { Task } from "./task.js";

/**
 * @typedef {object} Request a command line, understood
 * @property {[string, boolean][]} options
 * @property {[string, boolean][]} shopts
 * @property {boolean} inText `-c`: the first operand is the script
 * @property {boolean} fromInput `-s`
 * @property {string[]} operands
 */

const VERSION = "GNU bash, version 5.2.15(1)-release (wasm32-unknown-emscripten)\n";
// They make no difference to a shell that isn't interactive.
const WITHOUT_EFFECT = new Set(["--norc", "--noprofile", "--login", "--posix", "--noediting", "-l", "-i"]);
/** @type {Record<string, string>} */
const LETTERS = {
  ...{ a: "allexport", C: "noclobber", e: "errexit", E: "errtrace", f: "noglob" },
  ...{ n: "noexec", T: "functrace", u: "nounset", v: "verbose", x: "xtrace" },
};

/** @param {string[]} args @returns {Request} */
function understand(args) {
  /** @type {Request} */
  const request = { options: [], shopts: [], inText: false, fromInput: false, operands: [] };
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (WITHOUT_EFFECT.has(word)) continue;
    if (word === "--" || word === "-") {
      at++;
      break;
    }
    if (!/^[-+][a-zA-Z]+$/.test(word)) break;
    const on = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter === "c") request.inText = true;
      else if (letter === "s") request.fromInput = true;
      else if (letter === "o") request.options.push([args[++at] ?? "", on]);
      else if (letter === "O") request.shopts.push([args[++at] ?? "", on]);
      else if (LETTERS[letter]) request.options.push([LETTERS[letter] ?? "", on]);
    }
  }
  request.operands = args.slice(at);
  return request;
}

/** @param {Shell} shell @param {string} path @returns {Promise<string>} */
async function readScript(shell, path) {
  const { files } = shell;
  const whole = files.place(files.resolvePath(shell.cwd, path));
  if (openFileAt(shell, path) === null) {
    if (!files.FS.analyzePath(whole).exists) throw new CommandError(`bash: ${path}: No such file or directory`, 127);
    if (files.FS.isDir(files.FS.stat(whole).mode)) throw new CommandError(`bash: ${path}: Is a directory`, 126);
  }
  return readText(shell, path);
}

/** @param {string} name @returns {(shell: Shell, args: string[]) => Promise<number>} */
export const shellCommand = (name) => async (shell, args) => {
  if (args[0] === "--version") {
    await shell.print(VERSION);
    return 0;
  }
  const request = understand(args);
  const { operands } = request;
  if (request.inText) {
    const [text = "", zero = name, ...positional] = operands;
    return start(shell, text, { zero, positional, request, source: null });
  }
  if (request.fromInput || operands.length === 0) {
    const input = await shell.descriptors.get(0).readAll(shell.task);
    return start(shell, decode(input), { zero: name, positional: operands, request, source: null });
  }
  const [path = "", ...positional] = operands;
  return start(shell, await readScript(shell, path), { zero: path, positional, request, source: path });
};

/** @param {Shell} shell @param {string} text @param {string} path @param {string[]} positional @param {string[]} options of its first line */
export const runScript = (shell, text, path, positional, options) =>
  start(shell, text, { zero: path, positional, request: understand(options), source: path });

/**
 * @param {Shell} shell @param {string} text
 * @param {{ zero: string, positional: string[], request: Request, source: string | null }} how
 */
async function start(shell, text, { zero, positional, request, source }) {
  const task = new Task(shell.host, shell.task, false);
  const inner = new Shell(shell.host, task);
  inner.descriptors = shell.descriptors.fork();
  Object.assign(inner, { isScript: true, zero, positional, source, cwd: shell.cwd, umask: shell.umask });
  inner.initialize(shell.variables.exported());
  inner.shopts.delete("expand_aliases");
  inner.traps = shell.traps.fork(false, false);
  inner.traps.listed = null;
  inner.traps.running.clear();
  for (const [name, on] of request.options) setOption(inner, name, on);
  for (const [name, on] of request.shopts) if (on) inner.shopts.add(name);
  const origin = request.inText ? `${zero}: -c` : zero;
  const status = await runToEnd(inner, async () => void (inner.status = await runText(inner, text.replace(/^#![^\n]*/, "#"), origin, true)));
  shell.task.ending = task.killed;
  return status;
}
