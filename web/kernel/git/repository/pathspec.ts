// Which paths a command is about: files, folders, globs and magic words, as "pathspec" in gitglossary(7) describes them.
import { GitProblem, type Context } from "./answers.ts";
import { globSource } from "./path_patterns.ts";
import { matchesGlob } from "./ref_names.ts";
import { inTree, type Call, type Repository } from "./repository.ts";

type Spec = { text: string; excludes: boolean; matches: (path: string) => boolean };

const SHORT: Record<string, string> = { "/": "top", "!": "exclude", "^": "exclude" };
const WORDS = ["top", "exclude", "icase", "literal", "glob"];

/** Split the magic from a pathspec. */
function magicOf(text: string): { magic: Set<string>; rest: string } {
  const [, words, inner] = /^:\(([^)]*)\)(.*)$/s.exec(text) ?? [];
  if (words !== undefined) {
    const magic = new Set(words.split(",").filter(Boolean));
    const unknown = [...magic].find((word) => !WORDS.includes(word));
    if (unknown !== undefined)
      throw new GitProblem(
        `error: pathspec '${text}' has no '${unknown}' here\nhint: ${WORDS.join(", ")} are there`,
        128,
      );
    return { magic, rest: inner ?? "" };
  }
  const [, signs = "", rest = text] = /^:([/!^]+):?(.*)$/s.exec(text) ?? [];
  return { magic: new Set([...signs].map((sign) => SHORT[sign] ?? "")), rest };
}

function specOf(text: string, repository: Repository, context: Context): Spec {
  const { magic, rest } = magicOf(text);
  const from = magic.has("top") ? { ...context, cwd: repository.workTree ?? context.cwd } : context;
  const name = inTree(repository, from, rest).replace(/\/$/, "");
  const [wanted, folder] = [name, rest.endsWith("/")];
  const lowered = (path: string) => (magic.has("icase") ? path.toLowerCase() : path);
  // Without `glob`, a star stands for slashes, too.
  const source = magic.has("glob") ? globSource(wanted) : globSource(wanted).replaceAll("[^/]", "[^]");
  const glob =
    !magic.has("literal") && /[*?[\\]/.test(wanted)
      ? new RegExp(`^${source}(?:/|$)`, magic.has("icase") ? "si" : "s")
      : null;
  const matches = (path: string) =>
    wanted === "" ||
    (!folder && lowered(path) === lowered(wanted)) ||
    lowered(path).startsWith(`${lowered(wanted)}/`) ||
    (glob?.test(path) ?? false);
  return { text, excludes: magic.has("exclude"), matches };
}

/** Return whether a path, from the root of the work tree, is one of those that are named. Without names, all are. */
export function pathFilter(texts: string[], repository: Repository, context: Context): (path: string) => boolean {
  if (texts.length === 0) return () => true;
  const specs = texts.map((text) => specOf(text, repository, context));
  const wanted = specs.filter(({ excludes }) => !excludes);
  const unwanted = specs.filter(({ excludes }) => excludes);
  return (path) =>
    (wanted.length === 0 || wanted.some(({ matches }) => matches(path))) &&
    !unwanted.some(({ matches }) => matches(path));
}

/** Return whether a word is a pathspec by its form. */
export const isMagic = (word: string) => /^:[/!^(]/.test(word) && !/^:\/\w/.test(word);

const MAGIC = /^:[/!^(]/;
/** the commands of just-git, which knows no magic, and after which options a word is no path */
const PLAIN: Record<string, string[]> = {
  add: [],
  reset: [],
  restore: ["-s", "--source"],
  rm: [],
  stash: ["-m", "--message"],
};

/** Name what magic words stand for by paths from the folder of the call. */
export async function withoutMagic(command: string, args: string[], call: Call): Promise<string[]> {
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
  const candidates = await filesFor(command, call);
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
async function filesFor(command: string, { repository, elsewhere }: Call) {
  const untracked = command === "add" ? ["-o", "--exclude-standard"] : [];
  const listed = await elsewhere(["ls-files", "-z", "-c", ...untracked], repository?.workTree ?? "");
  return [...new Set(listed.stdout.split("\0").filter(Boolean))];
}

/** @param pattern - a file, a folder or a glob */
export const isBelow = (path: string, pattern: string) =>
  pattern === "" ||
  path === pattern ||
  path.startsWith(`${pattern.replace(/\/$/, "")}/`) ||
  (/[*?[]/.test(pattern) && matchesGlob(pattern, path));
