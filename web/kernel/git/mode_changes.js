// Changes of permissions and types, and empty files, which just-git's `diff` and `show` leave out.
import { diffTrees } from "just-git/repo";

import { filesOf, nodesBelow } from "./changes.js";
import { parseIndex } from "./index_file.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./repository.js").Repository} Repository
 * @typedef {{ mode: number, hash: string | null }} Version the hash is null for a file of the work tree
 * @typedef {{ path: string, old: Version | null, now: Version | null }} Change
 * @typedef {Map<string, Version>} Versions
 */

const EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const NONE = "0000000";
const [LINK, FILE, PROGRAM, TYPES] = [0o120000, 0o100644, 0o100755, 0o170000];

/** Return whether a change has another type of file, such as a link in place of a text. @param {Change} change */
export const isTypeChange = ({ old, now }) => old !== null && now !== null && ((old.mode ^ now.mode) & TYPES) !== 0;

/** @param {Change} change */
const isSpecial = ({ old, now }) => (old && now ? old.mode !== now.mode : (old ?? now)?.hash === EMPTY);

/** Return what differs between two trees. @param {Repository} repository @param {string | null} one @param {string} other */
export async function treeChanges(repository, one, other) {
  const version = (/** @type {string | undefined} */ mode, /** @type {string | undefined} */ hash) =>
    mode === undefined || hash === undefined ? null : { mode: parseInt(mode, 8), hash };
  const found = await diffTrees(repository, one, other);
  return found.map(({ path, oldMode, oldHash, newMode, newHash }) => ({ path, old: version(oldMode, oldHash), now: version(newMode, newHash) })).filter(isSpecial);
}

/**
 * What differs between a tree or the index, and the index or the work tree.
 * @param {Repository} repository @param {Call} call @param {{ tree: string | null, cached: boolean }} sides without a tree, the old one is the index
 * @returns {Promise<Change[] | null>} null during a conflict
 */
export async function localChanges(repository, call, { tree, cached }) {
  const { fs } = call.context;
  const place = `${repository.gitDir}/index`;
  const entries = (await fs.exists(place)) ? parseIndex(await fs.readFileBuffer(place)) : [];
  if (entries === null || entries.some(({ stage }) => stage > 0)) return null;
  /** @type {Versions} */
  const index = new Map(entries.map((entry) => [entry.path, entry]));
  const before = tree === null ? index : await filesOf(repository, tree);
  const after = cached ? index : inFiles(new Set([...before.keys(), ...index.keys()]), repository, call);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => ({ path, old: before.get(path) ?? null, now: after.get(path) ?? null })).filter(isSpecial);
}

/** @param {Set<string>} paths @param {Repository} repository @param {Call} call @returns {Versions} */
function inFiles(paths, repository, { context: { fs } }) {
  const nodeOf = nodesBelow(fs, repository.workTree ?? "");
  /** @type {Versions} */
  const found = new Map();
  for (const path of paths) {
    const node = nodeOf(path);
    if (node === null || fs.FS.isDir(node.mode)) continue;
    const mode = fs.FS.isLink(node.mode) ? LINK : node.mode & 0o100 && fs.hasModes ? PROGRAM : FILE;
    found.set(path, { mode, hash: null });
  }
  return found;
}

/** @param {number} mode */
const octal = (mode) => mode.toString(8).padStart(6, "0");

/** @param {string} block of a diff @returns {string} the path that it is about */
function pathOf(block) {
  const [line = ""] = block.split("\n", 1);
  const renamed = /^rename to (.*)$/m.exec(block)?.[1];
  // `diff --git a/x b/x` has the path twice.
  return renamed ?? line.replace(/^diff --(cc|combined) /, "").replace(/^diff --git (.*)$/, (_, both) => both.slice((both.length + 1) / 2 + 2));
}

/** A file that is only added, or only removed. @param {string} path @param {Version} version @param {string} name @param {string | null} text @param {boolean} adds */
function whole(path, { mode }, name, text, adds) {
  const verb = adds ? "new" : "deleted";
  const head = `diff --git a/${path} b/${path}\n${verb} file mode ${octal(mode)}\nindex ${adds ? `${NONE}..${name}` : `${name}..${NONE}`}\n`;
  if (text === null || text === "") return head;
  const tab = path.includes(" ") ? "\t" : "";
  const files = adds ? `--- /dev/null\n+++ b/${path}${tab}\n` : `--- a/${path}${tab}\n+++ /dev/null\n`;
  if (text.includes("\0")) return `${head}Binary files ${adds ? `/dev/null and b/${path}` : `a/${path} and /dev/null`} differ\n`;
  const lines = text.split("\n");
  const unended = lines.pop() !== "" ? "\\ No newline at end of file\n" : "";
  const all = unended ? text.split("\n") : lines;
  const range = all.length === 1 ? "1" : `1,${all.length}`;
  const hunk = adds ? `@@ -0,0 +${range} @@\n` : `@@ -${range} +0,0 @@\n`;
  return head + files + hunk + all.map((line) => `${adds ? "+" : "-"}${line}\n`).join("") + unended;
}

