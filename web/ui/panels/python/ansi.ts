/**
 * Output of programs as a terminal would leave it: colors, and text that progress bars wrote over (ECMA-48). The
 * libraries for colors (ansi_up, anser) move no cursor, and xterm.js draws a grid with its own keyboard.
 */

interface Style {
  color?: string;
  background?: string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  struck?: boolean;
  inverse?: boolean;
}

/** adjacent characters in one style */
export type Run = { text: string; style: Style };

const PLAIN: Style = {};
const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
/** The levels of xterm's color cube. */
const LEVELS = [0, 95, 135, 175, 215, 255];
const ATTRIBUTES: Record<number, Style> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  21: { underline: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  29: { struck: undefined },
  39: { color: undefined },
  49: { background: undefined },
};
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f]/;
// A control sequence, an operating system command, another escape, or a single character.
const PIECES = /\x1b\[([0-9;:<=>?]*)[ -/]*([@-~]|$)|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|[\s\S]/gu;
/** Lines and columns that a sequence can reach. */
const MOST_LINES = 5_000;
const MOST_COLUMNS = 2_000;
const TAB = 8;

/** Return the text as runs. */
export function runsOf(text: string): Run[] {
  if (!SPECIAL.test(text)) return text ? [{ text, style: PLAIN }] : [];
  const screen = new Screen();
  for (const [piece, parameters, final] of text.matchAll(PIECES)) {
    if (final) screen.control(final, parameters ?? "");
    else if (piece[0] !== "\x1b") screen.write(piece);
  }
  return screen.runs();
}

class Screen {
  /** lines of cells */
  #lines: { text: string; style: Style }[][] = [[]];
  #row = 0;
  #column = 0;
  #style = PLAIN;

  write(character: string) {
    if (character === "\n") this.#go(this.#row + 1, 0);
    else if (character === "\r") this.#column = 0;
    else if (character === "\b") this.#column = Math.max(0, this.#column - 1);
    else if (character === "\t") this.#column += TAB - (this.#column % TAB);
    else if (!SPECIAL.test(character)) {
      const line = this.#line;
      while (line.length < this.#column) line.push({ text: " ", style: PLAIN });
      line[this.#column] = { text: character, style: this.#style };
      this.#column += 1;
    }
  }

  get #line() {
    // The row is always one of the lines.
    return this.#lines[this.#row] as { text: string; style: Style }[];
  }

  #go(row: number, column: number) {
    this.#row = Math.max(0, row);
    this.#column = Math.max(0, column);
    while (this.#lines.length <= this.#row) this.#lines.push([]);
  }

  control(final: string, parameters: string) {
    if (/[<=>?]/.test(parameters)) return;
    const [first = 0] = parameters.split(/[;:]/).map(Number);
    const lines = Math.min(Math.max(1, first), MOST_LINES);
    const columns = Math.min(Math.max(1, first), MOST_COLUMNS);
    const acts: Record<string, () => void> = {
      m: () => (this.#style = styled(this.#style, parameters)),
      A: () => this.#go(this.#row - lines, this.#column),
      B: () => this.#go(Math.min(this.#row + lines, MOST_LINES + this.#lines.length), this.#column),
      C: () => this.#go(this.#row, this.#column + columns),
      D: () => this.#go(this.#row, this.#column - columns),
      E: () => this.#go(this.#row + lines, 0),
      F: () => this.#go(this.#row - lines, 0),
      G: () => this.#go(this.#row, columns - 1),
      K: () => this.#eraseLine(first),
      J: () => this.#erase(first),
    };
    acts[final]?.();
  }

  /** @param part - 0 is what follows the cursor, 1 what precedes it, 2 all */
  #eraseLine(part: number) {
    const line = this.#line;
    if (part === 1) line.fill({ text: " ", style: PLAIN }, 0, this.#column + 1);
    else line.splice(part === 0 ? this.#column : 0);
  }

  /** @param part - as in `#eraseLine` */
  #erase(part: number) {
    if (part === 0) {
      this.#eraseLine(0);
      this.#lines.splice(this.#row + 1);
    } else if (part === 2 || part === 3) {
      this.#lines = [[]];
      this.#go(0, 0);
    }
  }

  runs(): Run[] {
    const runs: Run[] = [];
    this.#lines.forEach((line, index) => {
      if (index > 0) append(runs, "\n", PLAIN);
      for (const { text, style } of line) append(runs, text, style);
    });
    return runs;
  }
}

function append(runs: Run[], text: string, style: Style) {
  const last = runs.at(-1);
  if (last?.style === style) last.text += text;
  else runs.push({ text, style });
}

/** Apply a sequence "Select Graphic Rendition". */
function styled(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) next = PLAIN;
    else if (code === 38 || code === 48) {
      const length = codes[index + 1] === 2 ? 4 : 2;
      const color = extended(codes.slice(index + 1, index + 1 + length));
      if (color) next = { ...next, [code === 38 ? "color" : "background"]: color };
      index += length;
    } else next = { ...next, ...ATTRIBUTES[code], ...basic(code) };
  }
  return next;
}

function basic(code: number): Style {
  const base = [30, 40, 90, 100].find((start) => code >= start && code < start + NAMES.length);
  if (base === undefined) return PLAIN;
  return { [base % 60 === 30 ? "color" : "background"]: named(code - base) };
}

function named(index: number) {
  return `var(--terminal-${NAMES[index % NAMES.length]})`;
}

/** @param codes - after 38 or 48: `5, n` or `2, r, g, b` */
function extended([kind, ...values]: number[]): string | undefined {
  if (kind === 2 && values.length === 3) return `rgb(${values.map((value) => value & 255).join(" ")})`;
  const [index = 0] = values;
  if (kind !== 5 || index > 255) return undefined;
  if (index < 16) return named(index);
  if (index > 231)
    return `rgb(${Array(3)
      .fill(8 + 10 * (index - 232))
      .join(" ")})`;
  return `rgb(${[36, 6, 1].map((step) => LEVELS[Math.floor((index - 16) / step) % 6]).join(" ")})`;
}
