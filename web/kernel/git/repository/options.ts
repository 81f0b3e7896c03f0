// Options of commands: which are given, and the arguments without them.
import { refuse } from "./refusals.ts";

/** Options that change nothing, because output is plain here. */
export const UNCOLORED = ["--no-color", "--color=never", "--color=auto", "--no-ext-diff", "--no-textconv"];

/** The arguments before `--`, and the rest. */
export function splitAtDashes(args: string[]): [string[], string[]] {
  const at = args.indexOf("--");
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)];
}

export const has = (args: string[], ...names: string[]): boolean =>
  splitAtDashes(args)[0].some((word) => names.includes(word));

export function without(args: string[], ...names: string[]): string[] {
  const [before, rest] = splitAtDashes(args);
  return [...before.filter((word) => !names.includes(word)), ...rest];
}

/**
 * Remove a flag of one letter, also from a group such as `-qm`.
 * @param name - the long form
 * @param valued - letters of options that take a value
 */
export function takeFlag(
  args: string[],
  letter: string,
  name: string,
  valued: string,
): { found: boolean; args: string[] } {
  const [before, rest] = splitAtDashes(args);
  let found = false;
  const left = before.flatMap((word, at) => {
    if (word === name) found = true;
    if (word === name) return [];
    if (!/^-[A-Za-z]/.test(word) || isValue(before, at, valued)) return [word];
    const flags = flagsOf(word, valued);
    if (!flags.includes(letter)) return [word];
    found = true;
    const others = word.slice(1).replace(letter, "");
    return others ? [`-${others}`] : [];
  });
  return { found, args: [...left, ...rest] };
}

/** The letters of a group up to the first that takes a value. */
function flagsOf(word: string, valued: string) {
  const end = [...word.slice(1)].findIndex((letter) => valued.includes(letter));
  return end < 0 ? word.slice(1) : word.slice(1, end + 1);
}

/** Return whether a word is the value of the option before it. */
function isValue(words: string[], at: number, valued: string) {
  const before = words[at - 1] ?? "";
  return /^-[A-Za-z]+$/.test(before) && valued.includes(before.at(-1) ?? "");
}

/**
 * Parse options of one of our own commands.
 * @param valued - names of the options that take a value, such as `--format` and `-n`
 * @returns `paths` are after `--`
 */
export function parseOptions(
  args: string[],
  valued: string[] = [],
): { flags: Set<string>; values: Map<string, string>; operands: string[]; paths: string[] | null } {
  const [before, rest] = splitAtDashes(args);
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    const [name = "", ...value] = word.split("=");
    if (word.startsWith("--") && value.length) values.set(name, value.join("="));
    else if (valued.includes(word)) values.set(word, before[++at] ?? "");
    else if (/^-[A-Za-z]./.test(word) && valued.includes(word.slice(0, 2))) values.set(word.slice(0, 2), word.slice(2));
    else if (/^-[A-Za-z]{2,}$/.test(word)) {
      const letters = [...word.slice(1)];
      const end = letters.findIndex((letter) => valued.includes(`-${letter}`));
      letters.slice(0, end < 0 ? undefined : end).forEach((letter) => flags.add(`-${letter}`));
      if (end >= 0) values.set(`-${letters[end]}`, letters.slice(end + 1).join("") || (before[++at] ?? ""));
    } else if (/^-./.test(word)) flags.add(word);
    else operands.push(word);
  }
  return { flags, values, operands, paths: rest.length ? rest.slice(1) : null };
}

/** a word, or an option with its value, which may be missing */
type Token = { word: string; option?: string; value?: string };

/**
 * Join options with their values, which are after `=` or the next word.
 * @param valued - the names of the options that are wanted
 */
export function tokensOf(args: string[], valued: string[]): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const [option = "", ...value] = word.split("=");
    if (!valued.includes(option)) tokens.push({ word });
    else tokens.push({ word, option, value: value.length ? value.join("=") : args[++at] });
  }
  return tokens;
}

const WAYS: Record<string, string> = {
  "--3way": "use git apply --3way, and git commit",
  "-3": "use git apply --3way, and git commit",
  "--reject": "use patch -p1, which writes .rej files",
  "--directory": "use git -C DIRECTORY apply",
};

/**
 * Refuse what isn't known.
 * @param way - what works instead, for all options
 */
export function checkOptions(command: string, names: Iterable<string>, known: Iterable<string>, way?: string) {
  const all = new Set(known);
  const unknown = [...names].find((name) => !all.has(name));
  if (unknown !== undefined) refuse(`git ${command} has no ${unknown} here`, way ?? WAYS[unknown] ?? "leave it out");
}
