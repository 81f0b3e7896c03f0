/** Fuzzy matching of names. */

import type { Piece } from "../../generated/types.ts";

const START_OF_WORD = 8;
const IN_A_ROW = 5;
const FIRST_LETTER = 6;
const GAP = 0.2;

/**
 * Match a text that contains all the letters of `typed`, in this order; spaces are ignored.
 *
 * @returns null without a match
 */
export function fuzzyMatch(typed: string, text: string): { score: number; pieces: Piece[] } | null {
  const wanted = [...typed.toLowerCase().replace(/\s+/g, "")];
  const letters = [...text];
  const lower = letters.map((letter) => letter.toLowerCase());
  // An exact substring scores highest.
  const whole = lower.join("").indexOf(typed.trim().toLowerCase());
  if (whole >= 0 && lower.length === text.length && typed.trim() !== "") {
    const end = whole + typed.trim().length;
    const score =
      typed.trim().length * IN_A_ROW * 2 +
      (startsWord(letters, whole) ? START_OF_WORD * 2 : 0) +
      (whole === 0 ? FIRST_LETTER : 0) -
      letters.length * GAP;
    return { score, pieces: piecesOf(letters, (index) => index >= whole && index < end) };
  }
  const places = new Set();
  let [score, last] = [-letters.length * GAP, -1];
  for (const letter of wanted) {
    const place = nextPlace(lower, letters, letter, last);
    if (place < 0) return null;
    score +=
      1 +
      (startsWord(letters, place) ? START_OF_WORD : 0) +
      (place === last + 1 ? IN_A_ROW : 0) +
      (place === 0 ? FIRST_LETTER : 0) -
      (place - last - 1) * GAP;
    places.add(place);
    last = place;
  }
  return { score, pieces: piecesOf(letters, (index) => places.has(index)) };
}

function nextPlace(lower: string[], letters: string[], letter: string, last: number) {
  const next = lower.indexOf(letter, last + 1);
  if (next === last + 1) return next;
  // Prefer letters at the beginning of words, as in abbreviations.
  for (let place = next; place >= 0; place = lower.indexOf(letter, place + 1)) {
    if (startsWord(letters, place)) return place;
  }
  return next;
}

function startsWord(letters: string[], place: number) {
  const [before, letter] = [letters[place - 1], letters[place]];
  return (
    before === undefined || !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(letter ?? ""))
  );
}

function piecesOf(letters: string[], matches: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = [];
  letters.forEach((letter, index) => {
    const match = matches(index);
    const last = pieces.at(-1);
    if (last?.match === match) last.text += letter;
    else pieces.push({ text: letter, match });
  });
  return pieces;
}
