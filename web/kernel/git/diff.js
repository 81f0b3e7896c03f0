// `git diff`: just-git's, with changes of permissions and types, empty files, files without text, and `--no-index`.
import { decode } from "../shell/bytes.js";
import { inList, inPatch, inStat, isTypeChange, localChanges, treeChanges, withoutLines } from "./mode_changes.js";
import { diffFiles } from "./no_index.js";
import { has, parseOptions, splitAtDashes, UNCOLORED, without } from "./options.js";
import { inTree, needRepository, revParse } from "./repository.js";
import { isBelow } from "./stash_paths.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./answers.js").Answer} Answer
 * @typedef {import("./mode_changes.js").Change} Change
 */

const FORMATS = ["--stat", "--numstat", "--shortstat", "--name-only", "--name-status"];

/** @param {string[]} args @param {Call} call @returns {Promise<Answer>} */
export async function diff(args, call) {
  if (has(args, "--no-index") || call.repository === null) return diffFiles(without(args, "--no-index"), call);
  const rest = await withDashes(without(args, "--quiet", "-q", "--exit-code", ...UNCOLORED), call);
  const done = await complete(await call.context.fs.onlyFiles(() => call.run(["diff", ...rest])), rest, call);
  const quiet = has(args, "--quiet", "-q");
  if (!quiet && !has(args, "--exit-code")) return done;
  return { ...done, stdout: quiet ? "" : done.stdout, exitCode: done.exitCode || Number(done.stdout !== "") };
}

/** Paths need no `--` if no revision has their name. @param {string[]} args @param {Call} call */
async function withDashes(args, call) {
  const { fs, cwd } = call.context;
  for (const [at, word] of args.includes("--") ? [] : args.entries()) {
    if (word.startsWith("-") || !(await fs.exists(fs.resolvePath(cwd, word)))) continue;
    if ((await revParse(needRepository(call), word)) === null) return [...args.slice(0, at), "--", ...args.slice(at)];
  }
  return args;
}

/** Add what just-git left out. @param {Answer} done @param {string[]} args @param {Call} call @returns {Promise<Answer>} */
async function complete(done, args, call) {
  if (done.exitCode) return done;
  const [, dashed] = splitAtDashes(args);
  const { operands } = parseOptions(splitAtDashes(args)[0]);
  const changes = await changesOf(operands, has(args, "--cached", "--staged"), call);
  const repository = needRepository(call);
  const specs = dashed.slice(1).map((path) => inTree(repository, call.context, path));
  const wanted = (changes ?? []).filter(({ path }) => specs.length === 0 || specs.some((spec) => isBelow(path, spec)));
  const format = FORMATS.find((name) => has(args, name));
  const text = await completed(done.stdout, wanted, format, (hash, path) => textOf(hash, path, call));
  return { ...done, stdout: asAttributes(text, format, call) };
}

/** @param {string} text @param {Change[]} changes @param {string | undefined} format @param {(hash: string | null, path: string) => Promise<string>} textOf */
export async function completed(text, changes, format, textOf) {
  if (changes.length === 0) return text;
  if (format === "--stat") return inStat(text, changes);
  if (format === "--shortstat") return text;
  if (format === "--numstat") return inList(text, changes.filter((change) => !isTypeChange(change)), ({ path }) => `0\t0\t${path}`);
  if (format === "--name-only") return inList(text, changes, ({ path }) => path);
  if (format === "--name-status") return inList(text, changes, (change) => `${letterOf(change)}\t${change.path}`);
  return inPatch(text, changes, ({ path, old, now }, isNew) => textOf((isNew ? now : old)?.hash ?? null, path));
}

/** @param {Change} change */
const letterOf = (change) => (change.old === null ? "A" : change.now === null ? "D" : isTypeChange(change) ? "T" : "M");

/** Show files with the attribute `-diff` as git does. @param {string} text @param {string | undefined} format @param {Call} call */
export function asAttributes(text, format, { context: { fs } }) {
  const isOpaque = (/** @type {string} */ path) => fs.lineEnds.attributes.of(path).get("diff") === false;
  if (format === undefined) return withoutLines(text, isOpaque);
  return format === "--numstat" ? text.replace(/^\d+\t\d+\t(.*)$/gm, (line, path) => (isOpaque(path) ? `-\t-\t${path}` : line)) : text;
}

/** @param {string | null} hash null for a file of the work tree @param {string} path @param {Call} call */
export async function textOf(hash, path, call) {
  const repository = needRepository(call);
  if (hash !== null) return decode((await repository.objectStore.read(hash)).content);
  return decode(await call.context.fs.readFileBuffer(`${repository.workTree}/${path}`));
}

/** @param {string[]} names revisions @param {boolean} cached @param {Call} call @returns {Promise<Change[] | null>} */
async function changesOf(names, cached, call) {
  const repository = needRepository(call);
  const tree = (/** @type {string} */ name) => revParse(repository, `${name || "HEAD"}^{tree}`);
  const [first, second] = names.length === 1 && names[0]?.includes("..") ? (names[0]?.includes("...") ? [] : names[0].split("..")) : names;
  if (first === undefined && names.length) return null;
  if (second !== undefined) {
    const [one, other] = [await tree(first ?? ""), await tree(second)];
    return one === null || other === null ? null : treeChanges(repository, one, other);
  }
  const base = first === undefined && !cached ? null : await tree(first ?? "HEAD");
  return localChanges(repository, call, { tree: base, cached });
}
