// `git log -S` and `-G`: the commits that change how often a text occurs, or whose changed lines match.
import { readCommit } from "just-git/repo";

import { answer, GitProblem } from "./answers.js";
import { decode } from "../bytes.js";
import { find } from "./objects.js";
import { splitAtDashes } from "./options.js";
import { needRepository } from "./repository.js";
import { translated } from "./regular_expressions.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./answers.js").Answer} Answer
 * @typedef {{ kind: "S" | "G", pattern: RegExp, all: boolean }} Pickaxe `all` prints all files of a commit
 * @typedef {(args: string[], call: Call) => Promise<Answer>} Log
 */

const VALUED = /^-[SG]$/;
const LIMIT = /^(?:-n|--max-count=)?(\d+)$|^-(\d+)$/;
const DIFFS = /^(-p|-u|--patch|--stat|--numstat|--shortstat|--name-only|--name-status)$/;

/** Take the options from the arguments. @param {string[]} args @returns {{ pickaxe: Pickaxe | null, rest: string[] }} */
export function takePickaxe(args) {
  const [before, after] = splitAtDashes(args);
  const flags = new Set(before);
  /** @type {string[]} */
  const rest = [];
  /** @type {[string, string] | null} */
  let found = null;
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    if (VALUED.test(word)) found = [word.slice(1), before[++at] ?? ""];
    else if (/^-[SG]./.test(word)) found = [word.slice(1, 2), word.slice(2)];
    else if (!/^--pickaxe-(regex|all)$/.test(word)) rest.push(word);
  }
  if (found === null) return { pickaxe: null, rest: args };
  const [kind, text] = found;
  if (text === "") throw new GitProblem(`error: switch \`${kind}' requires a value`, 129);
  const isPattern = kind === "G" || flags.has("--pickaxe-regex");
  const source = isPattern ? translated(text, new Set([...flags, "-E"])) : translated(text, new Set(["-F"]));
  const ignoresCase = flags.has("-i") || flags.has("--regexp-ignore-case");
  const pattern = new RegExp(source, `g${ignoresCase ? "i" : ""}m`);
  return { pickaxe: { kind: kind === "G" ? "G" : "S", pattern, all: flags.has("--pickaxe-all") }, rest: [...rest, ...after] };
}

/** Run `git log` with a pickaxe. @param {string[]} args @param {Pickaxe} pickaxe @param {Call} call @param {Log} log @returns {Promise<Answer>} */
export async function searchedLog(args, pickaxe, call, log) {
  const [before, paths] = splitAtDashes(args);
  if (before.includes("--graph")) throw new GitProblem(`error: git log -${pickaxe.kind} has no --graph here; use --oneline`, 129);
  const { words, limit, reverse } = limited(before);
  const shown = words.filter((word) => /^--(format|pretty|oneline|date|decorate|abbrev)|^(?:-U\d+|--unified=\d+)$/.test(word) || DIFFS.test(word));
  const listing = words.filter((word) => !shown.includes(word));
  const listed = await log(["--format=%H", ...listing, ...paths], call);
  if (listed.exitCode) return listed;
  /** @type {{ hash: string, files: string[] }[]} */
  const found = [];
  const hashes = listed.stdout.split("\n").filter(Boolean);
  // As in git, the limit of a reversed list counts all commits.
  for (const hash of reverse ? hashes.slice(0, limit) : hashes) {
    if (found.length >= limit) break;
    const files = await matching(hash, paths, pickaxe, call);
    if (files.length) found.push({ hash, files });
  }
  const parts = [];
  for (const { hash, files } of reverse ? found.reverse() : found) {
    const wanted = shown.some((word) => DIFFS.test(word)) && !pickaxe.all ? ["--", ...files] : [];
    const done = await log(["-1", ...shown, hash, ...wanted], { ...call, context: { ...call.context, cwd: needRepository(call).workTree ?? call.context.cwd } });
    parts.push(separator(shown) ? done.stdout.replace(/\n$/, "") : done.stdout);
  }
  const between = separator(shown);
  return answer(parts.join(between) + (between === "\n\n" && parts.length ? "\n" : ""));
}

/** @param {string[]} shown */
function separator(shown) {
  const format = shown.findLast((word) => /^--(format|pretty|oneline)/.test(word))?.replace(/^--(format|pretty)=/, "");
  if (format === undefined || /^(short|medium|full|fuller|raw|email|reference|format:)/.test(format)) return format === "reference" ? "" : format?.startsWith("format:") ? "\n" : "\n\n";
  return "";
}

/** @param {string[]} words */
function limited(words) {
  let limit = Infinity;
  const rest = words.filter((word, at) => {
    const [, long, short] = LIMIT.exec(/^-/.test(word) || words[at - 1] === "-n" ? word : "") ?? [];
    const number = words[at - 1] === "-n" && long === undefined ? word : (long ?? short);
    if (number !== undefined) limit = Number(number);
    return number === undefined && word !== "-n" && word !== "--reverse";
  });
  return { words: rest, limit, reverse: words.includes("--reverse") };
}

/** The files of a commit that match. @param {string} hash @param {string[]} paths with `--` @param {Pickaxe} pickaxe @param {Call} call @returns {Promise<string[]>} */
async function matching(hash, paths, pickaxe, call) {
  const repository = needRepository(call);
  const { parents } = await readCommit(repository, hash);
  if (parents.length > 1) return [];
  const listed = await call.run(["log", "-1", "--name-status", "--format=", hash, ...paths]);
  const pairs = listed.stdout.split("\n").filter(Boolean).map((line) => line.split("\t"));
  const found = [];
  for (const [letter = "", one = "", other = one] of pairs) {
    const old = letter === "A" ? "" : await textOf(`${parents[0] ?? ""}:${one}`, call);
    const now = letter === "D" ? "" : await textOf(`${hash}:${other}`, call);
    if (pickaxe.kind === "S" ? count(old, pickaxe.pattern) !== count(now, pickaxe.pattern) : await changesLine(hash, one, other, pickaxe.pattern, call))
      found.push(other);
  }
  return found;
}

/** @param {string} name @param {Call} call */
async function textOf(name, call) {
  const repository = needRepository(call);
  const hash = await find(repository, name);
  return hash === null ? "" : decode((await repository.objectStore.read(hash)).content);
}

/** @param {string} text @param {RegExp} pattern */
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

/** Return whether an added or removed line of a file matches. @param {string} hash @param {string} from @param {string} to @param {RegExp} pattern @param {Call} call */
async function changesLine(hash, from, to, pattern, call) {
  const shown = await call.run(["show", "--format=", hash, "--", ...new Set([from, to])]);
  const lines = shown.stdout.split(/^(?=@@ )/m).slice(1).join("").split("\n").filter((line) => /^[-+]/.test(line)).map((line) => line.slice(1));
  return lines.some((line) => line.search(pattern) >= 0);
}
