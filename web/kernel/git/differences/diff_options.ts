// The options of `git diff` and of the commands that print differences (git-diff-options in git-diff(1)).
import { fail } from "../repository/answers.ts";
import { refuseOption } from "./refused_diff_options.ts";
import { translated } from "../repository/regular_expressions.ts";
import { MOST } from "./renames.ts";
import { isOn, setting, type Setting } from "../repository/settings.ts";
import { PLAIN } from "./headings.ts";
import type { Rules } from "./hunk_ranges.ts";
import { quoting } from "../repository/shown_paths.ts";

const ALL_FORMATS = ["patch", "stat", "numstat", "shortstat", "summary", "raw", "names", "statuses", "check"] as const;

export type Format = (typeof ALL_FORMATS)[number];

export interface Options {
  formats: Set<Format>;
  rules: Rules;
  /** how to mark changed words */
  words: "" | "plain" | "porcelain";
  wordPattern: RegExp | null;
  /** the least similarity of a renamed file, of `MOST`; 0 to find none */
  rename: number;
  copies: boolean;
  reverse: boolean;
  /** shows a path */
  quoted: (path: string) => string;
  prefixes: [string, string];
  /** a folder that paths are shown from */
  relative: string | null;
  /** full hashes in a patch */
  full: boolean;
  /** digits of hashes */
  abbrev: number | null;
  binary: boolean;
  text: boolean;
  zero: boolean;
  compact: boolean;
  stat: { width: number; name: number; graph: number; count: number };
  /** letters */
  filter: string;
  search: { pattern: RegExp; lines: boolean; all: boolean } | null;
  quiet: boolean;
  exits: boolean;
  /** whether a command of `diff.NAME.textconv` would run */
  converts: boolean;
}

const SPACES: Record<string, Rules["space"]> = {
  "-w": "all",
  "--ignore-all-space": "all",
  "-b": "amount",
  "--ignore-space-change": "amount",
  "--ignore-space-at-eol": "end",
  "--ignore-cr-at-eol": "cr",
};
const NOTHING =
  /^(--no-color|--color=(never|auto|false)|--no-ext-diff|--no-color-moved|--color-moved(=.*)?|--color-moved-ws=.*|--ws-error-highlight=.*|--ignore-submodules(=.*)?|--submodule(=short)?|-r|--diff-algorithm=(default|myers)|--ita-visible-in-index|--ita-invisible-in-index|--no-function-context|--default-prefix|--rename-empty)$/;
const CONTEXT = 3;
const HALF = MOST / 2;

function defaults(settings: Setting[]): Options {
  const bool = (name: string) => isOn(settings, name);
  const renames = setting(settings, "diff.renames") ?? "true";
  const number = (name: string, otherwise: number) => Number(setting(settings, name) ?? otherwise);
  const words = setting(settings, "diff.wordRegex");
  return {
    formats: new Set(),
    words: "",
    wordPattern: words === undefined ? null : patternOf(words, "-E"),
    rename: /^(false|no|off|0)$/i.test(renames) ? 0 : HALF,
    copies: /^cop/.test(renames),
    quoted: quoting(settings),
    reverse: false,
    prefixes: bool("diff.noprefix") ? ["", ""] : ["a/", "b/"],
    relative: null,
    full: false,
    abbrev: null,
    binary: false,
    text: false,
    zero: false,
    compact: false,
    rules: {
      context: number("diff.context", CONTEXT),
      between: number("diff.interHunkContext", 0),
      functions: false,
      space: "",
      blanks: false,
      ignored: [],
      isMinimal: false,
      indents: setting(settings, "diff.indentHeuristic") !== "false",
      heading: PLAIN,
    },
    stat: { width: 0, name: 0, graph: number("diff.statGraphWidth", 0), count: 0 },
    filter: "",
    search: null,
    quiet: false,
    exits: false,
    converts: true,
  };
}

const patternOf = (source: string, kind: "-E" | "-F") => new RegExp(translated(source, new Set([kind])), "gm");

