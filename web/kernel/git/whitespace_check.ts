// `git diff --check`: added lines with conflict markers or white space that git warns of (core.whitespace in git-config(1)).
import { GitProblem } from "./answers.js";
import { hunksOf } from "./hunk_ranges.js";
import { linesOf } from "./line_diff.js";
import { setting } from "./settings.js";

const MARKER = /^(<{7}|>{7}|\|{7})(\s|$)|^={7}$/;

/** @param {import("./settings.js").Setting[]} settings @returns {void} */
export function needPlainRules(settings) {
  const rules = setting(settings, "core.whitespace");
  if (rules !== undefined) throw new GitProblem("error: git diff --check knows no core.whitespace here\nhint: use git -c without it, or grep; a Linux terminal has Debian's git", 129);
}

/** @param {string} line without its newline @returns {string[]} */
function faultsOf(line) {
  const faults = [];
  if (/[ \t\v\f\r]$/.test(line)) faults.push("trailing whitespace");
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  if (/ \t/.test(indent)) faults.push("space before tab in indent");
  return faults;
}

/** @param {string} text @returns {number} */
function blanksAtEnd(text) {
  const lines = linesOf(text);
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.length - 1 - last;
}

/** @param {string} path @param {string} old @param {string} now @param {import("./hunk_ranges.js").Rules} rules @returns {string} */
export function checked(path, old, now, rules) {
  let printed = "";
  for (const hunk of hunksOf(old, now, { ...rules, context: 1 })) {
    let number = hunk.now;
    for (const { kind, text } of hunk.lines) {
      if (kind !== "-") number++;
      if (kind !== "+") continue;
      const line = text.replace(/\n$/, "");
      if (MARKER.test(line)) printed += `${path}:${number}: leftover conflict marker\n`;
      const faults = faultsOf(line);
      if (faults.length) printed += `${path}:${number}: ${faults.join(", ")}.\n+${line}\n`;
    }
  }
  const [before, after] = [blanksAtEnd(old), blanksAtEnd(now)];
  return after > before ? `${printed}${path}:${linesOf(now).length - after + 1}: new blank line at EOF.\n` : printed;
}
