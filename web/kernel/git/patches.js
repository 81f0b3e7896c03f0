// Patches: apply, format-patch and am.
import { applyPatch, parsePatch } from "diff";

import { answer, fail, GitProblem } from "./answers.js";
import { decode, encode, fromLatin1 } from "../shell/bytes.js";
import { formatDate } from "./dates.js";
import { chooseCommits, takeSelection } from "./history.js";
import { parseOptions } from "./options.js";
import { needRepository } from "./repository.js";
import { readCommit } from "just-git/repo";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./repository.js").Command} Command
 * @typedef {{ path: string, old: string | null, content: string | null, mode: number | null }} Change `content` is null for a file that is removed
 */

/** @type {Command} */
export async function apply(args, call) {
  const { flags, values, operands } = parseOptions(args, ["-p", "--exclude", "--include", "--directory"]);
  const { context } = call;
  const sources = operands.length ? operands : ["-"];
  /** @type {string[]} */
  const texts = [];
  for (const path of sources) texts.push(path === "-" ? decode(fromLatin1(context.stdin)) : await readText(call, path));
  const text = texts.join("");
  if (!/^(diff --git |--- |GIT binary)/m.test(text))
    throw new GitProblem('error: No valid patches in input (allow with "--allow-empty")', 128);
  const parts = partsOf(text);
  const printed =
    (flags.has("--stat") ? statOf(parts) : "") + (flags.has("--numstat") ? numstatOf(parts) : "") + (flags.has("--summary") ? summaryOf(text) : "");
  const only = flags.has("--stat") || flags.has("--numstat") || flags.has("--summary");
  if (only && !flags.has("--apply") && !flags.has("--check")) return answer(printed);
  const strip = Number(values.get("-p") ?? 1);
  const changes = await changesOf(text, call, { strip, reverse: flags.has("-R") || flags.has("--reverse") });
  if (flags.has("--check") && !flags.has("--apply")) return answer(printed);
  for (const change of changes) await write(change, call, flags.has("--cached"));
  const staged = flags.has("--index") || flags.has("--cached");
  if (staged) await stage(changes, call);
  return answer(printed);
}

/** @param {Call} call @param {string} path */
async function readText({ context: { fs, cwd } }, path) {
  const whole = fs.resolvePath(cwd, path);
  if (!(await fs.exists(whole))) throw new GitProblem(`error: can't open patch '${path}': No such file or directory`);
  return decode(await fs.readFileBuffer(whole));
}

/** @param {Call} call */
const root = ({ repository, context }) => repository?.workTree ?? context.cwd;

/** @param {Change[]} changes @param {Call} call */
async function stage(changes, call) {
  const { context } = call;
  const { cwd } = context;
  context.cwd = root(call);
  await call.run(["add", ...changes.flatMap(({ path, old }) => (old === null ? [path] : [path, old]))]);
  context.cwd = cwd;
}

const BINARY = /^GIT binary patch|^Binary files /m;
const SIGNATURE = /\n-- \n[^]*$/;
const MOST_OF_NAME = 50;
const MOST_OF_LINE = 70;

/** @param {string} part of a patch, about one file @returns {{ name: string, added: number, removed: number, binary: boolean }} */
function countsOf(part) {
  const [from = null, to = null] = namesIn(part, 1, false);
  const hunks = part.replace(SIGNATURE, "\n").split(/^(?=@@ )/m).slice(1).join("");
  const count = (/** @type {RegExp} */ sign) => hunks.match(sign)?.length ?? 0;
  return { name: to ?? from ?? "", added: count(/^\+/gm), removed: count(/^-/gm), binary: BINARY.test(part) };
}

/** @param {string[]} parts */
const numstatOf = (parts) =>
  parts.map(countsOf).map(({ name, added, removed, binary }) => `${binary ? "-\t-" : `${added}\t${removed}`}\t${name}\n`).join("");

