// Commands that print or store objects: cat-file, ls-tree and hash-object.
import { readTree } from "just-git/repo";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { decode, fromLatin1 } from "../../bytes.ts";
import { find, splitPath, whyMissing } from "../objects/objects.ts";
import { parseOptions } from "../repository/options.ts";
import { blobHash } from "../repository/blob_hash.ts";
import { inTree, needRepository, type Call, inputLines, inputText } from "../repository/repository.ts";
import { quoting } from "../repository/shown_paths.ts";
import { treeOf } from "../objects/revisions.ts";

/** of a tree */
type Entry = { name: string; mode: string; hash: string };

const CAT_USAGE = "usage: git cat-file (-t | -s | -e | -p | <type> | --batch | --batch-check) [<object>]";
const SHORT = 7;

function refuseOthers(flags: Set<string>, known: string[], command: string) {
  const other = [...flags].find((flag) => !known.includes(flag));
  if (other !== undefined)
    throw new GitProblem(`error: git ${command} has no ${other} here\nhint: a Linux terminal has Debian's git`, 129);
}

export async function catFile(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, values, operands } = parseOptions(args);
  refuseOthers(
    flags,
    ["-t", "-s", "-e", "-p", "--batch", "--batch-check", "--buffer", "--allow-unknown-type"],
    "cat-file",
  );
  const batch = ["--batch", "--batch-check"].find((name) => flags.has(name) || values.has(name));
  if (batch !== undefined)
    return answer(
      await batched(batch === "--batch", values.get(batch) ?? "%(objectname) %(objecttype) %(objectsize)", call),
    );
  const name = operands.at(-1) ?? fail(CAT_USAGE, 129);
  const hash = await find(repository, name, call.context);
  if (hash === null && splitPath(name) !== null) throw new GitProblem(await whyMissing(repository, name, call.context));
  if (flags.has("-e") && hash !== null) return answer();
  if (hash === null) return fail(`Not a valid object name ${name}`);
  const object = await repository.objectStore.read(hash);
  if (flags.has("-t")) return answer(`${object.type}\n`);
  if (flags.has("-s")) return answer(`${object.content.length}\n`);
  return answer(
    flags.has("-p") && object.type === "tree"
      ? await listing(hash, call)
      : decode(await wanted(hash, flags.has("-p") ? undefined : operands[0], name, call)),
  );
}

/** The content of an object, or of the object it leads to, as a type. */
async function wanted(hash: string, type: string | undefined, name: string, call: Call): Promise<Uint8Array> {
  const repository = needRepository(call);
  const object = await repository.objectStore.read(hash);
  if (type === undefined || object.type === type) return object.content;
  const next = /^(?:object|tree) ([0-9a-f]{40})$/m.exec(
    object.type === "blob" || object.type === "tree" ? "" : decode(object.content),
  )?.[1];
  return next === undefined ? fail(`git cat-file ${name}: bad file`) : wanted(next, type, name, call);
}

async function listing(hash: string, call: Call) {
  const entries = await readTree(needRepository(call), hash);
  return entries
    .map((entry) => `${entry.mode.padStart(6, "0")} ${typeOf(entry.mode)} ${entry.hash}\t${entry.name}\n`)
    .join("");
}

/** Print the objects that lines of standard input name. */
async function batched(whole: boolean, format: string, call: Call) {
  const repository = needRepository(call);
  const lines = inputText(call).split("\n");
  if (lines.at(-1) === "") lines.pop();
  let printed = "";
  for (const line of lines) {
    const [, name = "", rest = ""] = format.includes("%(rest)") ? (/^(\S*)\s*(.*)$/.exec(line) ?? []) : ["", line];
    const hash = await find(repository, name, call.context);
    if (hash === null || !(await repository.objectStore.exists(hash))) {
      printed += `${name} missing\n`;
      continue;
    }
    const { type, content } = await repository.objectStore.read(hash);
    const fields: Record<string, string> = {
      objectname: hash,
      objecttype: type,
      objectsize: String(content.length),
      rest,
    };
    printed += `${format.replace(/%\((\w+)\)/g, (field, key) => fields[key] ?? fail(`unknown format element: ${field.slice(2, -1)}`))}\n`;
    if (whole) printed += `${decode(content)}\n`;
  }
  return printed;
}

const typeOf = (mode: string) => (/^0?40000$/.test(mode) ? "tree" : mode === "160000" ? "commit" : "blob");

