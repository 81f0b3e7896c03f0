// The values of parameters: positional, special ones and variables (Bash manual, 3.4).
import { FatalError } from "../control.ts";
import type { Shell } from "../shell.ts";
import type { Value } from "./variables.ts";
import { tableOf } from "../../tables.ts";

export interface Parameter {
  name: string;
  /** as it is written */
  subscript: string | null;
}

export interface Read {
  /** null where it isn't set */
  values: string[] | null;
  /** `$@`, `$*`, `${a[@]}`, `${a[*]}` */
  isList: boolean;
  star: boolean;
}

/** @returns one value, which isn't a list */
export const single = (text: string | undefined): Read => ({
  values: text === undefined ? null : [text],
  isList: false,
  star: false,
});

const parsed = new Map<string, Parameter>();

/** @param text - as in `name[subscript]` */
export function parseParameter(text: string): Parameter {
  let parameter = parsed.get(text);
  if (!parameter) {
    const match = /^([^[]+)\[([^]*)\]$/.exec(text);
    parameter = match ? { name: match[1] ?? "", subscript: match[2] ?? "" } : { name: text, subscript: null };
    parsed.set(text, parameter);
  }
  return parameter;
}

/** @param parameter - whose subscript is expanded */
export function readParameter(shell: Shell, { name, subscript }: Parameter): Read {
  if (name === "@" || name === "*") return { values: shell.positional, isList: true, star: name === "*" };
  const { variables } = shell;
  if (subscript === null) {
    const special = SPECIAL[name] ?? (/^\d+$/.test(name) ? (one: Shell) => one.positional[Number(name) - 1] : null);
    const text = special ? special(shell) : variables.text(name);
    if (text === undefined) {
      // A reference to all elements of an array: `declare -n all=list[@]`.
      const target = variables.resolve(name);
      if (target.subscript === "@" || target.subscript === "*") return readParameter(shell, target);
    }
    return single(text);
  }
  if (subscript === "@" || subscript === "*")
    return { values: variables.elements(name), isList: true, star: subscript === "*" };
  return single(variables.element(name, subscript));
}

const SPECIAL: Record<string, (shell: Shell) => string | undefined> = tableOf({
  "#": (shell) => String(shell.positional.length),
  "?": (shell) => String(shell.status),
  $: (shell) => String(shell.mainPid),
  "!": (shell) => (shell.lastPid === null ? undefined : String(shell.lastPid)),
  0: (shell) => shell.zero,
  "-": (shell) => {
    const letters = [...OPTION_LETTERS].filter(([letter, option]) =>
      letter === "i" ? shell.invocation.includes("i") : shell.options.has(option),
    );
    return letters.map(([letter]) => letter).join("") + shell.invocation.replace("i", "");
  },
});

/** In the order of `$-`. */
export const OPTION_LETTERS = new Map<string, string>([
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

/** @throws {FatalError} with `set -u`, where it isn't set */
export function requireSet(shell: Shell, parameter: string, { values, isList }: Read) {
  if (values !== null || isList || !shell.options.has("nounset")) return;
  throw new FatalError(`${/^\d+$/.test(parameter) ? `$${parameter}` : parameter}: unbound variable`);
}

/** The characters between fields. */
export const separatorsOf = (shell: Shell) => shell.variables.text("IFS") ?? " \t\n";

/** A parameter as one text. */
export const joined = (shell: Shell, { values, star }: Read): string =>
  (values ?? []).join(star ? separatorsOf(shell).charAt(0) : " ");

type Computed = { get: (shell: Shell) => Value; set?: (shell: Shell, text: string) => void };

/** The variables that are computed when they are read (Bash manual, 5.2). */
export const COMPUTED = new Map<string, Computed>(
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
    FUNCNAME: {
      get: (shell) =>
        shell.calls.length
          ? [...shell.calls.map(({ name }) => name), ...(shell.source === null ? [] : ["main"])]
          : null,
    },
    BASH_LINENO: { get: (shell) => [...shell.calls.map(({ line }) => String(line)), "0"] },
    BASH_SOURCE: {
      get: (shell) => shell.calls.map(({ source }) => source).concat(shell.source === null ? [] : [shell.source]),
    },
    BASH_COMMAND: { get: (shell) => shell.command() },
    _: { get: (shell) => shell.lastArgument, set: (shell, text) => void (shell.lastArgument = text) },
    BASH_VERSINFO: { get: () => ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"] },
    GROUPS: { get: () => ["1000"] },
    BASH_ALIASES: { get: (shell) => new Map(shell.aliases) },
  }),
);

/** The generator of Park and Miller, with which bash makes RANDOM (lib/sh/random.c). */
function nextRandom(seed: number) {
  const value = seed || 123459876;
  const high = Math.floor(value / 127773);
  const low = value % 127773;
  const next = 16807 * low - 2836 * high;
  return next < 0 ? next + 0x7fffffff : next;
}

export const fixedVariables = (shell: Shell): [string, string][] => [
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
