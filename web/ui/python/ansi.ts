/**
 * Output of programs as a terminal would leave it: colors, and text that progress bars wrote over (ECMA-48). The
 * libraries for colors (ansi_up, anser) move no cursor, and xterm.js draws a grid with a keyboard of its own.
 */

/**
 * @typedef {object} Style
 * @property {string} [color]
 * @property {string} [background]
 * @property {boolean} [bold]
 * @property {boolean} [dim]
 * @property {boolean} [italic]
 * @property {boolean} [underline]
 * @property {boolean} [struck]
 * @property {boolean} [inverse]
 *
 * @typedef {{text: string, style: Style}} Run adjacent characters in one style
 */

/** @type {Style} */
const PLAIN = {};
const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
/** The levels of xterm's color cube. */
const LEVELS = [0, 95, 135, 175, 215, 255];
/** @type {Record<number, Style>} */
const ATTRIBUTES = {
  1: { bold: true }, 2: { dim: true }, 3: { italic: true }, 4: { underline: true }, 7: { inverse: true }, 9: { struck: true },
  21: { underline: true }, 22: { bold: undefined, dim: undefined }, 23: { italic: undefined }, 24: { underline: undefined },
  27: { inverse: undefined }, 29: { struck: undefined }, 39: { color: undefined }, 49: { background: undefined },
};
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f]/;
// A control sequence, an operating system command, another escape, or a single character.
const PIECES = /\x1b\[([0-9;:<=>?]*)[ -/]*([@-~]|$)|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|[\s\S]/gu;
/** Lines and columns that a sequence can reach. */
const MOST_LINES = 5_000;
const MOST_COLUMNS = 2_000;
const TAB = 8;

/** Return the text as runs. @param {string} text @returns {Run[]} */
export function runsOf(text) {
  if (!SPECIAL.test(text)) return text ? [{ text, style: PLAIN }] : [];
  const screen = new Screen();
  for (const [piece, parameters, final] of text.matchAll(PIECES)) {
    if (final) screen.control(final, parameters ?? "");
    else if (piece[0] !== "\x1b") screen.write(piece);
  }
  return screen.runs();
}

class Screen {
  /** @type {{text: string, style: Style}[][]} lines of cells */
  #lines = [[]];
  #row = 0;
  #column = 0;
  #style = PLAIN;

  /** @param {string} character */
  write(character) {
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
    return /** @type {{text: string, style: Style}[]} */ (this.#lines[this.#row]);
  }

  /** @param {number} row @param {number} column */
  #go(row, column) {
    this.#row = Math.max(0, row);
    this.#column = Math.max(0, column);
    while (this.#lines.length <= this.#row) this.#lines.push([]);
  }

  /** @param {string} final @param {string} parameters */
  control(final, parameters) {
    if (/[<=>?]/.test(parameters)) return;
    const [first = 0] = parameters.split(/[;:]/).map(Number);
    const lines = Math.min(Math.max(1, first), MOST_LINES);
    const columns = Math.min(Math.max(1, first), MOST_COLUMNS);
    switch (final) {
      case "m": this.#style = styled(this.#style, parameters); break;
      case "A": this.#go(this.#row - lines, this.#column); break;
      case "B": this.#go(Math.min(this.#row + lines, MOST_LINES + this.#lines.length), this.#column); break;
      case "C": this.#go(this.#row, this.#column + columns); break;
      case "D": this.#go(this.#row, this.#column - columns); break;
      case "E": this.#go(this.#row + lines, 0); break;
      case "F": this.#go(this.#row - lines, 0); break;
      case "G": this.#go(this.#row, columns - 1); break;
      case "K": this.#eraseLine(first); break;
      case "J": this.#erase(first); break;
    }
  }

  /** @param {number} part 0 is what follows the cursor, 1 what precedes it, 2 all */
  #eraseLine(part) {
    const line = this.#line;
    if (part === 1) line.fill({ text: " ", style: PLAIN }, 0, this.#column + 1);
    else line.splice(part === 0 ? this.#column : 0);
  }

  /** @param {number} part as in `#eraseLine` */
  #erase(part) {
    if (part === 0) {
      this.#eraseLine(0);
      this.#lines.splice(this.#row + 1);
    } else if (part === 2 || part === 3) {
      this.#lines = [[]];
      this.#go(0, 0);
    }
  }

  /** @returns {Run[]} */
  runs() {
    /** @type {Run[]} */
    const runs = [];
    this.#lines.forEach((line, index) => {
      if (index > 0) append(runs, "\n", PLAIN);
      for (const { text, style } of line) append(runs, text, style);
    });
    return runs;
  }
}

/** @param {Run[]} runs @param {string} text @param {Style} style */
function append(runs, text, style) {
  const last = runs.at(-1);
  if (last?.style === style) last.text += text;
  else runs.push({ text, style });
}

/** Apply a sequence "Select Graphic Rendition". @param {Style} style @param {string} parameters @returns {Style} */
function styled(style, parameters) {
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

/** @param {number} code @returns {Style} */
function basic(code) {
  const base = [30, 40, 90, 100].find((start) => code >= start && code < start + NAMES.length);
  if (base === undefined) return PLAIN;
  return { [base % 60 === 30 ? "color" : "background"]: named(code - base) };
}

/** @param {number} index */
function named(index) {
  return `var(--terminal-${NAMES[index % NAMES.length]})`;
}

/** @param {number[]} codes after 38 or 48: `5, n` or `2, r, g, b` @returns {string | undefined} */
function extended([kind, ...values]) {
  if (kind === 2 && values.length === 3) return `rgb(${values.map((value) => value & 255).join(" ")})`;
  const [index = 0] = values;
  if (kind !== 5 || index > 255) return undefined;
  if (index < 16) return named(index);
  if (index > 231) return `rgb(${Array(3).fill(8 + 10 * (index - 232)).join(" ")})`;
  return `rgb(${[36, 6, 1].map((step) => LEVELS[Math.floor((index - 16) / step) % 6]).join(" ")})`;
}
