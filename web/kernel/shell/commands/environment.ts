// `env` and `printenv` (GNU coreutils manual, 23.2 and 21.6).
import { CommandError } from "../control.ts";
import { runWrapped } from "./programs.ts";
import { answers, readOptions, wrongUse, type Option } from "./program_options.ts";
import type { Shell } from "../shell.ts";
import { startTask } from "../execution/subshells.ts";

const CANNOT_RUN = 125;
const ENV_HELP = `Usage: env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]
Set each NAME to VALUE and run COMMAND, or print the environment.

  -i, --ignore-environment  begin with no variables, as - does
  -0, --null                end each line of the environment with a null byte
  -u, --unset=NAME          remove a variable
  -C, --chdir=FOLDER        run COMMAND in FOLDER
  -S, --split-string=TEXT   split TEXT into arguments
  -v, --debug               print each step
      --default-signal[=SIGNAL], --list-signal-handling`;
const ENV_LONG = {
  ...{ "ignore-environment": "i", null: "0", "unset=": "u", "chdir=": "C", "split-string=": "S", debug: "v" },
  ...{
    "default-signal=?": "default",
    "ignore-signal=?": "ignore-signal",
    "block-signal=?": "block-signal",
    "list-signal-handling": "list",
  },
};
const ESCAPES: Record<string, string> = {
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "#": "#",
  $: "$",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

/**
 * Split the text of `-S` into words.
 * @param valueOf - a variable
 */
function splitWords(text: string, valueOf: (name: string) => string | undefined): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  const fail = (problem: string) => new CommandError(`env: ${problem}`, CANNOT_RUN);
  for (let at = 0; at < text.length; at++) {
    const one = text.charAt(at);
    if (one === quote) quote = "";
    else if (!quote && (one === "'" || one === '"')) [quote, word] = [one, word ?? ""];
    else if (!quote && /\s/.test(one)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (!quote && one === "#" && word === null) break;
    else if (one === "\\" && !(quote === "'" && !/['\\]/.test(text.charAt(at + 1)))) {
      const letter = text.charAt(++at);
      if (letter === "") throw fail("invalid backslash at end of string in -S");
      if (letter === "c" && quote === '"') throw fail("'\\c' must not appear in double-quoted -S string");
      if (letter === "c") break;
      if (letter === "_" && !quote) {
        if (word !== null) words.push(word);
        word = null;
      } else if (letter === "_") word = `${word ?? ""} `;
      else if (ESCAPES[letter] === undefined) throw fail(`invalid sequence '\\${letter}' in -S`);
      else word = (word ?? "") + ESCAPES[letter];
    } else if (one === "$" && quote !== "'") {
      const [whole, name] = /^\$\{([A-Za-z_]\w*)\}/.exec(text.slice(at)) ?? [];
      if (!whole || !name) throw fail(`only \${VARNAME} expansion is supported, error at: ${text.slice(at)}`);
      const value = valueOf(name);
      if (value !== undefined) word = (word ?? "") + value;
      at += whole.length - 1;
    } else word = (word ?? "") + one;
  }
  if (quote) throw fail("no terminating quote in -S string");
  return word === null ? words : [...words, word];
}

/** of the environment */
interface Change {
  cleared: boolean;
  removed: string[];
  /** as NAME=VALUE */
  set: string[];
  folder: string | null;
  /** of each line */
  end: string;
  /** each step */
  says: boolean;
  command: string[];
}

function readChange(shell: Shell, args: string[]): { change: Change; options: Option[] } {
  const change: Change = { cleared: false, removed: [], set: [], folder: null, end: "\n", says: false, command: [] };
  const all = [];
  for (let left = args, again = true; again; ) {
    const { options, rest } = readOptions("env", left, "i0u:C:S:v", ENV_LONG, CANNOT_RUN);
    again = false;
    left = rest;
    for (const { name, value } of options) {
      if (name === "i") change.cleared = true;
      else if (name === "0") change.end = "\0";
      else if (name === "u") change.removed.push(value);
      else if (name === "C") change.folder = value;
      else if (name === "v") change.says = true;
      else if (name === "S") {
        // The words of -S stand in its place, so they may be options.
        left = [...splitWords(value, (variable) => shell.variables.exported()[variable]), ...left];
        again = true;
      } else if (name.endsWith("-signal")) {
        throw new CommandError(
          `env: --${name} isn't supported: use \`trap '' SIGNAL\` in a shell that runs the command`,
          CANNOT_RUN,
        );
      }
    }
    all.push(...options);
    change.command = left;
  }
  return { change, options: all };
}

function readOperands(change: Change) {
  if (change.command[0] === "-") {
    change.cleared = true;
    change.command = change.command.slice(1);
  }
  const first = change.command.findIndex((word) => !/^[^=]+=/.test(word));
  const end = first < 0 ? change.command.length : first;
  change.set = change.command.slice(0, end);
  change.command = change.command.slice(end);
  const wrong = change.removed.find((name) => name === "" || name.includes("="));
  if (wrong !== undefined) throw new CommandError(`env: cannot unset '${wrong}': Invalid argument`, CANNOT_RUN);
  if (change.command.length) {
    if (change.end === "\0") throw wrongUse("env", "cannot specify --null (-0) with command", CANNOT_RUN);
  } else if (change.folder !== null) throw wrongUse("env", "must specify command with --chdir (-C)", CANNOT_RUN);
}

/** The steps that -v prints. */
function stepsOf({ cleared, removed, set, folder, command }: Change) {
  const steps = [
    ...(cleared ? ["cleaning environ"] : removed.map((name) => `unset:    ${name}`)),
    ...set.map((pair) => `setenv:   ${pair}`),
    ...(folder === null ? [] : [`chdir:    '${folder}'`]),
    ...(command.length ? [`executing: ${command[0]}`, ...command.map((word, at) => `   arg[${at}]= '${word}'`)] : []),
  ];
  return steps.map((step) => `${step}\n`).join("");
}

export async function env(shell: Shell, args: string[]): Promise<number> {
  const { change, options } = readChange(shell, args);
  if (await answers(shell, "env", options, ENV_HELP)) return 0;
  readOperands(change);
  const folder = change.folder === null ? null : shell.files.resolvePath(shell.cwd, change.folder);
  if (folder !== null && !shell.files.isFolder(folder)) {
    const reason = shell.files.FS.analyzePath(folder).exists ? "Not a directory" : "No such file or directory";
    throw new CommandError(`env: cannot change directory to '${change.folder}': ${reason}`, CANNOT_RUN);
  }
  if (change.says) await shell.write(2, stepsOf(change));
  const prepare = (copy: Shell) => {
    if (folder !== null) copy.cwd = folder;
    const { table } = copy.variables;
    if (change.cleared) copy.functions.clear();
    for (const [name, variable] of table)
      if (variable.exported && (change.cleared || change.removed.includes(name))) table.delete(name);
    for (const pair of change.set) {
      const [name = "", ...value] = pair.split("=");
      table.set(name, { value: value.join("="), exported: true });
    }
    // A command is looked for where the shell would look.
    if (change.cleared && !table.has("PATH")) table.set("PATH", { value: shell.variables.text("PATH") ?? "" });
  };
  const run = async (copy: Shell) => {
    if (change.command.length) copy.status = await runWrapped(copy, "env: ", change.command);
    else {
      await printAll(copy, change.end);
      copy.status = 0;
    }
  };
  return startTask(shell, run, new Map(), { prepare }).done;
}

/** @param end - of each line */
async function printAll(shell: Shell, end: string) {
  const lines = Object.entries(shell.variables.exported()).map(([name, value]) => `${name}=${value}${end}`);
  await shell.print(lines.join(""));
}

const PRINTENV_HELP = `Usage: printenv [OPTION]... [NAME]...
Print the value of each exported variable NAME, or all.

  -0, --null  end each line with a null byte`;

export async function printenv(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = readOptions("printenv", args, "0", { null: "0" }, 2);
  if (await answers(shell, "printenv", options, PRINTENV_HELP)) return 0;
  const all = shell.variables.exported();
  const end = options.length ? "\0" : "\n";
  if (rest.length === 0) await printAll(shell, end);
  const found = rest.map((name) => (name.includes("=") ? undefined : all[name]));
  for (const value of found) if (value !== undefined) await shell.print(`${value}${end}`);
  return found.includes(undefined) ? 1 : 0;
}
