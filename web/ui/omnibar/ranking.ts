/** Ranks items of all kinds together: by grade, then by kind, then by how recently they were used. */

import { LETTERS, gradeOf } from "./grades.ts";
import { plain, type Suggestion } from "./mode.ts";
import type { PageItem } from "./page_items.ts";
import { recentIds } from "./recent.ts";

/** The kinds in the order in which equal matches are listed; kinds that aren't listed come last. */
const KINDS = ["command", "panel", "setting", "tab", "file", "tool", "folder", "recent", "page"];
// A few letters in order match almost anything; with a shorter text, only words match.
const MIN_LETTERS = 3;

export interface Graded extends Suggestion {
  grade: number;
  score?: number;
}

/** @returns best first */
export function ranked(text: string, items: PageItem[]): Graded[] {
  if (text.trim() === "") return items.map(({ name, ...item }) => ({ ...item, title: plain(name), grade: LETTERS }));
  return inOrder(
    items.flatMap(({ name, keywords, ...item }) => {
      const found = gradeOf(text, name, keywords);
      if (found === null || (found.grade === LETTERS && text.trim().length < MIN_LETTERS)) return [];
      return [{ ...item, title: found.pieces, grade: found.grade, score: found.score }];
    }),
  );
}

/** @returns best first; equal ones keep their order */
export function inOrder<Item extends Graded>(items: Item[]): Item[] {
  const recent = recentIds();
  const used = ({ id }: Graded) => (id !== undefined && recent.includes(id) ? recent.length - recent.indexOf(id) : 0);
  return items.toSorted(
    (left, right) =>
      right.grade - left.grade ||
      placeOf(left) - placeOf(right) ||
      used(right) - used(left) ||
      (right.score ?? 0) - (left.score ?? 0),
  );
}

function placeOf({ kind, grade }: Graded) {
  // Of letters in order, the kind says nothing.
  const place = grade === LETTERS ? 0 : KINDS.indexOf(kind);
  return place < 0 ? KINDS.length : place;
}
