/**
 * Ranks items of all kinds together: by grade, then by kind, then by how recently they were used.
 *
 * @import { Suggestion } from "./mode.js"
 * @import { PageItem } from "./page_items.js"
 */

import { LETTERS, gradeOf } from "./grades.js";
import { plain } from "./mode.js";
import { recentIds } from "./recent.js";

/** The kinds in the order in which equal matches are listed; kinds that aren't listed come last. */
const KINDS = ["command", "panel", "setting", "tab", "file", "tool", "folder", "recent", "page"];
// A few letters in order match almost anything; with a shorter text, only words match.
const MIN_LETTERS = 3;

/** @typedef {Suggestion & {grade: number, score?: number}} Graded */

/** @param {string} text @param {PageItem[]} items @returns {Graded[]} best first */
export function ranked(text, items) {
  if (text.trim() === "") return items.map(({ name, ...item }) => ({ ...item, title: plain(name), grade: LETTERS }));
  return inOrder(items.flatMap(({ name, keywords, ...item }) => {
    const found = gradeOf(text, name, keywords);
    if (found === null || (found.grade === LETTERS && text.trim().length < MIN_LETTERS)) return [];
    return [{ ...item, title: found.pieces, grade: found.grade, score: found.score }];
  }));
}

/** @template {Graded} Item @param {Item[]} items @returns {Item[]} best first; equal ones keep their order */
export function inOrder(items) {
  const recent = recentIds();
  const used = (/** @type {Graded} */ { id }) => (id !== undefined && recent.includes(id) ? recent.length - recent.indexOf(id) : 0);
  return items.toSorted((left, right) => right.grade - left.grade || placeOf(left) - placeOf(right)
    || used(right) - used(left) || (right.score ?? 0) - (left.score ?? 0));
}

/** @param {Graded} item */
function placeOf({ kind, grade }) {
  // Of letters in order, the kind says nothing.
  const place = grade === LETTERS ? 0 : KINDS.indexOf(kind);
  return place < 0 ? KINDS.length : place;
}
