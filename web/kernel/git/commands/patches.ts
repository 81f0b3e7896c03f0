// Patches: apply and am.
import { applyPatch, parsePatch, type StructuredPatchHunk, type StructuredPatch } from "diff";
import { unzlibSync } from "fflate";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { concat, decode, encode } from "../../bytes.ts";
import { changeIndex, entriesOf } from "../index/index_edit.ts";
import { checkOptions, parseOptions } from "../repository/options.ts";
import { totals } from "../differences/diff_lists.ts";
import { fromBase85 } from "../differences/patch_text.ts";
import { globSource } from "../repository/path_patterns.ts";
import { blobHash } from "../repository/blob_hash.ts";
import { remembered } from "../repository/ident.ts";
import { needRepository, type Call, inRoot, inputText } from "../repository/repository.ts";
import { whitespaceWarnings, type Source } from "./patch_whitespace.ts";

/** `content` is null for a file that is removed */
export type Change = { path: string; old: string | null; content: Uint8Array | null; mode: number | null };

const KNOWN = new Set([
  "-R",
  "--reverse",
  "--check",
  "--apply",
  "--stat",
  "--numstat",
  "--summary",
  "--index",
  "--cached",
  "--allow-binary-replacement",
  "--binary",
  "--verbose",
  "-v",
  "--allow-empty",
  ...["--whitespace", "--include", "--exclude", "-p", "--allow-overlap"],
]);
/** Return whether the paths of `--include` and `--exclude` have a file; the first that matches decides. */
function chosenBy(args: string[]) {
  const rules = args.flatMap((word, at) => {
    const [, kind, value = args[at + 1] ?? ""] = /^--(include|exclude)(?:=(.*))?$/.exec(word) ?? [];
    return kind === undefined
      ? []
      : [{ kind, pattern: new RegExp(`^${globSource(value).replaceAll("[^/]", "[^]")}$`, "s") }];
  });
  const includes = rules.some(({ kind }) => kind === "include");
  return (path: string) => {
    const rule = rules.find(({ pattern }) => pattern.test(path));
    return rule ? rule.kind === "include" : !includes;
  };
}

/** The patches; without a path, standard input. */
export async function sourcesOf(paths: string[], call: Call): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of paths.length ? paths : ["-"])
    sources.push(
      path === "-" ? { name: "<stdin>", text: inputText(call) } : { name: path, text: await readText(call, path) },
    );
  return sources;
}

export async function apply(args: string[], call: Call): Promise<Answer | null> {
  const { flags, values, operands } = parseOptions(args, [
    "-p",
    "--exclude",
    "--include",
    "--directory",
    "--whitespace",
  ]);
  checkOptions("apply", [...flags, ...values.keys()], KNOWN);
  const sources = await sourcesOf(operands, call);
  const text = sources.map((source) => source.text).join("");
  if (!/^(diff --git |--- |GIT binary)/m.test(text)) {
    if (flags.has("--allow-empty")) return answer();
    throw new GitProblem('error: No valid patches in input (allow with "--allow-empty")', 128);
  }
  const strip = Number(values.get("-p") ?? 1);
  const isChosen = chosenBy(args);
  const parts = partsOf(text).filter((part) =>
    namesIn(part, strip, false).some((name) => name !== null && isChosen(name)),
  );
  const printed =
    (flags.has("--stat") ? statOf(parts) : "") +
    (flags.has("--numstat") ? numstatOf(parts) : "") +
    (flags.has("--summary") ? summaryOf(parts.join("")) : "");
  const only = flags.has("--stat") || flags.has("--numstat") || flags.has("--summary");
  if (only && !flags.has("--apply") && !flags.has("--check")) return answer(printed);
  const cached = flags.has("--cached");
  const reverse = flags.has("-R") || flags.has("--reverse");
  const changes = await changesOf(parts, call, { strip, reverse, cached });
  if (flags.has("--check") && !flags.has("--apply")) return answer(printed);
  const warned = whitespaceWarnings(reverse ? [] : sources, values.get("--whitespace"), call.settings);
  if (cached) await stageContents(changes, call);
  else for (const change of changes) await write(change, call);
  if (flags.has("--index") && !cached) await stage(changes, call);
  return answer(printed, warned.ofLines + warned.ofAll);
}

