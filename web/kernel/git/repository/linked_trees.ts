// Linked work trees, as git-worktree(1) and gitrepository-layout(5) describe them: a work tree whose `.git` is a file that names
// a folder in `worktrees` of the main repository. Its HEAD, index and the like are there; all else is the main repository's.

import type { ShellFiles } from "../../shell/execution/files.ts";
import type { Context } from "./answers.ts";
import type { Call, Repository } from "./repository.ts";

/** `root` is the work tree, `admin` its folder in the main repository's `common` */
export type Link = { root: string; admin: string; common: string };

/** `id` is null for the main one */
export interface Tree {
  id: string | null;
  path: string;
  admin: string;
  head: string;
  locked: string | null;
  prunable: string | null;
}

const SHARED =
  /^(?:branches|hooks|info(?!\/sparse-checkout)|logs(?!\/HEAD$|\/refs\/bisect)|lost-found|objects|refs(?!\/(?:bisect|worktree|rewritten)(?:\/|$))|packed-refs|remotes|shallow|worktrees|modules|config|gc\.pid|rr-cache)(?:\/|$)/;
const LAST: Record<string, number> = { symlink: 1 };
const ONE_PATH = [
  "stat",
  "lstat",
  "readFile",
  "writeFile",
  "mkdir",
  "mkdirTree",
  "rmdir",
  "unlink",
  "readdir",
  "chmod",
  "lchmod",
  "symlink",
  "readlink",
  "lookupPath",
  "analyzePath",
  "open",
  "truncate",
  "utime",
];

/** The linked work tree that a folder is in; null if it is in none. */
export function findLink(files: ShellFiles, cwd: string): Link | null {
  for (let folder = cwd; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    const place = `${folder}/.git`;
    if (files.isFile(place)) return linkOf(files, folder);
    if (folder === "" || files.nodeAt(place) !== null) return null;
  }
}

function linkOf(files: ShellFiles, root: string): Link | null {
  const [, path] = /^gitdir: (.*?)\n*$/s.exec(files.textAt(`${root}/.git`)) ?? [];
  const admin = path === undefined ? null : files.resolvePath(root, path);
  if (admin === null || !files.isFile(`${admin}/commondir`)) return null;
  return { root, admin, common: files.resolvePath(admin, files.textAt(`${admin}/commondir`).trim()) };
}

/** The place of a path of a linked work tree. */
function placeOf({ root, admin, common }: Link, path: string): string {
  const own = `${root}/.git`;
  if (path === own) return admin;
  if (!path.startsWith(`${own}/`)) return path;
  const rest = path.slice(own.length + 1);
  return `${SHARED.test(rest) ? common : admin}/${rest}`;
}

/** Return files in which the `.git` of a linked work tree is a folder with all that a repository has. */
export function withLink(files: ShellFiles, link: Link) {
  const { FS } = files;
  const view = Object.create(FS);
  for (const name of ONE_PATH) {
    const at = LAST[name] ?? 0;
    view[name] = (...args: unknown[]) =>
      Reflect.apply(
        Reflect.get(FS, name),
        FS,
        args.map((value, number) => (number === at ? placeOf(link, String(value)) : value)),
      );
  }
  view.rename = (one: string, other: string) => FS.rename(placeOf(link, one), placeOf(link, other));
  return Object.assign(Object.create(files), { FS: view });
}

/** The path that a shell finds a file of the repository by. */
export const realPath = (path: string, { link }: Context) => (link ? placeOf(link, path) : path);

/** All work trees of a repository, the main one first. */
export function treesOf({ gitDir }: Repository, { files, link }: Context): Tree[] {
  const common = link?.common ?? gitDir;
  const textOf = (path: string) => (files.isFile(path) ? files.textAt(path).trim() : null);
  const main = {
    id: null,
    path: common.replace(/\/\.git$/, ""),
    admin: common,
    head: textOf(`${common}/HEAD`) ?? "",
    locked: null,
    prunable: null,
  };
  const folder = `${common}/worktrees`;
  const ids =
    files.nodeAt(folder) === null
      ? []
      : files.FS.readdir(folder)
          .filter((name: string) => !name.startsWith("."))
          .sort();
  return [
    main,
    ...ids.map((id: string) => {
      const admin = `${folder}/${id}`;
      const file = textOf(`${admin}/gitdir`);
      const path = (file ?? "").replace(/\/\.git$/, "");
      const problem =
        file === null
          ? "gitdir file does not exist"
          : files.isFile(file) || path === link?.root
            ? null
            : "gitdir file points to non-existent location";
      const locked = textOf(`${admin}/locked`);
      return {
        id,
        path,
        admin,
        head: textOf(`${admin}/HEAD`) ?? "",
        locked,
        prunable: locked === null ? problem : null,
      };
    }),
  ];
}

/** The branch that a work tree has checked out; null for a detached HEAD. */
export const branchOf = ({ head }: Tree) => /^ref: refs\/heads\/(.*)$/.exec(head)?.[1] ?? null;

/** The other work trees of a call, by the branch that they have checked out. */
export function heldBranches({ repository, context }: Call): Map<string, Tree> {
  if (repository === null || context.files.nodeAt(`${repository.gitDir}/worktrees`) === null) return new Map();
  const others = treesOf(repository, context).filter(({ path }) => path !== repository.workTree);
  return new Map(others.flatMap((tree) => (branchOf(tree) === null ? [] : [[branchOf(tree) ?? "", tree]])));
}
