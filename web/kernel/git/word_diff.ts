// Words that differ, as `git diff --word-diff` marks them.
import { changesOf } from "./line_diff.js";

/**
 * @typedef {import("./hunk_ranges.js").Hunk} Hunk
 * @typedef {{ text: string, start: number, end: number }} Word
 * @typedef {{ old: [string, string], now: [string, string], same: [string, string], newline: string }} Style
 */

/** @type {Record<string, Style>} */
const STYLES = {
  plain: { old: ["[-", "-]"], now: ["{+", "+}"], same: ["", ""], newline: "\n" },
  porcelain: { old: ["-", "\n"], now: ["+", "\n"], same: [" ", "\n"], newline: "~\n" },
};

/** The words of a text, after an empty one at its start. @param {string} text @param {RegExp | null} pattern @returns {Word[]} */
function split(text, pattern) {
  const words = [{ text: "", start: 0, end: 0 }];
  for (const match of text.matchAll(pattern ?? /[^ \t\n\v\f\r]+/g)) {
    // A word ends at the end of its line.
    const [found = ""] = match[0].split("\n", 1);
    if (found !== "") words.push({ text: found, start: match.index, end: match.index + found.length });
  }
  return words;
}

/** @param {string} text @param {[string, string]} marks @param {string} newline */
function marked(text, [before, after], newline) {
  const lines = text.split("\n");
  return lines.map((line) => (line === "" ? "" : before + line + after)).join(newline);
}

/** @param {string} old @param {string} now @param {Style} style @param {RegExp | null} pattern */
function changed(old, now, style, pattern) {
  if (now === "") return marked(old, style.old, style.newline);
  const [before, after] = [split(old, pattern), split(now, pattern)];
  const changes = changesOf(before.slice(1).map(({ text }) => text), after.slice(1).map(({ text }) => text), { indents: false });
  let printed = "";
  let at = 0;
  const range = (/** @type {Word[]} */ words, /** @type {number} */ first, /** @type {number} */ count) =>
    count ? [words[first + 1]?.start ?? 0, words[first + count]?.end ?? 0] : [words[first]?.end ?? 0, words[first]?.end ?? 0];
  for (const change of changes) {
    const [from, to] = range(before, change.old, change.oldCount);
    const [start = 0, end = 0] = range(after, change.now, change.nowCount);
    printed += marked(now.slice(at, start), style.same, style.newline) + marked(old.slice(from, to), style.old, style.newline) + marked(now.slice(start, end), style.now, style.newline);
    at = end;
  }
  return printed + marked(now.slice(at), style.same, style.newline);
}

/** The lines of a hunk. @param {Hunk} hunk @param {import("./diff_options.js").Options} options */
export function wordsOf({ lines }, { words, wordPattern }) {
  const style = /** @type {Style} */ (STYLES[words]);
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