/** @param text - such as `90%` or `5` */
function share(text: string): number {
  if (text === "") return HALF;
  const [, digits = "", point = "", percent = ""] =
    /^(\d*)(\.\d*)?(%?)$/.exec(text) ?? fail(`invalid argument to find-renames: ${text}`);
  const number = Number(`${digits || 0}${point || ""}`);
  const part = percent ? number / 100 : digits && !point ? number / 10 ** digits.length : number;
  return Math.min(MOST, Math.floor(part * MOST));
}

/** what an option changes; its formats are added to the others */
interface Effect extends Partial<Omit<Options, "formats" | "rules" | "stat">> {
  formats?: Format[];
  without?: readonly Format[];
  rules?: Partial<Rules>;
  stat?: Partial<Options["stat"]>;
}

const VALUED: [RegExp, (value: string, options: Options) => Effect][] = [
  [/^(?:-U|--unified=)(\d+)$/, (value) => ({ rules: { context: Number(value) }, formats: ["patch"] })],
  [/^--inter-hunk-context=(\d+)$/, (value) => ({ rules: { between: Number(value) } })],
  [
    /^(?:-I|--ignore-matching-lines=)(.+)$/s,
    (value, { rules }) => ({ rules: { ignored: [...rules.ignored, new RegExp(translated(value, new Set()))] } }),
  ],
  [/^(?:-M|--find-renames=?)([\d.]*%?)$/, (value) => ({ rename: share(value) })],
  [/^(?:-C|--find-copies=?)([\d.]*%?)$/, (value) => ({ rename: share(value), copies: true })],
  [/^--diff-filter=(\w+)$/, (filter) => ({ filter })],
  [/^--src-prefix=(.*)$/s, (value, { prefixes }) => ({ prefixes: [value, prefixes[1]] })],
  [/^--dst-prefix=(.*)$/s, (value, { prefixes }) => ({ prefixes: [prefixes[0], value] })],
  [/^--relative=(.+)$/s, (relative) => ({ relative })],
  [/^--abbrev=(\d+)$/, (value) => ({ abbrev: Number(value) })],
  [
    /^--stat=(\d+(?:,\d*){0,2})$/,
    (value) => {
      const [width = 0, name = 0, count = 0] = value.split(",").map(Number);
      return { stat: { width, name, count }, formats: ["stat"] };
    },
  ],
  [/^--stat-width=(\d+)$/, (value) => ({ stat: { width: Number(value) }, formats: ["stat"] })],
  [/^--stat-name-width=(\d+)$/, (value) => ({ stat: { name: Number(value) }, formats: ["stat"] })],
  [/^--stat-graph-width=(\d+)$/, (value) => ({ stat: { graph: Number(value) }, formats: ["stat"] })],
  [/^--stat-count=(\d+)$/, (value) => ({ stat: { count: Number(value) }, formats: ["stat"] })],
  [
    /^--word-diff-regex=(.+)$/s,
    (value, { words }) => ({ wordPattern: patternOf(value, "-E"), words: words || "plain", formats: ["patch"] }),
  ],
  [
    /^--word-diff=(plain|porcelain|none)$/,
    (value) => ({ words: value === "none" ? "" : value === "plain" ? "plain" : "porcelain", formats: ["patch"] }),
  ],
  [/^-G(.+)$/s, (value) => ({ search: { pattern: patternOf(value, "-E"), lines: true, all: false } })],
  [/^-S(.+)$/s, (value) => ({ search: { pattern: patternOf(value, "-F"), lines: false, all: false } })],
  [/^--pickaxe-all$/, (_, { search }) => ({ search: search && { ...search, all: true } })],
];

