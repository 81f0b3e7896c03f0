// What `git log` prints of the commits that it chooses. just-git draws graphs, and compares files.
import { answer, fail, GitProblem } from "./answers.js";
import { clockOf } from "./date_input.js";
import { isDateStyle } from "./dates.js";
import { chooseCommits, splitPaths, takeSelection } from "./history.js";
import { decorations, formatted, NAMED, unknownCode } from "./pretty.js";
import { find } from "./objects.js";
import { inTree, needRepository } from "./repository.js";
import { setting } from "./settings.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./answers.js").Answer} Answer
 * @typedef {import("./pretty.js").Commit} Commit
 * @typedef {import("./pretty.js").Style} Style
 * @typedef {{ format: string, decorate: Style["decorate"], date: string, abbrev: number, isOneline: boolean, diff: string[], ends: string, follow: boolean, parents: boolean }} Shape
 */

const DIFFS = /^(-p|-u|--patch|--stat|--numstat|--shortstat|--name-only|--name-status)$/;
const CONTEXT = /^(-U\d+|--unified=\d+|-M\d*%?|--find-renames(=.*)?|-r)$/;
const IGNORED = /^(--no-color|--color=(never|auto)|--no-ext-diff|--no-textconv|--no-notes|--no-show-signature|--no-patch|-s|--no-mailmap|--full-history)$/;
const CLOCKED = /local|relative|human|%[-+ ]?[ac][rh]/;
const LONG = 40;
const SHORT = 7;

/** Read the options that say what is printed. @param {string[]} words @param {Call} call @returns {Shape | null} null if one isn't known here */
function shapeOf(words, call) {
  const date = setting(call.settings, "log.date") ?? "default";
  /** @type {Shape} */
  const shape = { format: setting(call.settings, "format.pretty") ?? "medium", decorate: "", date, abbrev: SHORT, isOneline: false, diff: [], ends: "\n", follow: false, parents: false };
  let [abbreviates, full] = [false, false];
  for (const [at, word] of words.entries()) {
    const format = /^--(?:format|pretty)=(.*)$/s.exec(word)?.[1];
    const style = /^--date=(.*)$/s.exec(word)?.[1];
    if (format !== undefined) shape.format = format;
    else if (style !== undefined) shape.date = style;
    else if (word === "--oneline") [shape.format, shape.isOneline, abbreviates] = ["oneline", true, true];
    else if (word === "--abbrev-commit") abbreviates = true;
    else if (word === "--no-abbrev-commit") full = true;
    else if (/^--abbrev=\d+$/.test(word)) shape.abbrev = Number(word.slice(9));
    else if (word === "--decorate" || word === "--decorate=short") shape.decorate = "short";
    else if (word === "--decorate=full") shape.decorate = "full";
    else if (word === "--no-decorate" || word === "--decorate=no" || word === "--decorate=auto") shape.decorate = "";
    else if (word === "--follow") shape.follow = true;
    else if (word === "--parents") shape.parents = true;
    else if (DIFFS.test(word) || CONTEXT.test(word)) shape.diff.push(word);
    else if (!IGNORED.test(word) || words[at - 1] === "--date") return null;
  }
  if (shape.format === "oneline") shape.isOneline = true;
  if (shape.isOneline && (!abbreviates || full)) shape.abbrev = LONG;
  if (shape.diff.filter((word) => DIFFS.test(word)).length > 1 || !knows(shape.format)) return null;
  return words.some((word) => word === "-s" || word === "--no-patch") ? { ...shape, diff: [] } : shape;
}

// The codes that just-git knows, which formats graphs.
const GRAPHED = /^(?:t?format:)?(?:[^%]|%(?:[HhTtPpsbBdDn%]|[ac][nedDrtiIs]))*$/s;

/** @param {string[]} args @returns {string[]} */
const formatsOf = (args) => args.flatMap((word) => /^--(?:format|pretty)=(.*)$/s.exec(word)?.slice(1) ?? []);