/** Put contents into the index, and leave the files. */
async function stageContents(changes: Change[], call: Call) {
  const repository = needRepository(call);
  const staged = new Map((await entriesOf(call)).map((entry) => [entry.path, entry]));
  const updates = new Map();
  for (const { path, old, content, mode } of changes) {
    if (old !== null) updates.set(old, null);
    const before = staged.get(old ?? path)?.mode ?? 0o100644;
    updates.set(
      path,
      content === null
        ? null
        : { mode: mode === null ? before : 0o100000 | mode, hash: await repository.objectStore.write("blob", content) },
    );
  }
  await changeIndex(call, updates);
}

async function readText({ context: { fs, cwd } }: Call, path: string) {
  const whole = fs.resolvePath(cwd, path);
  if (!(await fs.exists(whole))) throw new GitProblem(`error: can't open patch '${path}': No such file or directory`);
  return decode(await fs.readFileBuffer(whole));
}

const root = ({ repository, context }: Call) => repository?.workTree ?? context.cwd;

export async function stage(changes: Change[], call: Call) {
  const paths = changes.flatMap(({ path, old }) => (old === null ? [path] : [path, old]));
  await inRoot(call, () => call.run(["add", ...paths]));
}

const BINARY = /^GIT binary patch|^Binary files /m;
const SIGNATURE = /\n-- \n[^]*$/;
const MOST_OF_NAME = 50;
const MOST_OF_LINE = 70;

/** @param part - of a patch, about one file */
function countsOf(part: string): { name: string; added: number; removed: number; binary: boolean } {
  const [from = null, to = null] = namesIn(part, 1, false);
  const hunks = part
    .replace(SIGNATURE, "\n")
    .split(/^(?=@@ )/m)
    .slice(1)
    .join("");
  const count = (sign: RegExp) => hunks.match(sign)?.length ?? 0;
  return { name: to ?? from ?? "", added: count(/^\+/gm), removed: count(/^-/gm), binary: BINARY.test(part) };
}

const numstatOf = (parts: string[]) =>
  parts
    .map(countsOf)
    .map(({ name, added, removed, binary }) => `${binary ? "-\t-" : `${added}\t${removed}`}\t${name}\n`)
    .join("");

/** The changes of each file as a bar, scaled as in apply.c. */
function statOf(parts: string[]) {
  const files = parts.map(countsOf);
  const width = Math.min(MOST_OF_NAME, Math.max(...files.map(({ name }) => name.length)));
  const most = Math.max(...files.map(({ added, removed }) => added + removed));
  const room = Math.min(most, MOST_OF_LINE - width);
  const scaled = (count: number) => (most ? Math.floor((count * room + Math.floor(most / 2)) / most) : 0);
  const lines = files.map(({ name, added, removed, binary }) => {
    const shown = name.length > width ? `...${name.slice(name.length + 3 - width)}` : name.padEnd(width);
    if (binary) return ` ${shown} |  Bin\n`;
    const [all, plus] = [scaled(added + removed), scaled(added)];
    return ` ${shown} |${String(added + removed).padStart(5)} ${"+".repeat(plus)}${"-".repeat(all - plus)}\n`;
  });
  return lines.join("") + totals(files.length, files);
}

/** The parts of a patch that describe one file each, with the lines before their hunks. */
export function partsOf(text: string) {
  const parts = text.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return parts.length ? parts : text.split(/^(?=--- )/m).filter((part) => part.startsWith("--- "));
}

/**
 * What a patch does to each file.
 * @param options - `cached`: of the index
 */