const FLAGS: Record<string, Effect> = {
  "-p": { formats: ["patch"] },
  "-u": { formats: ["patch"] },
  "--patch": { formats: ["patch"] },
  "--stat": { formats: ["stat"] },
  "--numstat": { formats: ["numstat"] },
  "--shortstat": { formats: ["shortstat"] },
  "--summary": { formats: ["summary"] },
  "--raw": { formats: ["raw"] },
  "--name-only": { formats: ["names"] },
  "--name-status": { formats: ["statuses"] },
  "--check": { formats: ["check"] },
  "--patch-with-stat": { formats: ["patch", "stat"] },
  "--patch-with-raw": { formats: ["patch", "raw"] },
  "-R": { reverse: true },
  "-W": { rules: { functions: true } },
  "--function-context": { rules: { functions: true } },
  "--ignore-blank-lines": { rules: { blanks: true } },
  "--minimal": { rules: { isMinimal: true } },
  "--diff-algorithm=minimal": { rules: { isMinimal: true } },
  "--indent-heuristic": { rules: { indents: true } },
  "--no-indent-heuristic": { rules: { indents: false } },
  "--no-renames": { rename: 0, copies: false },
  "--no-prefix": { prefixes: ["", ""] },
  "--relative": { relative: "" },
  "--no-relative": { relative: null },
  "--full-index": { full: true },
  "--no-abbrev": { abbrev: 40 },
  "--abbrev": {},
  "--binary": { binary: true, formats: ["patch"] },
  "--no-stat": { without: ["stat", "numstat", "shortstat", "summary"] },
  "--text": { text: true },
  "-a": { text: true },
  "-z": { zero: true },
  "--compact-summary": { compact: true, formats: ["stat"] },
  "--word-diff": { words: "plain", formats: ["patch"] },
  "--quiet": { quiet: true },
  "-q": { quiet: true },
  "--exit-code": { exits: true },
  "--no-patch": { without: ALL_FORMATS },
  "-s": { without: ALL_FORMATS },
  "--textconv": {},
  "--no-textconv": { converts: false },
  "--pickaxe-regex": {},
};
const LETTERS = /^-[puwbaRWzs]{2,}$/;
const SEPARATE =
  /^(-[UIGSO]|--(unified|inter-hunk-context|diff-filter|src-prefix|dst-prefix|stat-width|stat-name-width|stat-graph-width|stat-count|ignore-matching-lines|word-diff-regex))$/;

/** @returns with values joined to their options, and letters apart */
function joined(words: string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (SEPARATE.test(word) && at + 1 < words.length)
      found.push(`${word}${word.startsWith("--") ? "=" : ""}${words[++at]}`);
    else if (LETTERS.test(word)) found.push(...[...word.slice(1)].map((letter) => `-${letter}`));
    else found.push(word);
  }
  return found;
}

/** @returns undefined for an option that isn't known */
function effectOf(word: string, options: Options): Effect | undefined {
  const space = SPACES[word];
  if (space) return { rules: { space: stronger(options.rules.space, space) } };
  const valued = VALUED.find(([pattern]) => pattern.test(word));
  return FLAGS[word] ?? valued?.[1](valued[0].exec(word)?.[1] ?? "", options);
}

function apply({ formats = [], without = [], rules, stat, ...others }: Effect, options: Options) {
  for (const format of without) options.formats.delete(format);
  for (const format of formats) options.formats.add(format);
  Object.assign(options.rules, rules);
  Object.assign(options.stat, stat);
  Object.assign(options, others);
}

/**
 * Take the options that are about differences.
 * @param words - before `--`
 * @returns `rest` are the others
 */
export function takeDiffOptions(
  words: string[],
  settings: Setting[],
): { options: Options; rest: string[]; used: boolean } {
  const options = defaults(settings);
  const rest: string[] = [];
  const all = joined(words);
  for (const word of all) {
    const effect = word.startsWith("-") ? effectOf(word, options) : undefined;
    if (effect) apply(effect, options);
    else if (!NOTHING.test(word)) rest.push(word);
  }
  if (all.filter((word) => /^(-C|--find-copies)/.test(word)).length > 1) refuseOption("diff", "--find-copies-harder");
  const exclusive: Format[] = ["names", "statuses", "check"];
  const once = exclusive.filter((name) => options.formats.has(name));
  if (once.length > 1) fail("options '--name-only', '--name-status', '--check', and '-s' cannot be used together");
  if (options.search && all.includes("--pickaxe-regex") && !options.search.lines) {
    const text = all.findLast((word) => /^-S./s.test(word))?.slice(2) ?? "";
    options.search.pattern = patternOf(text, "-E");
  }
  return { options, rest, used: rest.length < all.length };
}

const STRENGTH = ["", "cr", "end", "amount", "all"];

const stronger = (one: Rules["space"], other: Rules["space"]) =>
  STRENGTH.indexOf(one) > STRENGTH.indexOf(other) ? one : other;
