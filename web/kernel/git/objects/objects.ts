// Objects by the names of gitrevisions(7): `<revision>`, `<revision>:<path>`, `:<path>` and `:<stage>:<path>`.
import { readTree } from "just-git/repo";
import type { Context } from "../repository/answers.ts";

import { readIndex } from "../index/index_file.ts";
import { inTree, revParse, storedText, type Repository } from "../repository/repository.ts";
import { hashOf } from "./revisions.ts";

/** @returns null if it has no path */
export function splitPath(name: string): { revision: string; path: string } | null {
  const [, revision, path] = /^((?:[^:{]|\{[^}]*\})*):(.*)$/s.exec(name) ?? [];
  // `:/text` is a commit by its message.
  return revision === undefined || path === undefined || (revision === "" && path.startsWith("/"))
    ? null
    : { revision, path };
}

/**
 * @param context - resolves paths that begin with `./`
 * @returns the hash of the object
 */
export async function find(repository: Repository, name: string, context?: Context): Promise<string | null> {
  const parts = splitPath(name);
  if (parts === null) return hashOf(repository, name);
  const { revision } = parts;
  const path = /^\.\.?(\/|$)/.test(parts.path) && context ? inTree(repository, context, parts.path) : parts.path;
  if (revision === "") return staged(repository, path, context);
  const base = await hashOf(repository, revision);
  const tree = base === null ? null : await revParse(repository, `${base}^{tree}`);
  return tree === null ? null : hashAt(repository, tree, path);
}

/** The text of an object; empty if there is none. */
export async function textAt(repository: Repository, name: string): Promise<string> {
  const hash = await find(repository, name);
  return hash === null ? "" : storedText(repository, hash);
}

/** @returns the hash of what a tree has at a path; null if it has nothing there */
export async function hashAt(repository: Repository, tree: string, path: string): Promise<string | null> {
  let hash: string | null = tree;
  for (const part of path.split("/").filter(Boolean)) {
    if (hash === null) return null;
    hash = (await readTree(repository, hash)).find((entry) => entry.name === part)?.hash ?? null;
  }
  return hash;
}

/**
 * A file in the index.
 * @param name - a path, maybe after a stage
 */
async function staged(repository: Repository, name: string, context?: Context) {
  const [, number, rest] = /^([0-3]):(.*)$/s.exec(name) ?? [];
  const path =
    rest !== undefined && /^\.\.?(\/|$)/.test(rest) && context ? inTree(repository, context, rest) : (rest ?? name);
  const entries = (await readIndex(repository)) ?? [];
  return entries.find((entry) => entry.path === path && entry.stage === Number(number ?? 0))?.hash ?? null;
}

/** Say why a file isn't found, as git does. */
export async function whyMissing(repository: Repository, name: string, context: Context): Promise<string> {
  const { revision, path } = splitPath(name) ?? { revision: name, path: "" };
  const [, number = "0", rest] = /^([0-3]):(.*)$/s.exec(path) ?? [];
  const file = rest ?? path;
  const isThere = await context.fs.exists(`${repository.workTree}/${file}`);
  if (revision !== "") {
    if ((await revParse(repository, revision)) === null) return `fatal: invalid object name '${revision}'.`;
    return `fatal: path '${path}' ${isThere ? "exists on disk, but not" : "does not exist"} in '${revision}'`;
  }
  const stages = (await readIndex(repository)) ?? [];
  const other = stages.find((entry) => entry.path === file);
  if (other)
    return `fatal: path '${file}' is in the index, but not at stage ${number}\nhint: Did you mean ':${other.stage}:${file}'?`;
  return `fatal: path '${file}' ${isThere ? "exists on disk, but not in the index" : "does not exist (neither on disk nor in the index)"}`;
}
