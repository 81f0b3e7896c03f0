// `git status --porcelain=v2`, as git-status(1) describes its lines.
import { filesOf, nodesBelow } from "./changes.js";
import { parseIndex } from "./index_file.js";
import { gitFile, revParse } from "./repository.js";
import { upstreamOf } from "./refs.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./repository.js").Repository} Repository
 * @typedef {import("./changes.js").Changes} Changes
 * @typedef {import("./changes.js").Change} Change
 * @typedef {import("./index_file.js").Entry} Entry
 * @typedef {{ branch: boolean, zero: boolean, ignored: boolean, stash: boolean }} Options
 */

const NO_HASH = "0".repeat(40);
const NO_MODE = "000000";

/** @param {number | undefined} mode */
const octal = (mode) => (mode ?? 0).toString(8).padStart(6, "0");

/** @param {string} letter */
const dotted = (letter) => (letter === " " ? "." : letter);

/**
 * @param {Changes} found @param {import("./status.js").Place} place @param {Options} options @param {(path: string) => string} shown
 * @param {Repository} repository @param {Call} call
 */
export async function porcelain2({ changes, untracked, ignored }, place, options, shown, repository, call) {
  const lines = options.branch ? heading(place, call) : [];
  const stashes = options.stash ? ((await gitFile(repository, "logs/refs/stash")) ?? "").split("\n").length - 1 : 0;
  if (stashes > 0) lines.push(`# stash ${stashes}`);
  lines.push(...(changes.length ? await changedLines(changes, options, shown, repository, call) : []));
  lines.push(...untracked.map((path) => `? ${shown(path)}`));
  if (options.ignored) lines.push(...ignored.map((path) => `! ${shown(path)}`));
  return lines.map((line) => line + (options.zero ? "\0" : "\n")).join("");
}

/** @param {import("./status.js").Place} place @param {Call} call */
function heading({ branch, hash, upstream }, { settings }) {
  const lines = [`# branch.oid ${hash ?? "(initial)"}`, `# branch.head ${branch ?? "(detached)"}`];
  if (upstream === null || branch === null || upstreamOf(settings, branch) === null) return lines;
  lines.push(`# branch.upstream ${upstream.name}`);
  if ("ahead" in upstream && hash !== null) lines.push(`# branch.ab +${upstream.ahead} -${upstream.behind}`);
  return lines;
}

/** @param {Change[]} changes @param {Options} options @param {(path: string) => string} shown @param {Repository} repository @param {Call} call */
async function changedLines(changes, options, shown, repository, call) {
  const { fs } = call.context;
  const place = `${repository.gitDir}/index`;
  const entries = (await fs.exists(place)) ? (parseIndex(await fs.readFileBuffer(place)) ?? []) : [];
  /** @type {Map<string, Entry>} */
  const index = new Map(entries.map((entry) => [`${entry.stage}:${entry.path}`, entry]));
  const tree = await revParse(repository, "HEAD^{tree}");
  const head = tree === null ? new Map() : await filesOf(repository, tree);
  const nodeOf = nodesBelow(fs, repository.workTree ?? "");
  const modeOf = (/** @type {string} */ path) => {
    const node = nodeOf(path);
    if (node === null || fs.FS.isDir(node.mode)) return NO_MODE;
    return fs.FS.isLink(node.mode) ? "120000" : node.mode & 0o100 ? "100755" : "100644";
  };
  const line = (/** @type {Change} */ { path, from, staged, unstaged, score = 100 }) => {
    const letters = `${dotted(staged)}${dotted(unstaged)} N...`;
    if (!index.has(`0:${path}`) && [1, 2, 3].some((stage) => index.has(`${stage}:${path}`))) {
      const stages = [1, 2, 3].map((stage) => index.get(`${stage}:${path}`));
      const [modes, hashes] = [stages.map((entry) => octal(entry?.mode)), stages.map((entry) => entry?.hash ?? NO_HASH)];
      return `u ${letters} ${modes.join(" ")} ${modeOf(path)} ${hashes.join(" ")} ${shown(path)}`;
    }
    const [old, now] = [head.get(from ?? path), index.get(`0:${path}`)];
    const there = unstaged === " " ? octal(now?.mode) : modeOf(path);
    const fields = `${letters} ${octal(old?.mode)} ${octal(now?.mode)} ${there} ${old?.hash ?? NO_HASH} ${now?.hash ?? NO_HASH}`;
    if (from === null) return `1 ${fields} ${shown(path)}`;
    return `2 ${fields} R${score} ${shown(path)}${options.zero ? "\0" : "\t"}${shown(from)}`;
  };
  // Conflicts come after other changes.
  const lines = changes.map(line);
  return [...lines.filter((one) => !one.startsWith("u ")), ...lines.filter((one) => one.startsWith("u "))];
}
