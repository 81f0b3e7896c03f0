// Lists of changed files: names, letters, raw lines, summaries, and statistics as `git diff --stat` draws them.
import type { Options } from "./diff_options.ts";
import type { Version, Pair } from "./file_pairs.ts";
import type { Hunk } from "./hunk_ranges.ts";
import { changesOf } from "./line_diff.ts";
import type { Content } from "./patch_text.ts";

/** bytes of binary files, else lines */
export type Counted = { pair: Pair; added: number; removed: number; binary: boolean };

const NONE = "0".repeat(40);
const SHORT = 7;
const WIDTH = 80;
const [LINK, PROGRAM] = [0o120000, 0o100755];

export const octal = (mode: number) => mode.toString(8).padStart(6, "0");

const letters = ({ status, score }: Pair) =>
  status === "R" || status === "C" ? `${status}${String(Math.floor(score / 600)).padStart(3, "0")}` : status;

export function names(pairs: Pair[], { zero, quoted }: Options) {
  return pairs.map(({ path }) => (zero ? `${path}\0` : `${quoted(path)}\n`)).join("");
}

function lineOf({ path, from, status }: Pair, { zero, quoted }: Options, head: string) {
  // Only files that were renamed or copied have two names here.
  const names = from === null ? [path] : /[RC]/.test(status) ? [from, path] : [from];
  return zero ? [head, ...names, ""].join("\0") : `${[head, ...names.map(quoted)].join("\t")}\n`;
}

export const statuses = (pairs: Pair[], options: Options) =>
  pairs.map((pair) => lineOf(pair, options, letters(pair))).join("");

/** @param digits - of hashes */
export function raw(pairs: Pair[], options: Options, digits: number = SHORT) {
  const hash = (version: Version | null) =>
    (version === null || version.isWork ? NONE : version.hash).slice(0, options.abbrev ?? digits);
  return pairs
    .map((pair) =>
      lineOf(
        pair,
        options,
        `:${octal(pair.old?.mode ?? 0)} ${octal(pair.now?.mode ?? 0)} ${hash(pair.old)} ${hash(pair.now)} ${letters(pair)}`,
      ),
    )
    .join("");
}

/** Both names of a file, with what they share outside of braces. */
function movedName(from: string, to: string, { quoted }: Options) {
  if (quoted(from) !== from || quoted(to) !== to) return `${quoted(from)} => ${quoted(to)}`;
  let [start, end] = [0, 0];
  for (let at = 0; at < from.length && from[at] === to[at]; at++) if (from[at] === "/") start = at + 1;
  // A slash may belong to both ends.
  const least = start ? start - 1 : 0;
  for (
    let away = 0;
    from.length - away >= least && to.length - away >= least && from[from.length - away] === to[to.length - away];
    away++
  )
    if (from[from.length - away] === "/") end = away;
  const middle = (name: string) => name.slice(start, Math.max(start, name.length - end));
  const change = `${middle(from)} => ${middle(to)}`;
  return start + end ? `${from.slice(0, start)}{${change}}${from.slice(from.length - end)}` : change;
}

const shownName = ({ from, path }: Pair, options: Options) =>
  from === null ? options.quoted(path) : movedName(from, path, options);

export function summary(pairs: Pair[], options: Options) {
  const { quoted } = options;
  return pairs
    .map(({ path, from, old, now, status, score }) => {
      if (status === "A" && now) return ` create mode ${octal(now.mode)} ${quoted(path)}\n`;
      if (status === "D" && old) return ` delete mode ${octal(old.mode)} ${quoted(path)}\n`;
      const moved =
        from === null
          ? ""
          : ` ${status === "C" ? "copy" : "rename"} ${movedName(from, path, options)} (${Math.floor(score / 600)}%)\n`;
      const changed = old && now && old.mode !== now.mode;
      return (
        moved +
        (changed
          ? ` mode change ${octal(old.mode)} => ${octal(now.mode)}${from === null ? ` ${quoted(path)}` : ""}\n`
          : "")
      );
    })
    .join("");
}

export function counted(
  pair: Pair,
  { old, now, oldBytes, nowBytes, binary }: Content,
  { rules }: Options,
  hunks: (old: string, now: string) => Hunk[],
): Counted {
  const isSame = pair.old?.hash === pair.now?.hash;
  if (binary) return { pair, binary, added: isSame ? 0 : nowBytes.length, removed: isSame ? 0 : oldBytes.length };
  const { blanks, ignored } = rules;
  if (isSame) return { pair, binary, added: 0, removed: 0 };
  if (!blanks && ignored.length === 0 && pair.old === null)
    return { pair, binary, added: now.split("\n").length - Number(now.endsWith("\n") || now === ""), removed: 0 };
  let [added, removed] = [0, 0];
  for (const { lines } of hunks(old, now))
    for (const { kind } of lines) kind === "+" ? added++ : kind === "-" ? removed++ : 0;
  return { pair, binary, added, removed };
}

export function numstat(files: Counted[], options: Options) {
  return files
    .map(({ pair, added, removed, binary }) => {
      const head = binary ? "-\t-\t" : `${added}\t${removed}\t`;
      return options.zero
        ? `${head}${pair.from === null ? "" : `\0${pair.from}\0`}${pair.path}\0`
        : `${head}${shownName(pair, options)}\n`;
    })
    .join("");
}

