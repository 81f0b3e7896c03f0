// Which untracked files are ignored: .gitignore of each folder, .git/info/exclude and core.excludesFile.
import ignore from "ignore";
import type { Ignore } from "ignore";
import type { Repository, Call } from "../repository/repository.ts";

import { setting } from "../repository/settings.ts";

/** the patterns of one folder */
type Level = { prefix: string; patterns: Ignore };

/** from the root to a folder */
export type Levels = Level[];

/** Patterns of the text of each file, since most stay the same from call to call. */
const parsed = new Map<string, Ignore>();
const MOST_PARSED = 200;

function parse(text: string) {
  const known = parsed.get(text);
  if (known) return known;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  const patterns = ignore({ allowRelativePaths: true }).add(text);
  parsed.set(text, patterns);
  return patterns;
}

export async function rootLevels({ gitDir }: Repository, { context: { fs, env }, settings }: Call): Promise<Levels> {
  const home = env.get("HOME") ?? "/home/user";
  const user = setting(settings, "core.excludesFile")?.replace(/^~/, home) ?? `${home}/.config/git/ignore`;
  const levels: Levels = [];
  for (const path of [user, `${gitDir}/info/exclude`]) {
    if (await fs.exists(path)) levels.push({ prefix: "", patterns: parse(await fs.readFile(path)) });
  }
  return levels;
}

/**
 * @param prefix - of the folder, with `/` at its end
 * @param text - of its .gitignore
 */
export const deeper = (levels: Levels, prefix: string, text: string): Levels => [
  ...levels,
  { prefix, patterns: parse(text) },
];

/** @param path - from the root, with `/` at its end for a folder */
export function isIgnored(levels: Levels, path: string): boolean {
  for (const { prefix, patterns } of levels.toReversed()) {
    const { ignored, unignored } = patterns.test(path.slice(prefix.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