export async function lsTree(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, values, operands, paths } = parseOptions(args);
  refuseOthers(
    flags,
    [
      "-d",
      "-r",
      "-t",
      "-l",
      "--long",
      "-z",
      "--name-only",
      "--name-status",
      "--object-only",
      "--full-name",
      "--full-tree",
      "--abbrev",
    ],
    "ls-tree",
  );
  const [
    name = fail("usage: git ls-tree [-d] [-r] [-t] [-l] [-z] [--name-only] <tree-ish> [<path>...]", 129),
    ...others
  ] = operands;
  const named = (await find(repository, name, call.context)) ?? fail(`Not a valid object name ${name}`);
  const hash = (await treeOf(repository, named)) ?? fail("not a tree object");
  const below = flags.has("--full-tree") || name.includes(":") ? "" : inTree(repository, call.context, ".");
  const prefix = below && `${below}/`;
  const wanted = [...others, ...(paths ?? [])].map((path) =>
    flags.has("--full-tree") || name.includes(":")
      ? path
      : inTree(repository, call.context, path) + (path.endsWith("/") ? "/" : ""),
  );
  const entries = await entriesOf(hash, wanted.length || prefix === "" ? wanted : [prefix], flags, call);
  const abbrev = flags.has("--abbrev") ? SHORT : Number(values.get("--abbrev") ?? 40);
  const lines = [];
  for (const entry of entries) {
    const shown = !flags.has("--full-name") && prefix !== "" ? relative(entry.path, below) : entry.path;
    lines.push(await lineOf({ ...entry, path: shown }, { flags, format: values.get("--format"), abbrev }, call));
  }
  return answer(lines.map((line) => line + (flags.has("-z") ? "\0" : "\n")).join(""));
}

function relative(path: string, folder: string) {
  const [one, other] = [path.split("/"), folder.split("/")];
  while (one.length && other.length && one[0] === other[0]) one.shift(), other.shift();
  return [...other.map(() => ".."), ...one].join("/");
}

/** The entries to print, folders before their contents. */
async function entriesOf(root: string, wanted: string[], flags: Set<string>, call: Call) {
  const found: (Entry & { path: string })[] = [];
  const visit = async (tree: string, prefix: string) => {
    for (const entry of await readTree(needRepository(call), tree)) {
      const path = prefix + entry.name;
      const isTree = typeOf(entry.mode) === "tree";
      const isInside =
        wanted.length === 0 ||
        wanted.some((one) => path === one || path.startsWith(one.endsWith("/") ? one : `${one}/`));
      const leadsThere = isTree && wanted.some((one) => one.startsWith(`${path}/`));
      const opens = isTree && ((isInside && flags.has("-r")) || leadsThere);
      const isLeft =
        (isTree && flags.has("-r") && !flags.has("-t") && !flags.has("-d")) || (flags.has("-d") && !isTree);
      if ((isInside && !isLeft) || (leadsThere && flags.has("-t"))) found.push({ ...entry, path });
      if (opens) await visit(entry.hash, `${path}/`);
    }
  };
  await visit(root, "");
  return found;
}

async function lineOf(
  { mode, hash, path }: Entry & { path: string },
  { flags, format, abbrev }: { flags: Set<string>; format: string | undefined; abbrev: number },
  call: Call,
) {
  const [octal, type] = [mode.padStart(6, "0"), typeOf(mode)];
  const name = flags.has("-z") ? path : quoting(call.settings)(path);
  const needsSize = flags.has("-l") || flags.has("--long") || (format?.includes("size") ?? false);
  const size =
    !needsSize || type !== "blob" ? "-" : String((await needRepository(call).objectStore.read(hash)).content.length);
  const fields: Record<string, string> = {
    objectmode: octal,
    objecttype: type,
    objectname: hash,
    objectsize: size,
    "objectsize:padded": size.padStart(7),
    path: name,
  };
  if (format !== undefined)
    return format
      .replace(/%\(([^)]*)\)/g, (_, key) => fields[key] ?? fail(`bad ls-tree format: %(${key})`))
      .replaceAll("%x00", "\0")
      .replaceAll("%%", "%");
  if (flags.has("--name-only") || flags.has("--name-status")) return name;
  if (flags.has("--object-only")) return hash.slice(0, abbrev);
  return `${octal} ${type} ${hash.slice(0, abbrev)}${flags.has("-l") || flags.has("--long") ? ` ${size.padStart(7)}` : ""}\t${name}`;
}

export async function hashObject(args: string[], call: Call): Promise<Answer | null> {
  const { flags, operands, paths } = parseOptions(args, ["-t"]);
  refuseOthers(flags, ["-w", "--stdin", "--stdin-paths", "--no-filters", "--literally"], "hash-object");
  const { fs, cwd, stdin } = call.context;
  const source = flags.has("--no-filters") ? call.context.files : fs;
  const listed = flags.has("--stdin-paths") ? inputLines(call) : [];
  const contents = flags.has("--stdin") ? [fromLatin1(stdin)] : [];
  for (const path of [...operands, ...(paths ?? []), ...listed]) {
    const place = fs.resolvePath(cwd, path);
    if (!(await fs.exists(place)))
      throw new GitProblem(`fatal: could not open '${path}' for reading: No such file or directory`);
    contents.push(await source.readFileBuffer(place));
  }
  const hashes = [];
  for (const content of contents)
    hashes.push(
      flags.has("-w") ? await needRepository(call).objectStore.write("blob", content) : await blobHash(content),
    );
  return answer(hashes.map((hash) => `${hash}\n`).join(""));
}
