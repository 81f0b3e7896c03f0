// `git diff --check`: added lines with conflict markers or white space that git warns of (core.whitespace in git-config(1)).
import { refuse } from "../repository/refusals.ts";
import { hunksOf, type Rules } from "./hunk_ranges.ts";
import { linesOf } from "./line_diff.ts";
import { setting, type Setting } from "../repository/settings.ts";

const MARKER = /^(<{7}|>{7}|\|{7})(\s|$)|^={7}$/;

export function needPlainRules(settings: Setting[]): void {
  const rules = setting(settings, "core.whitespace");
  if (rules !== undefined) refuse("git diff --check knows no core.whitespace here", "use git -c without it, or grep");
}

/** @param line - without its newline */
export function faultsOf(line: string): string[] {
  const faults = [];
  if (/[ \t\v\f\r]$/.test(line)) faults.push("trailing whitespace");
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  if (/ \t/.test(indent)) faults.push("space before tab in indent");
  return faults;
}

function blanksAtEnd(text: string): number {
  const lines = linesOf(text);
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.length - 1 - last;
}

export function checked(path: string, old: string, now: string, rules: Rules): string {
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