/** @param {Change} change @param {string | undefined} block what just-git printed @param {(change: Change, isNew: boolean) => Promise<string>} textOf */
async function blockOf(change, block, textOf) {
  const { path, old, now } = change;
  if (old === null || now === null) return block ?? whole(path, /** @type {Version} */ (old ?? now), EMPTY.slice(0, 7), "", old === null);
  const [, before = "", after = ""] = /^index (\w+)\.\.(\w+)/m.exec(block ?? "") ?? [];
  if (isTypeChange(change) && before)
    return whole(path, old, before, await textOf(change, false), false) + whole(path, now, after, await textOf(change, true), true);
  const modes = `old mode ${octal(old.mode)}\nnew mode ${octal(now.mode)}\n`;
  if (block === undefined) return `diff --git a/${path} b/${path}\n${modes}`;
  return block.includes("\nold mode ") ? block : block.replace(/\n/, `\n${modes}`).replace(/^(index \w+\.\.\w+) \d+$/m, "$1");
}

/** Add the changes to a patch. @param {string} text @param {Change[]} changes @param {(change: Change, isNew: boolean) => Promise<string>} textOf */
export async function inPatch(text, changes, textOf) {
  const [head = "", ...rest] = text.split(/^(?=diff --(?:git|cc) )/m);
  const blocks = new Map((head.startsWith("diff --") ? [head, ...rest] : rest).map((block) => [pathOf(block), block]));
  for (const change of changes) blocks.set(change.path, await blockOf(change, blocks.get(change.path), textOf));
  const sorted = [...blocks].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, block]) => block);
  return (head.startsWith("diff --") ? "" : head) + sorted.join("");
}

/** Leave out the lines of files whose attributes say `-diff`. @param {string} text a patch @param {(path: string) => boolean} isOpaque */
export function withoutLines(text, isOpaque) {
  return text.split(/^(?=diff --git )/m).map((block) => {
    if (!block.startsWith("diff --git ") || !/^--- /m.test(block) || !isOpaque(pathOf(block))) return block;
    const [, from = ""] = /^--- (.*?)\t?$/m.exec(block) ?? [];
    const [, to = ""] = /^\+\+\+ (.*?)\t?$/m.exec(block) ?? [];
    return `${block.slice(0, block.search(/^--- /m))}Binary files ${from} and ${to} differ\n`;
  }).join("");
}

/** Add the changes to a list of names. @param {string} text @param {Change[]} changes @param {(change: Change) => string} lineOf */
export function inList(text, changes, lineOf) {
  const nameOf = (/** @type {string} */ line) => line.split("\t").at(-1) ?? "";
  const lines = new Map(text.split("\n").filter(Boolean).map((line) => [nameOf(line), line]));
  for (const change of changes) if (!lines.has(change.path) || isTypeChange(change)) lines.set(change.path, lineOf(change));
  return [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => `${line}\n`).join("");
}

/** Add files without changed lines to `--stat`. @param {string} text @param {Change[]} changes */
export function inStat(text, changes) {
  const rows = text.split("\n").slice(0, -2).map((line) => /^ (.*?) +\| ( *\S.*)$/.exec(line)?.slice(1) ?? ["", ""]);
  const fresh = changes.filter(({ path }) => !rows.some(([name]) => name === path));
  if (fresh.length === 0) return text;
  const digits = Math.max(1, ...rows.map(([, rest = ""]) => /^ *\S+/.exec(rest)?.[0].length ?? 1));
  const all = [...rows, ...fresh.map(({ path }) => [path, "0".padStart(digits)])].sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  const width = Math.max(...all.map(([name = ""]) => name.length));
  const total = text.split("\n").at(-2) || " 0 files changed, 0 insertions(+), 0 deletions(-)";
  return all.map(([name = "", rest]) => ` ${name.padEnd(width)} | ${rest}\n`).join("") + counted(total, fresh.length);
}

/** Add files to the line of totals. @param {string} total @param {number} more */
export const counted = (total, more) =>
  `${total.replace(/^ (\d+) files?/, (_, count) => ` ${Number(count) + more} file${Number(count) + more === 1 ? "" : "s"}`)}\n`;
