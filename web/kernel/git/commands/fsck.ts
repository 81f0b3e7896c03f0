// `git fsck`: whether the objects of a repository are sound and all there (git-fsck(1)), and which nothing refers to.
import { decode, encode, hex } from "../../bytes.ts";
import { answer, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { compared } from "../index/index_edit.ts";
import { readIndex } from "../index/index_file.ts";
import { objectHash } from "../repository/blob_hash.ts";
import { treesOf } from "../repository/linked_trees.ts";
import { parseOptions } from "../repository/options.ts";
import { gitFile, headOf, needRepository, type Call } from "../repository/repository.ts";

type Link = { type: string; hash: string };
type Node = { type: string; links: Link[]; tagged: { hash: string; type: string; name: string } | null };

const KNOWN = new Set([
  "--full",
  "--strict",
  "--no-progress",
  "--progress",
  "--no-dangling",
  "--dangling",
  "--unreachable",
  "--no-reflogs",
  "--lost-found",
  "--root",
  "--tags",
  "--no-full",
  "--connectivity-only",
  "--cache",
]);
const HASH = /^[0-9a-f]{40}$/;
const NOTHING = "0".repeat(40);
const [BROKEN, UNREACHABLE] = [1, 2];
const SUM = 20;
const MODES = /^(?:100644|100755|120000|40000|160000|100664)$/;
const FIRST_SLOTS = 32;

/**
 * The entries of a tree, as gitformat-pack(5) has objects.
 * @returns null if it is none
 */
function treeEntries(content: Uint8Array): { mode: string; name: string; hash: string }[] | null {
  const entries = [];
  for (let at = 0; at < content.length; ) {
    const [space, end] = [content.indexOf(0x20, at), content.indexOf(0, at)];
    if (space < 0 || end < space || end + 1 + SUM > content.length) return null;
    const hash = hex(content.subarray(end + 1, end + 1 + SUM));
    entries.push({ mode: decode(content.subarray(at, space)), name: decode(content.subarray(space + 1, end)), hash });
    at = end + 1 + SUM;
  }
  return entries;
}

/** Return the problem with the entries of a tree, or null. */
function treeProblem(entries: { mode: string; name: string }[]): string | null {
  const sortable = entries.map(({ mode, name }) => (mode === "40000" ? `${name}/` : name));
  const isSorted = sortable.every((name, at) => at === 0 || compared(encode(sortable[at - 1] ?? ""), encode(name)) < 0);
  if (entries.some(({ name }) => name === "")) return "emptyName: contains empty pathname";
  if (entries.some(({ name }) => name.includes("/"))) return "fullPathname: contains full pathnames";
  if (entries.some(({ name }) => name.toLowerCase() === ".git")) return "hasDotgit: contains '.git'";
  if (entries.some(({ mode }) => !MODES.test(mode))) return "badFilemode: contains bad file modes";
  if (new Set(entries.map(({ name }) => name)).size < entries.length)
    return "duplicateEntries: contains duplicate file entries";
  return isSorted ? null : "treeNotSorted: not properly sorted";
}

/** Return the problem with the head of a commit or tag, or null. */
function headProblem(type: string, text: string): string | null {
  const person = "[^<>\\n]*<[^<>\\n]*> \\d+ [-+]\\d{4}\\n";
  if (type === "tag")
    return /^object [0-9a-f]{40}\ntype \w+\ntag .+\n/.test(text)
      ? null
      : "missingObject: invalid format - expected 'object' line";
  if (!/^tree [0-9a-f]{40}\n/.test(text)) return "missingTree: invalid format - expected 'tree' line";
  if (!new RegExp(`^(?:tree|parent) .*\\n(?:parent [0-9a-f]{40}\\n)*author ${person}`).test(text))
    return "missingAuthor: invalid format - expected 'author' line";
  return new RegExp(`^author .*\\ncommitter ${person}`, "m").test(text)
    ? null
    : "missingCommitter: invalid format - expected 'committer' line";
}

/** The objects that another refers to. */
function nodeOf(type: string, content: Uint8Array): Node & { problem: string | null } {
  if (type === "blob") return { type, links: [], tagged: null, problem: null };
  if (type === "tree") {
    const entries = treeEntries(content);
    const links = (entries ?? [])
      .filter(({ mode }) => mode !== "160000")
      .map(({ mode, hash }) => ({ type: mode === "40000" ? "tree" : "blob", hash }));
    return {
      type,
      links,
      tagged: null,
      problem: entries === null ? "badTree: cannot be parsed as a tree" : treeProblem(entries),
    };
  }
  const [head = ""] = decode(content).split("\n\n", 1);
  const lines = head.split("\n").map((line) => /^(\S+) (.*)$/.exec(line) ?? []);
  const valueOf = (key: string) => lines.find((line) => line[1] === key)?.[2] ?? "";
  const problem = headProblem(type, `${head}\n`);
  if (type === "tag") {
    const tagged = { hash: valueOf("object"), type: valueOf("type"), name: valueOf("tag") };
    return { type, links: [{ type: tagged.type, hash: tagged.hash }], tagged, problem };
  }
  const parents = lines.filter((line) => line[1] === "parent").map((line) => ({ type: "commit", hash: line[2] ?? "" }));
  return { type, links: [{ type: "tree", hash: valueOf("tree") }, ...parents], tagged: null, problem };
}

/** The ids in the index of a pack, as gitformat-pack(5) describes version 2. */
function packedIds(bytes: Uint8Array): string[] {
  const start = 8 + 4 * 256;
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(start - 4);
  return Array.from({ length: count }, (_, number) =>
    hex(bytes.subarray(start + number * SUM, start + (number + 1) * SUM)),
  );
}

/** @returns the ids of all objects */
function allObjects(call: Call): string[] {
  const { files } = call.context;
  const place = `${needRepository(call).gitDir}/objects`;
  const found = new Set<string>();
  for (const [name, isFolder] of files.namesIn(place)) {
    if (isFolder && /^[0-9a-f]{2}$/.test(name))
      for (const [rest] of files.namesIn(`${place}/${name}`)) if (HASH.test(name + rest)) found.add(name + rest);
    if (name !== "pack") continue;
    for (const [pack] of files.namesIn(`${place}/pack`))
      if (pack.endsWith(".idx"))
        for (const hash of packedIds(files.FS.readFile(`${place}/pack/${pack}`))) found.add(hash);
  }
  return [...found];
}

/**
 * Order ids as git's table of objects does, in which they are printed.
 * @param count - of all objects
 */
function inTable(hashes: string[], count: number): string[] {
  let size = FIRST_SLOTS;
  for (let known = 0; known < count; known++) if (size - 1 <= known * 2) size *= 2;
  const slot = (hash: string) => parseInt(hash.slice(0, 8).match(/../g)?.reverse().join("") ?? "0", 16) & (size - 1);
  return hashes
    .map((hash) => ({ hash, at: slot(hash) }))
    .sort((one, other) => one.at - other.at)
    .map(({ hash }) => hash);
}

/** The ids in the logs of refs. */
function loggedIds(call: Call): string[] {
  const { files } = call.context;
  const repository = needRepository(call);
  const found: string[] = [];
  const walk = (folder: string) => {
    if (files.nodeAt(folder) === null) return;
    for (const [name, isFolder] of files.namesIn(folder)) {
      if (isFolder) walk(`${folder}/${name}`);
      else
        for (const line of files.textAt(`${folder}/${name}`).split("\n"))
          found.push(
            ...line
              .split(" ")
              .slice(0, 2)
              .filter((word: string) => HASH.test(word) && word !== NOTHING),
          );
    }
  };
  walk(`${repository.gitDir}/logs`);
  for (const { id, admin } of treesOf(repository, call.context)) if (id !== null) walk(`${admin}/logs`);
  return found;
}

/** The objects that are in use by themselves: refs, heads, the index, and logs. */
async function rootsOf(call: Call, logs: boolean): Promise<{ roots: string[]; broken: string[]; hasRefs: boolean }> {
  const repository = needRepository(call);
  const { context } = call;
  const refs = await repository.refStore.listRefs("refs");
  const heads = [(await headOf(repository)).hash, ...treesOf(repository, context).map(({ head }) => head)].filter(
    (hash): hash is string => HASH.test(hash ?? ""),
  );
  const entries = (await readIndex(repository)) ?? [];
  const staged = entries.filter(({ mode }) => mode !== 0o160000).map(({ hash }) => hash);
  const others: string[] = [];
  for (const name of ["MERGE_HEAD", "CHERRY_PICK_HEAD"]) others.push(((await gitFile(repository, name)) ?? "").trim());
  const known = [...refs.map(({ hash }) => hash), ...heads, ...staged, ...others.filter((hash) => HASH.test(hash))];
  const broken = [];
  for (const { name, hash } of refs)
    if (!(await repository.objectStore.exists(hash))) broken.push(`error: ${name}: invalid sha1 pointer ${hash}\n`);
  return { hasRefs: refs.length > 0, roots: [...known, ...(logs ? loggedIds(call) : [])], broken };
}

/** Read and check all objects. */
async function readAll(call: Call): Promise<{ nodes: Map<string, Node>; errors: string }> {
  const repository = needRepository(call);
  const nodes = new Map<string, Node>();
  let errors = "";
  for (const hash of allObjects(call)) {
    try {
      const { type, content } = await repository.objectStore.read(hash);
      const { problem, ...node } = nodeOf(type, content);
      const real = await objectHash(type, content);
      if (real !== hash)
        errors += `error: ${hash}: hash-path mismatch, found at: .git/objects/${hash.slice(0, 2)}/${hash.slice(2)}\n`;
      else if (problem !== null) errors += `error in ${type} ${hash}: ${problem}\n`;
      nodes.set(hash, node);
    } catch {
      errors += `error: ${hash}: object corrupt or missing: .git/objects/${hash.slice(0, 2)}/${hash.slice(2)}\n`;
    }
  }
  return { nodes, errors };
}

/** @returns what can be reached */
function reached(nodes: Map<string, Node>, roots: string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    for (const link of nodes.get(hash)?.links ?? []) waiting.push(link.hash);
  }
  return found;
}

