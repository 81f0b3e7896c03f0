// Which paths a command is about: files, folders, globs and magic words, as "pathspec" in gitglossary(7) describes them.
import { GitProblem, type Context } from "./answers.ts";
import { globSource } from "./path_patterns.ts";
import { matchesGlob } from "./ref_names.ts";
import { inTree, type Repository } from "./repository.ts";

type Spec = { text: string; excludes: boolean; matches: (path: string) => boolean };

const SHORT: Record<string, string> = { "/": "top", "!": "exclude", "^": "exclude" };
const WORDS = ["top", "exclude", "icase", "literal", "glob"];

/** Split the magic from a pathspec. */
export function magicOf(text: string): { magic: Set<string>; rest: string } {
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
      ? new RegExp(magic.has("glob") ? `^${source}$` : `^${source}(?:/|$)`, magic.has("icase") ? "si" : "s")
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

/** @param pattern - a file, a folder or a glob */
export const isBelow = (path: string, pattern: string) =>
  pattern === "" ||
  path === pattern ||
  path.startsWith(`${pattern.replace(/\/$/, "")}/`) ||
  (/[*?[]/.test(pattern) && matchesGlob(pattern, path));