/** @param {string} format */
const knows = (format) => !format.includes("%S") && ( Object.hasOwn(NAMED, format) || ((/^t?format:/.test(format) || format === "" || format.includes("%")) && unknownCode(format) === null));

/**
 * Print a log; null if it has options that only just-git knows.
 * @param {string[]} args @param {Call} call @param {(args: string[], call: Call) => Promise<Answer>} show @returns {Promise<Answer | null>}
 */
export async function printedLog(args, call, show) {
  const repository = needRepository(call);
  const joined = args.flatMap((word, at) => (word === "--date" ? [`--date=${args[at + 1]}`] : args[at - 1] === "--date" ? [] : [word]));
  const selection = takeSelection(joined);
  const shape = shapeOf(selection.rest, call);
  const excluding = (selection.paths ?? []).find((path) => /^:(?!\/)/.test(path));
  if (excluding !== undefined) throw new GitProblem(`error: git log has no pathspec ${excluding} here\nhint: name the paths that are wanted; a Linux terminal has Debian's git`, 128);
  const code = formatsOf(joined).map((format) => (format.includes("%S") ? "%S" : unknownCode(format))).find((one) => one !== null);
  const isPlain = joined.includes("--graph") && formatsOf(joined).some((format) => !GRAPHED.test(format));
  if (code !== undefined || isPlain) throw new GitProblem(`error: git log has no ${code ?? "such format with --graph"} here\nhint: use other codes of --format; a Linux terminal has Debian's git`, 129);
  if (shape === null || (selection.paths ?? []).some((path) => /[*?[]|^:/.test(path))) return null;
  if (!isDateStyle(shape.date)) fail(`unknown date format ${shape.date}`);
  await splitPaths(selection, call, repository);
  const paths = selection.paths ?? [];
  if (paths.some((path) => /[*?[]|^:/.test(path))) return null;
  const followed = shape.follow ? await followedCommits({ ...selection, paths: null }, paths[0] ?? fail("--follow requires exactly one pathspec"), call) : null;
  const chosen = followed ?? (await chooseCommits(selection, call, repository));
  const needsNames = shape.decorate !== "" || /%[-+ ]?[dD]/.test(shape.format);
  /** @type {Style} */
  const style = {
    ...{ date: shape.date, abbrev: shape.abbrev, decorate: shape.decorate },
    // Python has the zone, so it is asked only for dates that depend on it.
    place: CLOCKED.test(`${shape.date} ${shape.format}`) ? await clockOf(call.context) : {},
    names: needsNames ? await decorations(repository, shape.decorate === "full") : new Map(),
  };
  const parts = [];
  for (const { commit, mark, path } of chosen.map((one) => ({ path: undefined, ...one }))) {
    const marked = selection.flags.has("--left-right") ? mark : "";
    const text = headerOf(commit, shape, { ...style, mark: marked || ">" }, marked);
    const diffs = shape.diff.some((word) => DIFFS.test(word)) && (commit.parents.length < 2 || selection.flags.has("--first-parent"));
    const files = path === undefined ? paths : path;
    const diff = diffs ? await diffOf(commit, shape, files, call, show) : "";
    parts.push({ text, diff });
  }
  return answer(joinedParts(parts, shape));
}

/** @param {Commit} commit @param {Shape} shape @param {Style} style @param {string} mark */
function headerOf(commit, { format, decorate, isOneline, parents }, style, mark) {
  const names = decorate === "" ? [] : (style.names.get(commit.hash) ?? []);
  const decoration = (parents ? commit.parents.map((hash) => ` ${isOneline ? hash.slice(0, style.abbrev) : hash}`).join("") : "") + (names.length ? ` (${names.join(", ")})` : "");
  const named = Object.hasOwn(NAMED, format) ? NAMED[format] : undefined;
  if (named === undefined) return formatted(format.replace(/^t?format:/, ""), commit, style);
  const text = named(commit, { ...style, abbrev: isOneline ? style.abbrev : Math.min(style.abbrev, LONG) }, decoration);
  return mark === "" ? text : isOneline ? `${mark} ${text}` : text.replace(/^commit /, `commit ${mark} `);
}

/** @param {Commit} commit @param {Shape} shape @param {string[]} paths @param {Call} call @param {(args: string[], call: Call) => Promise<Answer>} show */
async function diffOf(commit, { diff }, paths, call, show) {
  const words = diff.map((word) => (/^(-p|-u|--patch)$/.test(word) ? [] : [word])).flat();
  const files = paths.length ? ["--", ...paths] : [];
  const [parent] = commit.parents;
  if (commit.parents.length > 1 && parent) return (await call.run(["diff", ...words, parent, commit.hash, ...files])).stdout;
  const { stdout } = await show(["--format=", ...words, commit.hash, ...files], call);
  return parent === undefined && paths.length ? ofPaths(stdout, words, paths, call) : stdout;
}

/** Leave out the other files of a first commit, of which just-git shows all. @param {string} text @param {string[]} words @param {string[]} paths @param {Call} call */
function ofPaths(text, words, paths, call) {
  const wanted = paths.map((path) => inTree(needRepository(call), call.context, path));
  const isWanted = (/** @type {string} */ path) => wanted.some((one) => one === "" || path === one || path.startsWith(`${one}/`));
  if (words.some((word) => /^--(stat|shortstat)/.test(word))) fail("the first commit has no --stat of some paths here\nhint: use --numstat");
  const isList = words.some((word) => /^--(name|numstat)/.test(word));
  if (isList) return text.split("\n").filter((line) => line === "" || isWanted(line.split("\t").at(-1) ?? "")).join("\n");
  return text.split(/^(?=diff --git )/m).filter((block) => isWanted(/^diff --git a\/.* b\/(.*)$/m.exec(block)?.[1] ?? "")).join("");
}

/** @param {{ text: string, diff: string }[]} parts @param {Shape} shape */
function joinedParts(parts, { format, isOneline, diff }) {
  const isBare = /^(t?format:)?$/.test(format);
  const isPatch = !diff.some((word) => /^--(stat|numstat|shortstat|name)/.test(word));
  if (isBare) return parts.map((part) => part.diff).join(format === "format:" ? "\n" : "");
  const separates = format.startsWith("format:");
  const isNamed = Object.hasOwn(NAMED, format) && !isOneline && format !== "reference";
  const texts = parts.map(({ text, diff: shown }) => {
    if (isNamed) return shown === "" ? text : `${text}\n${shown}`;
    const between = isOneline || format === "reference" ? (format === "reference" && shown ? "\n" : "") : shown === "" ? "" : "\n";
    const ended = separates && shown === "" ? text : `${text}\n`;
    return `${ended}${separates && shown ? "" : between}${shown}`;
  });
  return texts.join(isNamed || separates ? (separates && !isPatch ? "\n" : "\n") : "") + (separates && parts.at(-1)?.diff === "" && !parts.at(-1)?.text.endsWith("\n") ? "\n" : "");
}

/**
 * The commits of a file, also under its earlier names.
 * @param {import("./history.js").Selection} selection @param {string} path @param {Call} call
 */
async function followedCommits(selection, path, call) {
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
    const old = before === null && now !== null && parents[0] ? await earlierName(parents[0], one.commit.hash, name, call) : null;
    found.push({ ...one, path: [...new Set([old ?? name, name])].map((each) => `${root}/${each}`) });
    name = old ?? name;
  }
  return found;
}

/** @param {string} parent @param {string} hash @param {string} path @param {Call} call @returns {Promise<string | null>} */
async function earlierName(parent, hash, path, call) {
  const { stdout } = await call.run(["diff", "--name-status", parent, hash]);
  const fields = stdout.split("\n").map((line) => line.split("\t"));
  return fields.find(([letter = "", , to]) => letter.startsWith("R") && to === path)?.[1] ?? null;
}