/** The links from reachable objects to missing ones. */
function missingOf(nodes: Map<string, Node>, reachable: Set<string>, roots: Set<string>) {
  let text = "";
  const missing = new Map<string, string>();
  for (const hash of inTable(
    [...reachable].filter((one) => nodes.has(one)),
    nodes.size,
  )) {
    const node = nodes.get(hash);
    for (const link of node?.links ?? []) {
      if (nodes.has(link.hash) || missing.has(link.hash)) continue;
      missing.set(link.hash, link.type);
      if (roots.has(link.hash)) continue;
      text += `broken link from ${(node?.type ?? "").padStart(7)} ${hash}\n              to ${link.type.padStart(7)} ${link.hash}\n`;
    }
  }
  return {
    text: text + [...missing].map(([hash, type]) => `missing ${type} ${hash}\n`).join(""),
    isWhole: missing.size === 0,
  };
}

/** Save what nothing refers to. */
async function saveLost(hashes: string[], nodes: Map<string, Node>, call: Call) {
  const { gitDir, objectStore } = needRepository(call);
  const { files } = call.context;
  for (const hash of hashes) {
    const type = nodes.get(hash)?.type;
    const folder = `${gitDir}/lost-found/${type === "commit" ? "commit" : "other"}`;
    await files.mkdir(folder, { recursive: true });
    await files.writeFile(`${folder}/${hash}`, type === "blob" ? (await objectStore.read(hash)).content : `${hash}\n`);
  }
}

