// The values of parameters: positional, special ones and variables (Bash manual, 3.4).
import { FatalError } from "./control.js";
import { SIGNALS } from "./signals.js";
import { separatorsOf } from "./words.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 *
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string | null} subscript as it is written
 *
 * @typedef {object} Read
 * @property {string[] | null} values null where it isn't set
 * @property {boolean} isList `$@`, `$*`, `${a[@]}`, `${a[*]}`
 * @property {boolean} star
 */

/** @type {Map<string, Parameter>} */
const parsed = new Map();

/** @param {string} text as in `name[subscript]` @returns {Parameter} */
export function parseParameter(text) {
  let parameter = parsed.get(text);
  if (!parameter) {
    const match = /^([^[]+)\[([^]*)\]$/.exec(text);
    parameter = match ? { name: match[1] ?? "", subscript: match[2] ?? "" } : { name: text, subscript: null };
    parsed.set(text, parameter);
  }
  return parameter;
}

/** @param {Shell} shell @param {Parameter} parameter whose subscript is expanded @returns {Read} */
export function readParameter(shell, { name, subscript }) {
  if (name === "@" || name === "*") return { values: shell.positional, isList: true, star: name === "*" };
  const { variables } = shell;
  if (subscript === null) {
    const special = SPECIAL[name] ?? (/^\d+$/.test(name) ? (/** @type {Shell} */ one) => one.positional[Number(name) - 1] : null);
    const text = special ? special(shell) : variables.text(name);
    if (text === undefined) {
      // A reference to a whole list: `declare -n all=list[@]`.
      const target = variables.resolve(name);
      if (target.subscript === "@" || target.subscript === "*") return readParameter(shell, target);
    }
    return { values: text === undefined ? null : [text], isList: false, star: false };
  }
  if (subscript === "@" || subscript === "*") return { values: variables.elements(name), isList: true, star: subscript === "*" };
  const text = variables.element(name, subscript);
  return { values: text === undefined ? null : [text], isList: false, star: false };
}

/** @type {Record<string, (shell: Shell) => string | undefined>} */
const SPECIAL = {
  "#": (shell) => String(shell.positional.length),
  "?": (shell) => String(shell.status),
  $: (shell) => String(shell.mainPid),
  "!": (shell) => (shell.lastPid === null ? undefined : String(shell.lastPid)),
  0: (shell) => shell.zero,
  "-": (shell) => {
    const letters = [...OPTION_LETTERS].filter(([letter, option]) => (letter === "i" ? shell.invocation.includes("i") : shell.options.has(option)));
    return letters.map(([letter]) => letter).join("") + shell.invocation.replace("i", "");
  },
};

/** In the order of `$-`. @type {Map<string, string>} */
export const OPTION_LETTERS = new Map([
  ["a", "allexport"],
  ["b", "notify"],
  ["e", "errexit"],
  ["f", "noglob"],
  ["h", "hashall"],
  ["i", "interactive"],
  ["m", "monitor"],
  ["n", "noexec"],
  ["p", "privileged"],
  ["u", "nounset"],
  ["v", "verbose"],
  ["x", "xtrace"],
  ["B", "braceexpand"],
  ["C", "noclobber"],
  ["E", "errtrace"],
  ["H", "histexpand"],
  ["P", "physical"],
  ["T", "functrace"],
]);

/** @param {Shell} shell @param {string} parameter @param {Read} read @throws {FatalError} with `set -u`, where it isn't set */
export function requireSet(shell, parameter, { values, isList }) {
  if (values !== null || isList || !shell.options.has("nounset")) return;
  throw new FatalError(`${/^\d+$/.test(parameter) ? `$${parameter}` : parameter}: unbound variable`);
}

/** A parameter as one text. @param {Shell} shell @param {Read} read @returns {string} */
export const joined = (shell, { values, star }) => (values ?? []).join(star ? separatorsOf(shell).charAt(0) : " ");

/** @typedef {{ get: (shell: Shell) => import("./variables.js").Value, set?: (shell: Shell, text: string) => void }} Computed */

/** The variables that are computed when they are read (Bash manual, 5.2). @type {Map<string, Computed>} */
export const COMPUTED = new Map(
  Object.entries({
    RANDOM: {
      get: (shell) => {
        const seed = nextRandom(shell.seed ?? Math.floor(Math.random() * 2 ** 31));
        shell.seed = seed;
        return String(((seed >>> 16) ^ (seed & 0xffff)) & 0x7fff);
      },
      set: (shell, text) => void (shell.seed = Number(BigInt.asUintN(32, shell.variables.calculate(text)))),
    },
    SECONDS: {
      get: (shell) => String(Math.floor((performance.now() - shell.start) / 1000)),
      set: (shell, text) => void (shell.start = performance.now() - Number(text) * 1000),
    },
    SRANDOM: { get: () => String(crypto.getRandomValues(new Uint32Array(1))[0]) },
    LINENO: { get: (shell) => String(shell.line) },
    BASHPID: { get: (shell) => String(shell.task.pid) },
    BASH_SUBSHELL: { get: (shell) => String(shell.depth) },
    EPOCHSECONDS: { get: () => String(Math.floor(Date.now() / 1000)) },
    EPOCHREALTIME: { get: () => ((performance.timeOrigin + performance.now()) / 1000).toFixed(6) },
    PIPESTATUS: { get: (shell) => shell.pipeStatus.map(String) },
    DIRSTACK: { get: (shell) => [shell.cwd, ...shell.folders] },
    SHELLOPTS: { get: (shell) => [...shell.options].sort().join(":") },
    BASHOPTS: { get: (shell) => [...shell.shopts].sort().join(":") },
    FUNCNAME: { get: (shell) => (shell.calls.length ? [...shell.calls.map(({ name }) => name), ...(shell.source === null ? [] : ["main"])] : null) },
    BASH_LINENO: { get: (shell) => [...shell.calls.map(({ line }) => String(line)), "0"] },
    BASH_SOURCE: { get: (shell) => shell.calls.map(({ source }) => source).concat(shell.source === null ? [] : [shell.source]) },
    BASH_COMMAND: { get: (shell) => shell.command() },
    _: { get: (shell) => shell.lastArgument, set: (shell, text) => void (shell.lastArgument = text) },
    BASH_VERSINFO: { get: () => ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"] },
    GROUPS: { get: () => ["1000"] },
    BASH_ALIASES: { get: (shell) => new Map(shell.aliases) },
  }),
);

/** The generator of Park and Miller, with which bash makes RANDOM (lib/sh/random.c). @param {number} seed */
function nextRandom(seed) {
  const value = seed || 123459876;
  const high = Math.floor(value / 127773);
  const low = value % 127773;
  const next = 16807 * low - 2836 * high;
  return next < 0 ? next + 0x7fffffff : next;
}

/** @param {Shell} shell @returns {[string, string][]} */
export const fixedVariables = (shell) => [
  ["IFS", " \t\n"],
  ["OPTIND", "1"],
  ["BASH", "/bin/bash"],
  ["BASH_VERSION", "5.2.15(1)-release"],
  ["OSTYPE", "linux-gnu"],
  ["MACHTYPE", "x86_64-pc-linux-gnu"],
  ["HOSTTYPE", "x86_64"],
  ["HOSTNAME", shell.variables.text("HOSTNAME") ?? "localhost"],
  ["PS4", "+ "],
  ["UID", "1000"],
  ["EUID", "1000"],
  ["PPID", "1"],
];
const SIGNAL_BASE = 128;
export const exitOfSignal = (/** @type {string} */ name) => SIGNAL_BASE + (SIGNALS[name] ?? 0);
