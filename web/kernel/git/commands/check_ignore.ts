// `git check-ignore`: which pattern ignores a path.
import ignore from "ignore";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { stagesOf } from "../differences/file_pairs.ts";
import { checkOptions, parseOptions } from "../repository/options.ts";
import { inTree, needRepository, type Call, inputLines } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";
import { quoted } from "../repository/shown_paths.ts";

/** `path` ends with `/` for a folder */
type Rule = { source: string; line: number; text: string; negated: boolean; matches: (path: string) => boolean };

const KNOWN = new Set(["-v", "--verbose", "-n", "--non-matching", "-q", "--quiet", "--stdin", "-z", "--no-index"]);

/**
 * @param content - of a file of patterns
 * @param source - its name
 * @param prefix - of the folder that it is in
 */
function rulesOf(content: string, source: string, prefix: string): Rule[] {
  return content.split("\n").flatMap((raw, at) => {
    const text = raw.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
    if (text === "" || text.startsWith("#")) return [];
    const negated = text.startsWith("!");
    const pattern = ignore({ allowRelativePaths: true }).add(negated ? text.slice(1) : text);
    const matches = (path: string) =>
      path.startsWith(prefix) && path.length > prefix.length && pattern.ignores(path.slice(prefix.length));
    return [{ source, line: at + 1, text, negated, matches }];
  });
}

class Rules {
  /** By folder. */
  #levels = new Map<string, Rule[]>();
  textAt;
  root: string | null;
  outer: Rule[];

  constructor(call: Call) {
    const {
      context: { fs, env },
      settings,
    } = call;
    const { gitDir, workTree } = needRepository(call);
    this.textAt = (path: string) => (fs.isFile(path) ? fs.textAt(path) : "");
    this.root = workTree;
    const home = env.get("HOME") ?? "/home/user";
    const user =
      setting(settings, "core.excludesFile")?.replace(/^~/, home) ??
      `${env.get("XDG_CONFIG_HOME") ?? `${home}/.config`}/git/ignore`;
    this.outer = [
      ...rulesOf(this.textAt(user), user, ""),
      ...rulesOf(this.textAt(`${gitDir}/info/exclude`), ".git/info/exclude", ""),
    ];
  }

  /** @param folder - with `/` at its end, or empty */
  #level(folder: string) {
    const known =
      this.#levels.get(folder) ??
      rulesOf(this.textAt(`${this.root}/${folder}.gitignore`), `${folder}.gitignore`, folder);
    this.#levels.set(folder, known);
    return known;
  }

  /** The rule that decides about a path; one that ignores a folder is for all that is in it. */
  decide(path: string): Rule | null {
    const parts = path.split("/").filter(Boolean);
    let rules = this.outer;
    let found = null;
    for (const [at] of parts.entries()) {
      const folder = parts
        .slice(0, at)
        .map((part) => `${part}/`)
        .join("");
      rules = [...rules, ...this.#level(folder)];
      const isFolder = at + 1 < parts.length || path.endsWith("/");
      const here = folder + parts[at] + (isFolder ? "/" : "");
      found = rules.findLast(({ matches }) => matches(here)) ?? null;
      if (found && !found.negated) return found;
    }
    return found;
  }
}

export async function checkIgnore(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands, paths } = parseOptions(args);
  checkOptions("check-ignore", flags, KNOWN);
  const has = (...names: string[]) => names.some((name) => flags.has(name));
  const [verbose, zero, all] = [has("-v", "--verbose"), has("-z"), has("-n", "--non-matching")];
  const named = has("--stdin") ? inputLines(call, zero ? "\0" : "\n") : [...operands, ...(paths ?? [])];
  if (named.length === 0) return has("--stdin") ? answer("", "", 1) : fail("no path specified");
  if (all && !verbose) fail("--non-matching is only valid with --verbose");
  const [staged = new Map()] = await stagesOf(call);
  const tracked = has("--no-index") ? [] : [...staged.keys()];
  const rules = new Rules(call);
  let text = "";
  let count = 0;
  for (const shown of named) {
    const name = inTree(repository, call.context, shown).replace(/\/$/, "");
    if (call.context.fs.isBehindLink(name))
      throw new GitProblem(`fatal: pathspec '${shown}' is beyond a symbolic link`);
    const node = call.context.fs.nodeAt(`${repository.workTree}/${name}`);
    const isFolder = shown.endsWith("/") || (node !== null && call.context.fs.FS.isDir(node.mode));
    const isTracked = tracked.some((path) => path === name || path.startsWith(`${name}/`));
    const rule = name === "" || isTracked ? null : rules.decide(isFolder ? `${name}/` : name);
    const found = rule && (verbose || !rule.negated) ? rule : null;
    if (found) count++;
    if (!found && !all) continue;
    const fields = verbose ? [found?.source ?? "", String(found?.line ?? ""), found?.text ?? "", shown] : [shown];
    if (zero) text += fields.map((field) => `${field}\0`).join("");
    else text += verbose ? `${fields.slice(0, 3).join(":")}\t${quoted(shown)}\n` : `${quoted(shown)}\n`;
  }
  return answer(has("-q", "--quiet") ? "" : text, "", count ? 0 : 1);
}