async function changesOf(
  parts: string[],
  call: Call,
  options: { strip: number; reverse: boolean; cached?: boolean },
): Promise<Change[]> {
  const changes: Change[] = [];
  const problems: string[] = [];
  for (const part of options.reverse ? parts.toReversed() : parts) {
    try {
      changes.push(await changeOf(part, call, options));
    } catch (error) {
      if (!(error instanceof GitProblem)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length) throw new GitProblem(problems.join("\n"), 1);
  return changes;
}

export function namesIn(part: string, strip: number, reverse: boolean) {
  const name = (pattern: RegExp) => pattern.exec(part)?.[1]?.split("\t")[0];
  const stripped = (path: string | undefined) =>
    path === undefined || path === "/dev/null" ? null : path.split("/").slice(strip).join("/");
  const renamed = [name(/^rename from (.*)$/m) ?? null, name(/^rename to (.*)$/m) ?? null];
  const both = /^diff --git a\/(.*) b\/\1$/m.exec(part)?.[1] ?? null;
  const removed = /^deleted file mode/m.test(part);
  const added = /^new file mode/m.test(part);
  const from =
    renamed[0] ?? stripped(name(/^--- (.*)$/m)) ?? (added ? null : name(/^--- /m) === undefined ? both : null);
  const to = renamed[1] ?? stripped(name(/^\+\+\+ (.*)$/m)) ?? (removed ? null : both);
  const names = [added ? null : from, removed ? null : to];
  return reverse ? names.reverse() : names;
}

/** Return the content of a file; null if it isn't there. */
async function contentAt(path: string, cached: boolean, call: Call): Promise<Uint8Array | null> {
  if (cached) {
    const entry = (await entriesOf(call)).find((one) => one.path === path);
    return entry ? (await needRepository(call).objectStore.read(entry.hash)).content : null;
  }
  return fileOf(path, call);
}

/** The content of a file of the work tree; null if it isn't there. */
export async function fileOf(path: string, call: Call): Promise<Uint8Array | null> {
  const { fs } = call.context;
  const place = `${root(call)}/${path}`;
  return (await fs.exists(place)) ? fs.readFileBuffer(place) : null;
}

export async function changeOf(
  part: string,
  call: Call,
  { strip, reverse, cached = false }: { strip: number; reverse: boolean; cached?: boolean },
): Promise<Change> {
  const [from = null, to = null] = namesIn(part, strip, reverse);
  const path = to ?? from ?? fail("patch without a file's name");
  const here = cached ? "index" : "working directory";
  const bytes = from === null ? new Uint8Array() : await contentAt(from, cached, call);
  if (bytes === null)
    throw new GitProblem(`error: ${from}: ${cached ? "does not exist in index" : "No such file or directory"}`, 1);
  if (from === null && (await contentAt(path, cached, call)) !== null)
    throw new GitProblem(`error: ${path}: already exists in ${here}`, 1);
  const after = await afterPatch(part, from ?? path, bytes, reverse);
  return {
    path,
    old: from !== null && from !== path ? from : null,
    content: to === null ? null : after,
    mode: modeIn(part, reverse),
  };
}

/** The permissions that a patch sets; null if it leaves them. */
export function modeIn(part: string, reverse: boolean): number | null {
  const found = new RegExp(`^${reverse ? "old" : "new"} (?:file )?mode \\d*(\\d{3})$`, "m").exec(part)?.[1];
  return found === undefined ? null : parseInt(found, 8);
}

/** The content of a file after a patch. */
export const afterPatch = async (
  part: string,
  path: string,
  before: Uint8Array,
  reverse: boolean,
): Promise<Uint8Array> =>
  BINARY.test(part) ? binaryAfter(part, path, before, reverse) : encode(textAfter(part, path, decode(before), reverse));

function textAfter(part: string, path: string, before: string, reverse: boolean): string {
  const [file] = parsePatch(
    part
      .replace(/^(diff --git|index|new file|deleted file|old mode|new mode|similarity|rename).*\n/gm, "")
      .replace(SIGNATURE, "\n"),
  );
  if (!file?.hunks.length) return before;
  const fits = file.hunks.every((hunk) => isAtEdges(hunk, before, reverse));
  const after = fits && applyPatch(before, reverse ? reversed(file) : file, { autoConvertLineEndings: false });
  if (after !== false) return after;
  throw new GitProblem(
    `error: patch failed: ${path}:${file.hunks[0]?.oldStart}\nerror: ${path}: patch does not apply`,
    1,
  );
}

/** The content of a binary file, which has to match the patch's original. */
async function binaryAfter(part: string, path: string, before: Uint8Array, reverse: boolean) {
  const [, from = "", to = ""] = /^index ([0-9a-f]{40})\.\.([0-9a-f]{40})/m.exec(part) ?? [];
  const blocks = [...part.matchAll(/^(literal|delta) (\d+)\n((?:.+\n)*)/gm)];
  const block = blocks[reverse ? 1 : 0];
  if (from === "" || !block)
    throw new GitProblem(
      `error: cannot apply binary patch to '${path}' without full index line\nerror: ${path}: patch does not apply`,
      1,
    );
  const [, kind, , lines = ""] = block;
  const [old, now] = reverse ? [to, from] : [from, to];
  if (!/^0+$/.test(old) && (await blobHash(before)) !== old)
    throw new GitProblem(
      `error: the patch applies to '${path}' (${old}),\nwhich does not match the current contents.\nerror: ${path}: patch does not apply`,
      1,
    );
  const data = unzlibSync(fromBase85(lines));
  const after = kind === "literal" ? data : withDelta(before, data);
  if (!/^0+$/.test(now) && (await blobHash(after)) !== now)
    throw new GitProblem(
      `error: binary patch to '${path}' creates incorrect result\nerror: ${path}: patch does not apply`,
      1,
    );
  return after;
}

/** A content made of pieces of an old one and of new bytes, as gitformat-pack(5) describes deltas. */
function withDelta(before: Uint8Array, delta: Uint8Array) {
  let at = 0;
  const size = () => {
    let [number, shift, byte] = [0, 0, 0x80];
    for (; byte & 0x80; shift += 7) number |= ((byte = delta[at++] ?? 0) & 0x7f) << shift;
    return number;
  };
  size();
  const length = size();
  const pieces: Uint8Array[] = [];
  while (at < delta.length) {
    const order = delta[at++] ?? 0;
    if (order & 0x80) {
      let [offset, count] = [0, 0];
      for (let bit = 0; bit < 4; bit++) if (order & (1 << bit)) offset |= (delta[at++] ?? 0) << (8 * bit);
      for (let bit = 0; bit < 3; bit++) if (order & (0x10 << bit)) count |= (delta[at++] ?? 0) << (8 * bit);
      pieces.push(before.subarray(offset, offset + (count || 0x10000)));
    } else {
      pieces.push(delta.subarray(at, at + order));
      at += order;
    }
  }
  return concat(pieces).subarray(0, length);
}

/**
 * Return whether a hunk that begins in the first line, or has no lines after its changes, is there in the file, as git
 * requires.
 */
function isAtEdges(hunk: StructuredPatchHunk, before: string, reverse: boolean) {
  const lines = before.split("\n").slice(0, before.endsWith("\n") || before === "" ? -1 : undefined);
  const old = hunk.lines
    .filter((line) => line.startsWith(" ") || line.startsWith(reverse ? "+" : "-"))
    .map((line) => line.slice(1));
  const same = (found: string[]) => found.length === old.length && found.every((line, at) => line === old[at]);
  const start = reverse ? hunk.newStart : hunk.oldStart;
  const atEnd = !hunk.lines.findLast((line) => !line.startsWith("\\"))?.startsWith(" ");
  return (start > 1 || same(lines.slice(0, old.length))) && (!atEnd || same(lines.slice(lines.length - old.length)));
}

function reversed(file: StructuredPatch): StructuredPatch {
  const hunks = file.hunks.map((hunk) => {
    const lines = hunk.lines.map((line) =>
      line.startsWith("+") ? `-${line.slice(1)}` : line.startsWith("-") ? `+${line.slice(1)}` : line,
    );
    return {
      oldStart: hunk.newStart,
      oldLines: hunk.newLines,
      newStart: hunk.oldStart,
      newLines: hunk.oldLines,
      lines,
    };
  });
  return { ...file, hunks };
}

export async function write({ path, old, content, mode }: Change, call: Call) {
  const { fs } = call.context;
  const place = `${root(call)}/${path}`;
  if (content === null) await fs.rm(place);
  else {
    await fs.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
    await fs.writeFile(place, content);
    if (mode !== null) await fs.chmod(place, mode);
  }
  if (old !== null) await fs.rm(`${root(call)}/${old}`);
}

/** The files that a patch creates and removes. */
function summaryOf(diff: string) {
  return partsOf(diff)
    .map((part) => {
      const path = /^diff --git a\/.* b\/(.*)$/m.exec(part)?.[1];
      const [, verb, mode] = /^(new|deleted) file mode (\d+)$/m.exec(part) ?? [];
      return verb === undefined ? "" : ` ${verb === "new" ? "create" : "delete"} mode ${mode} ${path}\n`;
    })
    .join("");
}

// A patch that fails leaves nothing in progress.
const IN_PROGRESS = [
  "--abort",
  "--continue",
  "--skip",
  "--quit",
  "--show-current-patch",
  "-r",
  "--resolved",
  "--retry",
];
const AM_OPTIONS = new Set([
  "-q",
  "--quiet",
  "--no-3way",
  "-u",
  "--utf8",
  "--no-verify",
  "-n",
  "--no-scissors",
  "--no-keep-cr",
  "--no-gpg-sign",
]);

/** @param printed - before */
async function patched(parts: string[], printed: string, call: Call) {
  try {
    return await changesOf(parts, call, { strip: 1, reverse: false });
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    throw new GitProblem(
      `${printed}${error.message}\nhint: nothing of this patch was applied, and there is nothing to continue\nhint: use git cherry-pick, or patch -p1; a Linux terminal has Debian's git`,
      128,
    );
  }
}

export async function am(args: string[], call: Call): Promise<Answer | null> {
  const { flags, operands } = parseOptions(args);
  if (IN_PROGRESS.some((flag) => flags.has(flag))) fail("Resolve operation not in progress, we are not resuming.");
  checkOptions("am", flags, AM_OPTIONS);
  const sources = await sourcesOf(operands, call);
  const mails = sources
    .flatMap(({ text }) => text.split(/^(?=From [0-9a-f]{40} )/m))
    .filter((mail) => /^Subject: /m.test(mail));
  if (mails.length === 0) throw new GitProblem("Patch format detection failed.");
  let printed = "";
  for (const mail of mails) {
    const [head = "", ...rest] = mail.split("\n\n");
    const field = (name: string) =>
      new RegExp(`^${name}: (.*(?:\\n .*)*)$`, "m").exec(head)?.[1]?.replace(/\n /g, " ") ?? "";
    const subject = field("Subject").replace(/^\[PATCH[^\]]*\] */, "");
    const [body = "", patch = ""] = rest.join("\n\n").split(/^---\n/m);
    printed += `Applying: ${subject}\n`;
    const changes = await patched(partsOf(rest.join("\n\n")), printed, call);
    for (const change of changes) await write(change, call);
    await stage(changes, call);
    const [, name = "", email = ""] = /^(.*?)\s*<(.*)>$/.exec(field("From")) ?? [];
    const { env } = call.context;
    const restore = remembered(env);
    env
      .set("GIT_AUTHOR_NAME", name)
      .set("GIT_AUTHOR_EMAIL", email)
      .set("GIT_AUTHOR_DATE", `${Date.parse(field("Date")) / 1000} ${field("Date").slice(-5)}`);
    const message = patch === "" ? subject : `${subject}${body.trim() && `\n\n${body.trim()}`}`;
    const done = await call.run(["commit", "-m", message]);
    restore();
    if (done.exitCode) return { ...done, stdout: printed + done.stdout };
  }
  return answer(printed);
}