/** The changes of each file as a bar, scaled as in apply.c. @param {string[]} parts */
function statOf(parts) {
  const files = parts.map(countsOf);
  const width = Math.min(MOST_OF_NAME, Math.max(...files.map(({ name }) => name.length)));
  const most = Math.max(...files.map(({ added, removed }) => added + removed));
  const room = Math.min(most, MOST_OF_LINE - width);
  const scaled = (/** @type {number} */ count) => (most ? Math.floor((count * room + Math.floor(most / 2)) / most) : 0);
  const lines = files.map(({ name, added, removed, binary }) => {
    const shown = name.length > width ? `...${name.slice(name.length + 3 - width)}` : name.padEnd(width);
    if (binary) return ` ${shown} |  Bin\n`;
    const [all, plus] = [scaled(added + removed), scaled(added)];
    return ` ${shown} |${String(added + removed).padStart(5)} ${"+".repeat(plus)}${"-".repeat(all - plus)}\n`;
  });
  const [added, removed] = [files.reduce((sum, file) => sum + file.added, 0), files.reduce((sum, file) => sum + file.removed, 0)];
  const plural = (/** @type {number} */ number) => (number === 1 ? "" : "s");
  const insertions = added || !removed ? `, ${added} insertion${plural(added)}(+)` : "";
  const deletions = removed || !added ? `, ${removed} deletion${plural(removed)}(-)` : "";
  return `${lines.join("")} ${files.length} file${plural(files.length)} changed${insertions}${deletions}\n`;
}

/** The parts of a patch that describe one file each, with the lines before their hunks. @param {string} text */
function partsOf(text) {
  const parts = text.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return parts.length ? parts : text.split(/^(?=--- )/m).filter((part) => part.startsWith("--- "));
}

/**
 * What a patch does to each file.
 * @param {string} text @param {Call} call @param {{ strip: number, reverse: boolean }} options @returns {Promise<Change[]>}
 */
