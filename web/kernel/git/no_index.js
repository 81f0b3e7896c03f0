// `git diff --no-index`: two files or folders, in a repository or not. They become two commits of a repository in memory.
import { createGit, findRepo, MemoryFileSystem } from "just-git";
import { createCommit, updateTree, writeTree } from "just-git/repo";

import { decode } from "../shell/bytes.js";
import { fail, GitProblem } from "./answers.js";
import { completed } from "./diff.js";
import { treeChanges } from "./mode_changes.js";
import { has, parseOptions, splitAtDashes } from "./options.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./repository.js").Repository} Repository
 * @typedef {import("./answers.js").Answer} Answer
 */

const USAGE = "usage: git diff --no-index [<options>] <path> <path>";
const KNOWN = /^(--name-only|--name-status|--quiet|-q|--exit-code|-p|-u|--patch|--no-color|--color=never|--text|-a|-U\d+|--unified=\d+|--no-ext-diff|--no-renames)$/;
const PERSON = { name: "none", email: "none", timestamp: 0, timezone: "+0000" };
const FILE = "file";
const ROOT = "/compared";

/** @param {string} text @returns {never} */
function problem(text) {
  throw new GitProblem(text, 129);
}

/** @typedef {{ shown: string, place: string }} Side */

/** @param {string[]} args @param {Call} call @returns {Promise<Answer>} */
export async function diffFiles(args, call) {
  const { operands, paths } = parseOptions(args);
  const unknown = splitAtDashes(args)[0].find((word) => /^-./.test(word) && !KNOWN.test(word));
  if (unknown !== undefined) problem(`error: git diff --no-index has no ${unknown} here; use diff`);
  const named = [...operands, ...(paths ?? [])];
  if (named.length !== 2) problem(USAGE);
  const { sides, isFolder } = sidesOf(named, call);
  const repository = await emptyRepository();
  const [one = "", other = ""] = await Promise.all(sides.map(({ place }) => treeOf(place, isFolder, repository, call)));
  const text = await compared(one, other, args, repository);
  const [old, now] = sides.map(({ shown }) => (/** @type {string} */ path) => (isFolder ? `${shown}/${path}` : shown).replace(/^(\.?\/)+/, ""));
  const names = has(args, "--name-only", "--name-status");
  const listed = () => text.replace(/^(?:([A-Z])\t)?(.+)$/gm, (_, letter, path) => `${letter ? `${letter}\t` : ""}${(letter === "A" ? now : old)?.(path)}`);
  const stdout = names ? listed() : renamed(text, old, now);
  return { stdout: has(args, "--quiet", "-q") ? "" : stdout, stderr: "", exitCode: Number(text !== "") };
}

/** The two sides; beside a folder, a file stands for the one of its name there. @param {string[]} named @param {Call} call */
function sidesOf(named, { context: { files, cwd } }) {
  /** @type {Side[]} */
  const sides = named.map((path) => ({ shown: path.replace(/(?<=.)\/+$/, ""), place: files.resolvePath(cwd, path) }));
  const nodeOf = (/** @type {Side} */ { shown, place }) => files.nodeAt(place) ?? fail(`Could not access '${shown}'`);
  const folders = sides.map((side) => files.FS.isDir(nodeOf(side).mode));
  const isFolder = folders.every(Boolean);
  if (isFolder || !folders.some(Boolean)) return { sides, isFolder };
  const name = sides[folders.indexOf(false)]?.shown.split("/").at(-1);
  const inside = sides.map(({ shown, place }, at) => (folders[at] ? { shown: `${shown}/${name}`, place: `${place}/${name}` } : { shown, place }));
  inside.forEach(nodeOf);
  return { sides: inside, isFolder };
}

/** @returns {Promise<Repository>} */
async function emptyRepository() {
  const fs = new MemoryFileSystem();
  await fs.mkdir(ROOT, { recursive: true });
  await createGit().execute(["init"], { fs, cwd: ROOT, env: new Map(), stdin: "" });
  return (await findRepo(fs, ROOT)) ?? fail("no repository in memory");
}

/** @param {string} place @param {boolean} isFolder @param {Repository} repository @param {Call} call */
async function treeOf(place, isFolder, repository, { context: { files } }) {
  /** @type {{ path: string, hash: string, mode: string }[]} */
  const updates = [];
  const visit = async (/** @type {string} */ path, /** @type {string} */ name) => {
    const node = files.nodeAt(path);
    if (files.FS.isDir(node.mode)) {
      for (const [inner] of files.namesIn(path)) if (inner !== ".git") await visit(`${path}/${inner}`, name ? `${name}/${inner}` : inner);
      return;
    }
    const hash = await repository.objectStore.write("blob", files.contentOf(node, path));
    const mode = files.FS.isLink(node.mode) ? "120000" : node.mode & 0o100 ? "100755" : "100644";
    updates.push({ path: name, hash, mode });
  };
  await visit(place, isFolder ? "" : FILE);
  const empty = await writeTree(repository, []);
  return updates.length ? updateTree(repository, empty, updates) : empty;
}

/** @param {string} one a tree @param {string} other @param {string[]} args @param {Repository} repository */
async function compared(one, other, args, repository) {
  if (one === other) return "";
  const commits = [];
  for (const tree of [one, other]) commits.push(await createCommit(repository, { tree, parents: [], author: PERSON, committer: PERSON, message: "" }));
  const options = splitAtDashes(args)[0].filter((word) => /^(-U|--unified|--name)/.test(word));
  const { fs } = repository;
  const done = await createGit().execute(["diff", ...options, ...commits], { fs, cwd: ROOT, env: new Map(), stdin: "" });
  const changes = await treeChanges(repository, one, other);
  const textOf = async (/** @type {string | null} */ hash) => (hash === null ? "" : decode((await repository.objectStore.read(hash)).content));
  return completed(done.stdout, changes, options.find((word) => word.startsWith("--name")), textOf);
}

/** Put the names of both sides into the heads of a patch. @param {string} text @param {any} old @param {any} now */
function renamed(text, old, now) {
  return text.replace(/^diff --git a\/.*(?:\n(?![ +\-@\\](?!-- |\+\+ )|diff ).*)*/gm, (head) => head
    .replace(/^diff --git a\/(.*) b\/.*$/m, (_, path) => {
      const [from, to] = [/^new file/m.test(head) ? now : old, /^deleted file/m.test(head) ? old : now];
      return `diff --git a/${from(path)} b/${to(path)}`;
    })
    .replace(/^--- a\/(.*?)(\t?)$/m, (_, path) => `--- a/${old(path)}${old(path).includes(" ") ? "\t" : ""}`)
    .replace(/^\+\+\+ b\/(.*?)(\t?)$/m, (_, path) => `+++ b/${now(path)}${now(path).includes(" ") ? "\t" : ""}`)
    .replace(/^Binary files (?:a\/(.*)|\/dev\/null) and (?:b\/(.*)|\/dev\/null) differ$/m, (_, from, to) =>
      `Binary files ${from ? `a/${old(from)}` : "/dev/null"} and ${to ? `b/${now(to)}` : "/dev/null"} differ`));
}
