// Colors of what git prints on a terminal (git-config(1), `color.ui`), put into the finished text.
import { coloredPatch, coloredStat, eachLine } from "./patch_colors.ts";
import { setting, type Setting } from "../repository/settings.ts";
import { tableOf } from "../../tables.ts";

const [PLAIN, RED, GREEN, YELLOW, BLUE, CYAN] = ["", "31", "32", "33", "34", "36"];
const HEAD = "1;36";
/** by the beginning of a ref's full name */
const REF_COLORS: [string, string][] = [
  ["refs/heads/", "1;32"],
  ["refs/remotes/", "1;31"],
  ["refs/tags/", "1;33"],
  ["refs/stash", "1;35"],
];

/** A text in a color, which is the numbers of an SGR sequence. */
const painted = (color: string | undefined, text: string) => (color && text ? `\x1b[${color}m${text}\x1b[m` : text);

const KINDS: Record<string, string> = tableOf({ branch: "branch", status: "status" });
export const COLOR_SETTINGS = ["color.ui", "color.branch", "color.diff", "color.status"];
const LOGS = new Set(["log", "show", "whatchanged"]);
const COLORED = new Set([...LOGS, "branch", "diff", "merge", "pull", "stash", "status"]);
const OPTION = /^--(?:no-color|color(?:=(always|auto|never))?)$/;

/**
 * Take the options about colors out of a call.
 * @param isTerminal - whether a user sees the output on a terminal that has colors
 * @returns the other words, and whether the output is colored
 */
export function takeColors(name: string, args: string[], settings: Setting[], isTerminal: boolean) {
  if (!COLORED.has(name)) return { words: args, isColored: false };
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const option = args.slice(0, end).findLast((word) => OPTION.test(word));
  const chosen = option === "--no-color" ? "never" : option && (OPTION.exec(option)?.[1] ?? "always");
  const kind = KINDS[name] ?? "diff";
  const wanted = chosen ?? setting(settings, `color.${kind}`) ?? setting(settings, "color.ui") ?? "auto";
  const isAuto = /^(auto|true|yes|on|1)$/i.test(wanted);
  return {
    words: args.filter((word, at) => at >= end || name === "status" || !OPTION.test(word)),
    isColored: wanted === "always" || (isAuto && isTerminal),
  };
}

/** Options that a terminal adds: the names of refs next to commits. */
export function withDecoration(name: string, args: string[], settings: Setting[], isTerminal: boolean): string[] {
  const chosen = setting(settings, "log.decorate") ?? "auto";
  const style =
    chosen === "auto" ? isTerminal && "short" : /^(short|full)$/.test(chosen) ? chosen : chosen === "true" && "short";
  return LOGS.has(name) && style ? [`--decorate=${style}`, ...args] : args;
}

/**
 * Color what a command has printed.
 * @param refs - the full names of all refs
 */
export function coloredOutput(name: string, args: string[], text: string, refs: string[]): string {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(word));
  if (name === "status") return has(/^(--porcelain|-z|--null)/) ? text : coloredStatus(text);
  if (name === "branch") return has(/^--format/) ? text : coloredBranches(text, has(/^(-\w*r|--remotes$)/));
  if (name === "merge" || name === "pull") return eachLine(text, coloredStat);
  return coloredPatch(text, LOGS.has(name) ? (line) => coloredCommit(line, refs, isOneline(args)) : (line) => line);
}

const isOneline = (args: string[]) =>
  args.some((word) => /^--(oneline|(pretty|format)=(oneline|reference))$/.test(word));

function coloredCommit(line: string, refs: string[], oneline: boolean) {
  const pattern = oneline
    ? /^([|*\\/_. ]*)((?:[<>=-] )?[0-9a-f]{4,64}(?: [0-9a-f]{4,64})*)(?= |$)(.*)$/s
    : /^([|*\\/_. ]*)(commit (?:[<>=-] ?)?[0-9a-f]{40,64}(?: [0-9a-f]{4,64})*)(.*)$/s;
  const [, graph = "", commit, rest = ""] = pattern.exec(line) ?? [];
  if (commit === undefined || (oneline && graph.trim() === "" && graph !== "")) return line;
  return graph + painted(YELLOW, commit) + coloredNames(rest, refs);
}