export async function fsck(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args);
  const unknown = operands[0] ?? [...flags].find((flag) => !KNOWN.has(flag));
  if (unknown !== undefined)
    refuse(`git fsck takes no ${unknown} here`, "leave it out, so that all objects are checked");
  const { nodes, errors } = await readAll(call);
  const lost = flags.has("--lost-found");
  const { roots, broken, hasRefs } = await rootsOf(call, !flags.has("--no-reflogs") && !lost);
  const reachable = reached(nodes, roots);
  const { text, isWhole } = missingOf(nodes, reachable, new Set(roots));
  const others = inTable(
    [...nodes.keys()].filter((hash) => !reachable.has(hash)),
    nodes.size,
  );
  const used = new Set(others.flatMap((hash) => nodes.get(hash)?.links.map((link) => link.hash) ?? []));
  const dangling = others.filter((hash) => !used.has(hash));
  let printed = "";
  for (const [hash, { type, links, tagged }] of nodes) {
    if (flags.has("--root") && type === "commit" && links.length === 1) printed += `root ${hash}\n`;
    if (flags.has("--tags") && tagged) printed += `tagged ${tagged.type} ${tagged.hash} (${tagged.name}) in ${hash}\n`;
  }
  printed += text;
  const showsUnreachable = flags.has("--unreachable");
  const shown = showsUnreachable ? others : flags.has("--no-dangling") ? [] : dangling;
  printed += shown
    .map((hash) => `${showsUnreachable ? "unreachable" : "dangling"} ${nodes.get(hash)?.type} ${hash}\n`)
    .join("");
  if (lost) await saveLost(dangling, nodes, call);
  const { hash, branch } = await headOf(repository);
  const notices =
    hash === null && branch !== null
      ? `notice: HEAD points to an unborn branch (${branch})\n${hasRefs ? "" : "notice: No default references\n"}`
      : "";
  return answer(
    printed,
    errors + broken.join("") + notices,
    (errors === "" ? 0 : BROKEN) | (isWhole && broken.length === 0 ? 0 : UNREACHABLE),
  );
}
