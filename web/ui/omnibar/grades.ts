/**
 * One scale for how well an item matches a text, for items of the page and of Python
 * (py/gemini/computer/search/grades.py), so that all kinds are ranked together.
 */

import type { Piece } from "../../generated/types.ts";
import { fuzzyMatch } from "./fuzzy.ts";
import { plain } from "./mode.ts";

/** The name, or a whole word of it, is the text. */
const WHOLE = 4;
/** A word of the name starts with the text. */
const START = 3;
/** The name contains the text, or a keyword is the text. */
const PART = 2;
/** The text, the description or a keyword matches. */
const CONTENT = 1;
/** The name has the letters in this order. */
export const LETTERS = 0;

type Grade = { grade: number; score: number; pieces: Piece[] };

/**
 * Grade a title and other search words for a text.
 *
 * @param keywords - separated by spaces
 * @returns null without a match
 */
export function gradeOf(typed: string, title: string, keywords = ""): Grade | null {
  const text = typed.trim().toLowerCase();
  const found = fuzzyMatch(text, title);
  const grade = gradeOfName(text, title.toLowerCase());
  if (found && grade > LETTERS) return { grade, score: found.score, pieces: found.pieces };
  const byWords = gradeOfWords(text, title, keywords);
  if (byWords !== null) return { grade: byWords, score: 0, pieces: found?.pieces ?? plain(title) };
  return found && { grade: LETTERS, score: found.score, pieces: found.pieces };
}

function gradeOfName(text: string, name: string) {
  // The parts of a tool's name are no words of their own: `terminal` means New terminal rather than one of the tools.
  if (name === text || name.split(/[^\p{L}\p{N}_]+/u).includes(text)) return WHOLE;
  // A text of several words may end inside a word.
  if (new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(text)}`, "u").test(name)) return START;
  return name.includes(text) ? PART : LETTERS;
}

function gradeOfWords(text: string, title: string, keywords: string) {
  const words = wordsOf(`${title} ${keywords}`.toLowerCase());
  if (wordsOf(keywords.toLowerCase()).includes(text)) return PART;
  const typed = wordsOf(text);
  return typed.length > 0 && typed.every((each) => words.some((word) => word.startsWith(each))) ? CONTENT : null;
}

function wordsOf(text: string) {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function escaped(text: string) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
