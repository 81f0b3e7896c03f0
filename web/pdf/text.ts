// The text of a page, from the pieces that pdf.js finds in it.

interface Piece {
  str: string;
  /** whether a line ends here */
  hasEOL: boolean;
  /** its matrix; the last two numbers are its place */
  transform: number[];
  height: number;
}

// A larger distance between two lines, in heights of a line, begins a paragraph.
const PARAGRAPH = 1.7;

/** Return the pieces as lines, with an empty line between paragraphs. */
export function textOf(items: (Piece | { str?: undefined })[]): string {
  const lines: { text: string; y: number; height: number }[] = [];
  let line = { text: "", y: NaN, height: 0 };
  for (const item of items) {
    // Others than text, such as marks of content.
    if (item.str === undefined) continue;
    const { str, hasEOL, transform, height } = item;
    if (str.trim() !== "") Object.assign(line, { y: transform[5], height: Math.max(line.height, height) });
    line.text += str;
    if (!hasEOL) continue;
    lines.push(line);
    line = { text: "", y: NaN, height: 0 };
  }
  lines.push(line);
  let text = "";
  let before = line;
  for (const next of lines) {
    if (next.text.trim() === "") continue;
    const gap = Math.abs(before.y - next.y);
    if (text) text += gap > PARAGRAPH * Math.max(before.height, next.height) ? "\n\n" : "\n";
    text += next.text.trimEnd();
    before = next;
  }
  return text;
}
