/**
 * Characters that can be taken for others, or that draw over others: look-alikes of ASCII (Unicode's confusables and
 * compatibility forms), and combining marks that strike, enclose or stack. Text in its own script stays as it is.
 */

import { LOOKALIKES } from "../../generated/lookalikes.ts";
import { codeOf, shownPieces } from "./format.ts";

/** `problem` says what is wrong with a piece of a text */
type Piece = { text: string; problem: string | null };

const ALIKE = new Map(
  Object.entries(LOOKALIKES).flatMap(([ascii, characters]) => [...characters].map((each) => [each, ascii])),
);

// A word with its marks, or one other character with its marks.
const TOKEN = /[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_]\p{M}*/gu;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
const ASCII = /^[\x20-\x7e\n]*$/;
const WIDE = /[\uff01-\uff5e]/;
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
// Scripts with many letters like those of ASCII. A word in two of them is no word.
const SCRIPTS = ["Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Lisu", "Hebrew", "Arabic"].map(
  (name) => new RegExp(`\\p{Script=${name}}`, "u"),
);
// Enclosing marks, and marks of the combining class "overlay" in UnicodeData.txt.
const STRIKING =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for alone
  /[\p{Me}\u0334-\u0338\u1cd4\u1ce2-\u1ce8\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb\u{10a39}\u{16af0}-\u{16af4}\u{1bc9e}\u{1d167}-\u{1d169}]/u;
// The blocks of combining diacritical marks, which fit on any character.
const GENERAL = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/u;
// Vowels and tones of a script take at most so many on a letter.
const MOST_MARKS = 4;

/** Split a text into pieces, in order, with those marked that are hidden or can be taken for something else. */
export function exactPieces(text: string): Piece[] {
  return joined(
    shownPieces(text).flatMap(({ text: piece, hidden }) =>
      hidden
        ? [{ text: piece, problem: HIDDEN }]
        : ASCII.test(piece)
          ? [{ text: piece, problem: null }]
          : tokens(piece),
    ),
  );
}

export const HIDDEN = "A character that is invisible, moves others or has no fixed look";

function tokens(text: string): Piece[] {
  return Array.from(text.matchAll(TOKEN)).flatMap(({ 0: token, index }) => {
    if (ASCII.test(token)) return [{ text: token, problem: null }];
    const end = index + token.length;
    const around = text.slice(Math.max(0, index - 2), index) + text.slice(end, end + 2);
    const own = isOfItsScript(token) || (WIDE.test(token) && EAST_ASIAN.test(around));
    return Array.from(token.matchAll(CLUSTER)).flatMap(([cluster]) => clusterPieces(cluster, own));
  });
}

/**
 * @param cluster - a character with its marks
 * @param own - whether it is part of a word of another script
 */
function clusterPieces(cluster: string, own: boolean): Piece[] {
  const [first = "", ...rest] = cluster;
  const isMark = /\p{M}/u.test(first);
  const [base, marks] = isMark ? ["", cluster] : [first, rest.join("")];
  const pieces: Piece[] = [];
  const ascii = base === "" || own ? null : looksLike(base);
  if (base !== "")
    pieces.push({
      text: base,
      problem: ascii === null ? null : `Looks like ${ascii}, but is another character: ${codeOf(base)}`,
    });
  if (marks !== "")
    pieces.push(
      drawsOver(base, marks)
        ? { text: codeOf(marks), problem: "Marks that draw over other characters" }
        : { text: marks, problem: null },
    );
  return pieces;
}

/** Return the ASCII that a character looks like. */
function looksLike(character: string): string | null {
  if (ASCII.test(character)) return null;
  const folded = character.normalize("NFKC");
  // Superscripts, and letters in circles, look different.
  const isForm = folded.length === 1 && ASCII.test(folded) && !/[\p{No}\p{So}]/u.test(character);
  return ALIKE.get(character) ?? (isForm ? folded : /\p{Pd}/u.test(character) ? "-" : null);
}

/** Return whether a word's letters are of one other script, with some that no letter of ASCII looks like. */
function isOfItsScript(word: string) {
  const letters = word.match(/\p{L}/gu) ?? [];
  const isForeign = letters.every(
    (letter) => EAST_ASIAN.test(letter) || !/[\p{Script=Latin}\p{Script=Common}]/u.test(letter),
  );
  const scripts = SCRIPTS.filter((script) => script.test(word));
  return isForeign && scripts.length <= 1 && letters.some((letter) => looksLike(letter) === null);
}

/** Return whether marks strike their character, or reach into the lines around it. */
function drawsOver(base: string, marks: string) {
  if (base === "" || STRIKING.test(marks)) return true;
  const left = (base + marks).normalize("NFC").match(/\p{M}/gu) ?? [];
  const general = left.filter((mark) => GENERAL.test(mark));
  return left.length > MOST_MARKS || general.length > 1 || (general.length > 0 && !/\p{L}/u.test(base));
}

/** Join pieces without a problem. */
function joined(pieces: Piece[]) {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.problem === null && piece.problem === null) last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}
