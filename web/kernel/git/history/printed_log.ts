// What `git log` prints of the commits that it chooses. just-git draws graphs.
import { readCommit } from "just-git/repo";

import { answer, fail, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { clockOf } from "../objects/date_input.ts";
import { isDateStyle } from "../objects/dates.ts";
import { takeDiffOptions, type Options } from "../differences/diff_options.ts";
import { Differences, folderOf } from "../differences/differences.ts";
import { treePairs } from "../differences/file_pairs.ts";
import { chooseCommits, splitPaths, takeSelection, type Selection } from "./history.ts";
import { decorations, formatted, NAMED, unknownCode, type Commit, type Style } from "./pretty.ts";
import { notesPart, notesRef, shownNotes } from "./shown_notes.ts";
import { find } from "../objects/objects.ts";
import { needRepository, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";

interface Shape {
  format: string;
  decorate: Style["decorate"];
  date: string;
  abbrev: number;
  isOneline: boolean;
  diff: Options;
  ends: string;
  follow: boolean;
  parents: boolean;
}

const IGNORED = /^(--no-notes|--no-show-signature|--no-mailmap|--full-history)$/;
const CLOCKED = /local|relative|human|%[-+ ]?[ac][rh]/;
const LONG = 40;
const SHORT = 7;

/**
 * Read the options for the output.
 * @returns null if one isn't known here
 */
function shapeOf(all: string[], call: Call): Shape | null {
  const { options: diff, rest: words } = takeDiffOptions(all, call.settings);
  if (diff.zero || diff.search || diff.quiet || diff.exits) return null;
  const date = setting(call.settings, "log.date") ?? "default";
  const shape: Shape = {
    format: setting(call.settings, "format.pretty") ?? "medium",
    decorate: "",
    date,
    abbrev: SHORT,
    isOneline: false,
    diff,
    ends: "\n",
    follow: false,
    parents: false,
  };
  let [abbreviates, full] = [false, false];
  for (const [at, word] of words.entries()) {
    const format = /^--(?:format|pretty)=(.*)$/s.exec(word)?.[1];
    const style = /^--date=(.*)$/s.exec(word)?.[1];
    if (format !== undefined) shape.format = format;
    else if (style !== undefined) shape.date = style;
    else if (word === "--oneline") [shape.format, shape.isOneline, abbreviates] = ["oneline", true, true];
    else if (word === "--abbrev-commit") abbreviates = true;
    else if (word === "--no-abbrev-commit") full = true;
    else if (word === "--decorate" || word === "--decorate=short") shape.decorate = "short";
    else if (word === "--decorate=full") shape.decorate = "full";
    else if (word === "--no-decorate" || word === "--decorate=no" || word === "--decorate=auto") shape.decorate = "";
    else if (word === "--follow") shape.follow = true;
    else if (word === "--parents") shape.parents = true;
    else if (!IGNORED.test(word) || words[at - 1] === "--date") return null;
  }
  if (diff.abbrev !== null) shape.abbrev = diff.abbrev;
  if (shape.format === "oneline") shape.isOneline = true;
  if (shape.isOneline && (!abbreviates || full)) shape.abbrev = LONG;
  return knows(shape.format) ? shape : null;
}

// The codes that just-git knows, which formats graphs.
const GRAPHED = /^(?:t?format:)?(?:[^%]|%(?:[HhTtPpsbBdDn%]|[ac][nedDrtiIs]))*$/s;

const formatsOf = (args: string[]): string[] =>
  args.flatMap((word) => /^--(?:format|pretty)=(.*)$/s.exec(word)?.slice(1) ?? []);

const knows = (format: string) =>
  !format.includes("%S") &&
  (format in NAMED ||
    ((/^t?format:/.test(format) || format === "" || format.includes("%")) && unknownCode(format) === null));

/** @throws {GitProblem} neither this log nor just-git's knows a format or a pathspec */
function refuseUnknown(args: string[], paths: string[]) {
  const excluding = paths.find((path) => /^:(?!\/)/.test(path));
  if (excluding !== undefined)
    refuse(`git log has no pathspec ${excluding} here`, "name the paths that are wanted", 128);
  const code = formatsOf(args)
    .map((format) => (format.includes("%S") ? "%S" : unknownCode(format)))
    .find((one) => one !== null);
  const isPlain = args.includes("--graph") && formatsOf(args).some((format) => !GRAPHED.test(format));
  if (code !== undefined || isPlain)
    refuse(`git log has no ${code ?? "such format with --graph"} here`, "use other codes of --format");
}

/** Print a log; null if it has options that only just-git knows. */
export async function printedLog(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const joined = args.flatMap((word, at) =>
    word === "--date" ? [`--date=${args[at + 1]}`] : args[at - 1] === "--date" ? [] : [word],
  );
  const selection = takeSelection(joined);
  const shape = shapeOf(selection.rest, call);
  refuseUnknown(joined, selection.paths ?? []);
  if (shape === null || (selection.paths ?? []).some((path) => /[*?[]|^:/.test(path))) return null;
  if (!isDateStyle(shape.date)) fail(`unknown date format ${shape.date}`);
  await splitPaths(selection, call, repository);
  const paths = selection.paths ?? [];
  if (paths.some((path) => /[*?[]|^:/.test(path))) return null;
  const limit = Number(selection.values.get("--max-count")?.at(-1) ?? Infinity);
  // With a filter, only the commits that it leaves count.
  if (shape.diff.filter) selection.values.delete("--max-count");
  const followed = shape.follow
    ? await followedCommits(
        { ...selection, paths: null },
        paths[0] ?? fail("--follow requires exactly one pathspec"),
        call,
      )
    : null;
  const chosen = followed ?? (await chooseCommits(selection, call, repository));
  const notes = await notesFor(joined, shape.format, call);
  const needsNames = shape.decorate !== "" || /%[-+ ]?[dD]/.test(shape.format);
  const style: Style = {
    ...{ date: shape.date, abbrev: shape.abbrev, decorate: shape.decorate },
    // Python has the zone, so it is asked only for dates that depend on it.
    place: CLOCKED.test(`${shape.date} ${shape.format}`) ? await clockOf(call.context) : {},
    names: needsNames ? await decorations(repository, shape.decorate === "full") : new Map(),
    notes: notes.texts,
    isColored: call.context.isColored,
  };
  const parts = [];
  for (const { commit, mark, path } of chosen.map((one) => ({ path: undefined, ...one }))) {
    const marked = selection.flags.has("--left-right") ? mark : "";
    const text =
      headerOf(commit, shape, { ...style, mark: marked || ">" }, marked) +
      (notes.isShown ? notesPart(notes.texts.get(commit.hash), notesRef(call)) : "");
    const diffs =
      (shape.diff.formats.size > 0 || shape.diff.filter) &&
      (commit.parents.length < 2 || selection.flags.has("--first-parent"));
    const { diff, isEmpty } = diffs ? await diffOf(commit, shape, path ?? paths, call) : { diff: "", isEmpty: true };
    if (shape.diff.filter && isEmpty) continue;
    parts.push({ text, diff, isEmpty: isEmpty || shape.diff.formats.size === 0 });
    if (shape.diff.filter && parts.length >= limit) break;
  }
  return answer(joinedParts(parts, shape));
}

/** The notes of a log, and whether they are shown below the messages. */
async function notesFor(args: string[], format: string, call: Call) {
  const isShown = !args.some((word) => /^--(?:format|pretty)=|^--oneline$|^--no-notes$/.test(word));
  return { isShown, texts: isShown || /%[-+ ]?N/.test(format) ? await shownNotes(call) : new Map() };
}

function headerOf(commit: Commit, { format, decorate, isOneline, parents }: Shape, style: Style, mark: string) {
  const names = decorate === "" || format === "raw" ? [] : (style.names.get(commit.hash) ?? []);
  const decoration =
    (parents ? commit.parents.map((hash) => ` ${isOneline ? hash.slice(0, style.abbrev) : hash}`).join("") : "") +
    (names.length ? ` (${names.join(", ")})` : "");
  const named = NAMED[format];
  if (named === undefined) return formatted(format.replace(/^t?format:/, ""), commit, style);
  const text = named(commit, { ...style, abbrev: isOneline ? style.abbrev : Math.min(style.abbrev, LONG) }, decoration);
  return mark === "" ? text : isOneline ? `${mark} ${text}` : text.replace(/^commit /, `commit ${mark} `);
}

async function diffOf({ parents, tree }: Commit, { diff }: Shape, paths: string[], call: Call) {
  const repository = needRepository(call);
  const before = parents[0] === undefined ? null : (await readCommit(repository, parents[0])).tree;
  const differences = new Differences(call, diff, folderOf(diff.relative, call));
  const pairs = await differences.select(await treePairs(call, before, tree), paths);
  return { diff: await differences.print(pairs, diff.abbrev ?? SHORT), isEmpty: pairs.length === 0 };
}

function joinedParts(parts: { text: string; diff: string; isEmpty: boolean }[], { format, isOneline, diff }: Shape) {
  const isBare = /^(t?format:)?$/.test(format);
  // Git sets a patch apart from its statistics by dashes.
  const line = diff.formats.has("patch") && diff.formats.has("stat") ? "---\n" : "\n";
  if (isBare) return parts.map((part) => part.diff).join(format === "format:" ? "\n" : "");
  const separates = format.startsWith("format:");
  const isNamed = format in NAMED && !isOneline && format !== "reference";
  const texts = parts.map(({ text, diff: shown, isEmpty }) => {
    if (isNamed) return isEmpty ? text : `${text}${line}${shown}`;
    const between =
      isOneline || format === "reference" ? (format === "reference" && !isEmpty ? line : "") : isEmpty ? "" : line;
    const ended = separates && isEmpty ? text : `${text}\n`;
    return `${ended}${separates && !isEmpty ? "" : between}${shown}`;
  });
  return (
    texts.join(isNamed || separates ? "\n" : "") +
    (separates && parts.at(-1)?.isEmpty && !parts.at(-1)?.text.endsWith("\n") ? "\n" : "")
  );
}

/** The commits of a file, also under its earlier names. */
async function followedCommits(selection: Selection, path: string, call: Call) {
  const repository = needRepository(call);
  const { fs, cwd } = call.context;
  const root = repository.workTree ?? "";
  let name = fs.resolvePath(cwd, path).slice(root.length + 1);
  const limit = Number(selection.values.get("--max-count")?.at(-1) ?? Infinity);
  const values = new Map([...selection.values].filter(([option]) => option !== "--max-count"));
  const found = [];
  for (const one of await chooseCommits({ ...selection, values }, call, repository)) {
    const { parents } = one.commit;
    if (parents.length > 1 || found.length >= limit) continue;
    const now = await find(repository, `${one.commit.hash}:${name}`);
    const before = parents[0] === undefined ? null : await find(repository, `${parents[0]}:${name}`);
    if (now === before) continue;
    const old =
      before === null && now !== null && parents[0] ? await earlierName(parents[0], one.commit.hash, name, call) : null;
    found.push({ ...one, path: [...new Set([old ?? name, name])].map((each) => `${root}/${each}`) });
    name = old ?? name;
  }
  return found;
}

async function earlierName(parent: string, hash: string, path: string, call: Call): Promise<string | null> {
  const { stdout } = await call.run(["diff", "--name-status", parent, hash]);
  const fields = stdout.split("\n").map((line) => line.split("\t"));
  return fields.find(([letter = "", , to]) => letter.startsWith("R") && to === path)?.[1] ?? null;
}
