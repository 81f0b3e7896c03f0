// Which lines a text within a budget keeps: those that a person would act on first.

import { LANDMARKS } from "./roles.js";

/**
 * @import { Entry } from "./entries.js"
 * @import { Head } from "./snapshots.js"
 *
 * @typedef {object} Line
 * @property {string} text
 * @property {number} depth
 * @property {number} parent the index of the line that it is below, or -1
 * @property {string} ref
 * @property {Entry | null} entry null for what gives context
 */

const INDENT = "  ";
// Left for the words that say what was cut.
const NOTE = 260;
const MOST_PLACES = 4;

/** What is acted on first. @type {Record<string, number>} */
const WORTH = { textbox: 60, searchbox: 60, combobox: 55, button: 55, checkbox: 50, radio: 50, switch: 50, tab: 45, link: 40 };
/** Where things matter more, or less. @type {Record<string, number>} */
const PLACES = { dialog: 60, alertdialog: 60, search: 20, main: 15, form: 15, contentinfo: -35, complementary: -10 };

/**
 * The lines as one text of at most `most` characters.
 * @param {Line[]} lines
 * @param {Head} head
 * @param {number} most
 */
export function cutToFit(lines, head, most) {
  const whole = join(lines, () => true);
  if (whole.length <= most) return whole;
  const kept = choose(lines, head, most - NOTE);
  const note = noteOf(lines, kept, most, whole.length + NOTE);
  return `${join(lines, (index) => kept.has(index))}\n${note}`;
}

/** @param {Line[]} lines @param {(index: number) => boolean} isKept */
function join(lines, isKept) {
  return lines.filter((_, index) => isKept(index)).map(({ depth, text }) => INDENT.repeat(Math.min(depth, 8)) + text).join("\n");
}

/** The best lines that fit, with those that they are below. @param {Line[]} lines @param {Head} head @param {number} most */
function choose(lines, head, most) {
  const worth = worths(lines, head);
  const order = lines.map((_, index) => index).filter((index) => worth[index] > -Infinity).sort((one, other) => worth[other] - worth[one]);
  const kept = new Set();
  let left = most;
  for (const best of order) {
    const more = [];
    for (let index = best; index >= 0 && !kept.has(index); index = lines[index].parent) more.push(index);
    const cost = more.reduce((sum, index) => sum + lines[index].text.length + 1 + INDENT.length * Math.min(lines[index].depth, 8), 0);
    if (cost > left) continue;
    left -= cost;
    for (const index of more) kept.add(index);
    if (left < 20) break;
  }
  return kept;
}

/** How much each line is worth; what only gives context comes with the others. @param {Line[]} lines @param {Head} head */
function worths(lines, head) {
  /** @type {Map<string, number>} */
  const repeated = new Map();
  return lines.map((line) => {
    const { entry, parent, text } = line;
    if (!entry) return text.startsWith("#") ? 30 : -Infinity;
    const place = placeOf(lines, line);
    const key = `${parent < 0 ? -1 : lines[parent].parent} ${entry.role}`;
    const count = repeated.get(key) ?? 0;
    repeated.set(key, count + 1);
    let worth = (WORTH[entry.role] ?? 35) + place - Math.min(40, count);
    if (entry.in_view) worth += 30;
    else worth -= Math.min(20, (Math.abs(entry.y) / (head.viewport.height || 1)) * 4);
    if (entry.covered_by || entry.states.disabled) worth -= 15;
    return entry.name ? worth : worth - 15;
  });
}

/** @param {Line[]} lines @param {Line} line */
function placeOf(lines, line) {
  let sum = 0;
  for (let index = line.parent; index >= 0; index = lines[index].parent) {
    const [, role] = /^\[e\d+\] (\w+)/.exec(lines[index].text) ?? [];
    if (role && LANDMARKS.has(role)) sum += PLACES[role] ?? 0;
  }
  return sum;
}

/** What was cut, from where, and how to get it. @param {Line[]} lines @param {Set<number>} kept @param {number} most @param {number} whole */
function noteOf(lines, kept, most, whole) {
  /** @type {Map<number, number>} */
  const places = new Map();
  let cut = 0;
  for (let index = 0; index < lines.length; index++) {
    if (kept.has(index) || !lines[index].entry) continue;
    cut++;
    let place = lines[index].parent;
    while (place >= 0 && (!kept.has(place) || lines[place].entry)) place = lines[place].parent;
    if (place >= 0) places.set(place, (places.get(place) ?? 0) + 1);
  }
  const where = [...places].sort(([, one], [, other]) => other - one).slice(0, MOST_PLACES);
  const told = where.map(([place, count]) => `${lines[place].ref} (${count})`).join(", ");
  const scope = told ? `scope: ${told}; or ` : "";
  return `… ${cut} elements were cut to stay within max_chars. To see more: ${scope}max_chars=${whole}.`.slice(0, Math.max(most, NOTE));
}
