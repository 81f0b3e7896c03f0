// Patterns that end in a slash, such as `*/`: just-bash has files match them, too. So a command before expands the pattern
// without its slash, and notes which of the names are directories.
import { FOLDERS } from "./internal.js";
import { command, computed, harmless, quoted, statement } from "./nodes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 */

/** @param {Node} word @returns {boolean} */
const endsInSlash = ({ parts }) => {
  const last = parts?.at(-1);
  return last?.type === "Literal" && last.value.endsWith("/") && parts.some((/** @type {Node} */ part) => part.type === "Glob");
};

/** @param {Node} word @returns {Node} */
const withoutSlash = (word) => {
  const last = word.parts.at(-1);
  const rest = last.value.slice(0, -1);
  return { ...word, parts: [...word.parts.slice(0, -1), ...(rest ? [{ ...last, value: rest }] : [])] };
};

/** @param {Node} word @returns {Node} the pattern itself, where no directory matches */
const asItIs = (word) => {
  const texts = word.parts.map((/** @type {Node} */ part) => part.pattern ?? part.value);
  return texts.includes(undefined) ? word : quoted(texts.join(""));
};

/**
 * @param {Rewriter} rewriter
 * @param {Node} rewritten
 * @param {"args" | "words"} key where its words are
 * @returns {Node}
 */
export function withFolders(rewriter, rewritten, key) {
  /** @type {Node[] | undefined} */
  const words = rewritten[key];
  if (!words?.some(endsInSlash)) return rewritten;
  /** @type {Map<Node, string>} */
  const slots = new Map(words.filter(endsInSlash).map((word) => [word, String(++made)]));
  const notes = [...slots].map(([word, slot]) => harmless(command(FOLDERS, quoted(rewriter.id), quoted(slot), withoutSlash(word))));
  const run = statement(
    computed(rewritten, key, () =>
      words.flatMap((word) => {
        const names = rewriter.folders.get(slots.get(word) ?? "");
        if (names === undefined) return [word];
        return names?.map(quoted) ?? [asItIs(word)];
      }),
    ),
  );
  return rewriter.grouped(() => [...notes, run].values(), [run]);
}
let made = 0;

/**
 * @param {string[]} names that match, or the pattern
 * @param {any} context
 * @returns {Promise<string[] | null>} the directories among them with their slashes; null when the pattern stays
 */
export async function folders(names, context) {
  const found = [];
  for (const name of names) {
    const path = context.fs.resolvePath(context.cwd, name);
    if ((await context.fs.exists(path)) && (await context.fs.stat(path)).isDirectory) found.push(`${name}/`);
  }
  return found.length || (context.env.get("BASHOPTS") ?? "").split(":").includes("nullglob") ? found : null;
}
