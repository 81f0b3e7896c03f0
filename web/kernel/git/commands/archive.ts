// `git archive`: the files of a commit as tar (POSIX.1-2001, "pax Interchange Format") or zip.
import { gzipSync, zipSync, type ZippableFile } from "fflate";
import { readCommit } from "just-git/repo";

import { concat, decode, encode } from "../../bytes.ts";
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { filesOf } from "../index/changes.ts";
import { checkOptions, parseOptions } from "../repository/options.ts";
import { pathFilter } from "../repository/pathspec.ts";
import { inTree, needRepository, revParse, type Call } from "../repository/repository.ts";
import { hashAt } from "../objects/objects.ts";
import { hashOf, treeOf } from "../objects/revisions.ts";

/** a folder's path ends with `/` */
type Member = { path: string; mode: number; content: Uint8Array };

const KNOWN = new Set(["--format", "--prefix", "-o", "--output", "-v", "--verbose", "-l", "--list"]);
const FORMATS = ["tar", "tgz", "tar.gz", "zip"];
const [RECORD, BLOCK] = [512, 10_240];
const [LINK, MASK] = [0o120000, 0o002];

const octal = (number: number, digits: number) => `${number.toString(8).padStart(digits, "0")}\0`;

function header(name: string, kind: string, mode: number, size: number, time: number, target: string) {
  const bytes = new Uint8Array(RECORD);
  const put = (text: string, at: number) => bytes.set(encode(text), at);
  const split = encode(name).length <= 100 ? -1 : name.slice(0, -1).lastIndexOf("/", 155);
  if (encode(name).length > 100 && (split < 0 || encode(name.slice(split + 1)).length > 100))
    fail(`the path is too long for an archive here: ${name}`);
  put(name.slice(split + 1), 0);
  if (split >= 0) put(name.slice(0, split), 345);
  put(octal(mode, 7), 100);
  put(octal(0, 7) + octal(0, 7), 108);
  put(octal(size, 11) + octal(time, 11), 124);
  put(" ".repeat(8) + kind, 148);
  put(target, 157);
  put("ustar\x0000root", 257);
  put("root", 297);
  put(octal(0, 7) + octal(0, 7), 329);
  put(
    octal(
      bytes.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  return bytes;
}

const padded = (content: Uint8Array) =>
  concat([content, new Uint8Array((RECORD - (content.length % RECORD)) % RECORD)]);

function tar(members: Member[], commit: string | null, time: number) {
  const parts = [];
  const comment = encode(`52 comment=${commit}\n`);
  if (commit) parts.push(header("pax_global_header", "g", 0o666, comment.length, time, ""), padded(comment));
  for (const { path, mode, content } of members) {
    const isLink = mode === LINK;
    const kind = path.endsWith("/") ? "5" : isLink ? "2" : "0";
    const shown = isLink ? 0o777 : (mode & 0o100 || kind === "5" ? 0o777 : 0o666) & ~MASK;
    parts.push(header(path, kind, shown, kind === "0" ? content.length : 0, time, isLink ? decode(content) : ""));
    if (kind === "0") parts.push(padded(content));
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const rest = BLOCK - (length % BLOCK);
  return concat([...parts, new Uint8Array(rest < 2 * RECORD ? rest + BLOCK : rest)]);
}

function zip(members: Member[], time: number) {
  const files = Object.fromEntries(
    members.map(({ path, mode, content }): [string, ZippableFile] => {
      const attributes =
        ((path.endsWith("/") ? 0o40775 : mode === LINK ? 0o120777 : mode & 0o100 ? 0o100775 : 0o100664) << 16) >>> 0;
      return [path, [content, { os: 3, attrs: attributes, mtime: new Date(time * 1000) }]];
    }),
  );
  return zipSync(files);
}

/** Return whether the attribute `export-ignore` is set for a path or a folder that it is in. */
function isLeftOut(path: string, { context: { fs } }: Call) {
  const names = path.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
  return names.some((name) => fs.lineEnds?.attributes.of(name).get("export-ignore") === true);
}

/**
 * The files of a tree with their folders.
 * @param tree - of the folder in which the call is
 */
async function membersOf(tree: string, prefix: string, specs: string[], call: Call): Promise<Member[]> {
  const repository = needRepository(call);
  const here = inTree(repository, call.context, "");
  const above = here === "" ? "" : `${here}/`;
  const wanted = pathFilter(specs, repository, call.context);
  const folders = new Set();
  const members: Member[] = [];
  const addFolder = (path: string) => {
    if (!folders.has(path)) members.push({ path, mode: 0o40000, content: new Uint8Array() });
    folders.add(path);
  };
  if (prefix.endsWith("/")) addFolder(prefix);
  for (const [path, { mode, hash }] of await filesOf(repository, tree)) {
    if (!wanted(above + path) || isLeftOut(above + path, call)) continue;
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) addFolder(prefix + path.slice(0, at + 1));
    members.push({ path: prefix + path, mode, content: (await repository.objectStore.read(hash)).content });
  }
  const missing = specs.find(
    (spec) =>
      !members.some(({ path }) =>
        pathFilter([spec], repository, call.context)(above + path.slice(prefix.length).replace(/\/$/, "")),
      ),
  );
  return missing === undefined ? members : fail(`pathspec '${missing}' did not match any files`);
}

export async function archive(args: string[], call: Call): Promise<Answer | null> {
  const { flags, values, operands, paths } = parseOptions(args, ["--format", "--prefix", "-o", "--output"]);
  checkOptions("archive", [...flags, ...values.keys()], KNOWN);
  if (flags.has("-l") || flags.has("--list")) return answer(`${["tar", "tgz", "tar.gz", "zip"].join("\n")}\n`);
  const repository = needRepository(call);
  const [name, ...more] = operands;
  if (name === undefined) throw new GitProblem("fatal: must specify a tree, such as HEAD", 128);
  const hash = (await hashOf(repository, name)) ?? fail(`not a valid object name: ${name}`);
  const commit = await revParse(repository, `${hash}^{commit}`);
  const whole = (await treeOf(repository, hash)) ?? fail(`not a tree object: ${hash}`);
  const here = inTree(repository, call.context, "");
  const tree = (await hashAt(repository, whole, here)) ?? fail("current working directory is untracked");
  const time = commit ? (await readCommit(repository, commit)).committer.timestamp : Math.floor(Date.now() / 1000);
  const output = values.get("-o") ?? values.get("--output");
  const format = values.get("--format") ?? FORMATS.find((one) => output?.endsWith(`.${one}`)) ?? "tar";
  if (!FORMATS.includes(format)) fail(`Unknown archive format '${format}'`);
  const members = await membersOf(tree, values.get("--prefix") ?? "", [...more, ...(paths ?? [])], call);
  const made = format === "zip" ? zip(members, time) : tar(members, commit, time);
  const bytes = /gz$/.test(format) ? gzipSync(made, { mtime: 0 }) : made;
  if (output === undefined) return answer(decode(bytes));
  await call.context.files.writeFile(call.context.fs.resolvePath(call.context.cwd, output), bytes);
  return answer();
}