/** Color the names in parentheses at the beginning of a text, if all are refs. */
function coloredNames(text: string, refs: string[]) {
  const [whole, inside] = /^ \(([^)]*)\)(?= |$)/.exec(text) ?? [];
  if (whole === undefined || inside === undefined) return text;
  const names = inside.split(", ").map((name) => coloredName(name, refs));
  if (names.includes(null)) return text;
  return painted(YELLOW, " (") + names.join(painted(YELLOW, ", ")) + painted(YELLOW, ")") + text.slice(whole.length);
}

/** @returns null for anything but a ref */
function coloredName(name: string, refs: string[]): string | null {
  if (name === "HEAD") return painted(HEAD, name);
  const [, arrow = "", tag = "", short = ""] = /^(HEAD -> )?(tag: )?(.*)$/.exec(name) ?? [];
  const found = REF_COLORS.find(([folder]) =>
    tag && folder !== "refs/tags/"
      ? false
      : refs.some((ref) => ref.startsWith(folder) && (ref === short || ref === folder + short)),
  );
  return found === undefined ? null : painted(HEAD, arrow) + painted(found[1], tag + short);
}

function coloredStatus(text: string): string {
  let isStaged = false;
  return eachLine(text, (line) => {
    if (/^\S.*:$/.test(line)) isStaged = line === "Changes to be committed:";
    if (line.startsWith("\t")) return `\t${painted(isStaged ? GREEN : RED, line.slice(1))}`;
    const [, detached, rest] = /^(HEAD detached (?:at|from) |Not currently on any branch\.)(.*)$/.exec(line) ?? [];
    if (detached !== undefined) return painted(RED, detached) + rest;
    return line.startsWith("## ") ? `## ${coloredHeading(line.slice(3))}` : coloredEntry(line);
  });
}

function coloredEntry(line: string) {
  const [, one = "", other = "", path = ""] = /^([ MADRCTU?!])([ MADRCTU?!])( .*)$/.exec(line) ?? [];
  if (path === "" || one + other === "  ") return line;
  if (/[?!U]|AA|DD/.test(one + other)) return painted(RED, one + other) + path;
  const shown = (letter: string, color: string | undefined) => (letter === " " ? letter : painted(color, letter));
  return shown(one, GREEN) + shown(other, RED) + path;
}

function coloredHeading(text: string) {
  if (text === "HEAD (no branch)") return painted(RED, text);
  const [, start = "", branch = "", dots = "", upstream = "", counts = ""] =
    /^(No commits yet on )?(.*?)(?:(\.\.\.)(\S+))?( \[.*\])?$/.exec(text) ?? [];
  const colored = counts
    .replace(/(ahead )(\d+)/, (_, word, count) => word + painted(GREEN, count))
    .replace(/(behind )(\d+)/, (_, word, count) => word + painted(RED, count));
  return start + painted(GREEN, branch) + dots + painted(RED, upstream) + colored;
}

/** The name of a branch ends with a reset also where it has no color. */
function coloredBranches(text: string, areRemote: boolean) {
  return text.replace(/^([*+ ]) (\(.*?\)|\S+)( *)(.*)$/gm, (_, mark, name, blanks, rest) => {
    const color = mark === "*" ? GREEN : mark === "+" ? CYAN : areRemote || name.startsWith("remotes/") ? RED : PLAIN;
    // A blank is between the columns.
    const [pad, gap] = rest === "" ? [blanks, ""] : [blanks.slice(1), " "];
    const shown = rest.replace(
      /^([0-9a-f]{7,} \[)([^\]:]+)(?=[\]:])/,
      (whole: string, start: string, upstream: string) =>
        /^(ahead|behind|gone)\b/.test(upstream) ? whole : start + painted(BLUE, upstream),
    );
    return `${mark} ${color ? `\x1b[${color}m` : ""}${name}${pad}\x1b[m${gap}${shown}`;
  });
}
