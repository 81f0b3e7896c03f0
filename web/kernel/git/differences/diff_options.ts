// The options of `git diff` and of the commands that print differences (git-diff-options in git-diff(1)).
import { fail } from "../repository/answers.ts";
import { refuseOption } from "./refused_diff_options.ts";
import { translated } from "../repository/regular_expressions.ts";
import { MOST } from "./renames.ts";
import { isOn, setting, type Setting } from "../repository/settings.ts";
import { PLAIN } from "./headings.ts";
import type { Rules } from "./hunk_ranges.ts";
import { quoting } from "../repository/shown_paths.ts";

export type Format = "patch" | "stat" | "numstat" | "shortstat" | "summary" | "raw" | "names" | "statuses" | "check";

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

const FORMATS: Record<string, Format[]> = {
  "-p": ["patch"],
  "-u": ["patch"],
  "--patch": ["patch"],
  "--stat": ["stat"],
  "--numstat": ["numstat"],
  "--shortstat": ["shortstat"],
  "--summary": ["summary"],
  "--raw": ["raw"],
  "--name-only": ["names"],
  "--name-status": ["statuses"],
  "--check": ["check"],
  "--patch-with-stat": ["patch", "stat"],
  "--patch-with-raw": ["patch", "raw"],
};
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
    wordPattern: words === undefined ? null : wordPattern(words),
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

const wordPattern = (source: string) => new RegExp(translated(source, new Set(["-E"])), "gm");

/** @param text - such as `90%` or `5` */
function share(text: string): number {
  if (text === "") return HALF;
  const [, digits = "", point = "", percent = ""] =
    /^(\d*)(\.\d*)?(%?)$/.exec(text) ?? fail(`invalid argument to find-renames: ${text}`);
  const number = Number(`${digits || 0}${point || ""}`);
  const part = percent ? number / 100 : digits && !point ? number / 10 ** digits.length : number;
  return Math.min(MOST, Math.floor(part * MOST));
}

const VALUED: [RegExp, (options: Options, value: string) => void][] = [
  [
    /^(?:-U|--unified=)(\d+)$/,
    (options, value) => {
      options.rules.context = Number(value);
      options.formats.add("patch");
    },
  ],
  [
    /^--inter-hunk-context=(\d+)$/,
    (options, value) => {
      options.rules.between = Number(value);
    },
  ],
  [
    /^(?:-I|--ignore-matching-lines=)(.+)$/s,
    (options, value) => {
      options.rules.ignored.push(new RegExp(translated(value, new Set())));
    },
  ],
  [
    /^(?:-M|--find-renames=?)([\d.]*%?)$/,
    (options, value) => {
      options.rename = share(value);
    },
  ],
  [
    /^(?:-C|--find-copies=?)([\d.]*%?)$/,
    (options, value) => {
      [options.rename, options.copies] = [share(value), true];
    },
  ],
  [
    /^--diff-filter=(\w+)$/,
    (options, value) => {
      options.filter = value;
    },
  ],
  [
    /^--src-prefix=(.*)$/s,
    (options, value) => {
      options.prefixes = [value, options.prefixes[1]];
    },
  ],
  [
    /^--dst-prefix=(.*)$/s,
    (options, value) => {
      options.prefixes = [options.prefixes[0], value];
    },
  ],
  [
    /^--relative=(.+)$/s,
    (options, value) => {
      options.relative = value;
    },
  ],
  [
    /^--abbrev=(\d+)$/,
    (options, value) => {
      options.abbrev = Number(value);
    },
  ],
  [
    /^--stat=(\d+(?:,\d*){0,2})$/,
    (options, value) => {
      const [width, name, count] = value.split(",").map(Number);
      options.stat = { ...options.stat, width: width ?? 0, name: name ?? 0, count: count ?? 0 };
      options.formats.add("stat");
    },
  ],
  [
    /^--stat-width=(\d+)$/,
    (options, value) => {
      options.stat.width = Number(value);
      options.formats.add("stat");
    },
  ],
  [
    /^--stat-name-width=(\d+)$/,
    (options, value) => {
      options.stat.name = Number(value);
      options.formats.add("stat");
    },
  ],
  [
    /^--stat-graph-width=(\d+)$/,
    (options, value) => {
      options.stat.graph = Number(value);
      options.formats.add("stat");
    },
  ],
  [
    /^--stat-count=(\d+)$/,
    (options, value) => {
      options.stat.count = Number(value);
      options.formats.add("stat");
    },
  ],
  [
    /^--word-diff-regex=(.+)$/s,
    (options, value) => {
      options.wordPattern = wordPattern(value);
      options.words ||= "plain";
      options.formats.add("patch");
    },
  ],
  [
    /^--word-diff=(plain|porcelain|none)$/,
    (options, value) => {
      options.words = value === "none" ? "" : value === "plain" ? "plain" : "porcelain";
      options.formats.add("patch");
    },
  ],
  [
    /^-G(.+)$/s,
    (options, value) => {
      options.search = { pattern: new RegExp(translated(value, new Set(["-E"])), "gm"), lines: true, all: false };
    },
  ],
  [
    /^-S(.+)$/s,
    (options, value) => {
      options.search = { pattern: new RegExp(translated(value, new Set(["-F"])), "gm"), lines: false, all: false };
    },
  ],
];

