// Unified hunks of two texts, as git prints them: context, headings, functions, and changes that are left out.
import type { Heading } from "./headings.ts";
import { changesOf, linesOf, type Change } from "./line_diff.ts";

export interface Rules {
  /** lines around a change */
  context: number;
  /** lines between hunks that are shown, too */
  between: number;
  /** whether to show whole functions */
  functions: boolean;
  /** which white space doesn't count */
  space: "all" | "amount" | "end" | "cr" | "";
  /** whether changes of empty lines don't count */
  blanks: boolean;
  /** changes of such lines don't count */
  ignored: RegExp[];
  isMinimal: boolean;
  indents: boolean;
  heading: Heading;
}

/** with its newline, if it has one */
export type Line = { kind: " " | "-" | "+"; text: string };

/** first lines are counted from 0 */
export type Hunk = { old: number; oldCount: number; now: number; nowCount: number; heading: string; lines: Line[] };

const MOST_OF_HEADING = 80;

const KEYS: Record<Rules["space"], (line: string) => string> = {
  "": (line) => line,
  all: (line) => line.replace(/[ \t\n\v\f\r]+/g, ""),
  amount: (line) => line.replace(/[ \t\n\v\f\r]+$/, "").replace(/[ \t\n\v\f\r]+/g, " "),
  end: (line) => line.replace(/[ \t\n\v\f\r]+$/, ""),
  cr: (line) => (line.endsWith("\n") ? line.replace(/\r?\n$/, "") : line),
};

/** Return whether a line has only white space. */
const isBlank = (line: string, { space }: Rules) =>
  space === "" ? line === "" || line === "\n" : KEYS.all(line) === "";

export function hunksOf(old: string, now: string, rules: Rules): Hunk[] {
  const [before, after] = [linesOf(old), linesOf(now)];
  const changes = changesOf(before, after, {
    key: KEYS[rules.space],
    isMinimal: rules.isMinimal,
    indents: rules.indents,
  });
  const isLeftOut = (line: string) => rules.ignored.some((pattern) => pattern.test(line.replace(/\n$/, "")));
  for (const change of changes) {
    const lines = [
      ...before.slice(change.old, change.old + change.oldCount),
      ...after.slice(change.now, change.now + change.nowCount),
    ];
    change.ignored =
      (rules.blanks && lines.every((line) => isBlank(line, rules))) ||
      (rules.ignored.length > 0 && lines.every(isLeftOut));
  }
  return new Hunks(before, after, changes, rules).all();
}

class Hunks {
  before: string[];
  after: string[];
  changes: Change[];
  rules: Rules;

  constructor(before: string[], after: string[], changes: Change[], rules: Rules) {
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.rules = rules;
  }

