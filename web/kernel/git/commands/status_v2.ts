// `git status --porcelain=v2`, as git-status(1) describes its lines.
import { filesOf, nodesBelow, type Changes, type Change } from "../index/changes.ts";
import { readIndex, type Entry } from "../index/index_file.ts";
import { gitFile, revParse, type Call, type Repository } from "../repository/repository.ts";
import { upstreamOf } from "../repository/ref_names.ts";
import type { Place } from "./status.ts";

type Options = { branch: boolean; zero: boolean; ignored: boolean; stash: boolean };

const NO_HASH = "0".repeat(40);
const NO_MODE = "000000";

const octal = (mode: number | undefined) => (mode ?? 0).toString(8).padStart(6, "0");

const dotted = (letter: string) => (letter === " " ? "." : letter);

export async function porcelain2(
  { changes, untracked, ignored }: Changes,
  place: Place,
  options: Options,
  shown: (path: string) => string,
  repository: Repository,
  call: Call,
) {
  const lines = options.branch ? heading(place, call) : [];
  const stashes = options.stash ? ((await gitFile(repository, "logs/refs/stash")) ?? "").split("\n").length - 1 : 0;
  if (stashes > 0) lines.push(`# stash ${stashes}`);
  lines.push(...(changes.length ? await changedLines(changes, options, shown, repository, call) : []));
  lines.push(...untracked.map((path) => `? ${shown(path)}`));
  if (options.ignored) lines.push(...ignored.map((path) => `! ${shown(path)}`));
  return lines.map((line) => line + (options.zero ? "\0" : "\n")).join("");
}

function heading({ branch, hash, upstream }: Place, { settings }: Call) {
  const lines = [`# branch.oid ${hash ?? "(initial)"}`, `# branch.head ${branch ?? "(detached)"}`];
  if (upstream === null || branch === null || upstreamOf(settings, branch) === null) return lines;
  lines.push(`# branch.upstream ${upstream.name}`);
  if ("ahead" in upstream && hash !== null) lines.push(`# branch.ab +${upstream.ahead} -${upstream.behind}`);
  return lines;
}

async function changedLines(
  changes: Change[],
  options: Options,
  shown: (path: string) => string,
  repository: Repository,
  call: Call,
) {
  const { fs } = call.context;
  const entries = (await readIndex(repository)) ?? [];
  const index = new Map<string, Entry>(entries.map((entry) => [`${entry.stage}:${entry.path}`, entry]));
  const tree = await revParse(repository, "HEAD^{tree}");
  const head = tree === null ? new Map() : await filesOf(repository, tree);
  const nodeOf = nodesBelow(fs, repository.workTree ?? "");
  const modeOf = (path: string) => {
    const node = nodeOf(path);
    if (node === null || fs.FS.isDir(node.mode)) return NO_MODE;
    return fs.FS.isLink(node.mode) ? "120000" : node.mode & 0o100 ? "100755" : "100644";
  };
  const line = ({ path, from, staged, unstaged, score = 100 }: Change) => {
    const letters = `${dotted(staged)}${dotted(unstaged)} N...`;
    if (!index.has(`0:${path}`) && [1, 2, 3].some((stage) => index.has(`${stage}:${path}`))) {
      const stages = [1, 2, 3].map((stage) => index.get(`${stage}:${path}`));
      const [modes, hashes] = [
        stages.map((entry) => octal(entry?.mode)),
        stages.map((entry) => entry?.hash ?? NO_HASH),
      ];
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
