// Selects the lines of a text within a budget: those that a user would most likely act on.

import type { Entry } from "./entries.ts";
import { LANDMARKS } from "./roles.ts";
import type { Head } from "./snapshots.ts";

const INDENT = " ";
const DEEPEST = 8;
// Reserved for the note about cut lines.
const NOTE = 220;
const MOST_PLACES = 4;
const WORTH_A_SCOPE = 5;
// No line fits into less.
const LEAST = 20;
// After so many lines that didn't fit, the others aren't written.
const MOST_MISSES = 40;
// The estimated length of a cut line, which is never written.
const USUAL = 60;

/** The worth of elements by role. */
const WORTH: Record<string, number> = {
  textbox: 60,
  searchbox: 60,
  combobox: 55,
  button: 55,
  checkbox: 50,
  radio: 50,
  switch: 50,
  tab: 45,
  link: 40,
  heading: 30,
};
/** The worth that landmarks add to the elements inside. */
const PLACES: Record<string, number> = {
  dialog: 60,
  alertdialog: 60,
  search: 20,
  main: 15,
  form: 15,
  contentinfo: -35,
  complementary: -10,
};

/** A line of the text, written on demand. */
export class Line {
  above: Line | null;
  ref: string;
  role: string;
  entry: Entry | null;
  write: () => string;
  /** The cells of a row of a grid, which are written into its line. */
  cells: Entry[] = [];
  /** The text, or null before it is written. */
  written: string | null = null;
  depth = 0;
  included = false;
  /** The worth that the landmarks around it add. */
  place: number;

  /**
   * @param above - the line that it is indented below
   * @param entry - null for context
   * @param write - returns "" if the line has no text
   */
  constructor(above: Line | null, ref: string, role: string, entry: Entry | null, write: () => string) {
    this.above = above;
    this.ref = ref;
    this.role = role;
    this.entry = entry;
    this.write = write;
    this.place = placeOf(above) + (entry === null && LANDMARKS.has(role) ? (PLACES[role] ?? 0) : 0);
  }

  /** The first element of the line that can be acted on, or null. */
  get first() {
    return this.entry ?? this.cells[0] ?? null;
  }

  get text() {
    return (this.written ??= this.write());
  }

  /** Return the lines to include with it: itself and the lines above that aren't included yet, the outermost first. */
  chain() {
    const chain: Line[] = [];
    for (let line: Line | null = this; line && !line.included; line = line.above) chain.push(line);
    return chain.reverse();
  }

  /** Return the number of characters that including it takes. */
  cost() {
    let cost = 0;
    for (const line of this.chain()) {
      line.depth = line.above ? line.above.depth + Number(line.above.text !== "") : 0;
      if (line.text) cost += `${line}`.length + 1;
    }
    return cost;
  }

  toString() {
    return INDENT.repeat(Math.min(this.depth, DEEPEST)) + this.text;
  }
}

const placeOf = (line: Line | null): number => line?.place ?? 0;

/** Join the lines that fit into at most `most` characters. */
export function cutToFit(lines: Line[], head: Head, most: number) {
  const order = byWorth(lines, head);
  let left = most;
  const late: Line[] = [];
  let misses = 0;
  for (const line of order) {
    if (left < LEAST || misses > MOST_MISSES) break;
    const cost = line.cost();
    if (cost > left) {
      misses++;
      continue;
    }
    misses = 0;
    for (const one of line.chain()) one.included = true;
    left -= cost;
    // Dropped again if a note is needed.
    if (left < NOTE) late.push(line);
  }
  if (order.every((line) => line.included)) return join(lines);
  for (const line of late) line.included = false;
  dropEmpty(lines);
  return `${join(lines)}\n${noteOf(lines)}`;
}

/** Drop context lines without included lines below them. */
function dropEmpty(lines: Line[]) {
  const wanted = new Set();
  for (const line of lines) {
    if (!line.included || !(line.first || line.role === "heading")) continue;
    for (let above = line.above; above && !wanted.has(above); above = above.above) wanted.add(above);
  }
  for (const line of lines)
    line.included = wanted.has(line) || (line.included && (line.first !== null || line.role === "heading"));
}

function join(lines: Line[]) {
  return lines.filter((line) => line.included && line.text).join("\n");
}

/** Sort actions and headings by worth, the best first. Context lines are included with them. */
function byWorth(lines: Line[], head: Head) {
  const repeated = new Map<string, number>();
  const worths = new Map();
  for (const line of lines) {
    if (line.first) worths.set(line, worthOf(line.first, head) + line.place - countOf(line, repeated));
    else if (line.role === "heading") worths.set(line, WORTH.heading);
  }
  return [...worths.keys()].sort((one, other) => worths.get(other) - worths.get(one));
}

function worthOf(entry: Entry, { viewport }: Head) {
  let worth = WORTH[entry.role] ?? 35;
  worth += entry.in_view ? 30 : -Math.min(20, (Math.abs(entry.y) / (viewport.height || 1)) * 4);
  if (entry.covered_by || entry.states.disabled) worth -= 15;
  return entry.name ? worth : worth - 15;
}

/** Count the lines of the same role before it in the same list. */
function countOf({ above, role }: Line, repeated: Map<string, number>) {
  const key = `${(above?.entry ? above : above?.above)?.ref} ${role}`;
  const count = repeated.get(key) ?? 0;
  repeated.set(key, count + 1);
  return Math.min(40, count);
}

/** Write the note: how much was cut, where, and how to see it. */
function noteOf(lines: Line[]) {
  const places = new Map<string, number>();
  let cut = 0;
  for (const line of lines) {
    if (line.included || !line.first) continue;
    cut += Number(line.entry !== null) + line.cells.length;
    let place = line.above;
    while (place && (!place.included || place.entry || !place.text)) place = place.above;
    if (place) places.set(place.ref, (places.get(place.ref) ?? 0) + 1);
  }
  const most = [...places]
    .filter(([, count]) => count >= WORTH_A_SCOPE)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_PLACES);
  const scope = most.length ? `scope=${most.map(([ref, count]) => `${ref} (${count})`).join(" or ")}; or ` : "";
  const enough = lines.reduce((sum, { written }) => sum + (written?.length ?? USUAL) + 2 * INDENT.length, 1_000);
  return `… ${cut} elements were cut to fit max_chars. To see more: ${scope}max_chars=${Math.ceil(enough / 1_000)}000.`;
}
