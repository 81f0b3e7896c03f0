/**
 * The console's input: history, indentation, and when Enter runs the code.
 */

const INDENT = "    ";
const MOST_ROWS = 12;
const OPENS = { "(": ")", "[": "]", "{": "}" };

export class CodeInput {
  /** The position in the history; null for new text. @type {number | null} */
  #position = null;
  #draft = "";

  /** @param {HTMLTextAreaElement} field */
  constructor(field) {
    this.field = field;
    /** @type {string[]} oldest first */
    this.history = [];
    field.addEventListener("input", () => {
      this.#position = null;
      this.grow();
    });
  }

  get before() {
    return this.field.value.slice(0, this.field.selectionStart);
  }

  get #line() {
    return this.before.slice(this.before.lastIndexOf("\n") + 1);
  }

  /** True if Enter starts a new line: a block begins, or a bracket is open. */
  get isIncomplete() {
    const { selectionStart, value } = this.field;
    return selectionStart === value.length && (/:\s*(#.*)?$/.test(this.#line) || isOpen(value));
  }

  get isOnLastLine() {
    return !this.field.value.slice(this.field.selectionEnd).includes("\n");
  }

  /** True if Tab indents: the caret is at the start of one of several lines. */
  get isAtIndent() {
    return this.field.value.includes("\n") && this.#line.trim() === "";
  }

  /** @param {string} text */
  set(text) {
    this.field.value = text;
    this.grow();
  }

  /** Replace the text between a position and the caret. @param {number} start @param {string} text */
  replace(start, text) {
    this.field.setRangeText(text, start, this.field.selectionStart, "end");
    this.#position = null;
    this.grow();
  }

  newLine() {
    const indent = /^\s*/.exec(this.#line)?.[0] ?? "";
    this.replace(this.field.selectionStart, `\n${indent}${/:\s*(#.*)?$/.test(this.#line) ? INDENT : ""}`);
  }

  indent() {
    this.replace(this.field.selectionStart, INDENT);
  }

  /** Remove one level of indentation. @returns {boolean} whether there was one */
  dedent() {
    const { selectionStart, selectionEnd } = this.field;
    if (selectionStart !== selectionEnd || !/^(?: {4})+$/.test(this.#line)) return false;
    this.replace(selectionStart - INDENT.length, "");
    return true;
  }

  /**
   * Recall an earlier or later input. New text in the field restricts it to inputs that begin with that text.
   *
   * @param {-1 | 1} step
   * @returns {boolean} whether the key was handled
   */
  recall(step) {
    if (!this.#isAtEdge(step)) return false;
    if (this.#position === null) this.#draft = this.field.value;
    let position = this.#position ?? this.history.length;
    do position += step;
    while (position >= 0 && position < this.history.length && !this.history[position]?.startsWith(this.#draft));
    if (position < 0) return true;
    this.set(this.history[position] ?? this.#draft);
    this.#position = position < this.history.length ? position : null;
    return true;
  }

  /** Return whether the caret is on the first or last line. @param {-1 | 1} step */
  #isAtEdge(step) {
    const { value, selectionStart, selectionEnd } = this.field;
    if (selectionStart !== selectionEnd) return false;
    return !(step < 0 ? value.slice(0, selectionStart) : value.slice(selectionEnd)).includes("\n");
  }

  /** Empty the field. @returns {string} its text */
  take() {
    const code = this.field.value;
    this.#position = null;
    this.set("");
    return code;
  }

  /** Put incomplete code in front of what was typed since, and start a new line after it. @param {string} code */
  putBack(code) {
    const { value } = this.field;
    this.set(code + value);
    this.field.setSelectionRange(code.length, code.length);
    this.newLine();
    this.field.setSelectionRange(this.field.value.length, this.field.value.length);
  }

  grow() {
    this.field.rows = Math.min(MOST_ROWS, this.field.value.split("\n").length);
  }
}

/** Return whether a bracket is open at the end, ignoring strings and comments. @param {string} code */
function isOpen(code) {
  const plain = code.replace(/("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*/g, "");
  const count = (/** @type {string} */ character) => plain.split(character).length;
  return Object.entries(OPENS).some(([open, close]) => count(open) > count(close));
}
