/** The line that the user types in a terminal, as far as their keys alone tell: not what completion or the history adds. */

const LONGEST = 500;
// https://invisible-island.net/xterm/xterm-paste64.html
const PASTE_MARKS = /\x1b\[20[01]~/g;
const [ENTER, BACKSPACE, INTERRUPT, CLEAR] = ["\r", "\x7f", "\x03", "\x15"];

export class TypedLine {
  /** null: unknown until the next line */
  #text: string | null = "";

  /**
   * Add the terminal's input.
   *
   * @param byPerson - whether it comes from a trusted event of the user's
   * @returns the last line that ends in it; null if there is none, or it is unknown
   */
  add(data: string, byPerson: boolean): string | null {
    let ended: string | null = null;
    for (const key of byPerson ? data.replace(PASTE_MARKS, "") : "\0") {
      if (key === ENTER) {
        ended = this.#text;
        this.#text = "";
      } else if (key === INTERRUPT || key === CLEAR) this.#text = "";
      else if (this.#text === null) continue;
      else if (key === BACKSPACE) this.#text = [...this.#text].slice(0, -1).join("");
      else this.#text = key < " " || this.#text.length >= LONGEST ? null : this.#text + key;
    }
    return ended;
  }
}
