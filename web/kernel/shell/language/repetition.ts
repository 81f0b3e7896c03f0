// Repetition in extended regular expressions (POSIX, 9.4), where JavaScript's `*?` and `(?:` mean something else.

const TOKEN = /\\[^]|\[\^?(?:\\[^]|[^\]\\])*\]|\{(?:\d+(?:,\d*)?|,\d*)\}|[^]/gu;
const ANCHORS = new Set(["^", "$", "\\b", "\\B"]);

/**
 * Write an expression in which signs of repetition follow each other for JavaScript.
 * @param source - in JavaScript's syntax but for these
 * @returns null if a sign repeats nothing
 */
export function withPosixRepetition(source: string): string | null {
  const pieces: string[] = [];
  const open: number[] = [];
  // Where the piece begins that a sign would repeat; null after an anchor, "(" and "|".
  let atom: number | null = null;
  let isRepeated = false;
  for (const [token] of source.matchAll(TOKEN)) {
    if (/^[*+?{]/.test(token)) {
      if (atom === null || token === "{") return null;
      if (isRepeated) {
        pieces.splice(atom, 0, "(?:");
        pieces.push(")");
      }
      pieces.push(token.replace("{,", "{0,"));
      isRepeated = true;
      continue;
    }
    isRepeated = false;
    atom = ANCHORS.has(token) || token === "(" || token === "|" ? null : pieces.length;
    if (token === "(") open.push(pieces.length);
    if (token === ")") atom = open.pop() ?? pieces.length;
    pieces.push(token === "}" ? "\\}" : token);
  }
  return pieces.join("");
}
