// Options of commands: which are given, and the arguments without them.

/** Options that change nothing, because output is plain here. */
export const UNCOLORED = ["--no-color", "--color=never", "--color=auto", "--no-ext-diff", "--no-textconv"];

/** The arguments before `--`, and the rest. @param {string[]} args @returns {[string[], string[]]} */
export function splitAtDashes(args) {
  const at = args.indexOf("--");
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)];
}

/** @param {string[]} args @param {string[]} names @returns {boolean} */
export const has = (args, ...names) => splitAtDashes(args)[0].some((word) => names.includes(word));

/** @param {string[]} args @param {string[]} names @returns {string[]} */
export function without(args, ...names) {
  const [before, rest] = splitAtDashes(args);
  return [...before.filter((word) => !names.includes(word)), ...rest];
}

/**
 * Remove a flag of one letter, also from a group such as `-qm`.
 * @param {string[]} args @param {string} letter @param {string} name the long form @param {string} valued letters of options that take a value
 * @returns {{ found: boolean, args: string[] }}
 */
export function takeFlag(args, letter, name, valued) {
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

/** The letters of a group up to the first that takes a value. @param {string} word @param {string} valued */
function flagsOf(word, valued) {
  const end = [...word.slice(1)].findIndex((letter) => valued.includes(letter));
  return end < 0 ? word.slice(1) : word.slice(1, end + 1);
}

/** Return whether a word is the value of the option before it. @param {string[]} words @param {number} at @param {string} valued */
function isValue(words, at, valued) {
  const before = words[at - 1] ?? "";
  return /^-[A-Za-z]+$/.test(before) && valued.includes(before.at(-1) ?? "");
}

/**
 * Parse options of one of our own commands.
 * @param {string[]} args
 * @param {string[]} valued names of the options that take a value, such as `--format` and `-n`
 * @returns {{ flags: Set<string>, values: Map<string, string>, operands: string[], paths: string[] | null }} `paths` are after `--`
 */
export function parseOptions(args, valued = []) {
  const [before, rest] = splitAtDashes(args);
  /** @type {Set<string>} */
  const flags = new Set();
  /** @type {Map<string, string>} */
  const values = new Map();
  /** @type {string[]} */
  const operands = [];
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
