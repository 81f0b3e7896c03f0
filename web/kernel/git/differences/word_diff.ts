// Words that differ, as `git diff --word-diff` marks them.
import type { Options } from "./diff_options.ts";
import type { Hunk } from "./hunk_ranges.ts";
import { changesOf } from "./line_diff.ts";

type Word = { text: string; start: number; end: number };
type Style = { old: [string, string]; now: [string, string]; same: [string, string]; newline: string };

const STYLES: Record<string, Style> = {
  plain: { old: ["[-", "-]"], now: ["{+", "+}"], same: ["", ""], newline: "\n" },
  porcelain: { old: ["-", "\n"], now: ["+", "\n"], same: [" ", "\n"], newline: "~\n" },
};

/** The words of a text, after an empty one at its start. */
function split(text: string, pattern: RegExp | null): Word[] {
  const words = [{ text: "", start: 0, end: 0 }];
  for (const match of text.matchAll(pattern ?? /[^ \t\n\v\f\r]+/g)) {
    // A word ends at the end of its line.
    const [found = ""] = match[0].split("\n", 1);
    if (found !== "") words.push({ text: found, start: match.index, end: match.index + found.length });
  }
  return words;
}

function marked(text: string, [before, after]: [string, string], newline: string) {
  const lines = text.split("\n");
  return lines.map((line) => (line === "" ? "" : before + line + after)).join(newline);
}

function changed(old: string, now: string, style: Style, pattern: RegExp | null) {
  if (now === "") return marked(old, style.old, style.newline);
  const [before, after] = [split(old, pattern), split(now, pattern)];
  const changes = changesOf(
    before.slice(1).map(({ text }) => text),
    after.slice(1).map(({ text }) => text),
    { indents: false },
  );
  let printed = "";
  let at = 0;
  const range = (words: Word[], first: number, count: number) =>
    count
      ? [words[first + 1]?.start ?? 0, words[first + count]?.end ?? 0]
      : [words[first]?.end ?? 0, words[first]?.end ?? 0];
  for (const change of changes) {
    const [from, to] = range(before, change.old, change.oldCount);
    const [start = 0, end = 0] = range(after, change.now, change.nowCount);
    printed +=
      marked(now.slice(at, start), style.same, style.newline) +
      marked(old.slice(from, to), style.old, style.newline) +
      marked(now.slice(start, end), style.now, style.newline);
    at = end;
  }
  return printed + marked(now.slice(at), style.same, style.newline);
}

/** The lines of a hunk. */
export function wordsOf({ lines }: Hunk, { words, wordPattern }: Options) {
  const style = STYLES[words];
  let [printed, old, now] = ["", "", ""];
  const flush = () => {
    if (old || now) printed += changed(old, now, style, wordPattern);
    [old, now] = ["", ""];
  };
  for (const { kind, text } of lines) {
    const line = text.endsWith("\n") ? text : `${text}\n`;
    if (kind === "-") old += line;
    else if (kind === "+") now += line;
    else {
      flush();
      printed += words === "porcelain" ? ` ${line}~\n` : line;
    }
  }
  flush();
  return printed;
}
