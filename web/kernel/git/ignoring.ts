// Which untracked files are ignored: .gitignore of each folder, .git/info/exclude and core.excludesFile.
import ignore from "ignore";

import { setting } from "./settings.js";

/**
 * @typedef {{ prefix: string, patterns: import("ignore").Ignore }} Level the patterns of one folder
 * @typedef {Level[]} Levels from the root to a folder
 */

/** Patterns of the text of each file, since most stay the same from call to call. @type {Map<string, import("ignore").Ignore>} */
const parsed = new Map();
const MOST_PARSED = 200;

/** @param {string} text */
function parse(text) {
  const known = parsed.get(text);
  if (known) return known;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  const patterns = ignore({ allowRelativePaths: true }).add(text);
  parsed.set(text, patterns);
  return patterns;
}

/** @param {import("./repository.js").Repository} repository @param {import("./repository.js").Call} call @returns {Promise<Levels>} */
export async function rootLevels({ gitDir }, { context: { fs, env }, settings }) {
  const home = env.get("HOME") ?? "/home/user";
  const user = setting(settings, "core.excludesFile")?.replace(/^~/, home) ?? `${home}/.config/git/ignore`;
  /** @type {Levels} */
  const levels = [];
  for (const path of [user, `${gitDir}/info/exclude`]) {
    if (await fs.exists(path)) levels.push({ prefix: "", patterns: parse(await fs.readFile(path)) });
  }
  return levels;
}

/** @param {Levels} levels @param {string} prefix of the folder, with `/` at its end @param {string} text of its .gitignore @returns {Levels} */
export const deeper = (levels, prefix, text) => [...levels, { prefix, patterns: parse(text) }];

/** @param {Levels} levels @param {string} path from the root, with `/` at its end for a folder @returns {boolean} */
export function isIgnored(levels, path) {
  for (const { prefix, patterns } of levels.toReversed()) {
    const { ignored, unignored } = patterns.test(path.slice(prefix.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
