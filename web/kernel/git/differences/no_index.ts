// `git diff --no-index`: two files or folders, in a repository or not.
import { fail, GitProblem, type Answer } from "../repository/answers.ts";
import { takeDiffOptions } from "./diff_options.ts";
import { Differences } from "./differences.ts";
import { pairOf, type Pair, type Version } from "./file_pairs.ts";
import { has, splitAtDashes } from "../repository/options.ts";
import { blobHash } from "../repository/blob_hash.ts";
import type { Call } from "../repository/repository.ts";

const USAGE = "usage: git diff --no-index [<options>] <path> <path>";
const [LINK, FILE, PROGRAM] = [0o120000, 0o100644, 0o100755];

type Side = { shown: string; place: string };

export async function diffFiles(args: string[], call: Call): Promise<Answer> {
  const [before, dashed] = splitAtDashes(args);
  const { options, rest } = takeDiffOptions(before, call.settings);
  const unknown = rest.find((word) => /^-./.test(word));
  if (unknown !== undefined) throw new GitProblem(`error: git diff --no-index has no ${unknown} here; use diff`, 129);
  const named = [...rest, ...dashed.slice(1)];
  if (named.length !== 2) throw new GitProblem(USAGE, 129);
  const { sides, isFolder } = sidesOf(named, call);
  const pairs = await pairsOf(sides, isFolder, call);
  if (options.formats.size === 0 && !has(before, "-s", "--no-patch")) options.formats.add("patch");
  const differences = new Differences(call, options);
  const selected = await differences.select(pairs, []);
  const stdout = options.quiet
    ? ""
    : options.formats.has("check")
      ? await differences.check(selected)
      : await differences.print(selected);
  return { stdout, stderr: "", exitCode: Number(await differences.differ(selected)) };
}

async function pairsOf(sides: Side[], isFolder: boolean, call: Call): Promise<Pair[]> {
  const [one, other] = await Promise.all(sides.map((side) => versionsOf(side, isFolder, call)));
  const nameIn = (at: number, name: string) => `${sides[at]?.shown}${name && `/${name}`}`.replace(/^(\.?\/)+/, "");
  const names = [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].sort();
  return names.flatMap((name) => {
    const [old, now] = [one?.get(name) ?? null, other?.get(name) ?? null];
    if (old && now && old.hash === now.hash && old.mode === now.mode) return [];
    const pair = pairOf(nameIn(now ? 1 : 0, name), old, now);
    return [{ ...pair, from: old && now ? nameIn(0, name) : null }];
  });
}

/** The two sides; next to a folder, a file stands for the one of its name there. */
function sidesOf(named: string[], { context: { files, cwd } }: Call) {
  const sides: Side[] = named.map((path) => ({
    shown: path.replace(/(?<=.)\/+$/, ""),
    place: files.place(files.resolvePath(cwd, path)),
  }));
  const nodeOf = ({ shown, place }: Side) => files.nodeAt(place) ?? fail(`Could not access '${shown}'`);
  const folders = sides.map((side) => files.FS.isDir(nodeOf(side).mode));
  const isFolder = folders.every(Boolean);
  if (isFolder || !folders.some(Boolean)) return { sides, isFolder };
  const name = sides[folders.indexOf(false)]?.shown.split("/").at(-1);
  const inside = sides.map(({ shown, place }, at) =>
    folders[at] ? { shown: `${shown}/${name}`, place: `${place}/${name}` } : { shown, place },
  );
  inside.forEach(nodeOf);
  return { sides: inside, isFolder };
}

/** The files of a side by their names; /dev/null is no file. */
async function versionsOf({ place }: Side, isFolder: boolean, { context: { files } }: Call) {
  const found = new Map<string, Version>();
  if (place === "/dev/null") return found;
  const visit = async (path: string, name: string) => {
    const node = files.nodeAt(path);
    if (node === null) return;
    if (files.FS.isDir(node.mode)) {
      for (const [inner] of files.namesIn(path))
        if (inner !== ".git") await visit(`${path}/${inner}`, name ? `${name}/${inner}` : inner);
      return;
    }
    const bytes = files.contentOf(node, path);
    found.set(name, {
      mode: files.FS.isLink(node.mode) ? LINK : node.mode & 0o100 ? PROGRAM : FILE,
      hash: await blobHash(bytes),
      isWork: true,
      bytes,
    });
  };
  await visit(place, "");
  return isFolder ? found : new Map([["", found.get("") ?? null]]);
}
