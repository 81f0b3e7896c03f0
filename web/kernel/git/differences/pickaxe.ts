// `git log -S` and `-G`: the commits that change how often a text occurs, or whose changed lines match.
import { readCommit } from "just-git/repo";

import { answer, GitProblem, type Answer } from "../repository/answers.ts";
import { textAt } from "../objects/objects.ts";
import { splitAtDashes } from "../repository/options.ts";
import { needRepository, type Call } from "../repository/repository.ts";
import { translated } from "../repository/regular_expressions.ts";

/** `all` prints all files of a commit */
type Pickaxe = { kind: "S" | "G"; pattern: RegExp; all: boolean };

type Log = (args: string[], call: Call) => Promise<Answer>;

const VALUED = /^-[SG]$/;
const LIMIT = /^(?:-n|--max-count=)?(\d+)$|^-(\d+)$/;
const DIFFS = /^(-p|-u|--patch|--stat|--numstat|--shortstat|--name-only|--name-status)$/;

/** Take the options from the arguments. */
export function takePickaxe(args: string[]): { pickaxe: Pickaxe | null; rest: string[] } {
  const [before, after] = splitAtDashes(args);
  const flags = new Set(before);
  const rest: string[] = [];
  let found: [string, string] | null = null;
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
  return {
    pickaxe: { kind: kind === "G" ? "G" : "S", pattern, all: flags.has("--pickaxe-all") },
    rest: [...rest, ...after],
  };
}

/** Run `git log` with a pickaxe. */
export async function searchedLog(args: string[], pickaxe: Pickaxe, call: Call, log: Log): Promise<Answer> {
  const [before, paths] = splitAtDashes(args);
  if (before.includes("--graph"))
    throw new GitProblem(`error: git log -${pickaxe.kind} has no --graph here; use --oneline`, 129);
  const { words, limit, reverse } = limited(before);
  const shown = words.filter(
    (word) =>
      /^--(format|pretty|oneline|date|decorate|abbrev)|^(?:-U\d+|--unified=\d+)$/.test(word) || DIFFS.test(word),
  );
  const listing = words.filter((word) => !shown.includes(word));
  const listed = await log(["--format=%H", ...listing, ...paths], call);
  if (listed.exitCode) return listed;
  const found: { hash: string; files: string[] }[] = [];
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
    const done = await log(["-1", ...shown, hash, ...wanted], {
      ...call,
      context: { ...call.context, cwd: needRepository(call).workTree ?? call.context.cwd },
    });
    parts.push(separator(shown) ? done.stdout.replace(/\n$/, "") : done.stdout);
  }
  const between = separator(shown);
  return answer(parts.join(between) + (between === "\n\n" && parts.length ? "\n" : ""));
}

function separator(shown: string[]) {
  const format = shown.findLast((word) => /^--(format|pretty|oneline)/.test(word))?.replace(/^--(format|pretty)=/, "");
  if (format === undefined || /^(short|medium|full|fuller|raw|email|reference|format:)/.test(format))
    return format === "reference" ? "" : format?.startsWith("format:") ? "\n" : "\n\n";
  return "";
}

function limited(words: string[]) {
  let limit = Infinity;
  const rest = words.filter((word, at) => {
    const [, long, short] = LIMIT.exec(/^-/.test(word) || words[at - 1] === "-n" ? word : "") ?? [];
    const number = words[at - 1] === "-n" && long === undefined ? word : (long ?? short);
    if (number !== undefined) limit = Number(number);
    return number === undefined && word !== "-n" && word !== "--reverse";
  });
  return { words: rest, limit, reverse: words.includes("--reverse") };
}

/**
 * The files of a commit that match.
 * @param paths - with `--`
 */
async function matching(hash: string, paths: string[], pickaxe: Pickaxe, call: Call): Promise<string[]> {
  const repository = needRepository(call);
  const { parents } = await readCommit(repository, hash);
  if (parents.length > 1) return [];
  const listed = await call.run(["log", "-1", "--name-status", "--format=", hash, ...paths]);
  const pairs = listed.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t"));
  const found = [];
  for (const [letter = "", one = "", other = one] of pairs) {
    const old = letter === "A" ? "" : await textAt(repository, `${parents[0] ?? ""}:${one}`);
    const now = letter === "D" ? "" : await textAt(repository, `${hash}:${other}`);
    if (
      pickaxe.kind === "S"
        ? count(old, pickaxe.pattern) !== count(now, pickaxe.pattern)
        : await changesLine(hash, one, other, pickaxe.pattern, call)
    )
      found.push(other);
  }
  return found;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Return whether an added or removed line of a file matches. */
async function changesLine(hash: string, from: string, to: string, pattern: RegExp, call: Call) {
  const shown = await call.run(["show", "--format=", hash, "--", ...new Set([from, to])]);
  const lines = shown.stdout
    .split(/^(?=@@ )/m)
    .slice(1)
    .join("")
    .split("\n")
    .filter((line) => /^[-+]/.test(line))
    .map((line) => line.slice(1));
  return lines.some((line) => line.search(pattern) >= 0);
}
