// Commands that reach a server. Their requests go through the network door, as all requests of the kernel (docs/network.md).
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { has, without } from "../repository/options.ts";
import { addFolders } from "../repository/new_repository.ts";
import {
  findRepository,
  headOf,
  needRepository,
  revParse,
  type Adjustment,
  type Call,
} from "../repository/repository.ts";
import { setting, type Setting } from "../repository/settings.ts";
import { openWorkTree } from "../work_tree/work_tree.ts";

const IGNORED = ["--progress", "--no-progress", "-v", "--verbose", "--no-edit"];
const CLONE_VALUED = ["-b", "--branch", "--depth", "-o", "--origin"];
const LEASE = /^--force-with-lease(=|$)/;
const SSH = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+)?[:/](?!\/)(.+)$/;
const NO_DESTINATION = `\
No configured push destination.
Either specify the URL from the command-line or configure a remote repository using

    git remote add <name> <url>

and then push using the remote name

    git push <name>
`;
const noUpstream = (branch: string, rebases: boolean) => `\
There is no tracking information for the current branch.
Please specify which branch you want to ${rebases ? "rebase against" : "merge with"}.
See git-pull(1) for details.

    git pull <remote> <branch>

If you wish to set tracking information for this branch you can do so with:

    git branch --set-upstream-to=<remote>/<branch> ${branch}
`;
const notFollowed = (remote: string) => `\
You asked to pull from the remote '${remote}', but did not specify
a branch. Because this is not the default configured remote
for your current branch, you must specify a branch on the command line.`;
const HELP = `\
hint: The companion asks you in the page for a user name and a token, and sends them itself.
hint: Otherwise set GIT_HTTP_BEARER_TOKEN, or GIT_HTTP_USER and GIT_HTTP_PASSWORD. Programs in the page can read those.
`;

export async function credential([action = ""]: string[]): Promise<Answer | null> {
  if (!["fill", "approve", "reject"].includes(action))
    return answer("", "usage: git credential (fill|approve|reject)\n", 129);
  const why = `fatal: there are no credential helpers here\n${HELP}`;
  return answer("", action === "fill" ? why : `${why}hint: To delete saved ones, open the settings.\n`, 128);
}

/** The words that are neither options nor their values. */
const operandsOf = (words: string[]) =>
  words.filter((word, at) => !word.startsWith("-") && !CLONE_VALUED.includes(words[at - 1] ?? ""));

/** Say why an address can't be reached; null if it may be. */
export function addressProblem(address: string) {
  if (!SSH.test(address) && !address.startsWith("ssh://")) return null;
  const [, host, path] = SSH.exec(address) ?? [];
  return `fatal: there is no ssh here${host === undefined ? "" : `; use https://${host}/${path}`}`;
}

/**
 * Say why a server refused a request, in git's words.
 * @param status - of HTTP
 */
export function requestProblem(status: number, url: string) {
  if (status === 401 || status === 403) return `fatal: Authentication failed for '${url}'\n${HELP.trimEnd()}`;
  if (status === 404) return `fatal: repository '${url}/' not found`;
  return `fatal: unable to access '${url}/': The requested URL returned error: ${status}`;
}

export const remote =
  (name: string): Adjustment =>
  async (args, call) => {
    const words = without(args, ...IGNORED);
    const refused = words.map(addressProblem).find((text) => text !== null);
    if (refused) return answer("", `${refused}\n`, 128);
    if (name === "fetch") wholeNames(words);
    if (name === "push" && words.some((word) => LEASE.test(word))) await checkLease(words, call);
    if (name === "fetch" && words.every((word) => word.startsWith("-")) && !(await hasRemote(call))) return answer();
    await checkThere(name, words, call);
    if (name === "pull") await checkBranch(words, call);
    const target = name === "clone" ? targetOf(words) : null;
    const { fs, cwd } = call.context;
    const place = target === null ? null : fs.resolvePath(cwd, target);
    const existed = place !== null && (await fs.exists(place));
    const done =
      name === "clone" && place !== null ? await cloned(words, place, call) : await transferred(name, words, call);
    // A clone that failed leaves nothing behind.
    if (done.exitCode && place !== null && !existed) await fs.rm(place, { recursive: true, force: true });
    return done.exitCode === 1 ? { ...done, ...problem(done, words, call.settings) } : done;
  };

