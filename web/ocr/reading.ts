// What Tesseract has read, as lines and words with their boxes in the picture.

/** boxes are in pixels, `confidence` in percent */
type Word = { text: string; x: number; y: number; width: number; height: number; confidence: number };

/** lines of one block, such as a paragraph or a column, belong together */
export interface Line extends Word {
  block: number;
  words: Word[];
}

// A row of the table is a word. https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html, TSV
const WORD = "5";
// Less certain words are noise: edges and icons that are read as letters.
const NOISE = 20;
// Edges of buttons are read as bars. Bars in fonts are lower: at most 1.8 times as high as small letters.
const BAR = "|";
const HIGHEST_BAR = 1.85;

/** Return the lines of Tesseract's table, boxes in its own pixels. */
export function linesOf(table: string): Line[] {
  const lines = new Map<string, Word[]>();
  for (const row of table.split("\n")) {
    const [level, page, block, paragraph, line, , x, y, width, height, confidence, ...text] = row.split("\t");
    const word = {
      text: text.join(" ").trim(),
      x: +x,
      y: +y,
      width: +width,
      height: +height,
      confidence: Math.round(+confidence),
    };
    if (level !== WORD || word.text === "" || word.confidence < NOISE) continue;
    const key = [block, page, paragraph, line].join(" ");
    const words = lines.get(key);
    if (words) words.push(word);
    else lines.set(key, [word]);
  }
  return [...lines].map(([key, all]) => {
    const words = withoutEdges(all);
    return { ...around(words), block: parseInt(key, 10), words };
  });
}

/** Leave out the bars of a line that are much higher than its words. */
function withoutEdges(words: Word[]) {
  const heights = words.filter(({ text }) => text !== BAR).map(({ height }) => height);
  if (heights.length === 0) return words;
  const highest = HIGHEST_BAR * Math.max(...heights);
  return words.filter(({ text, height }) => text !== BAR || height <= highest);
}

function around(words: Word[]): Word {
  const x = Math.min(...words.map((word) => word.x));
  const y = Math.min(...words.map((word) => word.y));
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return {
    text: words.map(({ text }) => text).join(" "),
    x,
    y,
    width: Math.max(...words.map((word) => word.x + word.width)) - x,
    height: Math.max(...words.map((word) => word.y + word.height)) - y,
    confidence: Math.round(words.reduce((sum, { confidence, text }) => sum + confidence * text.length, 0) / letters),
  };
}

/** Return how sure the lines are on average, and the sum over all letters. */
export function score(lines: Line[]) {
  let letters = 0;
  let sure = 0;
  for (const { text, confidence } of lines) {
    letters += text.length;
    sure += confidence * text.length;
  }
  return { confidence: letters === 0 ? 0 : sure / letters, sure };
}

/**
 * Return lines with boxes in the file's picture instead of the picture that Tesseract read.
 * @param size - of what was read, before it was turned
 * @param turn - clockwise degrees by which it was turned
 * @param scale - of what was read
 */
export function placed(lines: Line[], size: { width: number; height: number }, turn: number, scale: number): Line[] {
  const place = <Box extends Word>(box: Box): Box => {
    const { x, y, width, height } = turnedBack(box, size, turn);
    const [left, top] = [Math.round(x / scale), Math.round(y / scale)];
    return {
      ...box,
      x: left,
      y: top,
      width: Math.round((x + width) / scale) - left,
      height: Math.round((y + height) / scale) - top,
    };
  };
  return lines.map((line) => ({ ...place(line), words: line.words.map(place) }));
}

function turnedBack({ x, y, width, height }: Word, size: { width: number; height: number }, turn: number) {
  if (turn === 90) return { x: y, y: size.height - x - width, width: height, height: width };
  if (turn === 180) return { x: size.width - x - width, y: size.height - y - height, width, height };
  if (turn === 270) return { x: size.width - y - height, y: x, width: height, height: width };
  return { x, y, width, height };
}
