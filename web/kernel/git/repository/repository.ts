// The repository of a call, and its data.
import { findRepo, type GitHooks } from "just-git";
import { readHead, revParse } from "just-git/repo";

import { decode, fromLatin1 } from "../../bytes.ts";
import { fail, type Answer, type Context } from "./answers.ts";
import type { Setting } from "./settings.ts";

export type Repository = NonNullable<Awaited<ReturnType<typeof findRepo>>>;

/** a call of a command */
export interface Call {
  context: Context;
  settings: Setting[];
  repository: Repository | null;
  /** false after `--no-verify` */
  verifies?: boolean;
  /** calls just-git */
  run: (words: string[], hooks?: GitHooks) => Promise<Answer>;
  /** opens the repository that a folder is, or has */
  repositoryAt: (path: string) => Promise<Repository | null>;
  /** calls git in another folder */
  elsewhere: (words: string[], cwd: string) => Promise<Answer>;
}

/** a command of just-git, adjusted */
export type Adjustment = (args: string[], call: Call) => Promise<Answer>;

/** returns null to leave the call to just-git */
export type Command = (args: string[], call: Call) => Promise<Answer | null>;

export const findRepository = ({ fs, cwd }: Context): Promise<Repository | null> => findRepo(fs, cwd);

export function needRepository({ repository }: Call): Repository {
  return repository ?? fail("not a git repository (or any of the parent directories): .git");
}

export const headOf = (repository: Repository): Promise<{ branch: string | null; hash: string | null }> =>
  readHead(repository);

/** @param name - a file in .git */
export async function gitFile({ fs, gitDir }: Repository, name: string): Promise<string | null> {
  const path = `${gitDir}/${name}`;
  return (await fs.exists(path)) ? fs.readFile(path) : null;
}

/** The content of an object, as text. */
export const storedText = async ({ objectStore }: Pick<Repository, "objectStore">, hash: string): Promise<string> =>
  decode((await objectStore.read(hash)).content);

/** Run something in the root of the work tree. */
export async function inRoot<T>({ context, repository }: Call, run: () => Promise<T>): Promise<T> {
  const { cwd } = context;
  context.cwd = repository?.workTree ?? cwd;
  try {
    return await run();
  } finally {
    context.cwd = cwd;
  }
}

/** Standard input, as text. */
export const inputText = ({ context }: Call): string => decode(fromLatin1(context.stdin));

/** The lines of standard input, without empty ones. */
export const inputLines = (call: Call, end: string = "\n"): string[] => inputText(call).split(end).filter(Boolean);

/** The path of a file from the root of the work tree. */
export function inTree({ workTree }: Repository, { fs, cwd }: Context, path: string) {
  const whole = fs.resolvePath(cwd, path);
  return whole === workTree ? "" : whole.slice((workTree ?? "").length + 1);
}

export { revParse };
