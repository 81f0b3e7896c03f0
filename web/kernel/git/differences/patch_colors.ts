// Colors of differences: patches, and statistics of files (git-diff(1), `--color`).
const [BOLD, OLD, NEW, RANGE, SPACE, RESET] = ["\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[41m", "\x1b[m"];

/** The lines of a hunk that are still to come. */
interface Hunk {
  old: number;
  new: number;
}

/** Change each line of a text; a carriage return is part of its line. */
export const eachLine = (text: string, change: (line: string) => string): string =>
  text
    .split("\n")
    .map((line, at, lines) => (at === lines.length - 1 && line === "" ? "" : change(line)))
    .join("\n");

const START = /^diff --(git|cc|combined) /;

/** Color a text that has patches. @param outside - colors the lines that belong to none */
export function coloredPatch(text: string, outside: (line: string) => string): string {
  let inHeader = false;
  let hunk: Hunk | null = null;
  let sides = 0;
  return eachLine(text, (line) => {
    if (hunk !== null && (hunk.old > 0 || hunk.new > 0 || line.startsWith("\\"))) return coloredLine(line, hunk);
    if (sides > 1 && /^[-+ ]/.test(line)) return coloredMerge(line, sides);
    const range = /^(@{2,}) -.*? \1/.exec(line);
    if (range !== null && (inHeader || hunk !== null || sides > 1)) {
      inHeader = false;
      sides = (range[1]?.length ?? 2) - 1;
      hunk = sides === 1 ? countsOf(line) : null;
      const rest = line.slice(range[0].length);
      return `${RANGE}${range[0]}${RESET}${rest && ` ${RESET}${rest.slice(1)}${RESET}`}`;
    }
    const starts = START.test(line);
    if (!starts && inHeader && isHeader(line)) return `${BOLD}${line}${RESET}`;
    [inHeader, hunk, sides] = [starts, null, 0];
    return starts ? `${BOLD}${line}${RESET}` : coloredStat(outside(line));
  });
}

const isHeader = (line: string) =>
  /^(index |--- |\+\+\+ |(new|deleted) file mode |(old|new) mode |(dis)?similarity index |(rename|copy) (from|to) |mode )/.test(
    line,
  );

function countsOf(line: string): Hunk {
  const [, before, after] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
  return { old: Number(before ?? 1), new: Number(after ?? 1) };
}

function coloredLine(line: string, hunk: Hunk) {
  if (line.startsWith("\\")) return line + RESET;
  if (!line.startsWith("+")) hunk.old--;
  if (!line.startsWith("-")) hunk.new--;
  if (line.startsWith("-")) return `${OLD}${line}${RESET}`;
  return line.startsWith("+") ? `${NEW}+${RESET}${added(line.slice(1))}` : line + RESET;
}

/** A new line with its errors of white space: blanks before a tab, and white space at its end. */
function added(text: string) {
  const [, content = "", end = ""] = /^(.*?)(\s*)$/s.exec(text) ?? [];
  const [indent = ""] = /^ *\t[ \t]*/.exec(content) ?? [];
  const last = indent.lastIndexOf("\t") + 1;
  const marked = indent.slice(0, last).replace(/( +)(\t)/g, `${SPACE}$1${RESET}$2`);
  const rest = content.slice(last);
  return marked + (rest && `${NEW}${rest}${RESET}`) + (end && `${SPACE}${end}${RESET}`);
}

function coloredMerge(line: string, sides: number) {
  const marks = line.slice(0, sides);
  const color = marks.includes("+") ? NEW : marks.includes("-") ? OLD : "";
  return color
    ? `${color}${line.replace(/\r$/, "")}${RESET}${line.endsWith("\r") ? "\r" : ""}`
    : line + (/^ +$/.test(marks) ? RESET : "");
}

/** Color a line of `--stat`. */
export function coloredStat(line: string): string {
  const [, name, count, signs = ""] = /^( .*\| +)(\d+ ?)(\+*-*)$/.exec(line) ?? [];
  if (name !== undefined && signs !== "") {
    const shown = (text: string, color: string) => (text ? `${color}${text}${RESET}` : "");
    return name + count + shown(signs.replace(/-/g, ""), NEW) + shown(signs.replace(/\+/g, ""), OLD);
  }
  return line.replace(/^( .*\| +Bin )(\d+) -> (\d+)( bytes)$/, `$1${OLD}$2${RESET} -> ${NEW}$3${RESET}$4`);
}