const FLAGS: Record<string, (options: Options) => void> = {
  "-R": (options) => {
    options.reverse = true;
  },
  "-W": (options) => {
    options.rules.functions = true;
  },
  "--function-context": (options) => {
    options.rules.functions = true;
  },
  "--ignore-blank-lines": (options) => {
    options.rules.blanks = true;
  },
  "--minimal": (options) => {
    options.rules.isMinimal = true;
  },
  "--diff-algorithm=minimal": (options) => {
    options.rules.isMinimal = true;
  },
  "--indent-heuristic": (options) => {
    options.rules.indents = true;
  },
  "--no-indent-heuristic": (options) => {
    options.rules.indents = false;
  },
  "--no-renames": (options) => {
    [options.rename, options.copies] = [0, false];
  },
  "--no-prefix": (options) => {
    options.prefixes = ["", ""];
  },
  "--relative": (options) => {
    options.relative = "";
  },
  "--no-relative": (options) => {
    options.relative = null;
  },
  "--full-index": (options) => {
    options.full = true;
  },
  "--no-abbrev": (options) => {
    options.abbrev = 40;
  },
  "--abbrev": () => {},
  "--binary": (options) => {
    options.binary = true;
    options.formats.add("patch");
  },
  "--no-stat": (options) => {
    for (const format of ["stat", "numstat", "shortstat", "summary"] as const) options.formats.delete(format);
  },
  "--text": (options) => {
    options.text = true;
  },
  "-a": (options) => {
    options.text = true;
  },
  "-z": (options) => {
    options.zero = true;
  },
  "--compact-summary": (options) => {
    options.compact = true;
    options.formats.add("stat");
  },
  "--word-diff": (options) => {
    options.words = "plain";
    options.formats.add("patch");
  },
  "--quiet": (options) => {
    options.quiet = true;
  },
  "-q": (options) => {
    options.quiet = true;
  },
  "--exit-code": (options) => {
    options.exits = true;
  },
  "--no-patch": (options) => options.formats.clear(),
  "-s": (options) => options.formats.clear(),
  "--textconv": () => {},
  "--no-textconv": (options) => {
    options.converts = false;
  },
  "--pickaxe-all": (options) => {
    if (options.search) options.search.all = true;
  },
  "--pickaxe-regex": () => {},
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
    const flag = FLAGS[word];
    const space = SPACES[word];
    const valued = VALUED.find(([pattern]) => pattern.test(word));
    if (FORMATS[word]) for (const format of FORMATS[word] ?? []) options.formats.add(format);
    else if (space) options.rules.space = stronger(options.rules.space, space);
    else if (flag) flag(options);
    else if (valued) valued[1](options, valued[0].exec(word)?.[1] ?? "");
    else if (!NOTHING.test(word)) rest.push(word);
  }
  if (all.filter((word) => /^(-C|--find-copies)/.test(word)).length > 1) refuseOption("diff", "--find-copies-harder");
  const exclusive: Format[] = ["names", "statuses", "check"];
  const once = exclusive.filter((name) => options.formats.has(name));
  if (once.length > 1) fail("options '--name-only', '--name-status', '--check', and '-s' cannot be used together");
  if (options.search && all.includes("--pickaxe-regex") && !options.search.lines) {
    const text = all.findLast((word) => /^-S./s.test(word))?.slice(2) ?? "";
    options.search.pattern = new RegExp(translated(text, new Set(["-E"])), "gm");
  }
  return { options, rest, used: rest.length < all.length };
}

const STRENGTH = ["", "cr", "end", "amount", "all"];

const stronger = (one: Rules["space"], other: Rules["space"]) =>
  STRENGTH.indexOf(one) > STRENGTH.indexOf(other) ? one : other;
