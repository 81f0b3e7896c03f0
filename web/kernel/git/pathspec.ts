// Which paths a command is about: files, folders, globs and magic words, as "pathspec" in gitglossary(7) describes them.
import { GitProblem } from "./answers.js";
import { globSource } from "./path_patterns.js";
import { inTree } from "./repository.js";

/**
 * @typedef {import("./repository.js").Repository} Repository
 * @typedef {import("./answers.js").Context} Context
 * @typedef {{ text: string, excludes: boolean, matches: (path: string) => boolean }} Spec
 */

const SHORT = /** @type {Record<string, string>} */ ({ "/": "top", "!": "exclude", "^": "exclude" });
const WORDS = ["top", "exclude", "icase", "literal", "glob"];

/** Split the magic from a pathspec. @param {string} text @returns {{ magic: Set<string>, rest: string }} */
function magicOf(text) {
  const [, words, inner] = /^:\(([^)]*)\)(.*)$/s.exec(text) ?? [];
  if (words !== undefined) {
    const magic = new Set(words.split(",").filter(Boolean));
    const unknown = [...magic].find((word) => !WORDS.includes(word));
    if (unknown !== undefined) throw new GitProblem(`error: pathspec '${text}' has no '${unknown}' here\nhint: ${WORDS.join(", ")} are there`, 128);
    return { magic, rest: inner ?? "" };
  }
  const [, signs = "", rest = text] = /^:([/!^]+):?(.*)$/s.exec(text) ?? [];
  return { magic: new Set([...signs].map((sign) => SHORT[sign] ?? "")), rest };
}

/** @param {string} text @param {Repository} repository @param {Context} context @returns {Spec} */
function specOf(text, repository, context) {
  const { magic, rest } = magicOf(text);
  const from = magic.has("top") ? { ...context, cwd: repository.workTree ?? context.cwd } : context;
  const name = inTree(repository, from, rest).replace(/\/$/, "");
  const [wanted, folder] = [name, rest.endsWith("/")];
  const lowered = (/** @type {string} */ path) => (magic.has("icase") ? path.toLowerCase() : path);
  // Without `glob`, a star stands for slashes, too.
  const source = magic.has("glob") ? globSource(wanted) : globSource(wanted).replaceAll("[^/]", "[^]");
  const glob = !magic.has("literal") && /[*?[\\]/.test(wanted) ? new RegExp(`^${source}(?:/|$)`, magic.has("icase") ? "si" : "s") : null;
  const matches = (/** @type {string} */ path) =>
    wanted === "" || (!folder && lowered(path) === lowered(wanted)) || lowered(path).startsWith(`${lowered(wanted)}/`) || (glob?.test(path) ?? false);
  return { text, excludes: magic.has("exclude"), matches };
}

/**
 * Return whether a path, from the root of the work tree, is one of those that are named. Without names, all are.
 * @param {string[]} texts @param {Repository} repository @param {Context} context @returns {(path: string) => boolean}
 */
export function pathFilter(texts, repository, context) {
  if (texts.length === 0) return () => true;
  const specs = texts.map((text) => specOf(text, repository, context));
  const wanted = specs.filter(({ excludes }) => !excludes);
  const unwanted = specs.filter(({ excludes }) => excludes);
  return (path) => (wanted.length === 0 || wanted.some(({ matches }) => matches(path))) && !unwanted.some(({ matches }) => matches(path));
}

/** Return whether a word is a pathspec by its form. @param {string} word */
export const isMagic = (word) => /^:[/!^(]/.test(word) && !/^:\/\w/.test(word);
