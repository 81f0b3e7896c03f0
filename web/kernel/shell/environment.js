// `env` and `printenv` (GNU coreutils manual, 23.2 and 21.4).
import { CommandError } from "./control.js";
import { runExternally } from "./programs.js";
import { startTask } from "./subshells.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 *
 * @typedef {object} Request what `env` is asked for
 * @property {boolean} cleared whether the command gets only what is set here
 * @property {Set<string>} removed
 * @property {Map<string, string>} set
 * @property {string | null} folder in which the command runs
 * @property {string} end of each line
 * @property {string[]} command
 */

const CANNOT_RUN = 125;
const ADVICE = "Try 'env --help' for more information.";
const HELP = `Usage: env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]
Set each NAME to VALUE in the environment and run COMMAND; without COMMAND, print the environment.

  -i, --ignore-environment  start with an empty environment
  -u, --unset=NAME          remove a variable
  -C, --chdir=DIR           run COMMAND in DIR
  -S, --split-string=TEXT   split TEXT into words, as in the first line of a script
  -0, --null                end lines with a null byte
`;
/** @type {Record<string, string>} */
const LONG = { "--ignore-environment": "-i", "--null": "-0", "--unset": "-u", "--chdir": "-C", "--split-string": "-S", "--debug": "-v" };

/** @param {string} message */
const wrongUsage = (message) => new CommandError(`env: ${message}\n${ADVICE}`, CANNOT_RUN);

/** Split the text of `-S`, with quotes and backslashes. @param {string} text @returns {string[]} */
function split(text) {
  const words = text.match(/(?:[^\s"'\\]|\\.|"(?:\\.|[^"\\])*"|'[^']*')+/gs) ?? [];
  return words.map((word) => word.replace(/\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_, escaped, double, single) =>
    escaped ?? single ?? double.replace(/\\(.)/gs, "$1")));
}

/** @param {string} word @returns {string} a long option as its letter, with its value behind it */
function shortened(word) {
  const [name = "", ...value] = word.split("=");
  const letter = LONG[name];
  if (letter === undefined) throw wrongUsage(`unrecognized option '${word}'`);
  return letter + value.join("=");
}

/** @param {string[]} args @returns {Request} @throws {CommandError} */
function understand(args) {
  /** @type {Request} */
  const request = { cleared: false, removed: new Set(), set: new Map(), folder: null, end: "\n", command: [] };
  const words = [...args];
  while (/^-/.test(words[0] ?? "")) {
    const word = words.shift() ?? "";
    if (word === "--") break;
    if (word === "-") request.cleared = true;
    else if (!/^--(?:default|ignore|block|list)-signal/.test(word)) takeOptions(request, word.startsWith("--") ? shortened(word) : word, words);
  }
  while (/^[^=]+=/.test(words[0] ?? "")) {
    const [name = "", ...value] = (words.shift() ?? "").split("=");
    request.set.set(name, value.join("="));
  }
  request.command = words;
  return request;
}

/** @param {Request} request @param {string} word letters of options @param {string[]} rest the words behind, of which values are taken */
function takeOptions(request, word, rest) {
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    if (letter === "i") request.cleared = true;
    else if (letter === "0") request.end = "\0";
    else if ("uCS".includes(letter)) {
      const value = word.slice(at + 1) || rest.shift();
      if (value === undefined) throw wrongUsage(`option requires an argument -- '${letter}'`);
      if (letter === "u") request.removed.add(value);
      else if (letter === "C") request.folder = value;
      else rest.unshift(...split(value));
      return;
    } else if (letter !== "v") throw wrongUsage(`invalid option -- '${letter}'`);
  }
}

/** @param {Shell} shell @param {string} folder @returns {string} its absolute path */
function enter({ files, cwd }, folder) {
  const whole = files.resolvePath(cwd, folder);
  const { exists } = files.FS.analyzePath(whole);
  if (exists && files.FS.isDir(files.FS.stat(whole).mode)) return whole;
  throw new CommandError(`env: cannot change directory to '${folder}': ${exists ? "Not a directory" : "No such file or directory"}`, CANNOT_RUN);
}

/** @param {Shell} shell @param {string[]} args @returns {Promise<number>} */
export async function env(shell, args) {
  if (args[0] === "--help") {
    await shell.print(HELP);
    return 0;
  }
  const { cleared, removed, set, folder, end, command } = understand(args);
  if (command.length && end === "\0") throw wrongUsage("cannot specify --null (-0) with command");
  if (folder !== null && command.length === 0) throw wrongUsage("must specify command with --chdir (-C)");
  const place = folder === null ? shell.cwd : enter(shell, folder);
  const prepare = (/** @type {Shell} */ copy) => {
    const { table } = copy.variables;
    copy.cwd = place;
    for (const [name, variable] of table) if (variable.exported && (cleared || removed.has(name))) table.delete(name);
    for (const [name, value] of set) table.set(name, { value, exported: true });
    // A command is looked for where the shell would look.
    if (cleared && !set.has("PATH")) table.set("PATH", { value: shell.variables.text("PATH") ?? "" });
  };
  const run = async (/** @type {Shell} */ copy) => {
    if (command.length) copy.status = await runExternally(copy, command);
    else {
      await copy.print(Object.entries(copy.variables.exported()).map(([name, value]) => `${name}=${value}${end}`).join(""));
      copy.status = 0;
    }
  };
  return startTask(shell, run, new Map(), { prepare }).done;
}

/** @param {Shell} shell @param {string[]} args @returns {Promise<number>} */
export async function printenv(shell, args) {
  const exported = shell.variables.exported();
  const end = args.some((word) => word === "-0" || word === "--null") ? "\0" : "\n";
  const names = args.filter((word) => !word.startsWith("-"));
  if (names.length === 0) await shell.print(Object.entries(exported).map(([name, value]) => `${name}=${value}${end}`).join(""));
  for (const name of names) if (exported[name] !== undefined) await shell.print(`${exported[name]}${end}`);
  return names.every((name) => exported[name] !== undefined) ? 0 : 1;
}
