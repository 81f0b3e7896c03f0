// `compgen`, `complete` and `compopt` (Bash manual, 8.7). The terminal's own completion doesn't use what they specify.
import { itemsOf } from "../language/assignments.ts";
import { BUILTINS, KEYWORDS } from "../execution/builtin_table.ts";
import { callFunction } from "../execution/simple_command.ts";
import { CommandError } from "../control.ts";
import { matchingPaths } from "../language/globbing.ts";
import { topics } from "./help.ts";
import { parseOptions } from "./builtin_options.ts";
import { OPTION_NAMES, SHOPTS } from "./options.ts";
import { patternRegex } from "../language/patterns.ts";
import { programNames } from "../execution/program_paths.ts";
import { shellQuote } from "../language/quoting.ts";
import type { Shell } from "../shell.ts";
import { SIGNALS } from "../execution/signals.ts";
import { separatorsOf } from "../language/parameters.ts";

/** how words are completed */
export interface Specification {
  /** of `-o` */
  options: Set<string>;
  actions: string[];
  /** of `-G`, `-W`, `-P`, `-S`, `-X`, `-C` and `-F` */
  values: Record<string, string | undefined>;
}

/** The actions that have a letter. */
const LETTERS: Record<string, string> = {
  ...{ a: "alias", b: "builtin", c: "command", d: "directory", e: "export", f: "file", g: "group" },
  ...{ j: "job", k: "keyword", s: "service", u: "user", v: "variable" },
};
const OTHERS =
  "arrayvar binding disabled enabled function helptopic hostname running setopt shopt signal stopped".split(" ");
const OPTIONS = "bashdefault default dirnames filenames noquote nosort nospace plusdirs".split(" ");
const ACTIONS = new Set([...Object.values(LETTERS), ...OTHERS]);
const VALUES = "GWPSXCF";
const SPECIAL = { D: "_DefaultCmD_", E: "_EmptycmD_", I: "_InitialWorD_" };

/** @returns the candidates of each action */
const candidates = (shell: Shell): Record<string, () => string[]> => ({
  alias: () => [...shell.aliases.keys()].sort(),
  arrayvar: () => shell.variables.names().filter((name) => Array.isArray(shell.variables.value(name))),
  builtin: () => [...BUILTINS.keys()].sort(),
  command: () => [
    ...shell.aliases.keys(),
    ...KEYWORDS,
    ...shell.functions.keys(),
    ...BUILTINS.keys(),
    ...programNames(shell.host),
  ],
  disabled: () => [...shell.disabled].sort(),
  enabled: () => [...BUILTINS.keys()].filter((name) => !shell.disabled.has(name)).sort(),
  export: () => Object.keys(shell.variables.exported()).sort(),
  function: () => [...shell.functions.keys()].sort(),
  group: () => [shell.variables.text("USER") ?? ""],
  helptopic: topics,
  hostname: () => ["localhost"],
  job: () => shell.jobs.all.map(({ text }) => text.split(" ")[0] ?? ""),
  keyword: () => [...KEYWORDS],
  running: () => shell.jobs.all.filter(({ status }) => status === null).map(({ text }) => text.split(" ")[0] ?? ""),
  setopt: () => [...OPTION_NAMES].sort(),
  shopt: () => [...SHOPTS],
  signal: () => Object.keys(SIGNALS).map((name) => `SIG${name}`),
  stopped: () => [],
  user: () => [shell.variables.text("USER") ?? ""],
  variable: () => shell.variables.names(),
});

/** The files that a word begins. */
function paths({ files, cwd }: Shell, word: string, onlyFolders: boolean) {
  const folder = word.slice(0, word.lastIndexOf("/") + 1);
  const whole = files.resolvePath(cwd, folder || ".");
  if (!files.isFolder(whole)) return [];
  const names = files.entriesOf(whole).sort();
  const chosen = onlyFolders ? names.filter((name: string) => files.isFolder(`${whole}/${name}`)) : names;
  return chosen.map((name: string) => folder + name).filter((path: string) => path.startsWith(word));
}

