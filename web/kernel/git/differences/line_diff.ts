// The lines that differ between two texts, placed as git places them: changes slide to where indentation and empty lines
// suggest that a block begins (git-diff(1), --indent-heuristic).
import { markChanges, type Side } from "./shortest_edit.ts";

type Text = { lines: string[] } & Side;

/** lines are counted from 0 */
export type Change = { old: number; oldCount: number; now: number; nowCount: number; ignored: boolean };

/** lines of the same key count as equal */
type Key = (line: string) => string;

type Options = { key?: Key; isMinimal?: boolean; indents?: boolean };

const MOST_SLIDING = 100;
const MOST_BLANKS = 20;
const MOST_INDENT = 200;
const TAB = 8;
// How good a place is to split a text, as weighted in git's diff.
const WEIGHT = {
  indent: 60,
  start: 1,
  end: 21,
  blank: -30,
  after: 6,
  relative: -4,
  relativeBlank: 10,
  outdent: 24,
  outdentBlank: 17,
  dedent: 23,
  dedentBlank: 17,
};

/** The lines of a text, with their newlines. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const whole = lines.map((line) => `${line}\n`);
  return rest === "" ? whole : [...whole, rest];
}

export function changesOf(
  old: string[],
  now: string[],
  { key = (line) => line, isMinimal = false, indents = true }: Options = {},
): Change[] {
  const ids = new Map();
  const idOf = (line: string) => {
    const name = key(line);
    if (!ids.has(name)) ids.set(name, ids.size);
    return ids.get(name);
  };
  const [before, after] = [old, now].map((lines) => ({ lines, ids: lines.map(idOf), changed: lines.map(() => false) }));
  if (!before || !after) return [];
  markChanges(before, after, isMinimal);
  slide(before, after, indents);
  slide(after, before, indents);
  return listed(before, after);
}

function listed(old: Text, now: Text): Change[] {
  const found: Change[] = [];
  for (let [one, other] = [0, 0]; one < old.lines.length || other < now.lines.length; one++, other++) {
    const [start, begin] = [one, other];
    while (old.changed[one]) one++;
    while (now.changed[other]) other++;
    if (one > start || other > begin)
      found.push({ old: start, oldCount: one - start, now: begin, nowCount: other - begin, ignored: false });
  }
  return found;
}

/** A group of changed lines, maybe empty; one stands between each two unchanged lines. */
class Group {
  text: Text;
  start = 0;
  end = 0;

  constructor(text: Text) {
    this.text = text;
    this.#extend();
  }

  get isEmpty() {
    return this.start === this.end;
  }

  #extend() {
    while (this.text.changed[this.end]) this.end++;
  }

  next() {
    if (this.end === this.text.lines.length) return false;
    this.start = this.end = this.end + 1;
    this.#extend();
    return true;
  }

  previous() {
    this.end = this.start = this.start - 1;
    while (this.text.changed[this.start - 1]) this.start--;
  }

  up() {
    const { ids, changed } = this.text;
    if (this.start === 0 || ids[this.start - 1] !== ids[this.end - 1]) return false;
    changed[--this.start] = true;
    changed[--this.end] = false;
    while (changed[this.start - 1]) this.start--;
    return true;
  }

  down() {
    const { ids, changed } = this.text;
    if (this.end === ids.length || ids[this.start] !== ids[this.end]) return false;
    changed[this.start++] = false;
    changed[this.end++] = true;
    this.#extend();
    return true;
  }
}

/** Slide groups: to a group of the other text if there is one, else to the best place. */
function slide(text: Text, other: Text, indents: boolean) {
  const [group, partner] = [new Group(text), new Group(other)];
  do {
    if (!group.isEmpty) place(group, partner, indents);
    if (!group.next()) return;
  } while (partner.next());
}

function place(group: Group, partner: Group, indents: boolean) {
  let [size, earliest, matching] = [0, 0, -1];
  do {
    size = group.end - group.start;
    matching = -1;
    while (group.up()) partner.previous();
    earliest = group.end;
    if (!partner.isEmpty) matching = group.end;
    while (group.down()) {
      partner.next();
      if (!partner.isEmpty) matching = group.end;
    }
  } while (size !== group.end - group.start);
  if (group.end === earliest) return;
  const isThere = () => (matching >= 0 ? !partner.isEmpty : group.end <= best);
  const best = matching < 0 && indents ? bestEnd(group, earliest, size) : matching < 0 ? group.end : 0;
  while (!isThere() && group.up()) partner.previous();
}

/** @param group - at its last place */
function bestEnd({ text, end }: Group, earliest: number, size: number): number {
  let best = -1;
  let score = { indent: 0, penalty: 0 };
  for (let at = Math.max(earliest, end - size - 1, end - MOST_SLIDING); at <= end; at++) {
    const one = added(splitAt(text.lines, at), splitAt(text.lines, at - size));
    const worse = WEIGHT.indent * Math.sign(one.indent - score.indent) + one.penalty - score.penalty;
    if (best < 0 || worse <= 0) [best, score] = [at, one];
  }
  return best;
}

const added = (one: { indent: number; penalty: number }, other: { indent: number; penalty: number }) => ({
  indent: one.indent + other.indent,
  penalty: one.penalty + other.penalty,
});

/** @returns -1 for an empty line */
function indentOf(line: string): number {
  let width = 0;
  for (const letter of line) {
    if (letter === " ") width++;
    else if (letter === "\t") width += TAB - (width % TAB);
    else if (!/[\n\v\f\r]/.test(letter)) return width;
    if (width >= MOST_INDENT) return MOST_INDENT;
  }
  return -1;
}

/** The next indentation from a line on, and the empty lines before it. */
function nearest(lines: string[], at: number, step: number) {
  let blanks = 0;
  for (let place = at; place >= 0 && place < lines.length; place += step) {
    const indent = indentOf(lines[place] ?? "");
    if (indent >= 0) return { indent, blanks };
    if (++blanks === MOST_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** Rate a split of a text before a line. */
function splitAt(lines: string[], at: number) {
  const isEnd = at >= lines.length;
  const own = isEnd ? -1 : indentOf(lines[at] ?? "");
  const [before, after] = [nearest(lines, at - 1, -1), nearest(lines, at + 1, 1)];
  const blanksAfter = own < 0 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  const indent = own < 0 ? after.indent : own;
  let penalty = WEIGHT.blank * blanks + WEIGHT.after * blanksAfter;
  if (before.indent < 0 && before.blanks === 0) penalty += WEIGHT.start;
  if (isEnd) penalty += WEIGHT.end;
  if (indent >= 0 && before.indent >= 0 && indent !== before.indent) {
    if (indent > before.indent) penalty += blanks ? WEIGHT.relativeBlank : WEIGHT.relative;
    else if (after.indent >= 0 && after.indent > indent) penalty += blanks ? WEIGHT.outdentBlank : WEIGHT.outdent;
    else penalty += blanks ? WEIGHT.dedentBlank : WEIGHT.dedent;
  }
  return { indent, penalty };
}