/** Fetch a tag where no branch has the name, but never into a branch. */
async function transferred(name: string, words: string[], call: Call): Promise<Answer> {
  const done = await call.run([name, ...words]);
  const missing = /couldn't find remote ref refs\/heads\/(.+)$/m.exec(done.stderr)?.[1];
  const asTags = words.map((word) =>
    word.replace(`refs/heads/${missing}:refs/tags/`, `refs/tags/${missing}:refs/tags/`),
  );
  const isTag = done.exitCode !== 0 && name === "fetch" && asTags.some((word, at) => word !== words[at]);
  return isTag ? call.run([name, ...asTags]) : done;
}

/**
 * `push --force-with-lease`: force only if the remote's branch is where it was last seen.
 * @param words - are changed
 */
async function checkLease(words: string[], call: Call) {
  const repository = needRepository(call);
  const at = words.findIndex((word) => LEASE.test(word));
  if (words[at] !== "--force-with-lease")
    refuse(`git push has no ${words[at]} here`, "use git push --force-with-lease");
  words[at] = "--force";
  const { branch } = await headOf(repository);
  const [remote = await usualRemote(call), ...specs] = words.filter((word) => !word.startsWith("-"));
  const names = specs.length ? specs.map((spec) => spec.replace(/^\+/, "").split(":").at(-1) ?? "") : [branch ?? ""];
  const listed = await call.elsewhere(["ls-remote", "--heads", remote], call.context.cwd);
  if (listed.exitCode) throw new GitProblem(listed.stderr.trimEnd(), listed.exitCode);
  const url = setting(call.settings, `remote.${remote}.url`) ?? remote;
  const stale = [];
  for (const name of names.map((one) => one.replace(/^refs\/heads\//, ""))) {
    const there =
      new RegExp(`^(\\w+)\trefs/heads/${name.replace(/[.+]/g, "\\$&")}$`, "m").exec(listed.stdout)?.[1] ?? null;
    const seen = await revParse(repository, `refs/remotes/${remote}/${name}`);
    if (there !== seen) stale.push(` ! [rejected]        ${name} -> ${name} (stale info)\n`);
  }
  if (stale.length) throw new GitProblem(`To ${url}\n${stale.join("")}error: failed to push some refs to '${url}'`, 1);
}

/**
 * Say that a local repository isn't there.
 * @param name - of the command
 */
async function checkThere(name: string, words: string[], call: Call) {
  const [word] = operandsOf(words);
  if (words.includes("--multiple") || words.includes("--all")) return;
  if (word === undefined) {
    await checkRemote(name, words, call);
    return;
  }
  const url = name === "clone" ? word : (setting(call.settings, `remote.${word}.url`) ?? word);
  if (/^[a-z]+:\/\/(?<!^file:\/\/)/.test(url) || SSH.test(url)) return;
  const base =
    name === "clone" ? call.context.cwd : (call.repository?.workTree ?? call.repository?.gitDir ?? call.context.cwd);
  const path = call.context.fs.resolvePath(base, url.replace(/^file:\/\//, ""));
  if ((await call.repositoryAt(path)) !== null) {
    if (name !== "clone" && url === word)
      refuse(`git ${name} takes no path here`, `use git remote add NAME ${word}, and name it`);
    return;
  }
  if (name === "clone") fail(`repository '${word}' does not exist`);
  throw new GitProblem(notThere(url), name === "pull" ? 1 : undefined);
}

/** The remote that git takes where none is named. */
async function usualRemote(call: Call) {
  const { branch } = await headOf(needRepository(call));
  return setting(call.settings, `branch.${branch}.remote`) ?? "origin";
}

/** @throws {GitProblem} pull names a remote that the branch doesn't follow, and no branch */
async function checkBranch(words: string[], call: Call) {
  const [remote, ...branches] = words.filter((word) => !word.startsWith("-"));
  if (remote === undefined || branches.length || setting(call.settings, `remote.${remote}.url`) === undefined) return;
  const { branch } = await headOf(needRepository(call));
  if (setting(call.settings, `branch.${branch}.remote`) === remote) return;
  await call.elsewhere(["fetch", remote], call.context.cwd);
  throw new GitProblem(notFollowed(remote), 1);
}

const hasRemote = async (call: Call) => setting(call.settings, `remote.${await usualRemote(call)}.url`) !== undefined;

/** @throws {GitProblem} push or pull names no remote, and there is none that git takes then */
async function checkRemote(name: string, words: string[], call: Call) {
  if ((name !== "push" && name !== "pull") || (await hasRemote(call))) return;
  if (name === "push") fail(NO_DESTINATION);
  const { branch } = await headOf(needRepository(call));
  throw new GitProblem(noUpstream(branch ?? "<branch>", has(words, "--rebase", "-r")), 1);
}

export const notThere = (address: string) =>
  `fatal: '${address}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`;

/**
 * Names of branches on both sides of a refspec, which just-git accepts only in full.
 * @param words - are changed
 */
function wholeNames(words: string[]) {
  for (const [at, word] of words.entries()) {
    const [, force = "", from, to] = /^(\+?)([\w][\w./-]*):([\w][\w./-]*)$/.exec(word) ?? [];
    if (from === undefined || to === undefined || word.includes("//")) continue;
    const whole = (name: string) => (name.startsWith("refs/") || name === "HEAD" ? name : `refs/heads/${name}`);
    words[at] = `${force}${whole(from)}:${whole(to)}`;
  }
}

/** Clone, with the links, permissions and line ends of the new work tree. */
async function cloned(words: string[], place: string, call: Call) {
  const { context, settings } = call;
  const at = { workTree: place, gitDir: `${place}/.git` };
  const outside = settings.filter(({ scope }) => scope !== "local");
  const fs = openWorkTree(context, outside, at, async () =>
    needRepository({ ...call, repository: await findRepository({ ...context, cwd: place }) }),
  );
  const { fs: before } = context;
  context.fs = fs;
  const [source] = operandsOf(words);
  // As in git, the new repository has the full path.
  const isLocal = source !== undefined && !/^(\/|[a-z]+:\/\/)/.test(source);
  const shown = words.map((word) => (word === source && isLocal ? `${context.cwd}/${word}` : word));
  const done = await call.run(["clone", ...shown]);
  context.fs = before;
  const isBare = words.includes("--bare");
  if (done.exitCode === 0) await addFolders(isBare ? place : at.gitDir, context.files);
  if (done.exitCode === 0 && isBare) await asBare(place, call);
  return done;
}

/** In a bare clone the branches are its own, and it follows nothing. */
async function asBare(place: string, call: Call) {
  const { files } = call.context;
  const repository = await call.repositoryAt(place);
  if (repository === null) return;
  for (const { name, hash } of await repository.refStore.listRefs("refs/remotes/origin")) {
    const branch = name.replace("refs/remotes/origin/", "");
    if (branch !== "HEAD") await repository.refStore.writeRef(`refs/heads/${branch}`, hash);
    await repository.refStore.deleteRef(name);
  }
  for (const folder of ["logs", "refs/remotes"]) await files.rm(`${place}/${folder}`, { recursive: true, force: true });
  await files.writeFile(`${place}/config`, files.textAt(`${place}/config`).replace(/\n\tfetch = .*/, ""));
}

/** The directory that a clone creates. */
function targetOf(words: string[]): string | null {
  const [source = "", target] = operandsOf(words);
  return (
    target ??
    (source
      .replace(/\/+$/, "")
      .replace(/(\/?\.git)?$/, "")
      .split(/[/:]/)
      .at(-1) ||
      null)
  );
}

/** Say what went wrong with a request, in git's words. */
function problem({ stderr }: Answer, words: string[], settings: Setting[]): Partial<Answer> {
  const [, status, found] = /^HTTP (\d+) .* at (\S+)$/m.exec(stderr) ?? [];
  const given = words.find((word) => /^https?:/.test(word)) ?? setting(settings, "remote.origin.url") ?? "";
  const url = found ?? given;
  if (/^40[134]$/.test(status ?? "")) return { stderr: `${requestProblem(Number(status), url)}\n`, exitCode: 128 };
  const isRequest = status !== undefined || /fetch|was not sent|network/i.test(stderr);
  return isRequest && /^http/.test(url) ? { stderr: `fatal: unable to access '${url}': ${stderr}`, exitCode: 128 } : {};
}