async function changesOf(text, call, { strip, reverse }) {
  /** @type {Change[]} */
  const changes = [];
  /** @type {string[]} */
  const problems = [];
  const parts = partsOf(text);
  for (const part of reverse ? parts.reverse() : parts) {
    if (BINARY.test(part)) throw new GitProblem("error: cannot apply a patch of binary files", 1);
    try {
      changes.push(await changeOf(part, call, strip, reverse));
    } catch (error) {
      if (!(error instanceof GitProblem)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length) throw new GitProblem(problems.join("\n"), 1);
  return changes;
}

/** @param {string} part @param {number} strip @param {boolean} reverse */
function namesIn(part, strip, reverse) {
  const name = (/** @type {RegExp} */ pattern) => pattern.exec(part)?.[1]?.split("\t")[0];
  const stripped = (/** @type {string | undefined} */ path) =>
    path === undefined || path === "/dev/null" ? null : path.split("/").slice(strip).join("/");
  const renamed = [name(/^rename from (.*)$/m) ?? null, name(/^rename to (.*)$/m) ?? null];
  const both = /^diff --git a\/(.*) b\/\1$/m.exec(part)?.[1] ?? null;
  const removed = /^deleted file mode/m.test(part);
  const added = /^new file mode/m.test(part);
  const from = renamed[0] ?? stripped(name(/^--- (.*)$/m)) ?? (added ? null : name(/^--- /m) === undefined ? both : null);
  const to = renamed[1] ?? stripped(name(/^\+\+\+ (.*)$/m)) ?? (removed ? null : both);
  const names = [added ? null : from, removed ? null : to];
  return reverse ? names.reverse() : names;
}

/** @param {string} part @param {Call} call @param {number} strip @param {boolean} reverse @returns {Promise<Change>} */
async function changeOf(part, call, strip, reverse) {
  const [from = null, to = null] = namesIn(part, strip, reverse);
  const path = to ?? from ?? fail("patch without a file's name");
  const { fs } = call.context;
  const place = `${root(call)}/${from}`;
  if (from !== null && !(await fs.exists(place))) throw new GitProblem(`error: ${from}: No such file or directory`, 1);
  if (from === null && (await fs.exists(`${root(call)}/${path}`)))
    throw new GitProblem(`error: ${path}: already exists in working directory`, 1);
  const before = from === null ? "" : decode(await fs.readFileBuffer(place));
  const [file] = parsePatch(
    part
      .replace(/^(diff --git|index|new file|deleted file|old mode|new mode|similarity|rename).*\n/gm, "")
      .replace(SIGNATURE, "\n"),
  );
  const hunks = file?.hunks.length ? file : null;
  const fits = hunks === null || hunks.hunks.every((hunk) => isAtEdges(hunk, before, reverse));
  const after = hunks && !fits ? false : hunks ? applyPatch(before, reverse ? reversed(hunks) : hunks, { autoConvertLineEndings: false }) : before;
  if (after === false)
    throw new GitProblem(
      `error: patch failed: ${from ?? path}:${hunks?.hunks[0]?.oldStart}\nerror: ${from ?? path}: patch does not apply`,
      1,
    );
  const mode = /^new (?:file )?mode \d*(\d{3})$/m.exec(part)?.[1];
  return {
    path,
    old: from !== null && from !== path ? from : null,
    content: to === null ? null : after,
    mode: mode === undefined ? null : parseInt(mode, 8),
  };
}

/**
 * Return whether a hunk that begins in the first line, or has no lines after its changes, is there in the file, as git requires.
 * @param {import("diff").StructuredPatchHunk} hunk @param {string} before @param {boolean} reverse
 */
function isAtEdges(hunk, before, reverse) {
  const lines = before.split("\n").slice(0, before.endsWith("\n") || before === "" ? -1 : undefined);
  const old = hunk.lines.filter((line) => line.startsWith(" ") || line.startsWith(reverse ? "+" : "-")).map((line) => line.slice(1));
  const same = (/** @type {string[]} */ found) => found.length === old.length && found.every((line, at) => line === old[at]);
  const start = reverse ? hunk.newStart : hunk.oldStart;
  const atEnd = !hunk.lines.findLast((line) => !line.startsWith("\\"))?.startsWith(" ");
  return (start > 1 || same(lines.slice(0, old.length))) && (!atEnd || same(lines.slice(lines.length - old.length)));
}

/** @param {import("diff").StructuredPatch} file @returns {import("diff").StructuredPatch} */
function reversed(file) {
  const hunks = file.hunks.map((hunk) => {
    const lines = hunk.lines.map((line) =>
      line.startsWith("+") ? `-${line.slice(1)}` : line.startsWith("-") ? `+${line.slice(1)}` : line,
    );
    return { oldStart: hunk.newStart, oldLines: hunk.newLines, newStart: hunk.oldStart, newLines: hunk.oldLines, lines };
  });
  return { ...file, hunks };
}

/** @param {Change} change @param {Call} call @param {boolean} onlyIndex */
async function write({ path, old, content, mode }, call, onlyIndex) {
  if (onlyIndex) throw new GitProblem("error: --cached is not supported here; use --index", 1);
  const { fs } = call.context;
  const place = `${root(call)}/${path}`;
  if (content === null) await fs.rm(place);
  else {
    await fs.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
    await fs.writeFile(place, encode(content));
    if (mode !== null) await fs.chmod(place, mode);
  }
  if (old !== null) await fs.rm(`${root(call)}/${old}`);
}

/** @type {Command} */
export async function formatPatch(args, call) {
  const repository = needRepository(call);
  const { flags, values, operands } = parseOptions(args, ["-o", "--output-directory", "-n"]);
  const number = [...flags].find((flag) => /^-\d+$/.test(flag))?.slice(1);
  const names = operands.length ? operands : ["HEAD"];
  const range = names.length === 1 && number === undefined && !names[0]?.includes("..") ? [`${names[0]}..HEAD`] : names;
  const limit = number === undefined ? [] : [`-${number}`];
  const chosen = await chooseCommits(takeSelection(["--no-merges", "--reverse", ...limit, ...range, "--"]), call, repository);
  const hashes = chosen.map(({ commit }) => commit.hash);
  const patches = [];
  for (const [at, hash] of hashes.entries()) patches.push(await patchOf(hash, at + 1, hashes.length, call));
  if (flags.has("--stdout")) return answer(patches.map(({ text }) => text).join(""));
  const { fs, cwd } = call.context;
  const folder = values.get("-o") ?? values.get("--output-directory") ?? "";
  await fs.mkdir(fs.resolvePath(cwd, folder || "."), { recursive: true });
  const paths = patches.map(({ name }) => `${folder && `${folder.replace(/\/$/, "")}/`}${name}`);
  for (const [at, { text }] of patches.entries()) await fs.writeFile(fs.resolvePath(cwd, paths[at] ?? ""), encode(text));
  return answer(paths.map((path) => `${path}\n`).join(""));
}

/** @param {string} hash @param {number} number @param {number} count @param {Call} call */
async function patchOf(hash, number, count, call) {
  const { author, message, parents } = await readCommit(needRepository(call), hash);
  const [subject = "", ...rest] = message.trimEnd().split("\n");
  const body = rest.join("\n").replace(/^\n/, "");
  const range = parents.length ? [`${hash}~1`, hash] : ["4b825dc642cb6eb9a060e54bf8d69288fbee4904", hash];
  const shown = await call.run(["show", "--format=", hash]);
  const stat = await call.run(parents.length ? ["diff", "--stat", ...range] : ["show", "--format=", "--stat", hash]);
  const summary = /^ (create|delete|rename|mode) /m.test(stat.stdout) ? "" : summaryOf(shown.stdout);
  const mark = count > 1 ? `[PATCH ${number}/${count}]` : "[PATCH]";
  const date = formatDate(author.timestamp, author.timezone, "rfc");
  const head = `From ${hash} Mon Sep 17 00:00:00 2001\nFrom: ${author.name} <${author.email}>\nDate: ${date}\nSubject: ${mark} ${subject}\n\n`;
  const text = `${head}${body && `${body}\n`}---\n${stat.stdout.replace(/^\n/, "")}${summary}\n${shown.stdout.replace(/^\n+/, "")}-- \n2.39.5\n\n`;
  const name = `${String(number).padStart(4, "0")}-${subject
    .replace(/[^A-Za-z0-9_.]+/g, "-")
    .replace(/^-|[-.]+$/g, "")
    .slice(0, 52)}.patch`;
  return { name, text };
}

/** The files that a patch creates and removes. @param {string} diff */
export function summaryOf(diff) {
  return partsOf(diff)
    .map((part) => {
      const path = /^diff --git a\/.* b\/(.*)$/m.exec(part)?.[1];
      const [, verb, mode] = /^(new|deleted) file mode (\d+)$/m.exec(part) ?? [];
      return verb === undefined ? "" : ` ${verb === "new" ? "create" : "delete"} mode ${mode} ${path}\n`;
    })
    .join("");
}

/** @type {Command} */
export async function am(args, call) {
  const { operands } = parseOptions(args);
  const texts = operands.length
    ? await Promise.all(operands.map((path) => readText(call, path)))
    : [decode(fromLatin1(call.context.stdin))];
  const mails = texts.flatMap((text) => text.split(/^(?=From [0-9a-f]{40} )/m)).filter((mail) => /^Subject: /m.test(mail));
  if (mails.length === 0) throw new GitProblem("Patch format detection failed.");
  let printed = "";
  for (const mail of mails) {
    const [head = "", ...rest] = mail.split("\n\n");
    const field = (/** @type {string} */ name) => new RegExp(`^${name}: (.*(?:\\n .*)*)$`, "m").exec(head)?.[1]?.replace(/\n /g, " ") ?? "";
    const subject = field("Subject").replace(/^\[PATCH[^\]]*\] */, "");
    const [body = "", patch = ""] = rest.join("\n\n").split(/^---\n/m);
    printed += `Applying: ${subject}\n`;
    const changes = await changesOf(rest.join("\n\n"), call, { strip: 1, reverse: false });
    for (const change of changes) await write(change, call, false);
    await stage(changes, call);
    const [, name = "", email = ""] = /^(.*?)\s*<(.*)>$/.exec(field("From")) ?? [];
    const { env } = call.context;
    const before = new Map(env);
    env
      .set("GIT_AUTHOR_NAME", name)
      .set("GIT_AUTHOR_EMAIL", email)
      .set("GIT_AUTHOR_DATE", `${Date.parse(field("Date")) / 1000} ${field("Date").slice(-5)}`);
    const message = patch === "" ? subject : `${subject}${body.trim() && `\n\n${body.trim()}`}`;
    const done = await call.run(["commit", "-m", message]);
    env.clear();
    for (const [key, value] of before) env.set(key, value);
    if (done.exitCode) return { ...done, stdout: printed + done.stdout };
  }
  return answer(printed);
}
