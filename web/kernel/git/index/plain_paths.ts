// The paths of commands of just-git, which knows no magic and takes each `[` for a pattern.
import { GitProblem } from "../repository/answers.ts";
import { has } from "../repository/options.ts";
import { magicOf, pathFilter } from "../repository/pathspec.ts";
import { inTree, type Call } from "../repository/repository.ts";
import { entriesOf } from "./index_edit.ts";
import { tableOf } from "../../tables.ts";

const MAGIC = /^:[/!^(]/;
/** the commands of just-git, which knows no magic, and after which options a word is no path */
const PLAIN: Record<string, string[]> = tableOf({
  add: [],
  restore: ["-s", "--source"],
  rm: [],
  stash: ["-m", "--message"],
});

/** commands that know magic, but take each `[` for a pattern */
const OTHERS = new Set(["checkout", "log"]);

/** Write the paths of a command of just-git as it understands them. */
export async function plainPaths(command: string, args: string[], call: Call): Promise<string[]> {
  return asLiterals(command, await withoutMagic(command, args, call), call);
}

/** Escape names such as `[id].ts` of files that are there: git compares a word with names before it takes it for a pattern. */
async function asLiterals(command: string, args: string[], call: Call) {
  const { repository, context } = call;
  if (!repository?.workTree || !(command in PLAIN || OTHERS.has(command))) return args;
  if (!args.some((word) => word.includes("["))) return args;
  const tracked = await entriesOf(call);
  return args.map((word) => {
    if (!word.includes("[") || word.startsWith("-") || word.includes("\\")) return word;
    const name = inTree(repository, context, word).replace(/\/$/, "");
    const node = context.fs.nodeAt(context.fs.resolvePath(context.cwd, word));
    const isFolder =
      tracked.some(({ path }) => path.startsWith(`${name}/`)) || (node && context.fs.FS.isDir(node.mode));
    const isThere = node !== null || isFolder || tracked.some(({ path }) => path === name);
    const escaped = word.replace(/[*?[]/g, "\\$&");
    if (isFolder && command === "rm" && !args.some((each) => /^-[a-z]*r/.test(each)))
      throw new GitProblem(`fatal: not removing '${word}' recursively without -r`);
    return isThere ? escaped + (isFolder ? "/*" : "") : word;
  });
}

/** Name what magic words stand for by paths from the folder of the call. */
async function withoutMagic(command: string, args: string[], call: Call): Promise<string[]> {
  const { repository, context } = call;
  const valued = PLAIN[command];
  const isWord = (word: string, at: number) => !word.startsWith("-") && !valued?.includes(args[at - 1] ?? "");
  const magic = args.filter((word, at) => isWord(word, at) && MAGIC.test(word));
  if (valued === undefined || !repository?.workTree || magic.length === 0) return args;
  const up = "../".repeat(inTree(repository, context, "").split("/").filter(Boolean).length);
  if (magic.every((word) => [...magicOf(word).magic].every((name) => name === "top")))
    return args.map((word) => (magic.includes(word) ? `${up}${magicOf(word).rest}` || "." : word));
  const isOperand = (word: string, at: number) => isWord(word, at) && !(command === "stash" && at === 0);
  const specs = args.filter(isOperand);
  const candidates = await filesFor(command, args, call);
  for (const spec of specs) {
    if (!magicOf(spec).magic.has("exclude") && !candidates.some(pathFilter([spec], repository, context)))
      throw new GitProblem(`fatal: pathspec '${spec}' did not match any files`, 128);
  }
  const chosen = candidates.filter(pathFilter(specs, repository, context));
  return [
    ...args.filter((word, at) => !isOperand(word, at) && word !== "--"),
    "--",
    ...chosen.map((path) => up + path),
  ];
}

/** The paths, from the root of the work tree, that a command can be about. */
async function filesFor(command: string, args: string[], { repository, elsewhere }: Call) {
  const takesUntracked =
    command === "add" ? !has(args, "-u", "--update") : command === "stash" && has(args, "-u", "--include-untracked");
  const untracked = takesUntracked ? ["-o", "--exclude-standard"] : [];
  const listed = await elsewhere(["ls-files", "-z", "-c", ...untracked], repository?.workTree ?? "");
  return [...new Set(listed.stdout.split("\0").filter(Boolean))];
}