/** The words of `-W`, which are split and expanded. */
async function wordsOf(shell: Shell, text: string) {
  const separators = separatorsOf(shell);
  const plain = [...text].map((character) => (separators.includes(character) ? " " : character)).join("");
  if (!/[$`"'\\]/.test(plain)) return plain.split(" ").filter(Boolean);
  return (await itemsOf(shell, `(${plain})`)).map((item) => item.text);
}

async function completed(shell: Shell, { options, actions, values }: Specification, word: string) {
  const lists = candidates(shell);
  const found: string[] = [];
  for (const action of actions) {
    if (action === "file" || action === "directory") found.push(...paths(shell, word, action === "directory"));
    else if (lists[action]) found.push(...lists[action]().filter((name) => name.startsWith(word)));
    else throw new CommandError(`compgen: -A ${action} isn't supported: give the words with -W`);
  }
  if (values.G !== undefined) found.push(...matchingPaths(shell, values.G));
  if (values.W !== undefined) found.push(...(await wordsOf(shell, values.W)).filter((name) => name.startsWith(word)));
  if (values.F !== undefined) found.push(...(await fromFunction(shell, values.F, word)));
  const chosen = values.X === undefined ? found : filtered(found, values.X, word);
  const whole = chosen.map((name) => `${values.P ?? ""}${name}${values.S ?? ""}`);
  if (options.has("plusdirs") || (options.has("dirnames") && whole.length === 0))
    whole.push(...paths(shell, word, true));
  return whole.length === 0 && options.has("default") ? paths(shell, word, false) : whole;
}

/** Return what a function puts into COMPREPLY. An error of an expansion in it ends the line of `compgen`. */
async function fromFunction(shell: Shell, name: string, word: string) {
  await shell.complain("compgen: warning: -F option may not work as you expect");
  const definition = shell.functions.get(name);
  if (definition) await callFunction(shell, definition, ["compgen", word, ""]);
  else await shell.complain(`completion: function \`${name}' not found`);
  const found = shell.variables.elements("COMPREPLY");
  shell.variables.remove("COMPREPLY");
  return found;
}

/** `-X`: without those that match; with `!`, only those. */
function filtered(names: string[], given: string, word: string) {
  const keeps = given.startsWith("!");
  const pattern = patternRegex((keeps ? given.slice(1) : given).replace(/(?<!\\)&/g, word));
  return names.filter((name) => pattern.test(name) === keeps);
}

/** @param more - letters */
function specificationOf(command: string, args: string[], more: string) {
  const options = new Set<string>();
  const actions: string[] = [];
  const words = [...args];
  // `-o` and `-A` may come more than once.
  for (let at = 0; at < words.length; at++) {
    const [, letter = "", attached = ""] = /^-([oA])(.*)$/.exec(words[at] ?? "") ?? [];
    if (!letter) continue;
    const [name = ""] = attached ? (words.splice(at, 1), [attached]) : words.splice(at, 2).slice(1);
    at--;
    if (!(letter === "o" ? OPTIONS.includes(name) : ACTIONS.has(name))) {
      throw new CommandError(`${command}: ${name}: invalid ${letter === "o" ? "option" : "action"} name`, 2);
    }
    if (letter === "o") options.add(name);
    else actions.push(name);
  }
  const parsed = parseOptions(
    command,
    words,
    `${Object.keys(LETTERS).join("")}${more}${[...VALUES].map((letter) => `${letter}:`).join("")}`,
  );
  for (const [letter, name] of Object.entries(LETTERS)) if (parsed.flags.has(letter)) actions.push(name);
  return { how: { options, actions, values: parsed.values }, ...parsed };
}

export async function compgen(shell: Shell, args: string[]) {
  const { how, values, operands } = specificationOf("compgen", args, "");
  if (values.C !== undefined) throw new CommandError('compgen: -C isn\'t supported: use -W "$(COMMAND)"');
  if (args.length === 0) return 0;
  const chosen = await completed(shell, how, operands[0] ?? "");
  await shell.print(chosen.map((name: string) => `${name}\n`).join(""));
  return chosen.length ? 0 : 1;
}

/** A specification as the command that makes it. */
function described(name: string, { options, actions, values }: Specification) {
  const letters = Object.entries(LETTERS)
    .filter(([, action]) => actions.includes(action))
    .map(([letter]) => `-${letter}`);
  const long = actions.filter((action) => OTHERS.includes(action)).map((action) => `-A ${action}`);
  const given = [..."GWPSXC"]
    .filter((letter) => values[letter] !== undefined)
    .map((letter) => `-${letter} ${shellQuote(values[letter] ?? "")}`);
  const call = values.F === undefined ? [] : [`-F ${values.F}`];
  const [special] = Object.entries(SPECIAL).find(([, one]) => one === name) ?? [];
  const chosen = [...options].sort().map((option) => `-o ${option}`);
  return `${["complete", ...chosen, ...letters, ...long, ...given, ...call, special ? `-${special}` : name].join(" ")}\n`;
}

/** The names in `-DEI` and operands. */
const namesIn = (flags: Set<string>, operands: string[]) => {
  const special = Object.entries(SPECIAL)
    .filter(([letter]) => flags.has(letter))
    .map(([, name]) => name);
  return special.length ? special : operands;
};

async function missing(shell: Shell, command: string, name: string) {
  await shell.complain(`${command}: ${name}: no completion specification`);
  return 1;
}

export async function complete(shell: Shell, args: string[]) {
  const { how, flags, operands } = specificationOf("complete", args, "prDEI");
  const { completions } = shell;
  const names = namesIn(flags, operands);
  let status = 0;
  if (flags.has("r")) {
    if (names.length === 0) completions.clear();
    for (const name of names) completions.delete(name);
  } else if (flags.has("p") || args.length === 0) {
    for (const name of names.length ? names : completions.keys()) {
      const found = completions.get(name);
      if (found) await shell.print(described(name, found));
      else status = await missing(shell, "complete", name);
    }
  } else for (const name of names) completions.set(name, how);
  return status;
}

export async function compopt(shell: Shell, args: string[]) {
  const changes: [string, boolean][] = [];
  const words = [...args];
  const next = () => words.findIndex((word) => /^[-+]o$/.test(word));
  for (let at = next(); at >= 0; at = next()) {
    const [sign = "", name = ""] = words.splice(at, 2);
    if (!OPTIONS.includes(name)) throw new CommandError(`compopt: ${name}: invalid option name`, 2);
    changes.push([name, sign === "-o"]);
  }
  const { flags, operands } = parseOptions("compopt", words, "DEI");
  const names = namesIn(flags, operands);
  if (names.length === 0) throw new CommandError("compopt: not currently executing completion function");
  let status = 0;
  for (const name of names) {
    const found = shell.completions.get(name);
    if (!found) status = await missing(shell, "compopt", name);
    else if (changes.length) for (const [option, on] of changes) found.options[on ? "add" : "delete"](option);
    else
      await shell.print(
        `compopt ${OPTIONS.map((option) => `${found.options.has(option) ? "-" : "+"}o ${option}`).join(" ")} ${name}\n`,
      );
  }
  return status;
}