  all(): Hunk[] {
    const found = [];
    let [searched, heading] = [-1, ""];
    for (let at = 0; at < this.changes.length; ) {
      const group = this.#group(at);
      if (group === null) break;
      const range = this.#range(group.first, group.last, at);
      const named = this.#heading(range.old - 1, searched);
      heading = named ?? heading;
      searched = range.old - 1;
      found.push({ ...range.hunk(heading), lines: this.#lines(range) });
      at = range.last + 1;
    }
    return found;
  }

  /** The changes that share a hunk, from one on. */
  #group(from: number): { first: number; last: number } | null {
    const {
      changes,
      rules: { context, between },
    } = this;
    let first = from;
    for (let at = from; changes[at]?.ignored; at++) {
      const [one, next] = [changes[at], changes[at + 1]];
      if (next === undefined || next.old - (one.old + one.oldCount) >= context) first = at + 1;
    }
    if (first >= changes.length) return null;
    let [last, left] = [first, 0];
    const end = (at: number) => (changes[at]?.old ?? 0) + (changes[at]?.oldCount ?? 0);
    for (let at = first + 1; at < changes.length; at++) {
      const { old, ignored, nowCount } = changes[at];
      const distance = old - end(at - 1);
      if (distance > 2 * context + between) break;
      const isNear = distance < context;
      if (isNear && (!ignored || last === at - 1)) [last, left] = [at, 0];
      else if (isNear) left += nowCount;
      else if (last !== at - 1 && old + left - end(last) > 2 * context + between) break;
      else if (!ignored) [last, left] = [at, 0];
      else left += nowCount;
    }
    return { first, last };
  }

  /**
   * The lines that a hunk spans.
   * @param earliest - the first change that it may have
   */
  #range(first: number, last: number, earliest: number) {
    const {
      before,
      after,
      changes,
      rules: { context, functions },
    } = this;
    const change = (at: number) => changes[at];
    let [old, now] = [Math.max(change(first).old - context, 0), Math.max(change(first).now - context, 0)];
    if (functions) {
      for (;;) {
        const start = this.#functionStart(change(first));
        if (start >= old) break;
        [now, old] = [Math.max(now - (old - start), 0), start];
        let wanted = earliest;
        while (wanted !== first && change(wanted).old + change(wanted).oldCount <= old) wanted++;
        if (wanted === first) break;
        first = wanted;
        [old, now] = [Math.max(change(first).old - context, 0), Math.max(change(first).now - context, 0)];
      }
    }
    for (;;) {
      const [oldEnd, nowEnd] = [change(last).old + change(last).oldCount, change(last).now + change(last).nowCount];
      const more = Math.min(context, before.length - oldEnd, after.length - nowEnd);
      let [bottom, end] = [oldEnd + more, nowEnd + more];
      if (functions) {
        const stop = this.#functionEnd(oldEnd);
        if (stop > bottom) [end, bottom] = [Math.min(end + stop - bottom, after.length), stop];
        const next = changes[last + 1];
        const reach = Math.min(next?.old ?? 0, before.length - 1);
        if (next && (reach - context <= bottom || this.#functionLine(reach, bottom) < 0)) {
          last++;
          continue;
        }
      }
      const hunk = (heading: string) => ({ old, oldCount: bottom - old, now, nowCount: end - now, heading });
      return { old, now, bottom, end, first, last, hunk };
    }
  }

  #lines({ now, end, first, last }: { now: number; end: number; first: number; last: number }): Line[] {
    const lines: Line[] = [];
    let at = now;
    const add = (kind: Line["kind"], texts: string[]) => texts.forEach((text) => lines.push({ kind, text }));
    for (const change of this.changes.slice(first, last + 1)) {
      add(" ", this.after.slice(at, change.now));
      add("-", this.before.slice(change.old, change.old + change.oldCount));
      add("+", this.after.slice(change.now, change.now + change.nowCount));
      at = change.now + change.nowCount;
    }
    add(" ", this.after.slice(at, end));
    return lines;
  }

  #isHeading(line: string) {
    return this.rules.heading(line) !== null;
  }

  /** @returns the line of a heading from a line up or down to a limit, or -1 */
  #functionLine(from: number, limit: number): number {
    const step = from > limit ? -1 : 1;
    for (let at = from; at !== limit && at >= 0 && at < this.before.length; at += step)
      if (this.#isHeading(this.before[at] ?? "")) return at;
    return -1;
  }

  #heading(from: number, limit: number) {
    const at = from > limit ? this.#functionLine(from, limit) : -1;
    return at < 0
      ? null
      : (this.rules
          .heading(this.before[at] ?? "")
          ?.slice(0, MOST_OF_HEADING)
          .trimEnd() ?? null);
  }

  #functionStart({ old, now }: Change) {
    const { before, after } = this;
    if (old >= before.length) {
      // A whole function that is added at the end needs no more context.
      if (after.slice(now).some((line) => this.#isHeading(line))) return Infinity;
      old = before.length - 1;
    }
    let start = this.#functionLine(old, -1);
    while (start > 0 && !/^\s*$/.test(before[start - 1] ?? "") && !this.#isHeading(before[start - 1] ?? "")) start--;
    return Math.max(start, 0);
  }

  #functionEnd(from: number) {
    let end = this.#functionLine(from, this.before.length);
    while (end > 0 && /^\s*$/.test(this.before[end - 1] ?? "")) end--;
    return end < 0 ? this.before.length : end;
  }
}

export function headerOf({ old, oldCount, now, nowCount, heading }: Hunk) {
  const range = (first: number, count: number) => `${count ? first + 1 : first}${count === 1 ? "" : `,${count}`}`;
  return `@@ -${range(old, oldCount)} +${range(now, nowCount)} @@${heading ? ` ${heading}` : ""}\n`;
}

export const printed = (hunks: Hunk[]): string =>
  hunks.map((hunk) => headerOf(hunk) + hunk.lines.map(printedLine).join("")).join("");

export const printedLine = ({ kind, text }: Line): string =>
  kind + (text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`);