/**
 * The last line of statistics.
 * @param count - of files
 * @param files - whose lines count
 */
export function totals(count: number, files: { added: number; removed: number }[]) {
  const [added, removed] = [
    files.reduce((sum, file) => sum + file.added, 0),
    files.reduce((sum, file) => sum + file.removed, 0),
  ];
  const plural = (number: number) => (number === 1 ? "" : "s");
  const insertions = added || !removed ? `, ${added} insertion${plural(added)}(+)` : "";
  const deletions = removed || !added ? `, ${removed} deletion${plural(removed)}(-)` : "";
  return ` ${count} file${plural(count)} changed${insertions}${deletions}\n`;
}

export function shortstat(files: Counted[]) {
  const lines = files.filter(({ binary }) => !binary);
  const counted = files.filter(({ pair }) => pair.status !== "U").length;
  if (counted === 0) return files.length ? " 0 files changed\n" : "";
  return totals(counted, lines);
}

/** The remark of `--compact-summary` about a file. */
function comment({ old, now, status }: Pair) {
  const kind = (mode: number) => (mode === LINK ? " +l" : mode === PROGRAM ? " +x" : "");
  if (status === "A") return ` (new${kind(now?.mode ?? 0)})`;
  if (status === "D") return " (gone)";
  if (!old || !now || old.mode === now.mode) return "";
  if (now.mode === LINK || old.mode === LINK) return ` (mode ${now.mode === LINK ? "+" : "-"}l)`;
  return ` (mode ${now.mode === PROGRAM ? "+" : "-"}x)`;
}

/** The columns of letters; wide ones count twice. */
const widthOf = (text: string) =>
  [...text].reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u.test(
        letter,
      )
        ? 2
        : Number(!/\p{Mn}/u.test(letter))),
    0,
  );

const scaled = (number: number, width: number, most: number) =>
  number ? 1 + Math.floor((number * (width - 1)) / most) : 0;

function fitted(name: string, width: number) {
  if (widthOf(name) <= width) return name + " ".repeat(width - widthOf(name));
  let tail = name;
  while (widthOf(tail) > width - 3) tail = tail.slice([...tail][0]?.length ?? 1);
  const slash = tail.indexOf("/");
  const shown = `...${slash < 0 ? tail : tail.slice(slash)}`;
  return shown + " ".repeat(Math.max(0, width - widthOf(shown)));
}

/** The widths of names, numbers and bars. */
function layout(files: Counted[], texts: string[], { width, name, graph }: Options["stat"]) {
  const digits = (number: number) => String(number).length;
  const most = Math.max(0, ...files.filter(({ binary }) => !binary).map(({ added, removed }) => added + removed));
  const bytes = Math.max(
    0,
    ...files.filter(({ binary }) => binary).map(({ added, removed }) => 14 + digits(added) + digits(removed)),
  );
  const numbers = Math.max(digits(most), bytes ? 3 : 0);
  const longest = Math.max(0, ...texts.map(widthOf));
  const all = Math.max(width || WIDTH, 16 + 6 + numbers);
  let bars = most + 4 > bytes ? most : bytes - 4;
  if (graph && graph < bars) bars = graph;
  let names = name > 0 && name < longest ? name : longest;
  if (names + numbers + 6 + bars > all) {
    const part = Math.floor((all * 3) / 8) - numbers - 6;
    if (bars > part) bars = Math.max(part, 6);
    if (graph && bars > graph) bars = graph;
    if (names > all - numbers - 6 - bars) names = all - numbers - 6 - bars;
    else bars = all - numbers - 6 - names;
  }
  return { most, numbers, bars, names };
}

export function stat(files: Counted[], options: Options) {
  const { stat: wanted, compact } = options;
  if (files.length === 0) return "";
  const shown = wanted.count ? files.slice(0, wanted.count) : files;
  const texts = shown.map(({ pair }) => shownName(pair, options) + (compact ? comment(pair) : ""));
  const { most, numbers, bars, names } = layout(shown, texts, wanted);
  const lines = shown.map(({ pair, added, removed, binary }, at) => {
    const head = ` ${fitted(texts[at] ?? "", names)} |`;
    if (pair.status === "U") return `${head} Unmerged`; // Git ends no line here.
    if (binary) return `${head} ${"Bin".padStart(numbers)}${added || removed ? ` ${removed} -> ${added} bytes` : ""}\n`;
    let [plus, minus] = [added, removed];
    if (bars <= most && added + removed) {
      const total = Math.max(scaled(added + removed, bars, most), added && removed ? 2 : 0);
      if (added < removed) minus = total - (plus = scaled(added, bars, most));
      else plus = total - (minus = scaled(removed, bars, most));
    }
    return `${head} ${String(added + removed).padStart(numbers)}${added + removed ? ` ${"+".repeat(plus)}${"-".repeat(minus)}` : ""}\n`;
  });
  return lines.join("") + (shown.length < files.length ? " ...\n" : "") + shortstat(files);
}

/** Return the lines that differ, for a pickaxe. */
export const changedLines = (old: string[], now: string[]) =>
  changesOf(old, now).flatMap((change) => [
    ...old.slice(change.old, change.old + change.oldCount),
    ...now.slice(change.now, change.now + change.nowCount),
  ]);
